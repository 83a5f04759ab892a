"""The page of a table before its game starts."""

from dataclasses import dataclass

from django.conf import settings
from django.db.models import BigIntegerField
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User
from games.forms import InviteForm, NameForm
from games.models import Block, Game, Invitation
from games.pages import terms
from games.services.tables import tables
from games.services.versions import polls

Answer = Invitation.Answer


@dataclass(frozen=True)
class Guest:
    """Somebody who is invited and has not joined."""

    name: str
    """The name to show, or the address."""
    declined: bool
    key: str = ""
    """The user name; empty for an address."""


def show(
    request: HttpRequest,
    game: Game,
    form: InviteForm | None = None,
    status: int = 200,
    name_form: NameForm | None = None,
) -> HttpResponse:
    """The page of an open or closed table; the game must have been read with its seats."""
    seats, user = list(game.seat_set.all()), request.user
    there = {seat.user_id for seat in seats}
    invited = [person for person in game.invited.all() if person.pk not in there]
    written = list(game.invitation_set.order_by("pk"))
    said_no = game.incident_set.filter(kind="declined", facts__has_key="user")
    decliners = said_no.values_list(Cast(KT("facts__user"), BigIntegerField()))
    gone = [person for person in User.objects.filter(pk__in=decliners).order_by("pk") if person not in invited]
    guests = [Guest(person.called, declined=False, key=person.username) for person in invited if person != user]
    guests += [Guest(person.called, declined=True) for person in gone if person.pk not in there]
    host = user if isinstance(user, User) and game.host_id == user.pk else None
    mine = game.seat_of(user)
    address = user.email.lower() if isinstance(user, User) else ""
    welcome, asked = True, False
    if isinstance(user, User) and user.pk not in there:
        # A blocked person sees a table that they are not invited to; an invitation by one does not appear.
        welcome = tables.is_welcome(game, user)
        asked = user in invited or any(each.address == address and not each.answer for each in written)
        asked = asked and welcome and not Block.objects.filter(by=user, blocked=game.host_id).exists()
    if host:
        answers = (Answer.NONE, Answer.DECLINED)
        guests += [Guest(each.address, bool(each.answer)) for each in written if each.answer in answers]
    context = {
        "game": game,
        "seats": seats,
        "before": game.follows if game.follows and game.follows.is_visible_to(user) else None,
        "others": [pk for pk in {*there, game.host_id} if pk and user.pk not in (None, pk)],
        "mine": mine is not None,
        "as_guest": settings.GUESTS and not user.is_authenticated and tables.takes_guests(game),
        "admission": game.admission if welcome else Game.Admission.NAMED,
        "held_until": mine.held_until if mine else None,
        "is_host": host is not None,
        "asked": asked,
        "guests": guests,
        "by_mail": sum(not each.answer and each.address != address for each in written),
        # What was typed into a form that was refused must not be lost.
        "seal": polls.seal(game, None) if mine and status == 200 and game.status == Game.Status.OPEN else "",
        "poll_seconds": f"{polls.wait(game):g}",
        **terms.of(game, user),
        "form": form or (InviteForm(host=host) if host else None),
        "name_form": name_form or NameForm(initial={"name": game.name}),
    }
    return render(request, "games/lobby.html", context, status=status)
