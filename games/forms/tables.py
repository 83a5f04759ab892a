"""Names of tables, and the search for open ones."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.catalogue import TITLES
from games.models import Game
from games.services.tables import names

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

MAX_SEATS = max(max(title.ruleset.seats) for title in TITLES.values())


def choose(text: "StrPromise") -> dict[str, "StrPromise"]:
    """Error messages with this text for a missing choice and for an unknown one."""
    return {"required": text, "invalid_choice": text}


class TableName(forms.CharField):
    """The name of a table, or nothing."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Name of the table"),
            required=False,
            max_length=names.MAX_LENGTH,
            widget=forms.TextInput(attrs={"autocomplete": "off", "class": "input"}),
            error_messages={"max_length": _("A table’s name can have up to 40 characters.")},
        )

    def clean(self, value: Any) -> str:
        return names.cleaned(super().clean(value) or "")


class NameForm(forms.Form):
    """Another name for an open table."""

    name = TableName()


class OpenTablesForm(forms.Form):
    """A search for open tables; invalid values count as empty."""

    title = forms.ChoiceField(
        label=_("Game"),
        choices=lambda: [("", _("All games")), *((slug, title.ruleset.name) for slug, title in TITLES.items())],
        required=False,
    )
    seats = forms.TypedChoiceField(
        label=_("Players"),
        coerce=int,
        choices=[("", _("Any number of players")), *((number, str(number)) for number in range(2, MAX_SEATS + 1))],
        required=False,
        empty_value=None,
    )
    pace = forms.ChoiceField(label=_("Pace"), choices=[("", _("Any pace")), *Game.Pace.choices], required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        self.errors.clear()
        return data
