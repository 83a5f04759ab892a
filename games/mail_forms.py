"""The forms about mails and vacations. They check the shape of input; the services check its meaning."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.forms import choose
from games.models import Notice, Preferences
from games.services.outbox import preferences
from games.widgets import Described

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Kind = Notice.Kind
HINTS: "Mapping[str, StrPromise]" = {
    Kind.TURN: _("With what happened since your last move, and what you can do now."),
    Kind.UNFINISHED: _("If you begin a turn and leave before its end."),
    Kind.REMINDER: _("As often as you choose below."),
    Kind.ABSENCE: _("And what became of the seat."),
    Kind.STARTED: _("When the last seat of a table is taken."),
    Kind.FINISHED: _("With the result."),
    Kind.CLOSED: _("Because it didn’t fill, or the host cancelled it."),
    Kind.INVITED: _("A table keeps a seat for you."),
    Kind.REMATCH: _("Somebody wants to play again."),
}
MAX_VACATION_DAYS = 21


class DescribedBoxes(Described, forms.CheckboxSelectMultiple):
    """Check boxes with a sentence about each choice."""


def _kinds(label: Any, *kinds: Notice.Kind) -> forms.MultipleChoiceField:
    choices = [(str(kind), kind.label) for kind in kinds]
    return forms.MultipleChoiceField(label=label, choices=choices, required=False, widget=DescribedBoxes(HINTS))


class MailForm(forms.Form):
    """A user's mail preferences."""

    mails = forms.ChoiceField(
        label=_("Mails about your games"),
        choices=[("", _("Send them")), (preferences.ALL, _("Send none at all"))],
        required=False,
        widget=Described(
            {
                "": _("Each as soon as there is something to tell."),
                preferences.ALL: _("You look in by yourself. Your clocks run all the same."),
            }
        ),
        error_messages=choose(_("Choose whether you want mails.")),
    )
    acting = _kinds(_("When you are to act"), Kind.TURN, Kind.UNFINISHED, Kind.REMINDER)
    tables = _kinds(_("What happens at your tables"), Kind.STARTED, Kind.ABSENCE, Kind.FINISHED, Kind.CLOSED)
    offers = _kinds(_("When somebody wants to play with you"), Kind.INVITED, Kind.REMATCH)
    delay = forms.TypedChoiceField(
        label=_("How long a turn waits before it is mailed"),
        coerce=int,
        choices=[(0, _("not at all"))]
        + [(n, format_lazy(ngettext_lazy("{n} minute", "{n} minutes", n), n=n)) for n in (3, 10, 30, 60)],
        widget=forms.RadioSelect,
        help_text=_("Whoever plays at the same time as you moves on within minutes: then no mail is needed."),
        error_messages=choose(_("Choose how long a turn waits.")),
    )
    reminders = forms.MultipleChoiceField(
        label=_("Remind you of your turn"),
        choices=[
            ("50", _("half of the time is left")),
            ("25", _("a quarter is left")),
            ("10", _("a tenth is left")),
            ("24h", _("24 hours are left")),
            ("12h", _("12 hours are left")),
            ("2h", _("2 hours are left")),
        ],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("What would come in your quiet hours comes before them. A change counts from your next turn on."),
    )
    more = forms.MultipleChoiceField(
        label=_("And these mails"),
        choices=[("always", _("Always mail me")), ("links", _("Put in links that play"))],
        required=False,
        widget=DescribedBoxes(
            {
                "always": _("Even about a turn that your browser has just shown."),
                "links": _(
                    "A click and a confirmation, no log-in. Whoever has such a mail can play that turn for you."
                ),
            }
        ),
    )

    def __init__(self, data: Any = None, *, kept: Preferences) -> None:
        wanted = [str(kind) for kind in preferences.SWITCHABLE_KINDS if kind not in kept.off]
        initial = {
            "mails": preferences.ALL if preferences.ALL in kept.off else "",
            **dict.fromkeys(("acting", "tables", "offers"), wanted),
            "delay": kept.delay,
            "reminders": kept.reminders,
            "more": [name for name in ("always", "links") if getattr(kept, name)],
        }
        super().__init__(data, initial=initial)

    @property
    def of_what(self) -> list[forms.BoundField]:
        """The fields that choose kinds of mail."""
        return [self[name] for name in ("mails", "acting", "tables", "offers")]

    def wishes(self) -> dict[str, Any]:
        """The values as fields of `Preferences`."""
        data = self.cleaned_data
        wanted: Iterable[str] = [*data["acting"], *data["tables"], *data["offers"]]
        off = [str(kind) for kind in preferences.SWITCHABLE_KINDS if kind not in wanted]
        return {
            "off": [*off, *([preferences.ALL] if data["mails"] else [])],
            "delay": data["delay"],
            "reminders": data["reminders"],
            "always": "always" in data["more"],
            "links": "links" in data["more"],
        }


class TimeAway(forms.Form):
    """The length of a vacation that begins now."""

    days = forms.IntegerField(
        label=_("For how many days"),
        min_value=1,
        max_value=MAX_VACATION_DAYS,
        error_messages={"required": _("Say for how many days."), "invalid": _("Write a whole number of days.")},
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
