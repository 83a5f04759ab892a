"""Counts rated games, in the order in which they ended. Whoever counts holds the lock of the pool, so the ratings are
always those that counting everything again would give, to the last digit."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from time import monotonic
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Pool, Rating, RatingChange, Seat
from games.services.ratings import model

ROUNDS = 2
"""A game counts only if everybody has had this many turns."""
GAMES_AT_ONCE = 1000
"""The number of games that are counted again in one transaction, which takes some seconds."""
SECONDS = 20.0
"""Seconds after which the counting waits for the next sweep."""


def is_rated(game: Game, seats: Iterable[Seat]) -> bool:
    """Whether a game with these players counts. The seats must have been read with their users."""
    return game.rated and can_be_rated(game, seats)


def can_be_rated(game: Game, seats: Iterable[Seat]) -> bool:
    """Whether a game with these players counts if the host wants it: without guests, with a clock if people play each
    other, and with bots whose ratings are known. The seats must have been read with their users."""
    seats = list(seats)
    people = [seat.user for seat in seats if seat.user]
    known = all(_anchor(game, seat) for seat in seats if seat.bot)
    alone = game.seats - sum(bool(seat.bot) for seat in seats) == 1
    timed = alone or game.pace != Game.Pace.NONE
    return known and timed and not any(user.is_guest for user in people)


def count(game: Game) -> None:
    """Count a game that has just ended, if it is rated, in the caller's transaction. While earlier games are being
    counted again, it waits until a worker comes to it."""
    if not _ended().filter(pk=game.pk).exists():
        return
    pool = _locked(game)
    assert game.ended_at is not None
    if pool.stale_since:
        Pool.objects.filter(pk=pool.pk).update(stale_since=min(game.ended_at, pool.stale_since))
    elif RatingChange.objects.filter(pool=pool, ended_at__gte=game.ended_at).exists():
        _count_since(pool, game.ended_at)  # two games have ended at almost the same time
    else:
        _count(pool, game)


class Change(NamedTuple):
    """What a game did to the rating of a player, in whole points."""

    points: int
    """The new rating."""
    uncertainty: int
    gained: int
    provisional: bool


def changes(seats: Iterable[Seat]) -> dict[int, Change]:
    """The changes of the players in these seats, by the number of the seat's row."""
    rows = RatingChange.objects.filter(seat__in=[seat.pk for seat in seats if seat.user_id])
    return {row.pk: change(row) for row in rows}


def change(row: RatingChange) -> Change:
    """That change, rounded so that it leads from the old rating to the new one."""
    points = round(row.points)
    gained = points - round(row.points_before)
    return Change(points, round(row.uncertainty), gained, row.uncertainty > model.SMALL)


def lock(games: Iterable[Game], user: User | None = None) -> None:
    """Lock the pools of these games, for a transaction that will end several of them, and those in which the user has a
    rating, for one that deletes the account."""
    kinds = {_kind(game) for game in games if game.rated}
    if user:
        known = Pool.objects.filter(pk__in=Rating.objects.filter(user=user).values("pool"))
        kinds |= {*known.values_list("title", "seats", "bots")}
    for title, seats, bots in sorted(kinds):
        _lock(title, seats, bots)


def void(game: Game) -> None:
    """Let the game count for nobody, in the caller's transaction; a worker counts the later games again."""
    pool = _locked(game)
    if game.ended_at and (pool.stale_since is None or game.ended_at < pool.stale_since):
        Pool.objects.filter(pk=pool.pk).update(stale_since=game.ended_at)


def count_stale() -> None:
    """Count again where a game was voided, some games at a time, so that others can write meanwhile. What is left after
    some seconds waits for the next sweep; until then, the later games have no changes."""
    until = monotonic() + SECONDS
    for pk in Pool.objects.filter(stale_since__isnull=False).values_list("pk", flat=True):
        while monotonic() < until:
            with transaction.atomic():
                pool = Pool.objects.select_for_update().get(pk=pk)
                if pool.stale_since is None:
                    break
                _count_since(pool, pool.stale_since, GAMES_AT_ONCE)


def count_all() -> int:
    """Count all games again, pool by pool; return their number."""
    pools = {_kind(game) for game in _ended().iterator()}
    for title, seats, bots in sorted(pools):
        with transaction.atomic():
            _count_since(_lock(title, seats, bots), None)
    return _ended().count()


def ranks(seats: Sequence[Seat]) -> list[int]:
    """The rank of each seat: winners first, then by points; those who are out come last. Equal seats tie."""
    places = [_place(seat) for seat in seats]
    return [1 + sum(other < place for other in places) for place in places]


def _place(seat: Seat) -> tuple[int, int]:
    if seat.won:
        return 0, 0
    return (2, 0) if seat.out or seat.caretaker else (1, -seat.score)


def _ended() -> QuerySet[Game]:
    """The games that count."""
    return Game.objects.filter(rated=True, status=Game.Status.FINISHED, round__gt=ROUNDS)


def _kind(game: Game) -> tuple[str, int, bool]:
    return game.title, game.seats, Seat.objects.filter(game=game).exclude(bot="").exists()


def _locked(game: Game) -> Pool:
    return _lock(*_kind(game))


def _lock(title: str, seats: int, bots: bool) -> Pool:
    pool, _made = Pool.objects.get_or_create(title=title, seats=seats, bots=bots)
    return Pool.objects.select_for_update().get(pk=pool.pk)


def _count_since(pool: Pool, since: datetime | None, most: int | None = None) -> None:
    """Count again what ended at that instant or later, or everything; with `most`, only so many games, and let the pool
    be stale from the next one on."""
    later = {"ended_at__gte": since} if since else {}
    changes = RatingChange.objects.filter(pool=pool, seat__bot="", **later)
    people = {*changes.values_list("seat__user", flat=True)}
    changes.delete()
    for user in people:
        _go_back(pool, user)
    bots = Exists(Seat.objects.filter(game=OuterRef("pk")).exclude(bot=""))
    games = _ended().filter(bots if pool.bots else ~bots, title=pool.title, seats=pool.seats, **later)
    games = games.order_by("ended_at", "pk")
    left = games[most : most + 1].first() if most else None
    for game in games[:most].iterator():
        _count(pool, game)
    Pool.objects.filter(pk=pool.pk).update(stale_since=left and left.ended_at)


def _go_back(pool: Pool, user: int | None) -> None:
    """Give the user the rating that they had after the last game that is still counted."""
    mine, changes = Rating.objects.filter(pool=pool, user=user), RatingChange.objects.filter(pool=pool, seat__user=user)
    last = changes.order_by("ended_at", "seat__game").last()
    if last is None:
        mine.delete()
    else:
        mine.update(points=last.points, uncertainty=last.uncertainty, played_at=last.ended_at, games=changes.count())


def _count(pool: Pool, game: Game) -> None:
    seats = list(Seat.objects.filter(game=game).order_by("index"))
    ratings = {rating.user_id: rating for rating in Rating.objects.filter(pool=pool, user__in=_users(seats))}
    fixed = {change.seat_id: change for change in RatingChange.objects.filter(seat__in=seats)}
    before = [
        _rating(ratings.get(seat.user_id)) if seat.user_id else _rating(fixed.get(seat.pk)) or _anchor(game, seat)
        for seat in seats
    ]
    after = model.rated([rating or model.NEW for rating in before], ranks(seats), _recent(pool, game, seats))
    assert game.ended_at is not None
    for seat, old, new in zip(seats, before, after, strict=True):
        old = old or model.NEW
        kept = model.Rated(old, 1.0) if seat.bot else new
        if seat.pk not in fixed:
            RatingChange.objects.create(
                seat=seat,
                pool=pool,
                ended_at=game.ended_at,
                points_before=old.points,
                points=kept.rating.points,
                uncertainty=kept.rating.uncertainty,
                weight=kept.weight,
            )
        if seat.user_id:
            row = ratings.get(seat.user_id) or Rating(pool=pool, user_id=seat.user_id, games=0)
            row.points, row.uncertainty = new.rating.points, new.rating.uncertainty
            row.games, row.played_at = row.games + 1, game.ended_at
            row.save()


def _users(seats: Iterable[Seat]) -> list[int]:
    return [seat.user_id for seat in seats if seat.user_id]


def _rating(row: Rating | RatingChange | None) -> model.Rating | None:
    return model.Rating(row.points, row.uncertainty) if row else None


def _anchor(game: Game, seat: Seat) -> model.Rating | None:
    """The fixed rating of the bot; `None` if it was not measured."""
    measured = TITLES[game.title].ratings.get(seat.bot, {}).get(game.seats)
    return model.Rating(measured.points, measured.interval / 2) if measured else None


def _recent(pool: Pool, game: Game, seats: Sequence[Seat]) -> list[list[list[float]]]:
    """For each seat and each person among its opponents, the changes by the games against that person in the 30 days
    before, the oldest first."""
    assert game.ended_at is not None
    mine = RatingChange.objects.filter(
        pool=pool, ended_at__gt=game.ended_at - model.WINDOW, seat__user__in=_users(seats)
    )
    rows = mine.order_by("ended_at", "seat__game").values_list("seat__game", "seat__user", "points_before", "points")
    tables: dict[int, dict[int | None, float]] = {}
    for table, user, before, after in rows:
        tables.setdefault(table, {})[user] = after - before
    return [
        [
            [changes[seat.user_id] for changes in tables.values() if {seat.user_id, other.user_id} <= changes.keys()]
            for other in seats
            if other.user_id and other is not seat
        ]
        for seat in seats
    ]
