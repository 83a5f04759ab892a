from allauth.account.decorators import reauthentication_required
from allauth.account.views import (
    complete_password_reset,
    confirm_password_reset_code,
    email_verification_sent,
    password_set,
)
from allauth.mfa.webauthn.urls import urlpatterns as passkeys
from allauth.mfa.webauthn.views import add_webauthn, login_webauthn
from django.urls import include, path
from django.views.generic import RedirectView

from accounts.access import asks_again
from accounts.codes import of_present_address, of_sign_up
from accounts.sessions import asks_for_passkey
from accounts.staff import adds_passkey
from accounts.views import mailbox, preferences, sessions, staff

own = [
    path("settings/", preferences.settings, name="settings"),
    path("settings/theme/", preferences.theme, name="theme"),
    path("settings/language/", preferences.language, name="language"),
    path("settings/time-zone/", preferences.time_zone, name="time_zone"),
    path("settings/sessions/", sessions.sessions, name="sessions"),
    path("settings/sessions/end-others/", sessions.end_other_sessions, name="end_other_sessions"),
    path("settings/sessions/<int:pk>/end/", sessions.end_session, name="end_session"),
    path("account/start-again/", sessions.start_again, name="start_again"),
    path("staff/enter/", staff.enter, name="staff_enter"),
    path("mail/", mailbox.box, name="mailbox"),
    path("mail/<slug:file>/<int:number>/", mailbox.mail, name="mail"),
    path("mail/<slug:file>/<int:number>/html/", mailbox.html_part, name="mail_html"),
]

urlpatterns = [
    path("", include((own, "accounts"))),
    # allauth asks for nothing before a first password.
    path("account/password/set/", asks_again(reauthentication_required(password_set)), name="account_set_password"),
    # allauth lets a code outlive its address.
    path(
        "account/password/reset/confirm/",
        of_present_address(confirm_password_reset_code),
        name="account_confirm_password_reset_code",
    ),
    path(
        "account/password/reset/complete/",
        of_present_address(complete_password_reset),
        name="account_complete_password_reset",
    ),
    path("account/confirm-email/", of_sign_up(email_verification_sent), name="account_email_verification_sent"),
    path("account/", include("allauth.account.urls")),
    # allauth lets everybody add a passkey with their password.
    path("settings/passkeys/add/", adds_passkey(add_webauthn), name="mfa_add_webauthn"),
    # allauth limits only posts.
    path("settings/passkeys/login/", asks_for_passkey(login_webauthn), name="mfa_login_webauthn"),
    path("settings/passkeys/", include(passkeys)),
    # allauth redirects to its index of second factors after a change; here this is the list of passkeys.
    path("settings/passkeys/list/", RedirectView.as_view(pattern_name="mfa_list_webauthn"), name="mfa_index"),
]
