"""Names of tables, and the search for open ones."""

from datetime import date
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.catalogue import TITLES
from games.models import Game
from games.services.tables import names
from games.wording import phrases

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

BEGINNING = date(2000, 1, 1)
"""No game ended before."""
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
        choices=[("", _("Any number")), *((number, str(number)) for number in range(2, MAX_SEATS + 1))],
        required=False,
        empty_value=None,
    )
    pace = forms.ChoiceField(label=_("Pace"), choices=[("", _("Any pace")), *Game.Pace.choices], required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        self.errors.clear()
        return data


def _day(label: "StrPromise") -> forms.DateField:
    limits = [MinValueValidator(BEGINNING), MaxValueValidator(BEGINNING.replace(year=BEGINNING.year + 1000))]
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": "input"})
    return forms.DateField(label=label, required=False, validators=limits, input_formats=["%Y-%m-%d"], widget=widget)


class HistoryForm(forms.Form):
    """The filters of the match history; an unknown value counts as none, and `ignored` names its field."""

    title = forms.ChoiceField(
        label=_("Game"),
        choices=lambda: [
            ("", pgettext_lazy("any game", "any")),
            *((slug, title.ruleset.name) for slug, title in TITLES.items()),
        ],
        required=False,
        widget=forms.RadioSelect,
    )
    seats = forms.TypedChoiceField(
        label=_("Players"),
        coerce=int,
        choices=[("", pgettext_lazy("any number", "any")), *((n, str(n)) for n in range(2, MAX_SEATS + 1))],
        required=False,
        widget=forms.RadioSelect,
    )
    result = forms.ChoiceField(
        label=_("Result"),
        choices=[
            ("", pgettext_lazy("any result", "any")),
            ("won", pgettext_lazy("games", "won")),
            ("lost", pgettext_lazy("games", "lost")),
            ("shared", pgettext_lazy("games", "shared")),
        ],
        required=False,
        widget=forms.RadioSelect,
    )
    against = forms.CharField(
        label=_("Against"),
        required=False,
        max_length=40,
        widget=forms.TextInput(
            attrs={
                "class": "input",
                "placeholder": _("Name of a player"),
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
    )
    since = _day(pgettext_lazy("a date", "From"))
    until = _day(pgettext_lazy("a date", "Until"))
    pace = forms.ChoiceField(label=_("Pace"), choices=[("", _("Any pace")), *Game.Pace.choices], required=False)
    rated = forms.ChoiceField(
        label=_("Rating"),
        choices=[("", _("Rated or not")), ("yes", _("Rated")), ("no", _("Not rated"))],
        required=False,
    )
    ending = forms.ChoiceField(
        label=_("How it ended"),
        choices=[
            ("", _("Any ending")),
            *((each.value, each.label) for each in (Game.Ending.PLAYED, Game.Ending.RESIGNED, Game.Ending.ABSENCE)),
        ],
        required=False,
    )

    SELDOM = ("pace", "ending")
    """The fields that the page folds away."""

    @property
    def often(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name not in self.SELDOM]

    @property
    def seldom(self) -> list[forms.BoundField]:
        return [self[name] for name in self.SELDOM]

    @property
    def has_seldom(self) -> bool:
        """Whether one of the folded fields has a value."""
        return any(self.cleaned_data.get(name) for name in self.SELDOM)

    @property
    def ignored(self) -> str:
        """The labels of fields with unknown values: “Date, Ending”."""
        return phrases.listed(str(self.fields[name].label) for name in self.errors)

    @property
    def chosen(self) -> list[str]:
        """The filters in words: “Splendor Duel”, “won”."""
        return [self._told(name, value) for name, value in self.cleaned_data.items() if value]

    def _told(self, name: str, value: Any) -> str:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            told = str(dict(field.choices)[value])  # type: ignore[arg-type] # pairs, not groups
        else:
            told = date_format(value, "SHORT_DATE_FORMAT") if isinstance(value, date) else value
        return told if name in ("title", "result", "ending", "pace", "rated") else f"{field.label} {told}"
