"""Decisions, and notes about a game."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.boards.common import BETWEEN

MAX_POST_LENGTH = 600
"""The maximum length of the decisions in one post; whole turns need far less."""


class Lines(forms.CharField):
    """A text of several lines. Browsers post a line break as two characters, but count it as one."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text and text.replace("\r\n", "\n")


class NoteForm(forms.Form):
    """A user's private note about a game."""

    note = Lines(
        label=_("Your note"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"max_length": _("A note can have up to 500 characters.")},
    )


class DecisionForm(forms.Form):
    """One or more decisions, and the position that the page showed: its number, and its epoch unless that is 0."""

    number = forms.IntegerField(min_value=0, max_value=100_000)
    epoch = forms.IntegerField(min_value=0, max_value=100_000, required=False)
    moves = forms.CharField(max_length=MAX_POST_LENGTH)

    def clean_moves(self) -> list[str]:
        return [text for text in map(str.strip, self.cleaned_data["moves"].split(BETWEEN)) if text]
