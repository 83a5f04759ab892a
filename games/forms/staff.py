"""The forms of staff. Each asks for a reason, which is recorded."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import Offence
from games.forms.tables import TableName, choose
from games.services.moderation.acts import MAX_DAYS

MAX_REASON_LENGTH = 300
SEARCH_LENGTH = 40


class Reason(forms.CharField):
    def __init__(self) -> None:
        super().__init__(
            label=_("Reason"),
            help_text=_("Only staff can read it."),
            max_length=MAX_REASON_LENGTH,
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )


class PersonNameForm(forms.Form):
    name = forms.CharField(
        label=_("New name"),
        max_length=names.MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    reason = Reason()


class TableNameForm(forms.Form):
    name = TableName()
    reason = Reason()


class SuspensionForm(forms.Form):
    offence = forms.ChoiceField(
        label=_("Reason"), choices=Offence.choices, error_messages=choose(_("Please choose a reason."))
    )
    note = forms.CharField(
        label=_("Note"),
        help_text=_("The player sees it word for word, along with the reason."),
        required=False,
        max_length=MAX_REASON_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.IntegerField(label=_("Days"), min_value=1, max_value=MAX_DAYS, initial=7)


class ReasonForm(forms.Form):
    """For lifting a suspension and for closing a report."""

    reason = Reason()


class SearchForm(forms.Form):
    """A search for people and tables."""

    q = forms.CharField(
        label=_("Name of a person or a table"),
        required=False,
        max_length=SEARCH_LENGTH,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
