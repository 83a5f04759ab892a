"""Tables before the start of their game: create, invite, join, leave, cancel, expire."""

import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import services as accounts
from accounts.models import User
from games.catalogue import TITLES
from games.models import Block, Game, Incident, Invitation, Notice, Seat
from games.models.game import GameQuerySet
from games.models.position import Position
from games.rules import chance
from games.services.clocks.arithmetic import DAY
from games.services.clocks.moment import now
from games.services.outbox import notices, opt_out
from games.services.tables.starting import start_if_full
from games.services.versions import writing

TABLE_LIFETIME = timedelta(days=14)
"""How long a table waits for the next player to join."""
REMATCH_LIFETIME = timedelta(days=7)
"""How long a rematch table waits for the next player."""
MAX_ADDRESSES_A_DAY = 10
"""How many addresses a user may invite within a day."""
MAX_GUESTS = 20
"""How many people may be invited to a table by name."""
MAX_GUEST_BOT_TABLES = 3
"""How many games against bots a guest can have running."""
TAKEN_OUT = "taken_out"
"""The kind of incident of a player whom the host took out of an open table."""
GUEST_SEAT_TIME = timedelta(hours=48)
"""How long an open table keeps a guest's seat; after that the guest needs a confirmed address."""

Kind = Notice.Kind


class TableRefusal(Exception):
    """The request is not possible at this table now; `code` says why."""

    def __init__(self, code: str) -> None:
        self.code = code


class TooMany(TableRefusal):
    """The user did this too often; it is possible again after `wait`."""

    def __init__(self, code: str, wait: timedelta) -> None:
        super().__init__(code)
        self.wait = wait


SeatService = Callable[[Game, User], None]
"""A function that does something at a table on behalf of a user."""


@dataclass(frozen=True)
class TableSpec:
    """The settings of a new table; its host gets the first seat."""

    title: str
    seats: int
    bots: Sequence[str] = ()
    """The names of the bots that get a seat at once, one name per seat."""
    seated: Sequence[User] = ()
    """Other people who get a seat at once."""
    invited: Sequence[User] = ()
    addresses: Sequence[str] = ()
    """Addresses to invite by mail, with or without an account."""
    pace: str = Game.Pace.NORMAL
    days: int | None = None
    """Days per turn, if the pace is `DAYS`."""
    at_zero: str = Game.AtZero.CARETAKER
    vacations: bool = True
    audience: str = Game.Audience.LINK
    admission: str = Game.Admission.LINK
    name: str = ""
    host_begins: bool = False
    rated: bool = True
    follows: Game | None = None
    """The earlier game, from which this one's turn order follows."""


def create(user: User, spec: TableSpec, seed: bytes = b"") -> Game:
    """Create a table with that seed, or with a new one, and seat its host and its bots. The game starts at once if this
    fills the table. Raises `TableRefusal`."""
    alone = len(spec.bots) + 1 == spec.seats
    if user.is_guest and not alone:
        raise TableRefusal("guest")
    with transaction.atomic():
        _must_have_room(user, alone=alone)
        return lay(user, spec, seed)


def lay(user: User, spec: TableSpec, seed: bytes = b"") -> Game:
    """Create a table in the caller's transaction, without a limit on the host's tables."""
    ruleset = TITLES[spec.title].ruleset
    seed, at = seed or secrets.token_bytes(chance.SEED_BYTES), now()
    game = Game.objects.create(
        title=spec.title,
        name=spec.name,
        ruleset_version=ruleset.version,
        seats=spec.seats,
        pace=spec.pace,
        days=spec.days,
        at_zero=spec.at_zero,
        vacations=spec.vacations,
        audience=spec.audience,
        admission=spec.admission,
        follows=spec.follows,
        host_begins=spec.host_begins,
        rated=spec.rated,
        commitment=chance.commitment(spec.title, ruleset.version, seed),
        host=user,
        created_at=at,
        changed_at=at,
        expires_at=at + (REMATCH_LIFETIME if spec.follows else TABLE_LIFETIME),
    )
    Position.objects.create(game=game, state=ruleset.dump(ruleset.initial(spec.seats, seed)))
    Seat.objects.bulk_create(Seat(game=game, user=person) for person in (user, *spec.seated))
    Seat.objects.bulk_create(Seat(game=game, bot=bot) for bot in spec.bots)
    start_if_full(game, user)
    if game.status == Game.Status.OPEN:
        ask(game, user, spec.invited, spec.addresses)
    return game


def ask(
    game: Game, user: User, people: Iterable[User], addresses: Iterable[str] = (), kind: Notice.Kind = Kind.INVITED
) -> list[str]:
    """Invite these people and addresses, and owe a notice to those who have none yet, or who have declined or left
    since, or whose seat the host has freed. Returns the addresses that are not invited because they have declined.
    Nobody is told whom the user has blocked, nor those who have blocked the user, who cannot see this. Runs in the
    caller's transaction. Raises `TableRefusal`."""
    there = {seat.user_id for seat in Seat.objects.filter(game=game)}
    blocked, refusing = _blocks(user)
    people = [person for person in people if person.pk not in there | blocked]
    if people:
        game.invited.add(*people)
        if game.invited.count() > MAX_GUESTS:
            raise TableRefusal("too_many_guests")
        key = f"rematch:{game.pk}" if kind == Kind.REMATCH else f"invited:game:{game.pk}"
        for person in people:
            if person.pk not in refusing:
                notices.offer(kind, person, key=key + _once_more(game, person), game=game, by=user.pk)
    wanted = set(dict.fromkeys(address.lower() for address in addresses)) - {user.email.lower()}
    known = Invitation.objects.filter(game=game, address__in=wanted)
    fresh = sorted(wanted - set(known.values_list("address", flat=True)))
    revoked = list(known.filter(answer=Invitation.Answer.REVOKED))
    known.filter(pk__in=[each.pk for each in revoked]).update(answer=Invitation.Answer.NONE, answered_at=None)
    # An address of somebody who is invited by name gets no other mail.
    named = {*game.invited.values_list("pk", flat=True)}
    unreached = there | blocked | refusing | named
    for invitation in revoked:
        _write_to(game, invitation, unreached)
    if fresh:
        _must_be_trusted(user, len(fresh))
        at = now()
        rows_ = (Invitation(game=game, address=address, invited_by=user, at=at) for address in fresh)
        for invitation in Invitation.objects.bulk_create(rows_):
            _write_to(game, invitation, unreached)
    return sorted(known.filter(answer=Invitation.Answer.DECLINED).values_list("address", flat=True))


def _once_more(game: Game, person: User) -> str:
    """The end of the key of an invitation: another one goes to a person who has declined or left, or whose seat the
    host has freed."""
    times = Incident.objects.filter(game=game, kind__in=(TAKEN_OUT, "declined", "left"), facts__user=person.pk).count()
    return f":{times}" if times else ""


def _blocks(user: User) -> tuple[set[int], set[int]]:
    """The people whom the user has blocked, and those who have blocked the user."""
    blocks = list(Block.objects.filter(Q(by=user) | Q(blocked=user)).values_list("by", "blocked"))
    return {blocked for by, blocked in blocks if by == user.pk}, {by for by, _blocked in blocks if by != user.pk}


def _write_to(game: Game, invitation: Invitation, unreached: Iterable[int | None]) -> None:
    """Owe a mail to the address unless its owner wants no invitations, is one of the `unreached`, such as those who
    have a seat already, or could not sign up; the host does not learn of this."""
    address, key = invitation.address, f"invited:{invitation.pk}"
    owner = accounts.owner(address)
    if opt_out.is_refused(address) or (owner and owner.pk in unreached):
        return
    if owner:
        notices.offer(Kind.INVITED, owner, key=key + _once_more(game, owner), game=game, invitation=invitation.pk)
    elif settings.SIGN_UP != "closed":
        notices.offer(Kind.INVITED, address=address, key=key, game=game, invitation=invitation.pk)


def _must_be_trusted(user: User, addresses: int) -> None:
    """Raise `TableRefusal` unless the user has a confirmed address and stays within the daily limit. Simultaneous
    requests are counted one after the other."""
    if not accounts.is_confirmed(user):
        raise TableRefusal("not_confirmed")
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    at = now()
    lately = Invitation.objects.filter(invited_by=user, at__gt=at - DAY).order_by("at").values_list("at", flat=True)
    over = len(lately) + addresses - MAX_ADDRESSES_A_DAY
    if over > 0:
        # The wait ends when this many invitations are a day old.
        raise TooMany("too_many_addresses", lately[over - 1] + DAY - at if over <= len(lately) else DAY)


def _must_have_room(user: User, *, alone: bool) -> None:
    """Raise `TableRefusal` if the user is suspended or at too many tables. With `alone`, for a game against bots only,
    running games of that kind count; otherwise tables with people count, until the user has finished a game. Games from
    which they have resigned do not count."""
    present = User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()
    if present is None:
        raise TableRefusal("inactive")  # the account has just been deleted
    if present.is_suspended:
        raise TableRefusal("suspended")
    players = defaultdict[tuple[int, str], set[int | None]](set)
    alive = Q(game__status__in=(Game.Status.OPEN, Game.Status.ACTIVE))
    mine = Seat.objects.filter(alive, user=user, seen_end=False, resigned=False)
    seats = Seat.objects.filter(game__in=mine.values("game"))
    for game, status, player in seats.values_list("game", "game__status", "user"):
        players[game, status].add(player)
    at_bots = sum(status == Game.Status.ACTIVE and who <= {user.pk, None} for (_game, status), who in players.items())
    if alone:
        most = most_guest_bot_tables() if user.is_guest else settings.BOT_TABLES
        if at_bots >= most:
            raise TableRefusal("too_many_guest_tables" if user.is_guest else "too_many_bot_tables")
        return
    if len(players) - at_bots < settings.NEWCOMER_TABLES:
        return
    finished = Seat.objects.filter(user=user, ended_at__isnull=False, resigned=False, absent=False)
    if user.is_guest or not finished.exists():
        raise TableRefusal("too_many_tables")


def most_guest_bot_tables() -> int:
    """How many games against bots a guest can have running on this site."""
    most: int = settings.BOT_TABLES
    return min(most, MAX_GUEST_BOT_TABLES)


def join(game: Game, user: User) -> None:
    """Give the user a seat; a user who has one already keeps it. The game starts when the table is full. Raises
    `TableRefusal`."""

    def sit_down() -> None:
        if Seat.objects.filter(game=game, user=user).exists():
            return
        must_be_open(game)
        if user.is_guest and game.admission == Game.Admission.OPEN:
            raise TableRefusal("guest")
        if game.admission == Game.Admission.NAMED and not _is_invited(game, user):
            raise TableRefusal("not_invited")
        with transaction.atomic():
            take_seat(game, user)

    writing.attempt(game, sit_down)


def take_seat(game: Game, user: User) -> None:
    """Give the user a seat, in the caller's transaction and after its checks. Raises `TableRefusal`."""
    if not is_welcome(game, user):
        raise TableRefusal("not_invited")
    at = now()
    writing.change(game, changed_at=at, expires_at=at + (REMATCH_LIFETIME if game.follows_id else TABLE_LIFETIME))
    _must_have_room(user, alone=False)
    is_held = user.is_guest and settings.SIGN_UP != "closed"
    Seat.objects.create(game=game, user=user, held_until=at + GUEST_SEAT_TIME if is_held else None)
    mine = Invitation.objects.filter(game=game, address=user.email.lower())
    mine.update(answer=Invitation.Answer.ACCEPTED, answered_at=at)
    writing.record(game, "joined", user=user.pk)
    start_if_full(game, user)


def joinable(user: User) -> GameQuerySet:
    """The tables that are open to everyone, without those whose host has freed the user's seat, and without those of
    blocked people."""
    taken_out = Incident.objects.filter(game=OuterRef("pk"), kind=TAKEN_OUT, facts__user=user.pk)
    return Game.objects.listed().filter(~Exists(taken_out)).without_blocks(user)


def is_welcome(game: Game, user: User) -> bool:
    """Whether the user may take a seat: the host has not blocked them, and did not take them out of this table unless
    they have invited them again. Anybody can become another guest, so one who was taken out counts for all."""
    if Block.objects.filter(by=game.host_id, blocked=user).exists():
        return False
    same = Q(facts__user=user.pk) | Q(facts__guest=True) if user.is_guest else Q(facts__user=user.pk)
    return not _taken_out(game).filter(same).exists() or _is_invited(game, user)


def takes_guests(game: Game) -> bool:
    """Whether visitors can take a seat without an account."""
    return game.admission == Game.Admission.LINK and not _taken_out(game).filter(facts__guest=True).exists()


def _taken_out(game: Game) -> QuerySet[Incident]:
    return Incident.objects.filter(game=game, kind=TAKEN_OUT)


def _is_invited(game: Game, user: User) -> bool:
    named = game.invited.filter(pk=user.pk)
    return named.exists() or Game.objects.writing_to(user).filter(pk=game.pk).exists()


def leave(game: Game, user: User) -> None:
    """Remove the user's seat before the start, and with it their invitation; the host has to cancel the table instead.
    Raises `TableRefusal`."""

    def get_up() -> None:
        must_be_open(game)
        if game.host_id == user.pk:
            raise TableRefusal("cancel_instead")
        seat = Seat.objects.filter(game=game, user=user).first()
        if seat:
            with transaction.atomic():
                free(game, seat)
                game.invited.remove(user)
                mine = Invitation.objects.filter(game=game, address=user.email.lower())
                mine.filter(answer=Invitation.Answer.ACCEPTED).update(
                    answer=Invitation.Answer.DECLINED, answered_at=now()
                )

    writing.attempt(game, get_up)


@transaction.atomic
def free(game: Game, seat: Seat) -> None:
    """Remove a player's seat at an open table. Raises `Moved` if a guest has got an account since the seat was read."""
    writing.change(game, changed_at=now())
    if not Seat.objects.filter(pk=seat.pk, held_until=seat.held_until).delete()[0]:
        raise writing.Moved
    writing.record(game, "left", user=seat.user_id)


def cancel(game: Game, user: User) -> None:
    """Cancel the table before the start, as the host. Raises `TableRefusal`."""

    def give_up() -> None:
        if game.host_id != user.pk:
            raise TableRefusal("not_host")
        if game.status != Game.Status.CANCELLED:
            must_be_open(game)
            with transaction.atomic():
                _close(game, Game.Ending.CANCELLED, user)

    writing.attempt(game, give_up)


def rename(game: Game, user: User, name: str) -> None:
    """Give the table another name before the start, as the host; `name` as `names.cleaned` returns it. Raises
    `TableRefusal`."""

    def call() -> None:
        if game.host_id != user.pk:
            raise TableRefusal("not_host")
        must_be_open(game)
        with transaction.atomic():
            writing.change(game, name=name)

    writing.attempt(game, call)


def expire() -> int:
    """Close the tables that did not fill in time; return how many."""
    waiting = Game.objects.filter(status=Game.Status.OPEN, expires_at__lt=now())
    closed = 0
    for game in waiting:
        with suppress(writing.Moved), transaction.atomic():
            _close(game, Game.Ending.EXPIRED)
            closed += 1
    return closed


def must_be_open(game: Game) -> None:
    """Raise `TableRefusal` if nobody can join any more."""
    if game.status != Game.Status.OPEN:
        raise TableRefusal("not_open")


def _close(game: Game, ending: Game.Ending, by: User | None = None) -> None:
    """Close the table. Tell everybody at it, and all invited people who got a mail and have not answered, except for
    `by`, who closes it."""
    writing.change(game, status=Game.Status.CANCELLED, ending=ending, ended_at=now(), expires_at=None)
    Seat.objects.filter(game=game).update(seen_end=True)
    writing.record(game, ending)
    key = f"closed:{game.pk}"
    people = {seat.user for seat in Seat.objects.filter(game=game).select_related("user") if seat.user}
    guests = set(game.invited.all())
    unanswered = set(Invitation.objects.filter(game=game, answer=Invitation.Answer.NONE).values_list("pk", flat=True))
    sent = Notice.objects.filter(game=game, outcome=Notice.Outcome.SENT)
    for notice in sent.select_related("recipient"):
        is_unanswered = notice.facts.get("invitation") in unanswered
        if notice.recipient and (notice.recipient in guests or is_unanswered):
            people.add(notice.recipient)
        elif notice.address and is_unanswered:
            notices.owe(Kind.CLOSED, address=notice.address, key=key, game=game)
    notices.owe_all(Kind.CLOSED, game, sorted(people - {by}, key=lambda person: person.pk), key)
