"""The forms about mails and vacations. They check the shape of input; the services check its meaning."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.models import User
from games.forms.tables import choose
from games.models import Notice, Preferences
from games.services.absence.vacations import MAX_VACATION_A_YEAR
from games.services.outbox import preferences
from games.widgets import Described

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Kind = Notice.Kind
HINTS: "Mapping[str, StrPromise]" = {
    Kind.TURN: _("Shows what happened since your last move and what you can do now."),
    Kind.UNFINISHED: _("You started a turn and left before finishing it."),
    Kind.REMINDER: _("At the times you choose below."),
    Kind.VACATION: _("Your time ran out, and a day of vacation began, as you asked."),
    Kind.ABSENCE: _("Tells you what happens to the seat."),
    Kind.STARTED: _("The last seat has been taken."),
    Kind.FINISHED: _("Shows the result."),
    Kind.CLOSED: _("It didn’t fill, the host cancelled it or freed your seat, or everyone agreed to stop."),
    Kind.INVITED: _("Someone offers you a free seat."),
    Kind.REMATCH: _("Someone wants to play again."),
}
MAX_DAYS_OFF = 2
DAILY: Final = "daily"
USUAL_HOUR = 18
"""The hour of the daily mail before a user chooses one."""


class DescribedBoxes(Described, forms.CheckboxSelectMultiple):
    """Check boxes with a sentence about each choice."""


def _kinds(label: Any, *kinds: Notice.Kind) -> forms.MultipleChoiceField:
    choices = [(str(kind), kind.label) for kind in kinds]
    return forms.MultipleChoiceField(label=label, choices=choices, required=False, widget=DescribedBoxes(HINTS))


class MailForm(forms.Form):
    """A user's mail preferences."""

    mails = forms.ChoiceField(
        label=_("Emails about your games"),
        choices=[
            ("", _("Send them")),
            (DAILY, _("Send one a day")),
            (preferences.ALL, _("Send none")),
        ],
        required=False,
        widget=Described(
            {
                "": _("We send each one as soon as something happens."),
                DAILY: _("One email with the day’s news. Urgent emails still come at once."),
                preferences.ALL: _("You check your games yourself. Your clocks keep running."),
            }
        ),
        error_messages=choose(_("Choose whether you want emails.")),
    )
    acting = _kinds(_("When it’s your turn"), Kind.TURN, Kind.UNFINISHED, Kind.REMINDER, Kind.VACATION)
    tables = _kinds(_("What happens at your tables"), Kind.STARTED, Kind.ABSENCE, Kind.FINISHED, Kind.CLOSED)
    offers = _kinds(_("When someone wants to play with you"), Kind.INVITED, Kind.REMATCH)
    hour = forms.TypedChoiceField(
        label=_("Hour of the daily email"),
        coerce=int,
        choices=[(hour, f"{hour}:00") for hour in range(24)],
        help_text=_("Used only if you choose one email a day."),
        error_messages=choose(_("Choose an hour.")),
    )
    delay = forms.TypedChoiceField(
        label=_("Delay before a turn email"),
        coerce=int,
        choices=[(0, _("None"))]
        + [(n, format_lazy(ngettext_lazy("{n} minute", "{n} minutes", n), n=n)) for n in (3, 10, 30, 60)],
        widget=forms.RadioSelect,
        help_text=_(
            "When everyone is online, turns come round in minutes. If you’ve already moved by then, we don’t email you."
        ),
        error_messages=choose(_("Choose a delay.")),
    )
    reminders = forms.MultipleChoiceField(
        label=_("Remind me of my turn when"),
        choices=[
            ("50", _("half the time is left")),
            ("25", _("a quarter is left")),
            ("10", _("a tenth is left")),
            ("24h", _("24 hours are left")),
            ("12h", _("12 hours are left")),
            ("2h", _("2 hours are left")),
        ],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "Reminders that would fall in your quiet hours are sent before they begin. "
            "Changes apply from your next turn."
        ),
    )
    more = forms.MultipleChoiceField(
        label=_("More options"),
        choices=[("always", _("Always email me")), ("links", _("Include links for making moves"))],
        required=False,
        widget=DescribedBoxes(
            {
                "always": _("Email me even if I’ve just seen the turn in my browser."),
                "links": _(
                    "Move by clicking and confirming, without logging in. Anyone who has the email can play "
                    "that turn for you."
                ),
            }
        ),
    )

    def __init__(self, data: Any = None, *, kept: Preferences) -> None:
        wanted = [str(kind) for kind in preferences.SWITCHABLE_KINDS if kind not in kept.off]
        initial = {
            "mails": preferences.ALL if preferences.ALL in kept.off else "" if kept.digest_hour is None else DAILY,
            "hour": USUAL_HOUR if kept.digest_hour is None else kept.digest_hour,
            **dict.fromkeys(("acting", "tables", "offers"), wanted),
            "delay": kept.delay,
            "reminders": kept.reminders,
            "more": [name for name in ("always", "links") if getattr(kept, name)],
        }
        super().__init__(data, initial=initial)

    @property
    def of_what(self) -> list[forms.BoundField]:
        """The fields that choose kinds of mail."""
        return [self[name] for name in ("acting", "tables", "offers")]

    def wishes(self) -> dict[str, Any]:
        """The values as fields of `Preferences`."""
        data = self.cleaned_data
        wanted: Iterable[str] = [*data["acting"], *data["tables"], *data["offers"]]
        off = [str(kind) for kind in preferences.SWITCHABLE_KINDS if kind not in wanted]
        return {
            "off": [*off, *([preferences.ALL] if data["mails"] == preferences.ALL else [])],
            "digest_hour": data["hour"] if data["mails"] == DAILY else None,
            "delay": data["delay"],
            "reminders": data["reminders"],
            "always": "always" in data["more"],
            "links": "links" in data["more"],
        }


class TimeAway(forms.Form):
    """The length of a vacation and its first day; without one it begins now."""

    starts = forms.DateField(
        label=_("First day"),
        help_text=_("Leave this empty to start now."),
        required=False,
        error_messages={"invalid": _("Enter a date.")},
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )

    days = forms.IntegerField(
        label=_("Number of days"),
        min_value=1,
        max_value=MAX_VACATION_A_YEAR.days,
        error_messages={"required": _("Enter the number of days."), "invalid": _("Enter a whole number of days.")},
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


class TimeOff(forms.Form):
    """When a user's clocks stop by themselves."""

    days_off = forms.TypedMultipleChoiceField(
        label=_("Days off every week"),
        coerce=int,
        choices=[(day, capfirst(name)) for day, name in WEEKDAYS.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Your clocks stop on these days, two at most. Changes apply from your next turn."),
    )
    out_of_time = forms.MultipleChoiceField(
        label=_("When your time runs out"),
        choices=[("vacation", _("Begin a day of vacation"))],
        required=False,
        widget=DescribedBoxes({"vacation": _("As long as you have one left. We’ll email you.")}),
    )

    def __init__(self, data: Any = None, *, user: User) -> None:
        automatic = ["vacation"] if user.automatic_vacation else []
        super().__init__(data, initial={"days_off": user.days_off, "out_of_time": automatic})

    def wishes(self) -> dict[str, Any]:
        """The values as fields of the user."""
        data = self.cleaned_data
        return {"days_off": data["days_off"], "automatic_vacation": bool(data["out_of_time"])}

    def clean_days_off(self) -> list[int]:
        days: list[int] = self.cleaned_data["days_off"]
        if len(days) > MAX_DAYS_OFF:
            raise forms.ValidationError(_("Choose two days at most."))
        return days
