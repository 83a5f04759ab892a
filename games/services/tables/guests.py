"""Guests at tables: people who play without an account. Their seats are freed, kept or taken along."""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from django.db import transaction

from accounts import services as accounts
from accounts.models import User
from games.catalogue import TITLES
from games.models import Block, Game, Incident, Invitation, PersonNote, Seat
from games.services.clocks.moment import now
from games.services.outbox import notices, previews
from games.services.statistics import counting as statistics
from games.services.tables import blocks, tables
from games.services.tables.tables import TableRefusal, TableSpec
from games.services.versions import writing


def play_bot(title: str, user: User | None) -> tuple[Game, User]:
    """A game against the weakest bot in which the user, or a new guest, begins. Raises `TableRefusal`."""
    with transaction.atomic():
        host = user or accounts.create_guest()
        return tables.create(host, first_table(title)), host


def first_table(title: str) -> TableSpec:
    """The settings of a table at which its host begins against the weakest bot."""
    seats, bot = TITLES[title].ruleset.seats[0], TITLES[title].first_bot
    return TableSpec(title, seats, bots=[bot] * (seats - 1), pace=Game.Pace.NONE, host_begins=True, rated=False)


def sit_down(game: Game, accounts_here: Iterable[int] = ()) -> User:
    """A new guest with a seat at that table. Raises `TableRefusal`, also if the host has blocked one of the accounts
    that were used in the same browser."""
    if Block.objects.filter(by=game.host_id, blocked__in=accounts_here).exists():
        raise TableRefusal("not_invited")
    with transaction.atomic():
        guest = accounts.create_guest()
        tables.join(game, guest)
        return guest


def take_along(guest: User, user: User) -> list[Game]:
    """Give the guest's seats and invitations to the user, who has logged in as themselves in the same browser, and what
    keeps either of them from a table. Returns the games in which both have a seat: there the guest keeps theirs."""
    both = []
    blocks.take_along(guest, user)
    _copy_notes(guest, user)
    kept = (tables.TAKEN_OUT, "declined", "left")
    happened = Incident.objects.filter(game__status=Game.Status.OPEN, kind__in=kept, facts__user=guest.pk)
    for incident in happened.select_related("game"):
        writing.record(incident.game, incident.kind, user=user.pk)
    for game in Game.objects.filter(status=Game.Status.OPEN, invited=guest):
        game.invited.add(user)
    for game in list(Game.objects.of(guest)):
        if not writing.attempt(game, partial(_hand_over, game, guest, user)):
            both.append(game)
    statistics.hand_over(guest, user)
    if not both:
        guest.delete()
    return both


def _copy_notes(guest: User, user: User) -> None:
    """Copy the guest's notes about people, and other people's notes about the guest, but overwrite none."""
    mine = PersonNote.objects.filter(by=guest).exclude(about=user)
    theirs = PersonNote.objects.filter(about=guest).exclude(by=user)
    copies = [PersonNote(by=user, about_id=each.about_id, text=each.text) for each in mine]
    copies += [PersonNote(by_id=each.by_id, about=user, text=each.text) for each in theirs]
    PersonNote.objects.bulk_create(copies, ignore_conflicts=True)


def _hand_over(game: Game, guest: User, user: User) -> bool:
    has_seat, is_open = Seat.objects.filter(game=game, user=user).exists(), game.status == Game.Status.OPEN
    if is_open and (has_seat or not tables.is_welcome(game, user)):
        tables.free(game, Seat.objects.get(game=game, user=guest))
        return True
    if has_seat:
        return False
    with transaction.atomic():
        writing.change(game, host_id=user.pk if game.host_id == guest.pk else game.host_id)
        Seat.objects.filter(game=game, user=guest).update(user=user, held_until=None)
        previews.redraw(Game.objects.filter(pk=game.pk))
        tell(game, user)
    return True


def kept(user: User) -> None:
    """Treat a guest who has just got an account like everybody: they keep their seats, and get mails. At those tables,
    an invitation to their address has been accepted."""
    Seat.objects.filter(user=user).update(held_until=None)
    previews.redraw(Game.objects.of(user))
    asked = Invitation.objects.filter(address=user.email.lower(), answer=Invitation.Answer.NONE)
    asked.filter(game__seat_set__user=user).update(answer=Invitation.Answer.ACCEPTED, answered_at=now())
    for game in Game.objects.waiting_for(user):
        tell(game, user)


def tell(game: Game, user: User) -> None:
    """Owe the notices of the current turn to a user who was a guest until now, if it is theirs."""
    seat = Seat.objects.select_related("user").filter(game=game, index=game.to_act, user=user).first()
    if seat and game.is_active:
        notices.turn_begins(game, seat)


def free_seats() -> int:
    """Free the seats at open tables that guests have kept too long; return how many."""
    # No seat has an index before the start. This lets the query use the partial index of held seats.
    late = Seat.objects.filter(held_until__lte=now(), index=None, game__status=Game.Status.OPEN)
    freed = 0
    for seat in late.select_related("game"):
        with suppress(writing.Moved):
            tables.free(seat.game, seat)
            freed += 1
    return freed
