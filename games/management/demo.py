"""The demo: people and tables for an empty site, made through the services as if everything had really happened."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.text import slugify

from accounts import names, services
from accounts.models import Theme, User
from games.bots.base import Limit
from games.catalogue import TITLES
from games.models import Game, Notice, Seat
from games.services import play
from games.services.absence import timeouts, vacations
from games.services.clocks.moment import ago, now
from games.services.play import own_seat
from games.services.tables import tables
from games.services.tables.tables import TableSpec

PASSWORD = "cabochon-demo"
PEOPLE: dict[str, dict[str, str]] = {
    "Ana": {"time_zone": "Europe/Lisbon"},
    "Ben": {"time_zone": "America/New_York", "theme": Theme.DARK},
    "Chloé": {"time_zone": "Europe/Paris"},
    "Dinesh": {"time_zone": "Asia/Kolkata"},
    "Emiko": {"time_zone": "Asia/Tokyo"},
}
DEMO_BOT = "greedy"
"""The bot that chooses for everybody."""
WHIM = 0.08
"""The share of a person's decisions that are random instead."""
DEALS = 50
"""The maximum number of deals to try before one fulfils a wish."""

Sight = Callable[[Any, set[str]], object]
"""A wish about the observation of the seat to act, and the kinds of action on offer."""
Wish = Callable[[Game, Any, set[str]], bool]
"""A wish about the whole game, its observation (`None` if it is over) and the kinds of action on offer."""


class Dull(Exception):
    """The game has gone too far without fulfilling the wish."""


def people() -> list[User]:
    """The users with the names of the demo."""
    keys = [names.skeleton(name) for name in PEOPLE]
    return list(User.objects.filter(name_key__in=keys).order_by("pk"))


def known() -> list[str]:
    """The names of the demo users who still have their first password, which everybody knows."""
    return [user.username for user in people() if user.check_password(PASSWORD)]


def logins() -> str:
    """How to log in as the demo users who still have their first password; empty if there are none."""
    return f"Log in as {', '.join(found)}; the password is {PASSWORD}" if (found := known()) else ""


@transaction.atomic(durable=True)
def fill() -> bool:
    """Create the people and their tables, all or nothing; return whether it did. Does nothing if a name is taken."""
    if people():
        return False
    with ago(timedelta(days=40)):
        for name, fields in PEOPLE.items():
            services.create_confirmed(name, f"{slugify(name)}@example.org", PASSWORD, date_joined=now(), **fields)
    _lay_tables(*people())
    # Notices of current turns stay open, and the site sends them.
    _tell(Notice.objects.filter(due_at__lt=now()).exclude(kind__in=(Notice.Kind.TURN, Notice.Kind.UNFINISHED)))
    # A worker may not be running yet, and it will find these games by itself.
    transaction.get_connection().run_on_commit.clear()
    return True


def _lay_tables(ana: User, ben: User, chloe: User, dinesh: User, emiko: User) -> None:
    rng = Random("demo")
    fast, relaxed, watched = Game.Pace.FAST, Game.Pace.RELAXED, Game.Audience.ANYONE

    # Over
    with ago(timedelta(days=9)):
        _see_end(_play(rng, TableSpec("splendor", 2), [dinesh, ana], 12, _won_by(ana)), [dinesh, ana])
    with ago(timedelta(days=4)):
        _see_end(_play(rng, TableSpec("duel", 2), [ana, chloe], 8, _won_by(chloe)), [ana, chloe])
    with ago(timedelta(hours=40)):
        game = _play(rng, TableSpec("duel", 2, pace=fast), [ben, ana], 3, _turn_of(ben, range(20, 30)))
        play.resign(game, ben)
        _see_end(game, [ben])

    # Ana's turn
    _play(
        rng,
        TableSpec("splendor", 4, [DEMO_BOT]),
        [ben, ana, chloe],
        8,
        _turn_of(ana, range(56, 76), _can_buy, _holds_cards),
    )
    _play(rng, TableSpec("splendor", 2, pace=relaxed), [ana, dinesh], 12, _turn_of(ana, range(32, 44), _can_buy))
    _play(rng, TableSpec("splendor", 2, pace=fast), [emiko, ana], 3, _turn_of(ana, range(40, 80), _in_last_round))
    _play(
        rng,
        TableSpec("duel", 2),
        [emiko, ana],
        6,
        _turn_of(ana, range(38, 70), _can_buy, _holds_cards, _has_privileges),
    )

    with ago(timedelta(hours=18)):
        _play(rng, TableSpec("duel", 2, pace=Game.Pace.DAYS, days=1), [ana, ben], 2, _turn_of(ana, range(44, 60)))

    # Somebody else's turn: with much time, with a caretaker for a player who is away, after a vacation
    _play(rng, TableSpec("duel", 2, audience=watched), [ana, ben], 7, _turn_of(ben, range(36, 50)))
    _play_on_for(rng, chloe, [chloe, ana, emiko], _turn_of(emiko, range(100)))
    _play(rng, TableSpec("duel", 2), [dinesh, ana], 5, _turn_of(dinesh, range(20, 40)))
    with ago(timedelta(hours=9)):
        vacations.begin_vacation(dinesh, 5)
    _play(rng, TableSpec("splendor", 3), [chloe, ana, emiko], 5, _turn_of(chloe, range(30, 42)))
    _play(rng, TableSpec("duel", 2, audience=watched), [ben, chloe], 7, _turn_of(chloe, range(36, 50)))

    # Before the start
    with ago(timedelta(hours=5)):
        _open(TableSpec("duel", 2, pace=fast, audience=watched, admission=Game.Admission.OPEN), [emiko])
    with ago(timedelta(days=1)):
        _open(TableSpec("splendor", 4, [DEMO_BOT], audience=watched, admission=Game.Admission.OPEN), [dinesh, ben])
    with ago(timedelta(hours=14)):
        private = TableSpec(
            "splendor",
            3,
            invited=[ana, ben],
            pace=relaxed,
            audience=Game.Audience.SEATS,
            admission=Game.Admission.NAMED,
        )
        _open(private, [chloe])
    with ago(timedelta(days=2)):
        _open(TableSpec("duel", 2), [ana])


def _see_end(game: Game, persons: Sequence[User]) -> None:
    for person in persons:
        own_seat.see_end(game, person)


def _play_on_for(rng: Random, user: User, persons: Sequence[User], wish: Wish) -> None:
    """A game in which the user ran out of time and a bot has decided since."""
    spec = TableSpec("splendor", 3, pace=Game.Pace.DAYS, days=1)
    with ago(timedelta(hours=26)):
        game = _play(rng, spec, persons, 3, _turn_of(user, range(30, 42)))
    _tell(Notice.objects.filter(game=game))
    assert game.deadline is not None
    with ago(now() - game.deadline):
        timeouts.time_out(game)
    while not _decide(rng, game, wish):
        pass


def _tell(owed: QuerySet[Notice]) -> None:
    """Close these notices, as if their mails were no longer needed."""
    owed.filter(closed_at=None).update(closed_at=now(), outcome=Notice.Outcome.OUTDATED)


def _turn_of(user: User, numbers: range, *more: Sight) -> Wish:
    """The user is to act, at one of these numbers."""

    def wish(game: Game, seen: Any, words: set[str]) -> bool:
        if game.number >= numbers.stop:
            raise Dull
        mine = seen is not None and seen.seat == game.index_of(user)
        return mine and game.number in numbers and all(sight(seen, words) for sight in more)

    return wish


def _won_by(user: User) -> Wish:
    return lambda game, seen, words: Seat.objects.filter(game=game, user=user, won=True).exists()


def _can_buy(seen: Any, words: set[str]) -> bool:
    return "buy" in words


def _holds_cards(seen: Any, words: set[str]) -> bool:
    return bool(seen.players[seen.seat].reserved)


def _has_privileges(seen: Any, words: set[str]) -> bool:
    return bool(seen.players[seen.seat].privileges)


def _in_last_round(seen: Any, words: set[str]) -> bool:
    return bool(seen.last_round)


def _open(spec: TableSpec, persons: Sequence[User]) -> Game:
    """A table for these people, with the first as its host."""
    host, *others = persons
    game = tables.create(host, spec)
    for person in others:
        tables.join(game, person)
    return game


def _play(rng: Random, spec: TableSpec, persons: Sequence[User], days: int, wish: Wish) -> Game:
    """A game that began that many days ago, played until it fulfils the wish. Its seed is unknown, so this tries
    several deals."""
    for _deal in range(DEALS):
        with suppress(Dull), transaction.atomic():
            with ago(timedelta(days=days)):
                game = _open(spec, persons)
            while not _decide(rng, game, wish):
                pass
            return game
    raise Dull


def _decide(rng: Random, game: Game, wish: Wish) -> bool:
    """Return true if the game fulfils the wish. Otherwise let the seat to act decide, some time later."""
    if not game.is_active:
        if wish(game, None, set()):
            return True
        raise Dull
    seat = Seat.objects.select_related("user").get(game=game, index=game.to_act)
    seen, legal = play.offer(game, seat, variants=False)
    if wish(game, seen, {action.word for action in legal}):
        return True
    person = None if seat.acting_bot else seat.user
    whim = person and rng.random() < WHIM
    action = rng.choice(legal) if whim else TITLES[game.title].bot(DEMO_BOT).choose(seen, legal, rng, Limit())
    # People take less time as the present comes nearer; a bot takes seconds.
    passed = now() - (seat.absent_since or game.changed_at)
    with ago(passed * (rng.uniform(0.88, 1) if person else 0.9999)):
        play.submit(game, play.Actor(person), game.number, [str(action)])
    return False
