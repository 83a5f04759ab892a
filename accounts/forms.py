"""allauth's forms in our words, and the forms of the settings. No placeholder serves as a label."""

import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from allauth.account import forms as account_forms
from allauth.account.adapter import get_adapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import consume, respond_429
from allauth.mfa.adapter import get_adapter as get_passkey_adapter
from allauth.mfa.webauthn import forms as passkey_forms
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.validators import MaxLengthValidator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.functional import lazystr
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from accounts import names, services, zones
from accounts.adapter import MAX_ADDRESS_LENGTH
from accounts.models import Theme, User

if TYPE_CHECKING:
    UserForm = forms.ModelForm[User]
else:
    UserForm = forms.ModelForm

PASSWORD_HELP = _("At least 12 characters. A few words in a row are easy to remember.")
MAX_PASSKEY_NAME_LENGTH = 40
PLAIN_TYPING = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}


def dress(form: forms.Form, name: str, label: Any, help_text: Any = "", **attrs: str) -> None:
    """Set the label, help text and attributes of a field, and remove allauth's placeholder."""
    field = form.fields[name]
    field.label, field.help_text = label, help_text
    field.widget.attrs.pop("placeholder", None)
    field.widget.attrs.update({key.replace("_", "-"): value for key, value in attrs.items()})


class BrowserZoneField(forms.CharField):
    """A hidden field that the script fills in. An unknown zone counts as none, since nobody typed it."""

    def __init__(self) -> None:
        super().__init__(widget=forms.HiddenInput(attrs={"data-browser-zone": ""}))

    def clean(self, value: Any) -> str:
        return zones.present(str(value or ""))


class SignupForm(account_forms.SignupForm):
    time_zone = BrowserZoneField()
    field_order = ("username", "email", "password1", "time_zone")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(
            self,
            "username",
            _("User name"),
            _("Other players see this name. Use 3 to 20 letters, digits or - _ ."),
            **PLAIN_TYPING,
        )
        self.fields["username"].widget.attrs["minlength"] = names.MIN_NAME_LENGTH
        dress(
            self,
            "email",
            _("Email address"),
            _("We’ll email you a code now, and later whenever it’s your turn. Other players never see this address."),
        )
        dress(self, "password1", _("Password"), PASSWORD_HELP)

    def validate_unique_email(self, value: str) -> str:
        """An unconfirmed sign-up does not hold its address."""
        self.account_already_exists = services.owner(value) is not None
        return value

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        # A sign-up that gets no code must not replace another one.
        if not consume(request, action="confirm_email", key=self.cleaned_data["email"].lower(), dry_run=True):
            raise ImmediateHttpResponse(respond_429(request))
        if self.account_already_exists:
            # The answer must take as long for a known address as for a new one.
            make_password(self.cleaned_data["password1"])
            with transaction.atomic():
                services.free("", self.cleaned_data["username"])
        user, response = super().try_save(request)
        return user, response


class NewcomerForm(forms.Form):
    """Asks for the name of a new account, whose owner has already proved that they read the address."""

    username = forms.CharField(
        label=_("User name"),
        help_text=_("Other players see this name. Use 3 to 20 letters, digits or - _ ."),
        max_length=names.MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "username", "minlength": names.MIN_NAME_LENGTH, **PLAIN_TYPING}),
    )
    time_zone = BrowserZoneField()

    def clean_username(self) -> str:
        name: str = get_adapter().clean_username(self.cleaned_data["username"])
        return name


class KeepForm(NewcomerForm):
    """Asks a guest for the name and the address of their account."""

    email = forms.EmailField(
        label=_("Email address"),
        help_text=_(
            "We’ll email you a code now, and later whenever it’s your turn. Other players never see this address."
        ),
        max_length=MAX_ADDRESS_LENGTH,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    field_order = ("username", "email", "time_zone")

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()


class LoginForm(account_forms.LoginForm):
    time_zone = BrowserZoneField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self, "login", _("User name or email address"), autocomplete="username", **PLAIN_TYPING)
        dress(self, "password", _("Password"))

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        zone = self.cleaned_data["time_zone"]
        if zone and not self.user.time_zone:
            self.user.time_zone = zone
            self.user.save(update_fields=["time_zone"])
        response: HttpResponse = super().login(request, redirect_url)
        return response


class ReauthenticateForm(account_forms.ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self, "password", _("Password"))


class ResetPasswordForm(account_forms.ResetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self, "email", _("Email address"))

    def clean_email(self) -> str:
        """An unconfirmed sign-up, whose password may be a stranger's, has nothing to reset."""
        email: str = super().clean_email()
        if services.owner(email) is None:
            self.users: list[User] = []
        return email


class OnePasswordMixin:
    """A new password is typed once: it can be shown, and a mistyped one can be reset by mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assert isinstance(self, forms.Form)
        del self.fields["password2"]
        dress(self, "password1", _("New password"), PASSWORD_HELP)


class ResetPasswordKeyForm(OnePasswordMixin, account_forms.ResetPasswordKeyForm):
    pass


class SetPasswordForm(OnePasswordMixin, account_forms.SetPasswordForm):
    pass


class ChangePasswordForm(OnePasswordMixin, account_forms.ChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self, "oldpassword", _("Current password"))


class AddEmailForm(account_forms.AddEmailForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self, "email", _("New address"), _("We’ll send a code there. Your address changes once you enter it."))


class CodeMixin:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assert isinstance(self, forms.Form)
        dress(self, "code", _("Code"), **{**PLAIN_TYPING, "autocapitalize": "characters"})


class ConfirmEmailVerificationCodeForm(CodeMixin, account_forms.ConfirmEmailVerificationCodeForm):
    def clean_code(self) -> str:
        account_forms.BaseConfirmCodeForm.clean_code(self)
        if self.user is None:  # only the reader of the mailed code learns this
            raise forms.ValidationError(_("A newer sign-up has replaced this one. Please start again."))
        # The right code proves that this user reads the address, even if others also signed up with it.
        services.free_address(self.email, confirmed_by=self.user)
        code: str = super().clean_code()
        return code


class ConfirmPasswordResetCodeForm(CodeMixin, account_forms.ConfirmPasswordResetCodeForm):
    pass


class KeepCodeForm(CodeMixin, account_forms.BaseConfirmCodeForm):
    pass


class RecoveryCodeForm(forms.Form):
    code = forms.CharField(
        label=_("Recovery code"),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off", **PLAIN_TYPING, "autocapitalize": "characters"}),
    )


UNREADABLE = (LookupError, ValueError, TypeError, AttributeError, AssertionError, struct.error)
"""The errors of python-fido2 about data that no browser sends."""


@contextmanager
def _readable() -> Iterator[None]:
    """Refuse a credential that cannot be read, as if it were wrong."""
    try:
        yield
    except UNREADABLE as error:
        raise get_passkey_adapter().validation_error("incorrect_code") from error


class _PasskeyDecoder(json.JSONDecoder):
    """Calls every text malformed that Python cannot read, also with too many brackets or digits."""

    def decode(self, s: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().decode(s, *args, **kwargs)
        except (ValueError, RecursionError) as error:
            raise json.JSONDecodeError("Unreadable", s, 0) from error


def _credential() -> forms.JSONField:
    return forms.JSONField(widget=forms.HiddenInput, decoder=_PasskeyDecoder)


def _dress_passkey(form: forms.Form, help_text: Any = "") -> None:
    dress(form, "name", _("Name"), help_text, maxlength=str(MAX_PASSKEY_NAME_LENGTH))
    form.fields["name"].validators.append(MaxLengthValidator(MAX_PASSKEY_NAME_LENGTH))


class AddPasskeyForm(passkey_forms.AddWebAuthnForm):
    credential = _credential()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _dress_passkey(self, _("A name you’ll recognize, such as “Phone” or “Security key”."))

    def clean(self) -> Any:
        with _readable():
            return super().clean()


class LoginPasskeyForm(passkey_forms.LoginWebAuthnForm):
    credential = _credential()

    def clean_credential(self) -> Any:
        with _readable():
            return super().clean_credential()


class ReauthenticatePasskeyForm(passkey_forms.ReauthenticateWebAuthnForm):
    credential = _credential()

    def clean_credential(self) -> Any:
        with _readable():
            return super().clean_credential()


class EditPasskeyForm(passkey_forms.EditWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _dress_passkey(self)


def _languages() -> list[tuple[str, Any]]:
    """The languages, each under its own name."""
    return [("", _("Same as browser")), *((code, lazystr(capfirst(name))) for code, name in settings.LANGUAGES)]


class ZoneSelect(forms.Select):
    """A list of zones by region. Each carries its former names for the script, which looks for the browser's zone and
    adds a field to search the list."""

    template_name = "accounts/zones.html"

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        former = " ".join(sorted(former for former, zone in zones.former_names().items() if zone == str(value)))
        return option | {"attrs": {**option["attrs"], **({"data-former": former} if former else {})}}


class ZoneField(forms.ChoiceField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=_("Time zone"),
            choices=lambda: [("", _("Choose the nearest city")), *zones.by_region()],
            widget=ZoneSelect(attrs={"data-browser-zone": ""}),
            **kwargs,
        )

    def prepare_value(self, value: Any) -> Any:
        return zones.present(str(value)) or value

    def to_python(self, value: Any) -> str:
        text: str = super().to_python(value)
        return zones.present(text) or text


class ZoneForm(UserForm):
    time_zone = ZoneField()

    class Meta:
        model = User
        fields = ("time_zone",)


MAX_QUIET_HOURS = 10
"""The maximum length of quiet hours, in hours per day."""


class QuietField(forms.TimeField):
    def __init__(self, label: Any) -> None:
        super().__init__(
            label=label,
            required=False,
            widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
            error_messages={"invalid": _("Enter a time of day, such as 22:30.")},
        )


PROFILE = ("open_profile", "shows_statistics", "shows_pace")
"""The fields about the user's profile."""


class SettingsForm(UserForm):
    time_zone = ZoneField(help_text=_("The site shows deadlines and times in this zone."))
    language = forms.ChoiceField(label=_("Language"), choices=_languages, widget=forms.RadioSelect, required=False)
    theme = forms.ChoiceField(label=_("Theme"), choices=Theme.choices, widget=forms.RadioSelect)
    quiet_from = QuietField(_("From"))
    quiet_until = QuietField(_("Until"))

    class Meta:
        model = User
        fields = (
            *("time_zone", "language", "theme", "movement", "sound", "in_leaderboards", *PROFILE),
            *("quiet_from", "quiet_until"),
        )

    @property
    def speaking(self) -> list[forms.BoundField]:
        """The fields for time zone, language and theme."""
        return [self[name] for name in ("time_zone", "language", "theme")]

    @property
    def table(self) -> list[forms.BoundField]:
        """The fields about how a table changes while the reader looks at it."""
        return [self["movement"], self["sound"]]

    @property
    def shown(self) -> list[forms.BoundField]:
        """The fields about what other people see."""
        return [self[name] for name in ("in_leaderboards", *PROFILE)]

    @property
    def quiet(self) -> list[forms.BoundField]:
        """The fields about quiet hours."""
        return [self["quiet_from"], self["quiet_until"]]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        start, end = data.get("quiet_from"), data.get("quiet_until")
        if "quiet_from" in self.errors or "quiet_until" in self.errors:
            return data
        if (start is None) != (end is None):
            missing = "quiet_from" if start is None else "quiet_until"
            self.add_error(missing, _("Quiet hours need a start and an end. For no quiet hours, leave both empty."))
        elif start and end:
            minutes = (end.hour * 60 + end.minute - start.hour * 60 - start.minute) % (24 * 60)
            if not 0 < minutes <= MAX_QUIET_HOURS * 60:
                text = _("Quiet hours can last up to %(most)d hours.")
                self.add_error("quiet_until", text % {"most": MAX_QUIET_HOURS})
        return data
