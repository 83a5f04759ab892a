"""Tables before the game: made, people asked to them, joined, left, started, cancelled, expired."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction

from accounts import services as accounts
from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Invitation, Notice, Seat
from games.models.position import Position
from games.rules import chance
from games.services.clocks import running
from games.services.clocks.moment import now
from games.services.outbox import notices, opt_out
from games.services.versions import writing

EXPIRY = timedelta(days=14)
"""How long a table waits for somebody to sit down."""
FOLLOWING_EXPIRY = timedelta(days=7)
"""The same for one that follows another game."""
DAY = timedelta(days=1)
ADDRESSES_A_DAY = 10
"""How many addresses somebody may invite within a day."""
MOST_GUESTS = 20
"""How many people may be asked to a table by name."""

Kind = Notice.Kind


class TableRefusal(Exception):
    """What was asked cannot be done with this table now; `code` says why."""

    def __init__(self, code: str) -> None:
        self.code = code


class TooMany(TableRefusal):
    """It cannot be done so often; it may be after the `wait`."""

    def __init__(self, code: str, wait: timedelta) -> None:
        super().__init__(code)
        self.wait = wait


Service = Callable[[Game, User], None]
"""Something that a person does at a table."""


@dataclass(frozen=True)
class Plan:
    """What somebody wants to play; the first seat is theirs."""

    title: str
    seats: int
    bots: Sequence[str] = ()
    """Names of the bots that sit down at once, one for each of their seats."""
    seated: Sequence[User] = ()
    """Others who sit down at once."""
    invited: Sequence[User] = ()
    addresses: Sequence[str] = ()
    """Of people who are invited by mail, with an account or without."""
    pace: str = Game.Pace.NORMAL
    days: int | None = None
    """For every turn, where the pace is `DAYS`."""
    at_zero: str = Game.AtZero.CARETAKER
    vacations: bool = True
    audience: str = Game.Audience.LINK
    admission: str = Game.Admission.LINK
    follows: Game | None = None
    """The game before, whose turn order goes on here."""


def create(user: User, plan: Plan) -> Game:
    """A new table with its maker and bots seated; the game starts at once if that fills it. The seed is drawn here.
    Raises `TableRefusal`."""
    with transaction.atomic():
        _must_have_room(user)
        return lay(user, plan)


def lay(user: User, plan: Plan) -> Game:
    """The same within the caller's transaction, at however many tables the maker sits."""
    ruleset = TITLES[plan.title].ruleset
    seed, at = secrets.token_bytes(chance.SEED_BYTES), now()
    game = Game.objects.create(
        title=plan.title,
        ruleset_version=ruleset.version,
        seats=plan.seats,
        pace=plan.pace,
        days=plan.days,
        at_zero=plan.at_zero,
        vacations=plan.vacations,
        audience=plan.audience,
        admission=plan.admission,
        follows=plan.follows,
        commitment=chance.commitment(plan.title, ruleset.version, seed),
        created_by=user,
        created_at=at,
        changed_at=at,
        expires_at=at + (FOLLOWING_EXPIRY if plan.follows else EXPIRY),
    )
    Position.objects.create(game=game, state=ruleset.dump(ruleset.initial(plan.seats, seed)))
    Seat.objects.bulk_create(Seat(game=game, user=person) for person in (user, *plan.seated))
    Seat.objects.bulk_create(Seat(game=game, bot=bot) for bot in plan.bots)
    _start_if_full(game, user)
    if game.status == Game.Status.OPEN:
        ask(game, user, plan.invited, plan.addresses)
    return game


def ask(
    game: Game, user: User, people: Iterable[User], addresses: Iterable[str] = (), kind: Notice.Kind = Kind.INVITED
) -> None:
    """Those people, and who reads those addresses, may sit down; they are told if they were not before. Within the
    caller's transaction. Raises `TableRefusal`."""
    there = {seat.user_id for seat in Seat.objects.filter(game=game)}
    people = [person for person in people if person.pk not in there]
    if people:
        game.invited.add(*people)
        if game.invited.count() > MOST_GUESTS:
            raise TableRefusal("too_many_guests")
        key = f"rematch:{game.pk}" if kind == Kind.REMATCH else f"invited:game:{game.pk}"
        for person in people:
            notices.offer(kind, person, key=key, game=game, by=user.pk)
    wanted = set(dict.fromkeys(address.lower() for address in addresses)) - {user.email.lower()}
    known = Invitation.objects.filter(game=game, address__in=wanted)
    fresh = sorted(wanted - set(known.values_list("address", flat=True)))
    revoked = list(known.filter(answer=Invitation.Answer.REVOKED))
    known.filter(pk__in=[each.pk for each in revoked]).update(answer=Invitation.Answer.NONE, answered_at=None)
    for invitation in revoked:
        _write_to(game, invitation, there)
    if fresh:
        _must_be_trusted(user, len(fresh))
        at = now()
        rows_ = (Invitation(game=game, address=address, invited_by=user, at=at) for address in fresh)
        for invitation in Invitation.objects.bulk_create(rows_):
            _write_to(game, invitation, there)


def _write_to(game: Game, invitation: Invitation, there: Iterable[int | None]) -> None:
    """A mail to who reads the address, unless they do not want any from strangers here; that stays between them and
    the site."""
    address, key = invitation.address, f"invited:{invitation.pk}"
    owner = accounts.owner(address)
    if opt_out.is_refused(address) or (owner and owner.pk in there):
        return
    if owner:
        notices.offer(Kind.INVITED, owner, key=key, game=game, invitation=invitation.pk)
    else:
        notices.offer(Kind.INVITED, address=address, key=key, game=game, invitation=invitation.pk)


def _must_be_trusted(user: User, addresses: int) -> None:
    """Only people who can be written to have strangers written to, and few a day. Those who ask at the same moment are
    counted one after the other."""
    if not accounts.is_confirmed(user):
        raise TableRefusal("not_confirmed")
    User.objects.select_for_update().get(pk=user.pk)
    at = now()
    lately = Invitation.objects.filter(invited_by=user, at__gt=at - DAY).order_by("at").values_list("at", flat=True)
    over = len(lately) + addresses - ADDRESSES_A_DAY
    if over > 0:
        # When as many as that are a day old.
        raise TooMany("too_many_addresses", lately[over - 1] + DAY - at if over <= len(lately) else DAY)


def _must_have_room(user: User) -> None:
    """Who has not yet finished a game sits at few tables at a time."""
    User.objects.select_for_update().get(pk=user.pk)
    mine = Seat.objects.filter(user=user)
    if mine.filter(game__status__in=(Game.Status.OPEN, Game.Status.ACTIVE)).count() < settings.NEWCOMER_TABLES:
        return
    finished = mine.filter(game__status=Game.Status.FINISHED, resigned=False, absent=False)
    if not finished.exists():
        raise TooMany("too_many_tables", DAY)


def join(game: Game, user: User) -> None:
    """The person sits down; whoever sits already stays. The game starts when the table is full. Raises
    `TableRefusal`."""

    def sit_down() -> None:
        if Seat.objects.filter(game=game, user=user).exists():
            return
        must_be_open(game)
        if game.admission == Game.Admission.NAMED and not _is_invited(game, user):
            raise TableRefusal("not_invited")
        with transaction.atomic():
            take_seat(game, user)

    writing.attempt(game, sit_down)


def take_seat(game: Game, user: User) -> None:
    """The same within the caller's transaction and after its checks."""
    at = now()
    writing.change(game, changed_at=at, expires_at=at + (FOLLOWING_EXPIRY if game.follows_id else EXPIRY))
    _must_have_room(user)
    Seat.objects.create(game=game, user=user)
    mine = Invitation.objects.filter(game=game, address=user.email.lower())
    mine.update(answer=Invitation.Answer.ACCEPTED, answered_at=at)
    writing.record(game, "joined", user=user.pk)
    _start_if_full(game, user)


def _is_invited(game: Game, user: User) -> bool:
    named = game.invited.filter(pk=user.pk)
    return named.exists() or Game.objects.writing_to(user).filter(pk=game.pk).exists()


def leave(game: Game, user: User) -> None:
    """The person gets up before the start; the maker of a table cancels it instead. Raises `TableRefusal`."""

    def get_up() -> None:
        must_be_open(game)
        if game.created_by_id == user.pk:
            raise TableRefusal("cancel_instead")
        if not Seat.objects.filter(game=game, user=user).exists():
            return
        with transaction.atomic():
            writing.change(game, changed_at=now())
            Seat.objects.filter(game=game, user=user).delete()
            writing.record(game, "left", user=user.pk)

    writing.attempt(game, get_up)


def cancel(game: Game, user: User) -> None:
    """The maker gives the table up before the start. Raises `TableRefusal`."""

    def give_up() -> None:
        if game.created_by_id != user.pk:
            raise TableRefusal("not_yours")
        if game.status != Game.Status.CANCELLED:
            must_be_open(game)
            with transaction.atomic():
                _close(game, Game.Ending.CANCELLED, user)

    writing.attempt(game, give_up)


def expire() -> int:
    """Close the tables that nobody filled in time; how many."""
    waiting = Game.objects.filter(status=Game.Status.OPEN, expires_at__lt=now())
    closed = 0
    for game in waiting:
        with suppress(writing.Moved), transaction.atomic():
            _close(game, Game.Ending.EXPIRED)
            closed += 1
    return closed


def must_be_open(game: Game) -> None:
    """Raises `TableRefusal` if nobody can sit down any more."""
    if game.status != Game.Status.OPEN:
        raise TableRefusal("not_open")


def _close(game: Game, ending: Game.Ending, by: User | None = None) -> None:
    """Everybody at the table is told, and who was written to and has not answered; not who does it."""
    writing.change(game, status=Game.Status.CANCELLED, ending=ending, ended_at=now(), expires_at=None)
    writing.record(game, ending)
    key = f"closed:{game.pk}"
    people = {seat.user for seat in Seat.objects.filter(game=game).select_related("user") if seat.user}
    guests = set(game.invited.all())
    unanswered = Invitation.objects.filter(game=game, answer=Invitation.Answer.NONE).values_list("pk", flat=True)
    letters = {f"invited:{pk}" for pk in unanswered}
    sent = Notice.objects.filter(game=game, kind__in=(Kind.INVITED, Kind.REMATCH), outcome=Notice.Outcome.SENT)
    for notice in sent.select_related("recipient"):
        if notice.recipient and (notice.recipient in guests or notice.key in letters):
            people.add(notice.recipient)
        elif notice.address and notice.key in letters:
            notices.owe(Kind.CLOSED, address=notice.address, key=key, game=game)
    notices.owe_all(Kind.CLOSED, game, people - {by}, key)


def _start_if_full(game: Game, last: User) -> None:
    """Deal the seats (`docs/chance.md`), and begin. Who sat down last sees it; the others are told."""
    players = list(Seat.objects.filter(game=game).select_related("user").order_by("pk"))
    if len(players) < game.seats:
        return
    state = TITLES[game.title].ruleset.load(Position.objects.get(game=game).state)
    at, pace = now(), running.pace(game)
    order = _turn_order(game, state.seed, players)
    for index, seat in enumerate(order):
        seat.index, seat.bank = index, pace.bank if pace and seat.user else None
    Seat.objects.bulk_update(order, ["index", "bank"])
    first = order[state.to_act]
    turn = running.begin(game, first, game.number, at)
    writing.change(
        game, status=Game.Status.ACTIVE, to_act=state.to_act, started_at=at, changed_at=at, expires_at=None, **turn
    )
    writing.record(game, "started")
    notices.turn_begins(game, first)
    others = [seat.user for seat in order if seat.user and seat is not first and seat.user != last]
    notices.owe_all(Kind.STARTED, game, others, f"started:{game.pk}")
    writing.nudge(game)


def _turn_order(game: Game, seed: bytes, players: list[Seat]) -> list[Seat]:
    """As it follows from the seed; at a table that follows another game, as there with everyone one seat earlier, and
    who is new in the places that are left, as they sat down."""
    if game.follows_id is None:
        return list(chance.shuffle(seed, "seats", 0, players))
    first, *before = Seat.objects.filter(game=game.follows_id).order_by("index")
    places: list[Seat | None] = []
    free = list(players)
    for old in (*before, first):
        same = next((seat for seat in free if (seat.user_id, seat.bot) == (old.user_id, old.bot)), None)
        if same:
            free.remove(same)
        places.append(same)
    return [seat or free.pop(0) for seat in places]
