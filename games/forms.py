"""What people send: checked for shape here, for meaning in the services."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import names
from accounts.models import User
from games.catalogue import TITLES
from games.models import BOT_NAMES, Game
from games.services.tables import Plan

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

MOST_SEATS = max(max(title.ruleset.seats) for title in TITLES.values())
LONGEST_POST = 600
"""Characters of the decisions in one post; whole turns need far less."""


def choose(text: "StrPromise") -> dict[str, "StrPromise"]:
    """That text for a choice that is missing, and for one that there is not."""
    return {"required": text, "invalid_choice": text}


class Described(forms.RadioSelect):
    """Choices with a sentence about each; the template finds it as `data.hint`."""

    def __init__(self, hints: "Mapping[str, StrPromise]") -> None:
        super().__init__()
        self.hints = hints

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return super().create_option(name, value, *args, **kwargs) | {"hint": self.hints.get(str(value), "")}


class NewTable(forms.Form):
    """A new table: who plays what with whom, how fast, and who may watch."""

    title = forms.ChoiceField(
        label=_("The game"),
        choices=[(slug, title.ruleset.name) for slug, title in TITLES.items()],
        widget=forms.RadioSelect,
        error_messages=choose(_("Choose one of the games.")),
    )
    seats = forms.TypedChoiceField(
        label=_("Players, you among them"),
        coerce=int,
        choices=[(number, str(number)) for number in range(2, MOST_SEATS + 1)],
        initial=2,
        widget=forms.RadioSelect,
        error_messages=choose(_("Choose how many players sit at the table.")),
    )
    bots = forms.TypedChoiceField(
        label=_("Of them played by the computer"),
        coerce=int,
        choices=[(number, str(number)) for number in range(MOST_SEATS)],
        initial=0,
        widget=forms.RadioSelect,
        error_messages=choose(_("Choose how many seats the computer plays.")),
    )
    strength = forms.ChoiceField(
        label=_("How it plays"),
        choices=[("greedy", BOT_NAMES["greedy"]), ("random", BOT_NAMES["random"])],
        initial="greedy",
        widget=Described(
            {
                "greedy": _("Always goes for the best card at hand."),
                "random": _("Moves as the dice fall. Good for learning the rules."),
            }
        ),
        error_messages=choose(_("Choose how the computer plays.")),
    )
    admission = forms.ChoiceField(
        label=_("Who may sit down"),
        choices=[
            (Game.Admission.LINK, _("Whoever has the link")),
            (Game.Admission.NAMED, _("Players whom I name")),
            (Game.Admission.OPEN, _("Everybody here")),
        ],
        initial=Game.Admission.LINK,
        widget=Described(
            {
                Game.Admission.LINK: _("You get it next, to hand on."),
                Game.Admission.NAMED: _("They find the table among theirs."),
                Game.Admission.OPEN: _("The table is listed for all players."),
            }
        ),
        error_messages=choose(_("Choose who may sit down.")),
    )
    invited = forms.CharField(
        label=_("Their user names"),
        required=False,
        max_length=400,
        help_text=_("Separated by spaces or commas."),
        error_messages={"max_length": _("These are too many names for one table.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    audience = forms.ChoiceField(
        label=_("Who may watch"),
        choices=[
            (Game.Audience.LINK, _("Whoever has the link")),
            (Game.Audience.SEATS, _("Only those at the table")),
            (Game.Audience.ANYONE, _("Everybody here")),
        ],
        initial=Game.Audience.LINK,
        widget=Described(
            {
                Game.Audience.LINK: _("They see what lies open, never what you hide."),
                Game.Audience.SEATS: _("Nobody else can open the page."),
                Game.Audience.ANYONE: _("The game is listed among those to watch."),
            }
        ),
        error_messages=choose(_("Choose who may watch.")),
    )
    pace = forms.ChoiceField(
        label=_("How fast"),
        choices=[
            (Game.Pace.FAST, _("A few days")),
            (Game.Pace.NORMAL, _("About two weeks")),
            (Game.Pace.RELAXED, _("A month or more")),
            (Game.Pace.NONE, _("As long as it takes")),
        ],
        initial=Game.Pace.NORMAL,
        widget=Described(
            {
                Game.Pace.FAST: _("Everybody looks in several times a day."),
                Game.Pace.NORMAL: _("Everybody moves about once a day."),
                Game.Pace.RELAXED: _("A move every few days is fine."),
                Game.Pace.NONE: _("Nobody is waited for."),
            }
        ),
        error_messages=choose(_("Choose how fast you want to play.")),
    )

    def __init__(self, *args: Any, maker: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.maker = maker

    def clean_invited(self) -> list[User]:
        """Who may sit down, if that is for those named alone; their maker has a seat anyway."""
        if self.cleaned_data.get("admission") != Game.Admission.NAMED:
            return []
        wanted = {names.skeleton(name): name for name in self.cleaned_data["invited"].replace(",", " ").split()}
        found = {user.name_key: user for user in User.objects.filter(name_key__in=list(wanted), is_active=True)}
        unknown = [name for key, name in wanted.items() if key not in found]
        if unknown:
            text = ngettext(
                "There is no player called %(names)s.", "There are no players called %(names)s.", len(unknown)
            )
            raise forms.ValidationError(text % {"names": ", ".join(unknown)})
        return [user for user in found.values() if user != self.maker]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        title, seats, bots = (data.get(name) for name in ("title", "seats", "bots"))
        ruleset = TITLES[title].ruleset if title else None
        if ruleset and seats and seats not in ruleset.seats:
            text = ngettext(
                "%(title)s is for %(possible)s player.", "%(title)s is for %(possible)s players.", ruleset.seats[-1]
            )
            self.add_error("seats", text % {"title": ruleset.name, "possible": ", ".join(map(str, ruleset.seats))})
        if seats is not None and bots is not None and bots >= seats:
            self.add_error("bots", _("One seat is yours: leave it free of the computer."))
        if not self.errors:
            self._fill(data)
        return data

    def _fill(self, data: dict[str, Any]) -> None:
        """See that the seats which stay free can be taken."""
        free = data["seats"] - data["bots"] - 1
        if data["admission"] == Game.Admission.NAMED:
            if len(data["invited"]) < free:
                text = ngettext(
                    "%(free)d seat is free: name at least %(free)d other player.",
                    "%(free)d seats are free: name at least %(free)d other players.",
                    free,
                )
                self.add_error("invited", text % {"free": free})
        elif free and data["audience"] == Game.Audience.SEATS:
            refusal = _("Who is to sit down must be able to see the table: let them watch, or name the players.")
            self.add_error("audience", refusal)

    def plan(self) -> Plan:
        data = self.cleaned_data
        return Plan(
            title=data["title"],
            seats=data["seats"],
            bots=[data["strength"]] * data["bots"],
            invited=data["invited"],
            pace=data["pace"],
            audience=data["audience"],
            admission=data["admission"],
        )


class Decision(forms.Form):
    """One or more decisions at the number that the page showed."""

    number = forms.IntegerField(min_value=0, max_value=100_000)
    moves = forms.CharField(max_length=LONGEST_POST)

    def clean_moves(self) -> list[str]:
        return [text for text in map(str.strip, self.cleaned_data["moves"].split(";")) if text]
