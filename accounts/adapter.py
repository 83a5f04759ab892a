"""The site's adapters for allauth: names and addresses, limits, mails and passkeys."""

import re
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.reauthentication import STATE_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.ratelimit import get_ip
from allauth.core.ratelimit import consume, respond_429
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from accounts import letterhead, names, services, sessions, suspension
from accounts.models import User

# The length of the columns that store an address, allauth's and ours.
MAX_ADDRESS_LENGTH = 254
MISMATCH = _("Wrong name or password.")


def _account(credentials: dict[str, Any]) -> tuple[User | None, str]:
    """The account that somebody wants to log in to, and the key to count wrong passwords by: one for the name and the
    address of an account."""
    login = services.login_of(credentials)
    user = services.find(login)
    return user, user.name_key if user else login.lower()


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        # One message for both, so that it does not reveal whether the account exists.
        "email_password_mismatch": MISMATCH,
        "username_password_mismatch": MISMATCH,
        "incorrect_password": _("Wrong password."),
        "enter_current_password": _("That isn’t your current password."),
        "incorrect_code": _("Wrong code. Copy it from the email."),
        "email_taken": _("This address belongs to another account."),
        "duplicate_email": _("This is already your address."),
        "too_many_login_attempts": _("Too many wrong codes. Please start again."),
        "rate_limited": _("We’ve just sent you a code. Please wait a moment before asking for another."),
        "username_taken": _("This name, or one that looks like it, is taken."),
        "username_blacklisted": _("This name is reserved. Please choose another."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.SIGN_UP == "open")

    def clean_username(self, username: str, shallow: bool = False, besides: int = 0) -> str:
        name = names.normalize(username)
        for validate in User._meta.get_field("username").validators:
            validate(name)
        key = names.skeleton(name)
        if names.is_reserved(name) or key == names.skeleton(settings.SITE_NAME):
            raise self.validation_error("username_blacklisted")
        named = User.objects.filter(name_key=key).exclude(pk=besides)
        if services.confirmed(named).exists():
            raise self.validation_error("username_taken")
        return name

    def clean_email(self, email: str) -> str:
        if len(email) > MAX_ADDRESS_LENGTH:
            raise ValidationError(gettext("This address is too long."))
        return email

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """An account keeps its address, so that its owner can always log in and is told of every change. Only a new one
        that waits for its code can be withdrawn."""
        return not email_address.verified and not email_address.primary

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> User:
        user.time_zone = form.cleaned_data["time_zone"]
        # Mails have no browser to follow.
        user.language = get_language() or ""
        try:
            with transaction.atomic():
                services.free(form.cleaned_data["email"], form.cleaned_data["username"])
                super().save_user(request, user, form, commit)
        except IntegrityError:
            # Two sign-ups arrived at the same moment; most likely a double click.
            messages.error(request, gettext("Someone has just taken this name or address. Please try again."))
            raise ImmediateHttpResponse(redirect("account_signup")) from None
        assert isinstance(user, User)
        return user

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Check the password once. Allauth would check it twice for a known address, which takes twice as long and so
        reveals that the address is known: once as a name, and once as an address. The case of a name does not count;
        allauth would leave that to the database, and SQLite knows only that of ASCII. Nobody can log in to an
        unconfirmed sign-up, or the answer would tell that its address was new."""
        if credentials.get("email"):
            credentials.pop("username", None)
        elif name := names.normalize(credentials.get("username") or ""):
            user = services.find(name)
            if user and user.username.casefold() == name.casefold():
                credentials["username"] = user.username
        found: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if found and services.unconfirmed(User.objects.filter(pk=found.pk)).exists():
            # Allauth has counted no failure, but this is one.
            super().pre_authenticate(request, **credentials)
            return None
        return found

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Answer too many wrong passwords with 429 instead of an error on the form."""
        user, key = _account(credentials)
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            raise ImmediateHttpResponse(respond_429(request)) from None
        if not sessions.is_at_home(request, user) and not consume(request, action="login_of_name", key=key):
            raise ImmediateHttpResponse(respond_429(request))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Wrong passwords are counted for an account at one network, so that a stranger elsewhere cannot lock it
        out."""
        _user, key = _account(credentials)
        return f"{get_ip(request)}:{key}"

    def is_reauthentication_required(self, **kwargs: Any) -> bool:
        """Allauth would ask people without a password and a passkey for nothing. Unless they have just logged in, they
        choose a password first, with a mailed code. A post is repeated after the password, unless the person has opened
        the page again instead."""
        if self.request.method != "POST":
            self.request.session.pop(STATE_SESSION_KEY, None)
        if not self.get_reauthentication_methods(self.request.user) and not sessions.is_fresh(self.request):
            messages.info(self.request, gettext("Please choose a password first. We’ll email you a code for it."))
            raise ImmediateHttpResponse(redirect("account_reset_password"))
        required: bool = super().is_reauthentication_required(**kwargs)
        return required

    def get_login_stages(self) -> list[str]:
        """Ask for no second factor after the password. A passkey is an alternative, so a user who loses it can still
        log in."""
        return [stage for stage in super().get_login_stages() if not stage.startswith("allauth.mfa.")]

    def pre_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse | None:
        """Tell suspended people why they cannot log in, and mail the others if their account has been used before, but
        not in this browser. Only the right password, passkey or code gets this far."""
        refused: HttpResponse | None = super().pre_login(request, user, **kwargs)
        if refused is None and user.is_suspended:
            request.session.flush()
            return suspension.page(request, user)
        if refused is None and user.last_login and not sessions.is_known(request, user):
            self.send_notification_mail("account/email/new_browser", user)
        return refused

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **kwargs)
        if not user.time_zone and isinstance(response, HttpResponseRedirect):
            response = redirect(f"{reverse('accounts:time_zone')}?{urlencode({'next': response.url})}")
        sessions.remember(request, response, user)
        return response

    def set_password(self, user: Any, password: str) -> None:
        """Write the password only: the rest of the row may have changed since it was read."""
        user.set_password(password)
        user.save(update_fields=["password"])

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("accounts:settings")

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """As allauth does, while the row of the user is locked: a newer sign-up with the name or the address waits, and
        then finds that this one is confirmed."""
        with transaction.atomic():
            if not list(User.objects.select_for_update().filter(pk=email_address.user_id)):
                return False
            return bool(super().confirm_email(request, email_address))

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        return reverse("accounts:settings")

    def render_mail(
        self, template_prefix: str, email: str | list[str], context: dict[str, Any], headers: Any = None
    ) -> EmailMessage:
        """The mail with its text, and the same paragraphs as an HTML part."""
        message: EmailMessage = super().render_mail(template_prefix, email, context, headers)
        if isinstance(message, EmailMultiAlternatives):
            paragraphs = re.split(r"\n{2,}", str(message.body))
            html = letterhead.drawn(
                "account/email/message.html", {**context, "subject": message.subject, "paragraphs": paragraphs}
            )
            message.attach_alternative(html, "text/html")
        return message


class PasskeyAdapter(DefaultMFAAdapter):
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This passkey wasn’t accepted. Please try again."),
        "unverified_email": _("Please confirm your email address before you add a passkey."),
    }

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002 - allauth's name
        return gettext("My passkey")

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """The site as a browser names it when it asks for a passkey."""
        return {**super().get_public_key_credential_rp_entity(), "name": settings.SITE_NAME}
