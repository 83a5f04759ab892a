"""What a user can do about other people at a table."""

from collections.abc import Sequence

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from games.forms.tables import choose
from games.models import Report
from games.services.tables.reports import Text
from games.widgets import Described

MAX_SENTENCE_LENGTH: int = Report._meta.get_field("sentence").max_length  # type: ignore[assignment]


class ReportForm(forms.Form):
    """A report of one of the texts at a table."""

    text = forms.ChoiceField(
        label=_("What do you want to report?"),
        error_messages=choose(_("Choose what you want to report.")),
    )
    sentence = forms.CharField(
        label=_("What’s wrong with it?"),
        required=False,
        max_length=MAX_SENTENCE_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"max_length": _("Use up to 300 characters.")},
    )

    def __init__(self, *args: object, texts: Sequence[Text], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.texts = {text.key: text for text in texts}
        field = self.fields["text"]
        field.widget = Described({key: capfirst(text.kind.label) for key, text in self.texts.items()})
        field.choices = [(key, text.text) for key, text in self.texts.items()]  # type: ignore[attr-defined]
        if len(self.texts) == 1:
            self.initial.setdefault("text", texts[0].key)

    @property
    def reported(self) -> Text:
        """The text that was chosen."""
        return self.texts[self.cleaned_data["text"]]
