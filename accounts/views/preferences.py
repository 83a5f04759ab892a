from datetime import timedelta

from allauth.account.utils import get_next_redirect_url
from allauth.mfa.models import Authenticator
from django.conf import settings as site
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts import addresses, sessions
from accounts.forms import SettingsForm, ZoneForm
from accounts.models import Theme, User
from accounts.templatetags.accounts import THEME_COOKIE

THEME_LIFETIME = timedelta(days=365)


def _fresh(request: HttpRequest) -> User:
    """A copy of the user: values from a refused form must not show up in the rest of the page."""
    assert isinstance(request.user, User)
    return User.objects.get(pk=request.user.pk)


@login_required
def settings(request: HttpRequest) -> HttpResponse:
    user = _fresh(request)
    form = SettingsForm(request.POST if request.method == "POST" else None, instance=user)
    if form.is_valid():
        user.save(update_fields=list(form.fields))
        # The message is already in the new language. Without one, the browser's preference decides, not the cookie.
        if not user.language:
            request.COOKIES.pop(site.LANGUAGE_COOKIE_NAME, None)
        with translation.override(user.language or translation.get_language_from_request(request)):
            messages.success(request, _("Settings saved."))
        response = redirect("accounts:settings")
        response.delete_cookie(site.LANGUAGE_COOKIE_NAME, samesite="Lax")
        return response
    context = {
        "form": form,
        "passkeys": Authenticator.objects.filter(user=user).count(),
        "devices": len(sessions.devices(user, request.session.session_key)),
    }
    return render(request, "accounts/settings.html", context, status=422 if form.errors else 200)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Store the theme chosen in the rail: in the user's account, and in a cookie for visitors in this browser.
    Redirects to the page that the switch is on."""
    chosen = request.POST.get("theme", "")
    if chosen not in Theme.values:
        return render(request, "400.html", status=400)
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(theme=chosen)
    response = redirect(_back(request))
    response.set_cookie(
        THEME_COOKIE, chosen, THEME_LIFETIME, secure=site.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
    )
    return response


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Store the language chosen in the footer, like a theme. Redirects to the page that the switch is on, or to its
    address in that language."""
    chosen = request.POST.get("language", "")
    if chosen not in dict(site.LANGUAGES):
        return render(request, "400.html", status=400)
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(language=chosen)
    response = redirect(addresses.translated(_back(request), chosen))
    addresses.keep(response, chosen)
    return response


def _back(request: HttpRequest) -> str:
    """The page that the form is on."""
    back = request.headers.get("Referer", "")
    is_safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return back if is_safe else reverse("home")


@login_required
def time_zone(request: HttpRequest) -> HttpResponse:
    """Ask for the time zone once, after a log-in from a browser that did not send it."""
    user = _fresh(request)
    form = ZoneForm(request.POST if request.method == "POST" else None, instance=user)
    if form.is_valid():
        user.save(update_fields=list(form.fields))
        wanted = get_next_redirect_url(request)
        return HttpResponseRedirect(wanted) if wanted else redirect(site.LOGIN_REDIRECT_URL)
    context = {"form": form, "next": get_next_redirect_url(request) or ""}
    return render(request, "accounts/time_zone.html", context, status=422 if form.errors else 200)
