"""Invitations: the host invites people, and they answer on the table's page or by the link in a mail."""

from typing import Any

from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import services as accounts
from accounts.forms import NewcomerForm
from accounts.models import User
from games.forms import InviteForm
from games.models import Game, Invitation
from games.pages import lobby, terms
from games.pages.access import limited, of_person, user_of
from games.pages.invitation import InvitationPage
from games.pages.refusals import TABLE_REFUSALS, done, wait
from games.services.outbox import opt_out
from games.services.tables import invitations
from games.services.tables import rematch as rematches
from games.services.tables.tables import TableRefusal, TooMany
from games.wording import phrases

Answer = Invitation.Answer


@of_person
def invite(request: HttpRequest, game: Game) -> HttpResponse:
    """Invite more people, as the host; refused as a whole, with the reason."""
    form, user = InviteForm(request.POST, host=user_of(request)), user_of(request)
    if game.host_id != user.pk or game.status != Game.Status.OPEN:
        code = "not_open" if game.host_id == user.pk else "not_host"
        messages.error(request, str(TABLE_REFUSALS[code]))
        return redirect("table", game.key)
    if not form.is_valid():
        return lobby.show(request, game, form, status=422)
    people, addresses = form.cleaned_data["guests"]
    try:
        declined = invitations.invite(game, user, people, addresses)
    except TableRefusal as refusal:
        form.add_error("guests", str(TABLE_REFUSALS[refusal.code]))
        if isinstance(refusal, TooMany):
            return wait(lobby.show(request, game, form, status=429), refusal)
        return lobby.show(request, game, form, status=422)
    there = {seat.user_id for seat in game.seat_set.all()}
    unanswered = set(game.invitation_set.filter(answer=Answer.NONE).values_list("address", flat=True))
    asked = [person.username for person in people if person.pk not in there]
    asked += [each for each in addresses if each in unanswered]
    if asked:
        messages.success(request, _("Invited: %(names)s.") % {"names": phrases.join(asked)})
    elif not declined:
        messages.info(request, _("Nobody new was invited."))
    if declined:
        text = ngettext("%(names)s has declined.", "%(names)s have declined.", len(declined))
        messages.info(request, text % {"names": phrases.join(declined)})
    return redirect("table", game.key)


@of_person
def revoke(request: HttpRequest, game: Game) -> HttpResponse:
    """Withdraw an invitation, as the host."""
    try:
        invitations.revoke(game, user_of(request), request.POST.get("guest", "").replace("\0", ""))
    except TableRefusal as refusal:
        messages.error(request, str(TABLE_REFUSALS[refusal.code]))
    return redirect("table", game.key)


@of_person
def take_out(request: HttpRequest, game: Game) -> HttpResponse:
    """Free the seat of a player before the start, as the host."""
    name = request.POST.get("name", "").replace("\0", "")
    return done(request, game, lambda game, user: invitations.take_out(game, user, name))


@of_person
def decline(request: HttpRequest, game: Game) -> HttpResponse:
    """Decline an invitation."""
    try:
        invitations.decline_seat(game, user_of(request))
    except TableRefusal as refusal:
        messages.error(request, str(TABLE_REFUSALS[refusal.code]))
        return redirect("table", game.key)
    messages.success(request, _("You declined. The others can see it at the table."))
    return redirect("mine")


@of_person
def rematch(request: HttpRequest, game: Game) -> HttpResponse:
    """Open the table of the rematch, or join it."""
    try:
        return redirect("table", rematches.offer(game, user_of(request)).key)
    except TableRefusal as refusal:
        messages.error(request, str(TABLE_REFUSALS[refusal.code]))
        return redirect("table", game.key)


# --- the link in a mail ---


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("seat")
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The page of an invitation; only a post answers it."""
    found = _letter(request, token)
    if request.method == "POST":
        return _no(request, token, found) if request.POST.get("answer") == "no" else _yes(request, token, found)
    return _show(request, found)


def _letter(request: HttpRequest, token: str) -> InvitationPage:
    try:
        invitation = invitations.read(token)
    except invitations.ForgedInvitation as error:
        raise Http404 from error
    game = Game.objects.with_seats().select_related("host").get(pk=invitation.game_id)
    reader = request.user if isinstance(request.user, User) else None
    return InvitationPage(invitation, game, reader, getattr(request, "guest", None))


def _show(
    request: HttpRequest, found: InvitationPage, status: int = 200, form: NewcomerForm | None = None, **extra: Any
) -> HttpResponse:
    game, address = found.game, found.invitation.address
    # Only this page seats somebody whose account has another address.
    target = request.path if found.state == "offer" else reverse("table", args=[game.key])
    if form is None and found.owner is None and found.state == "offer":
        if settings.SIGN_UP != "closed":
            form = NewcomerForm(initial={"username": accounts.free_name(address)})
        elif found.reader is None:
            extra = {"refusal": TABLE_REFUSALS["no_sign_up"], **extra}
    context = {
        "letter": found,
        "game": game,
        "form": form,
        **terms.of(game, found.reader),
        "never_again": "" if found.owner else opt_out.never_again_url(address).removeprefix(settings.SITE_URL),
        "login": f"{reverse('account_login')}?{urlencode({'next': target})}",
        **extra,
    }
    return render(request, "games/invitation.html", context, status=status)


def _no(request: HttpRequest, token: str, found: InvitationPage) -> HttpResponse:
    try:
        invitations.decline(found.invitation)
    except TableRefusal:
        return _show(request, _letter(request, token), status=409)
    return redirect("invitation", token)


def _yes(request: HttpRequest, token: str, found: InvitationPage) -> HttpResponse:
    """Seat the reader or the owner of the address. A reader who is logged in as somebody else chooses which."""
    table, form, person = reverse("table", args=[found.game.key]), None, None
    if found.state == "here":
        return redirect(table)
    if found.is_mine:
        person = found.reader
    elif found.reader and found.state == "offer":
        if request.POST.get("as") not in ("me", "address"):
            return _show(request, found, status=422)
        person = found.reader if request.POST["as"] == "me" else None
    fields = {}
    if person is None and found.owner is None and found.state == "offer":
        form = NewcomerForm(request.POST)
        if not form.is_valid():
            return _show(request, found, status=422, form=form)
        fields = form.cleaned_data
    try:
        guest = invitations.accept(found.invitation, person, visitor=found.visitor, **fields)
    except invitations.NameTaken:
        assert form is not None
        form.add_error("username", _("This name, or one that looks like it, is taken."))
        return _show(request, _letter(request, token), status=422, form=form)
    except TableRefusal as refusal:
        return _show(request, _letter(request, token), status=409, refusal=TABLE_REFUSALS[refusal.code])
    if guest == found.reader:
        return redirect(table)
    if invitations.is_new(found.invitation, guest):
        text = _("You’ve joined as %(name)s. You have no password yet. You can choose one in your settings.")
        messages.success(request, text % {"name": guest.username})
        response: HttpResponse = perform_login(request, guest, redirect_url=table)
        return response
    return redirect("invitation", token)
