from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from accounts import services
from accounts import sessions as open_sessions
from accounts.access import posted_from
from accounts.models import User


@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    devices = open_sessions.devices(request.user, request.session.session_key)
    return render(request, "accounts/sessions.html", {"devices": devices})


@posted_from("accounts:sessions")
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    row = UserSession.objects.filter(pk=pk).first()
    if row:  # otherwise another tab has ended it
        if row.user != request.user:
            raise Http404
        row.end()
    messages.success(request, _("Session logged out."))
    return redirect("accounts:sessions")


@posted_from("accounts:sessions")
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    number = open_sessions.end_others(request.user, request.session.session_key)
    text = ngettext("Logged out %(n)d other session.", "Logged out %(n)d other sessions.", number)
    messages.success(request, text % {"n": number})
    return redirect("accounts:sessions")


@require_POST
def start_again(request: HttpRequest) -> HttpResponse:
    """Go back from the code to an empty form, or with `to=login` to the log-in. Deletes the sign-up, so its name is
    free again."""
    process = EmailVerificationProcess.resume(request)
    if process:
        if isinstance(process.user, User) and not request.user.is_authenticated:
            services.abandon(process.user)
        process.abort()
    if request.user.is_authenticated:
        return redirect("accounts:settings")
    return redirect("account_login" if request.POST.get("to") == "login" else "account_signup")
