from allauth.core.ratelimit import consume, respond_429
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts import staff
from accounts.forms import RecoveryCodeForm
from accounts.models import User


@require_http_methods(["GET", "HEAD", "POST"])
@staff.of_staff
def enter(request: HttpRequest) -> HttpResponse:
    """The entrance to the pages of staff: with a passkey, or with a recovery code, which lets its owner add one."""
    user = request.user
    assert isinstance(user, User)
    form = RecoveryCodeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and not consume(request, action="staff_code", user=user):
        refused: HttpResponse = respond_429(request)
        return refused
    if form.is_valid():
        if staff.use_code(request, user, form.cleaned_data["code"]):
            messages.success(request, _("The code was right. Now add a passkey."))
            return redirect("mfa_add_webauthn")
        form.add_error("code", _("This isn’t one of your recovery codes, or it was used before."))
    context = {
        "form": form,
        "has_passkey": staff.has_passkey(user),
        "codes": staff.codes_left(user),
        "passkey_url": f"{reverse('mfa_reauthenticate_webauthn')}?{urlencode({'next': reverse('staff')})}",
    }
    return render(request, "accounts/staff_enter.html", context, status=422 if form.errors else 200)
