"""What a user can do about other people at a table."""

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms.tables import choose
from games.models import Report
from games.services.tables.reports import Text

MAX_SENTENCE_LENGTH: int = Report._meta.get_field("sentence").max_length  # type: ignore[assignment]


class ReportForm(forms.Form):
    """A report of one of the texts at a table."""

    text = forms.ChoiceField(
        label=gettext_lazy("What do you want to report?"),
        widget=forms.RadioSelect,
        error_messages=choose(gettext_lazy("Choose what you want to report.")),
    )
    sentence = forms.CharField(
        label=gettext_lazy("What’s wrong with it?"),
        required=False,
        max_length=MAX_SENTENCE_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"max_length": gettext_lazy("Use up to 300 characters.")},
    )

    def __init__(self, *args: object, texts: Sequence[Text], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.texts = {text.key: text for text in texts}
        choices = [(key, _described(text)) for key, text in self.texts.items()]
        self.fields["text"].choices = choices  # type: ignore[attr-defined]
        if len(choices) == 1:
            self.initial.setdefault("text", choices[0][0])

    @property
    def reported(self) -> Text:
        """The text that was chosen."""
        return self.texts[self.cleaned_data["text"]]


def _described(text: Text) -> str:
    if text.kind == Report.Kind.TABLE_NAME:
        return _("The table’s name: %(name)s") % {"name": text.text}
    return _("The user name %(name)s") % {"name": text.text}
