"""Invitations to an open table, by user name or by address: links, answers and reminders."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import IntegrityError, transaction
from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.urls import reverse

from accounts import services as accounts
from accounts.models import User
from games.models import Block, Game, Invitation, Notice, Seat
from games.services.clocks.moment import now
from games.services.outbox import notices, site
from games.services.tables import tables
from games.services.tables.tables import TableRefusal
from games.services.versions import writing

Answer = Invitation.Answer
REMINDER_TIME = timedelta(days=2)
"""Invited people are reminded this long before the table closes, but no sooner than this long after the invitation."""
NEW_ACCOUNT_TIME = timedelta(minutes=1)
"""How long a link still logs in the owner of an account that it has just created, because people click twice."""
REMINDER_PREFIX = "invited-again:"
"""The beginning of the keys of reminders."""
LIFETIME = timedelta(days=30)
"""How long an invitation is kept after its table has started or closed."""
MAX_ACQUAINTANCES = 12
"""The maximum number of acquaintances offered."""
_signer = Signer(salt="games.invitations", sep=".")


class ForgedInvitation(Exception):
    """The site never made this link, or its table no longer exists."""


class NameTaken(Exception):
    """Another account has just taken that user name."""


def forget() -> None:
    """Delete invitations, and with them addresses, a month after their table has started or closed."""
    since = now() - LIFETIME
    # Nobody is invited to a table that has started or closed, so an index finds the invitations that may be old enough.
    Invitation.objects.filter(Q(game__started_at__lte=since) | Q(game__ended_at__lte=since), at__lte=since).delete()


# --- links ---


def accept_url(invitation: Invitation) -> str:
    """The absolute address of the page that answers the invitation. Anybody who has it can answer."""
    return site.url(reverse("invitation", args=[_signer.sign(str(invitation.pk))]))


def read(token: str) -> Invitation:
    """The invitation of a link's token. Raises `ForgedInvitation`."""
    try:
        pk = int(_signer.unsign(token))
    except (BadSignature, ValueError):
        raise ForgedInvitation from None
    invitation = Invitation.objects.select_related("game", "invited_by").filter(pk=pk).first()
    if invitation is None:
        raise ForgedInvitation
    return invitation


# --- the host invites ---


def invite(game: Game, user: User, people: Iterable[User] = (), addresses: Iterable[str] = ()) -> list[str]:
    """Invite these people and addresses, as the host. Returns the addresses that are not invited because they have
    declined. Raises `TableRefusal`."""

    def ask() -> list[str]:
        _must_be_host(game, user)
        if user.is_guest:
            raise TableRefusal("guest")
        if user.is_suspended:
            raise TableRefusal("suspended")
        tables.must_be_open(game)
        with transaction.atomic():
            writing.change(game)
            return tables.ask(game, user, people, addresses)

    return writing.attempt(game, ask)


def revoke(game: Game, user: User, guest: str) -> None:
    """Withdraw the unanswered invitation of that user name or address, as the host. Raises `TableRefusal`."""

    def take_back() -> None:
        _must_be_host(game, user)
        tables.must_be_open(game)
        with transaction.atomic():
            writing.change(game)
            if "@" in guest:
                open_ = Invitation.objects.filter(game=game, address=guest.lower(), answer=Answer.NONE)
                open_.update(answer=Answer.REVOKED, answered_at=now())
            else:
                there = Seat.objects.filter(game=game, user__isnull=False).values("user")
                game.invited.remove(*game.invited.filter(username=guest).exclude(pk__in=there))

    writing.attempt(game, take_back)


def take_out(game: Game, host: User, name: str) -> None:
    """Free the seat of the user with that name before the start, as the host. They are told, and need a new invitation
    to sit down again. Raises `TableRefusal`."""

    def free() -> None:
        _must_be_host(game, host)
        tables.must_be_open(game)
        taken = Seat.objects.filter(game=game, user__username=name).exclude(user=host)
        for seat in taken.select_related("user"):
            person, key = seat.user, f"{tables.TAKEN_OUT}:{seat.pk}"
            assert person is not None
            with transaction.atomic():
                writing.change(game, changed_at=now())
                seat.delete()
                game.invited.remove(person)
                written = Invitation.objects.filter(game=game, address=person.email.lower())
                written.update(answer=Answer.REVOKED, answered_at=now())
                writing.record(game, tables.TAKEN_OUT, user=person.pk, guest=person.is_guest)
                notices.owe(Notice.Kind.CLOSED, person, key=key, game=game)

    writing.attempt(game, free)


def acquaintances(user: User) -> list[User]:
    """The people the user has played with and not blocked, the latest first."""
    mine = Seat.objects.filter(user=user)
    running = mine.filter(seen_end=False, index__isnull=False).values_list("game", flat=True)
    over = mine.filter(ended_at__isnull=False).order_by("-ended_at", "-game").values_list("game", flat=True)
    games = [*running, *over[: MAX_ACQUAINTANCES * 3]]
    others = Seat.objects.filter(game__in=games, user__is_guest=False, user__is_active=True).exclude(user=user)
    others = others.exclude(user__in=Block.objects.filter(by=user).values("blocked"))
    found = others.select_related("user").order_by("-game__changed_at", "index")
    return list(dict.fromkeys(seat.user for seat in found if seat.user))[:MAX_ACQUAINTANCES]


def _must_be_host(game: Game, user: User) -> None:
    if game.host_id != user.pk:
        raise TableRefusal("not_host")


# --- invited people answer ---


def accept(
    invitation: Invitation,
    user: User | None = None,
    username: str = "",
    time_zone: str = "",
    visitor: User | None = None,
) -> User:
    """Seat the user, or without one the owner of the address. If the address has no account, create one with that user
    name and a confirmed address. A person who has a seat already keeps it; if they took it as a guest, the `visitor`,
    they get it in their own name. Raises `TableRefusal` or `NameTaken`."""
    game = invitation.game

    def sit_down() -> User:
        invitation.refresh_from_db(fields=["answer", "answered_at"])
        guest = user or accounts.owner(invitation.address)
        if guest and Seat.objects.filter(game=game, user=guest).exists():
            return guest
        _must_be_open(invitation, game)
        if guest and not tables.is_welcome(game, guest):
            raise TableRefusal("revoked")
        if guest and not guest.is_active:
            raise TableRefusal("inactive")
        if guest is None and settings.SIGN_UP == "closed":
            raise TableRefusal("no_sign_up")
        if guest is None and not username:
            raise TableRefusal("revoked")  # a reader who is not welcome answers for an address without an account
        with transaction.atomic():
            writing.change(game)
            at = now()
            guest = guest or accounts.create_for_reader(
                invitation.address, username, time_zone=time_zone, date_joined=at
            )
            game.invited.add(guest)
            if taken := Seat.objects.filter(game=game, user=visitor, user__is_guest=True).first():
                tables.free(game, taken)
            tables.take_seat(game, guest)
            invitation.answer, invitation.answered_at = Answer.ACCEPTED, at
            invitation.save(update_fields=["answer", "answered_at"])
            return guest

    try:
        return writing.attempt(game, sit_down)
    except IntegrityError:
        raise NameTaken from None


def is_new(invitation: Invitation, guest: User) -> bool:
    """Whether this answer has just created the account."""
    made = guest.date_joined == invitation.answered_at and guest.date_joined > now() - NEW_ACCOUNT_TIME
    return made and not guest.has_usable_password()


def decline(invitation: Invitation) -> None:
    """Decline the invitation to an address; the host sees this. Raises `TableRefusal`."""
    game = invitation.game

    def refuse() -> None:
        invitation.refresh_from_db(fields=["answer", "answered_at"])
        if invitation.answer == Answer.DECLINED:
            return
        _must_be_open(invitation, game)
        with transaction.atomic():
            writing.change(game)
            _decline(invitation)

    writing.attempt(game, refuse)


def decline_seat(game: Game, user: User) -> None:
    """Decline the user's invitations, by name or by address; the host sees this. Raises `TableRefusal`."""

    def refuse() -> None:
        if Seat.objects.filter(game=game, user=user).exists():
            raise TableRefusal("leave_instead")
        tables.must_be_open(game)
        written = Invitation.objects.filter(game=game, address=user.email.lower(), answer=Answer.NONE).first()
        named = game.invited.filter(pk=user.pk).exists()
        if not (written or named):
            return
        with transaction.atomic():
            writing.change(game)
            if written:
                _decline(written)
            if named:
                game.invited.remove(user)
                writing.record(game, "declined", user=user.pk)

    writing.attempt(game, refuse)


def _decline(invitation: Invitation) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(answer=Answer.DECLINED, answered_at=now())
    # The host must not learn whether the address has an account.
    writing.record(invitation.game, "declined", invitation=invitation.pk)


def _must_be_open(invitation: Invitation, game: Game) -> None:
    """Raise `TableRefusal` unless the invitation can be answered. A person who has declined can still accept while
    there is a seat."""
    if invitation.answer == Answer.REVOKED:
        raise TableRefusal("revoked")
    tables.must_be_open(game)
    if invitation.answer == Answer.ACCEPTED:
        raise TableRefusal("answered")


# --- reminders ---


def remind() -> int:
    """Remind invited people who have not answered, once, that a table is about to close; return how many."""
    asked = dict[tuple[str, User | None, str], Notice]()
    for notice in _unanswered(now()):
        key = f"{REMINDER_PREFIX}{notice.facts.get('invitation') or f'game:{notice.game_id}'}"
        # Somebody who has declined or left, or whose seat the host has freed, was asked more than once.
        asked[key, notice.recipient, notice.address] = notice
    for (key, recipient, address), notice in asked.items():
        facts = {**notice.facts, "again": True}
        notices.owe(Notice.Kind(notice.kind), recipient, address=address, game=notice.game, key=key, **facts)
    return len(asked)


def _unanswered(at: datetime) -> QuerySet[Notice]:
    """The notices of the invitations that are due for a reminder."""
    soon = Q(game__status=Game.Status.OPEN, game__expires_at__gt=at, game__expires_at__lte=at + REMINDER_TIME)
    first = Q(kind__in=(Notice.Kind.INVITED, Notice.Kind.REMATCH), created_at__lte=at - REMINDER_TIME)
    same = Q(recipient=OuterRef("recipient")) | Q(recipient=None, address=OuterRef("address"))
    reminded = Notice.objects.filter(same, game=OuterRef("game"), key__startswith=REMINDER_PREFIX)
    seated = Seat.objects.filter(game=OuterRef("game"), user=OuterRef("recipient"))
    named = Game.invited.through.objects.filter(game=OuterRef("game"), user=OuterRef("recipient"))
    written = Invitation.objects.filter(pk=OuterRef("asked"), answer=Answer.NONE)
    found = Notice.objects.annotate(asked=Cast(KT("facts__invitation"), BigIntegerField()))
    found = found.filter(soon, first, Exists(written) | Exists(named), ~Exists(reminded), ~Exists(seated))
    return found.select_related("game", "recipient").order_by("pk")
