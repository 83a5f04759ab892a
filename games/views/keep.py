"""Keep this game: a guest's way to an account."""

from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.core.ratelimit import consume
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts import services as accounts
from accounts import sessions
from accounts.forms import KeepCodeForm, KeepForm
from accounts.models import User
from games.models import Game
from games.pages import keeping
from games.pages.access import of_person, patience, too_fast, user_of
from games.pages.keeping import PendingAccount
from games.services.tables import guests


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest) -> HttpResponse:
    """Ask for a name and an address, and send a code there."""
    if not user_of(request).is_guest:
        return redirect("mine")
    if not keeping.may_keep(user_of(request)):
        return render(request, "account/signup_closed.html", status=403)
    form = KeepForm(request.POST if request.method == "POST" else None)
    back = request.POST.get("next") or request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = ""
    status = 422 if form.errors else 200
    if form.is_valid():
        if wait := patience(request, "signup"):
            return too_fast(request, wait)
        if consume(request, action="confirm_email", key=form.cleaned_data["email"].lower()):
            PendingAccount(**form.cleaned_data, back=back).send(request)
            return redirect("keep_code")
        form.add_error("email", get_adapter().error_messages["rate_limited"])
        status = 429
    return render(request, "games/keep.html", {"form": form, "next": back}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Ask for the code; the right one makes the guest an account, with the same games."""
    guest, pending = user_of(request), PendingAccount.of(request)
    if not guest.is_guest:
        return redirect("mine")
    if pending is None or not keeping.may_keep(guest):
        return redirect("keep")
    form = KeepCodeForm(request.POST if request.method == "POST" else None, code=pending.code)
    if form.is_valid():
        return _kept(request, guest, pending)
    if form.errors and not pending.missed(request):
        messages.error(request, _("Too many wrong codes. Your games are still here: ask for a new code."))
        return redirect("keep")
    context = {"verify_form": form, "email": pending.email}
    return render(request, "games/keep_code.html", context, status=422 if form.errors else 200)


def _kept(request: HttpRequest, guest: User, pending: PendingAccount) -> HttpResponse:
    keeping.end(request)
    try:
        with transaction.atomic():
            user = accounts.keep(guest, pending.username, pending.email, pending.time_zone)
            guests.kept(user)
    except IntegrityError:
        messages.error(request, _("Someone has just taken this name or address. Please try again."))
        return redirect("keep")
    # Their log-in as a guest is in no list of sessions.
    UserSession.objects.create_from_request(request)
    text = _("Your games are kept under the name %(name)s. You can choose a password in your settings.")
    messages.success(request, text % {"name": user.called})
    back = pending.back or reverse("mine")
    if not user.time_zone:
        back = f"{reverse('accounts:time_zone')}?{urlencode({'next': back})}"
    response = HttpResponseRedirect(back)
    sessions.remember(request, response, user)
    return response


@of_person
def later(request: HttpRequest, game: Game) -> HttpResponse:
    """Put off the offer to keep the games until a game is over."""
    request.session[keeping.LATER_KEY] = True
    return redirect("table", game.key)
