"""Adds finished games up, by user. Whoever counts holds the lock of the user's row, so the rows are always those that
counting everything again would give."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from math import log2
from typing import TypeVar

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from games import wording
from games.catalogue import TITLES
from games.models import ALL, Act, CountedUser, Game, GameQuerySet, HeadToHead, Incident, Move, Seat, Tally
from games.models.position import Position
from games.rules.base import DamagedState
from games.services.ratings.counting import ranks

Row = TypeVar("Row", Tally, HeadToHead)
AT_ONCE = 10
"""The maximum number of users that a sweep counts again."""
STEPS = 4
"""Steps in an octave: the times of moves are known to a fifth."""
COLOURS = 5
TWELFTHS = 12
"""An even share of a game is a whole number of these for two, three and four seats."""
RAN_OUT = ("timed_out", "overtime")
"""The incidents of a clock that ran out."""
BY_PERSON = (Move.ActorKind.USER, Move.ActorKind.LINK)


def count(game: Game) -> None:
    """Count a game that has just ended, in the caller's transaction."""
    result = _Result.of(game)
    users = [seat.user for seat in result.seats if seat.user and seat.user.is_active]
    _lock(user.pk for user in users)
    kind = {"user__in": users, "title": game.title, "seats__in": (ALL, game.seats), "bots": result.bots}
    people = {seat.user_id for seat in result.seats if seat.user_id}
    bots = {seat.bot for seat in result.seats if seat.bot}
    met = Q(opponent__in=people) | Q(opponent=None, bot__in=bots)
    books = _Books(Tally.objects.filter(**kind), HeadToHead.objects.filter(met, **kind))
    for user in users:
        books.add(result, user)
    books.save()


def lock(games: Iterable[Game], user: User | None = None) -> None:
    """Lock the rows of the people in these games, for a transaction that will end several of them, and of everybody who
    met the user, for one that deletes the account. Pools of ratings are locked before."""
    users = {*Seat.objects.filter(game__in=games, user__is_active=True).values_list("user", flat=True)}
    if user:
        users |= {*HeadToHead.objects.filter(opponent=user).values_list("user", flat=True)}
    _lock(users)


def void(game: Game) -> None:
    """Let a game that no longer counts be forgotten, in the caller's transaction; a worker counts the games of its
    people again."""
    lock([game])
    CountedUser.objects.filter(user__in=Seat.objects.filter(game=game).values("user")).update(stale=True)


def hand_over(guest: User, user: User) -> None:
    """Forget what was counted about a guest whose seats the user has taken; a worker counts the games of everybody who
    met them again."""
    with transaction.atomic():
        met = HeadToHead.objects.filter(opponent=guest)
        users = [guest.pk, user.pk, *met.values_list("user", flat=True)]
        _lock(users)
        met.delete()
        CountedUser.objects.filter(user__in=users).update(stale=True)


def count_stale() -> None:
    """Count the games of some users again whose rows are stale."""
    for pk in CountedUser.objects.filter(stale=True).values_list("pk", flat=True)[:AT_ONCE]:
        recount(pk)


def count_all() -> int:
    """Count the games of everybody again; return the number of users."""
    users = {*Seat.objects.filter(ended_at__isnull=False, user__is_active=True).values_list("user", flat=True)}
    for pk in sorted(users | {*CountedUser.objects.values_list("pk", flat=True)}):
        recount(pk)
    return len(users)


def recount(pk: int) -> None:
    """Count all games of that user again; none of a deleted account, which has no reader. They are read before anything
    is locked, because that takes long, and once more if they or their players have changed meanwhile."""
    counted = False
    while not counted:
        user = User.objects.get(pk=pk)
        players, books = _players(user), _Books()
        for game in _counted_of(user).order_by("ended_at", "pk").iterator(chunk_size=100):
            books.add(_Result.of(game), user)
        with transaction.atomic():
            _lock([pk])
            counted = _players(User.objects.get(pk=pk)) == players
            if counted:
                for table in (Tally, HeadToHead):
                    table._default_manager.filter(user=user).delete()
                books.save()
                CountedUser.objects.filter(pk=pk).update(stale=False)


def step(seconds: float) -> int:
    """The step of a time on a logarithmic scale."""
    return int(STEPS * log2(max(seconds, 1)))


def seconds(step: float) -> float:
    """The time in the middle of a step."""
    return float(2 ** ((step + 0.5) / STEPS))


def _counted_of(user: User) -> GameQuerySet:
    """The games that count for that user."""
    return _counted().of(user) if user.is_active else _counted().none()


def _players(user: User) -> set[tuple[int, int | None]]:
    """The seats of the games that count for that user, as pairs of a game and its player."""
    return {*Seat.objects.filter(game__in=_counted_of(user)).values_list("game", "user")}


def _counted() -> GameQuerySet:
    """The games that count."""
    voided = Act.objects.filter(game=OuterRef("pk"), kind=Act.Kind.VOIDED)
    return Game.objects.filter(~Exists(voided), status=Game.Status.FINISHED)


def _lock(users: Iterable[int | None]) -> None:
    """Lock the rows of these users, always in the same order."""
    known = sorted({pk for pk in users if pk})
    rows = CountedUser.objects.filter(pk__in=known)
    there = {*rows.values_list("pk", flat=True)}
    CountedUser.objects.bulk_create([CountedUser(pk=pk) for pk in known if pk not in there], ignore_conflicts=True)
    list(rows.select_for_update().order_by("pk"))


@dataclass(frozen=True)
class _Result:
    """A finished game, with everything about it that is counted."""

    game: Game
    seats: Sequence[Seat]
    ranks: Sequence[int]
    players: Sequence[object]
    """The final observation of each seat; empty if the position is damaged."""
    times: dict[int, Counter[str]]
    """By seat, the number of moves for each step of time."""
    timed_out: frozenset[int | None]
    """The seats whose time ran out."""

    @classmethod
    def of(cls, game: Game) -> "_Result":
        seats = list(Seat.objects.filter(game=game).in_turn_order())
        ruleset, players = TITLES[game.title].ruleset, ()
        with suppress(DamagedState):
            players = ruleset.observe(ruleset.load(Position.objects.get(game=game).state), None).players
        times: dict[int, Counter[str]] = {}
        moves = Move.objects.filter(game=game, actor__in=BY_PERSON).exclude(time_used=None)
        for index, used in moves.values_list("seat", "time_used"):
            assert used is not None
            if used:  # the first of several decisions carries the time of all
                times.setdefault(index, Counter())[str(step(used.total_seconds()))] += 1
        # A time-out that decides the game is recorded after this.
        late = {seat.index for seat in seats if seat.absent or (seat.caretaker and not seat.resigned)}
        late |= {*Incident.objects.filter(game=game, kind__in=RAN_OUT).values_list("seat", flat=True)}
        return cls(game, seats, ranks(seats), players, times, frozenset(late))

    @property
    def bots(self) -> bool:
        return any(seat.bot for seat in self.seats)

    @property
    def is_shared(self) -> bool:
        return sum(seat.won for seat in self.seats) > 1

    @property
    def ended_at(self) -> datetime:
        assert self.game.ended_at is not None
        return self.game.ended_at

    def was_played_by(self, seat: Seat) -> bool:
        """Whether the player of the seat played the game to its end."""
        played = self.game.ending == Game.Ending.PLAYED and bool(self.players)
        return played and not (seat.out or seat.caretaker)


class _Books:
    """Rows to which games are added before they are saved."""

    def __init__(self, tallies: Iterable[Tally] = (), rivals: Iterable[HeadToHead] = ()) -> None:
        self.tallies = {(row.user_id, row.title, row.seats, row.bots): row for row in tallies}
        self.rivals = {(row.user_id, row.title, row.seats, row.bots, row.opponent_id, row.bot): row for row in rivals}

    def add(self, result: _Result, user: User) -> None:
        """Add a finished game of the user."""
        place = next(place for place, seat in enumerate(result.seats) if seat.user_id == user.pk)
        game, others = result.game, [other for other in range(len(result.seats)) if other != place]
        # Of several bots of one strength, the best one counts.
        others.sort(key=lambda other: -result.ranks[other])
        opponents = {(result.seats[other].user_id, result.seats[other].bot): other for other in others}
        for seats in (ALL, game.seats):
            kind = (user.pk, game.title, seats, result.bots)
            names = dict(zip(("user_id", "title", "seats", "bots"), kind, strict=True))
            tally = self.tallies.get(kind)
            if tally is None:
                tally = Tally(**names, first_at=result.ended_at, last_at=result.ended_at)
                tally = self.tallies[kind] = tally
            _add(tally, result, place)
            for (opponent, bot), other in opponents.items():
                rival = self.rivals.get((*kind, opponent, bot))
                if rival is None:
                    rival = HeadToHead(**names, opponent_id=opponent, bot=bot, last_at=result.ended_at)
                    self.rivals[(*kind, opponent, bot)] = rival
                _compare(rival, result, place, other)

    def save(self) -> None:
        """Write all rows."""
        _save(Tally, self.tallies.values())
        _save(HeadToHead, self.rivals.values())


def _save(table: type[Row], rows: Collection[Row]) -> None:
    fields = [field.name for field in table._meta.concrete_fields if not field.primary_key]
    table._default_manager.bulk_update([row for row in rows if row.pk], fields)
    table._default_manager.bulk_create([row for row in rows if not row.pk])


def _add(tally: Tally, result: _Result, place: int) -> None:
    """Add the game to the tally of the player in that place."""
    game, seat = result.game, result.seats[place]
    tally.games += 1
    tally.won += seat.won and not result.is_shared
    tally.shared += seat.won and result.is_shared
    tally.finished += not (seat.out or seat.caretaker)
    tally.timed_out += seat.index in result.timed_out
    tally.first_at = min(tally.first_at, result.ended_at)
    tally.times = dict(Counter(tally.times) + result.times.get(place, Counter()))
    tally.places = tally.places + [[0, 0, 0]] * (place + 1 - len(tally.places))
    games, won, even = tally.places[place]
    share = TWELFTHS // len(result.seats)
    tally.places = [*tally.places[:place], [games + 1, won + seat.won, even + share], *tally.places[place + 1 :]]
    if tally.last_game_id and (result.ended_at, game.pk) < (tally.last_at, tally.last_game_id):
        _follow_again(tally)
    else:
        _follow(tally, game.pk, seat.won)
        tally.last_at, tally.last_game_id = result.ended_at, game.pk
    if result.was_played_by(seat):
        _measure(tally, result, place)


def _measure(tally: Tally, result: _Result, place: int) -> None:
    """Add the figures of a game that was played to its end."""
    game, seat, player = result.game, result.seats[place], result.players[place]
    figures = [column.count(player) for column in wording.figures(game.title)]
    tally.played += 1
    tally.rounds += game.round
    tally.figures = _sums(tally.figures, figures)
    tally.colours = _sums(tally.colours, player.bonuses[:COLOURS])  # type: ignore[attr-defined]
    # Among equal records the first game counts.
    if not tally.most_points_game_id or (figures[0], -game.pk) > (tally.most_points, -tally.most_points_game_id):
        tally.most_points, tally.most_points_game_id = figures[0], game.pk
    record = (tally.fewest_rounds, tally.fewest_rounds_game_id or 0)
    if seat.won and (not record[1] or (game.round, game.pk) < record):
        tally.fewest_rounds, tally.fewest_rounds_game_id = game.round, game.pk


def _sums(sums: Sequence[int], numbers: Sequence[int]) -> list[int]:
    return [a + b for a, b in zip(sums or [0] * len(numbers), numbers, strict=True)]


def _follow(tally: Tally, game: int, won: bool) -> None:
    """Go on with the streak."""
    if won:
        tally.streak = max(tally.streak, 0) + 1
    else:
        tally.streak = min(tally.streak, 0) - 1
    if tally.streak > tally.best_streak:
        tally.best_streak, tally.best_streak_game_id = tally.streak, game


def _follow_again(tally: Tally) -> None:
    """Follow the streaks from the first game: two games have ended at almost the same time."""
    bots = Exists(Seat.objects.filter(game=OuterRef("pk")).exclude(bot=""))
    games = _counted().filter(bots if tally.bots else ~bots, title=tally.title)
    if tally.seats != ALL:
        games = games.filter(seats=tally.seats)
    mine = Seat.objects.filter(user=tally.user_id, ended_at__isnull=False, game__in=games)
    tally.streak, tally.best_streak, tally.best_streak_game_id = 0, 0, None
    for game, won in mine.order_by("ended_at", "game").values_list("game", "won"):
        _follow(tally, game, won)


def _compare(rival: HeadToHead, result: _Result, place: int, other: int) -> None:
    """Add the game to the row about the opponent in the other place."""
    mine, theirs = result.ranks[place], result.ranks[other]
    rival.games += 1
    rival.won += mine < theirs
    rival.shared += mine == theirs
    rival.last_at = max(rival.last_at, result.ended_at)
    if all(map(result.was_played_by, (result.seats[place], result.seats[other]))):
        rival.played += 1
        rival.points += result.seats[place].score
        rival.points_of_opponent += result.seats[other].score
