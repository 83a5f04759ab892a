"""Tables before the game: made, joined, left, started, cancelled, expired."""

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Position, Seat
from games.rules import chance
from games.services import notices, rows, turns
from games.services.moment import now

EXPIRY = timedelta(days=14)
"""How long a table waits for its players."""


class NotPossible(Exception):
    """What was asked cannot be done with this table now; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


Service = Callable[[Game, User], None]
"""Something that a person does at a table."""


@dataclass(frozen=True)
class Plan:
    """What somebody wants to play; the first seat is theirs."""

    title: str
    seats: int
    bots: Sequence[str] = ()
    """Names of the bots that sit down at once, one for each of their seats."""
    invited: Sequence[User] = ()
    pace: str = Game.Pace.NORMAL
    audience: str = Game.Audience.LINK
    admission: str = Game.Admission.LINK


def create(user: User, plan: Plan) -> Game:
    """A new table with its maker and bots seated; the game starts at once if that fills it. The seed is drawn here."""
    ruleset = TITLES[plan.title].ruleset
    seed, at = secrets.token_bytes(chance.SEED_BYTES), now()
    with transaction.atomic():
        game = Game.objects.create(
            title=plan.title,
            ruleset_version=ruleset.version,
            seats=plan.seats,
            pace=plan.pace,
            audience=plan.audience,
            admission=plan.admission,
            commitment=chance.commitment(plan.title, ruleset.version, seed),
            created_by=user,
            created_at=at,
            changed_at=at,
        )
        game.invited.set(plan.invited)
        Position.objects.create(game=game, state=ruleset.dump(ruleset.initial(plan.seats, seed)))
        Seat.objects.create(game=game, user=user)
        Seat.objects.bulk_create(Seat(game=game, bot=bot) for bot in plan.bots)
        _start_if_full(game)
    return game


def join(game: Game, user: User) -> None:
    """The person sits down; whoever sits already stays. The game starts when the table is full. Raises
    `NotPossible`."""

    def sit_down() -> None:
        if Seat.objects.filter(game=game, user=user).exists():
            return
        _must_be_open(game)
        if game.admission == Game.Admission.NAMED and not game.invited.filter(pk=user.pk).exists():
            raise NotPossible("not_invited")
        with transaction.atomic():
            rows.change(game, changed_at=now())
            Seat.objects.create(game=game, user=user)
            rows.record(game, "joined", user=user.pk)
            _start_if_full(game)

    rows.attempt(game, sit_down)


def leave(game: Game, user: User) -> None:
    """The person gets up before the start; the maker of a table cancels it instead. Raises `NotPossible`."""

    def get_up() -> None:
        _must_be_open(game)
        if game.created_by_id == user.pk:
            raise NotPossible("cancel_instead")
        if not Seat.objects.filter(game=game, user=user).exists():
            return
        with transaction.atomic():
            rows.change(game, changed_at=now())
            Seat.objects.filter(game=game, user=user).delete()
            rows.record(game, "left", user=user.pk)

    rows.attempt(game, get_up)


def cancel(game: Game, user: User) -> None:
    """The maker gives the table up before the start. Raises `NotPossible`."""

    def give_up() -> None:
        if game.created_by_id != user.pk:
            raise NotPossible("not_yours")
        if game.status != Game.Status.CANCELLED:
            _must_be_open(game)
            with transaction.atomic():
                _close(game, Game.Ending.CANCELLED)

    rows.attempt(game, give_up)


def expire() -> int:
    """Close the tables that nobody filled in time; how many."""
    waiting = Game.objects.filter(status=Game.Status.OPEN, changed_at__lt=now() - EXPIRY)
    closed = 0
    for game in waiting:
        with suppress(rows.Moved), transaction.atomic():
            _close(game, Game.Ending.EXPIRED)
            closed += 1
    return closed


def _must_be_open(game: Game) -> None:
    if game.status != Game.Status.OPEN:
        raise NotPossible("not_open")


def _close(game: Game, ending: Game.Ending) -> None:
    rows.change(game, status=Game.Status.CANCELLED, ending=ending, ended_at=now())
    rows.record(game, ending)


def _start_if_full(game: Game) -> None:
    """Deal the seats in an order that follows from the seed (`docs/chance.md`), and begin."""
    players = list(Seat.objects.filter(game=game).select_related("user").order_by("pk"))
    if len(players) < game.seats:
        return
    state = TITLES[game.title].ruleset.load(Position.objects.get(game=game).state)
    at, pace = now(), turns.pace(game)
    order = chance.shuffle(state.seed, "seats", 0, players)
    for index, seat in enumerate(order):
        seat.index, seat.bank = index, pace.bank if pace and seat.user else None
    Seat.objects.bulk_update(order, ["index", "bank"])
    first = order[state.to_act]
    turn = turns.begin(game, first, game.number, at)
    rows.change(
        game, status=Game.Status.ACTIVE, to_act=state.to_act, started_at=at, changed_at=at, expires_at=None, **turn
    )
    rows.record(game, "started")
    notices.turn_begins(game, first)
    rows.nudge(game)
