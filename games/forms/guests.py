"""People who are invited to a table: by user name or by address."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.conf import settings
from django.core.validators import validate_email
from django.utils.functional import lazy
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts import services as accounts
from accounts.adapter import MAX_ADDRESS_LENGTH
from accounts.models import User
from games.models import Block
from games.wording import phrases

MAX_GUESTS_LENGTH = 1000
"""The maximum length of a line of names and addresses."""


def _help_text() -> str:
    if settings.SIGN_UP == "closed":
        return gettext("Separate them with spaces or commas.")
    return gettext("Separate them with spaces or commas. People without an account get an invitation by email.")


class Names(forms.MultipleChoiceField):
    """User names, whether they are on offer or not."""

    def valid_value(self, value: Any) -> bool:
        return True


class Guests(forms.CharField):
    """A line of any number of user names and addresses; its value is the list of them."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_length=MAX_GUESTS_LENGTH,
            help_text=lazy(_help_text, str)(),
            error_messages={"max_length": _("That’s too many names for one table.")},
            widget=forms.TextInput(
                attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false", "class": "input"}
            ),
            **kwargs,
        )

    def clean(self, value: Any) -> list[str]:
        return str(super().clean(value) or "").replace(",", " ").replace(";", " ").split()


def guests_of(words: Iterable[str], besides: User) -> tuple[list[User], list[str]]:
    """The people with these names, without `besides`, and the addresses among the words. Raises `ValidationError`."""
    words = [word.replace("\0", "") for word in words]
    addresses = [word.lower() for word in words if "@" in word]
    for address in addresses:
        _must_be_an_address(address)
    keys = {names.skeleton(word): word for word in words if "@" not in word}
    people = User.objects.filter(name_key__in=list(keys), is_active=True)
    found = {user.name_key: user for user in accounts.confirmed(people)}
    unknown = [name for key, name in keys.items() if key not in found]
    if unknown:
        text = ngettext(
            "Unknown player: %(names)s. Check the spelling.",
            "Unknown players: %(names)s. Check the spelling.",
            len(unknown),
        )
        raise forms.ValidationError(text % {"names": phrases.join(unknown)})
    blocks = Block.objects.filter(by=besides, blocked__in=found.values()).select_related("blocked")
    if blocked := [block.blocked.username for block in blocks]:
        raise forms.ValidationError(
            _("You’ve blocked %(names)s. Unblock them before you invite them."), params={"names": phrases.join(blocked)}
        )
    return [user for user in found.values() if user != besides], list(dict.fromkeys(addresses))


def _must_be_an_address(word: str) -> None:
    try:
        validate_email(word)
        if len(word) <= MAX_ADDRESS_LENGTH:
            return
    except forms.ValidationError:
        pass
    raise forms.ValidationError(_("“%(word)s” isn’t an email address."), params={"word": word})


class InviteForm(forms.Form):
    """More people to invite to an open table."""

    guests = Guests(label=_("User names or email addresses"))

    def __init__(self, *args: Any, host: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.host = host

    def clean_guests(self) -> tuple[list[User], list[str]]:
        return guests_of(self.cleaned_data["guests"], besides=self.host)
