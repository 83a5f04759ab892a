"""The forms about games. They check the shape of input; the services check its meaning."""

from collections.abc import Iterable
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import names
from accounts.models import User
from games.boards.common import BETWEEN
from games.bots import strengths
from games.catalogue import TITLES
from games.models import BOT_NAMES, Game
from games.services.clocks import running
from games.services.tables import invitations
from games.services.tables.tables import TableSpec
from games.widgets import Described, Strengths, Titles
from games.wording import times

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

MAX_SEATS = max(max(title.ruleset.seats) for title in TITLES.values())
MAX_DAYS_A_TURN = 14
"""The maximum number of days per turn."""
MAX_POST_LENGTH = 600
"""The maximum length of the decisions in one post; whole turns need far less."""
MAX_GUESTS_LENGTH = 1000
"""The maximum length of a line of names and addresses."""
MAX_ADDRESS_LENGTH = 254


def choose(text: "StrPromise") -> dict[str, "StrPromise"]:
    """Error messages with this text for a missing choice and for an unknown one."""
    return {"required": text, "invalid_choice": text}


class Names(forms.MultipleChoiceField):
    """User names, whether they are on offer or not."""

    def valid_value(self, value: Any) -> bool:
        return True


class Guests(forms.CharField):
    """A line of any number of user names and addresses, cleaned to the list of its words."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_length=MAX_GUESTS_LENGTH,
            help_text=_(
                "Separated by spaces or commas. Who has no account yet gets a mail, and sits down with one click."
            ),
            error_messages={"max_length": _("These are too many names for one table.")},
            widget=forms.TextInput(
                attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false", "class": "input"}
            ),
            **kwargs,
        )

    def clean(self, value: Any) -> list[str]:
        return str(super().clean(value) or "").replace(",", " ").replace(";", " ").split()


def guests_of(words: Iterable[str], besides: User) -> tuple[list[User], list[str]]:
    """The people with these names, without `besides`, and the addresses among the words. Raises `ValidationError`."""
    words = list(words)
    addresses = [word.lower() for word in words if "@" in word]
    for address in addresses:
        _must_be_an_address(address)
    keys = {names.skeleton(word): word for word in words if "@" not in word}
    found = {user.name_key: user for user in User.objects.filter(name_key__in=list(keys), is_active=True)}
    unknown = [name for key, name in keys.items() if key not in found]
    if unknown:
        text = ngettext("There is no player called %(names)s.", "There are no players called %(names)s.", len(unknown))
        raise forms.ValidationError(text % {"names": ", ".join(unknown)})
    return [user for user in found.values() if user != besides], list(dict.fromkeys(addresses))


def _must_be_an_address(word: str) -> None:
    try:
        validate_email(word)
        if len(word) <= MAX_ADDRESS_LENGTH:
            return
    except forms.ValidationError:
        pass
    raise forms.ValidationError(_("“%(word)s” is not an e-mail address."), params={"word": word})


def offered() -> Iterable[str]:
    """The bots that people may choose for some title."""
    return dict.fromkeys(name for title in TITLES.values() for name in title.strengths)


class NewTableForm(forms.Form):
    """A new table: title, players, pace, and who may watch."""

    title = forms.ChoiceField(
        label=_("The game"),
        choices=lambda: [(slug, title.ruleset.name) for slug, title in TITLES.items()],
        widget=Titles,
        error_messages=choose(_("Choose one of the games.")),
    )
    seats = forms.TypedChoiceField(
        label=_("Players, you among them"),
        coerce=int,
        choices=[(number, str(number)) for number in range(2, MAX_SEATS + 1)],
        initial=2,
        widget=forms.RadioSelect,
        error_messages=choose(_("Choose how many players sit at the table.")),
    )
    bots = forms.TypedChoiceField(
        label=_("Bots"),
        coerce=int,
        choices=[(number, str(number)) for number in range(MAX_SEATS)],
        initial=0,
        widget=forms.RadioSelect,
        error_messages=choose(_("Choose how many bots play.")),
    )
    strength = forms.ChoiceField(
        label=_("Strength"),
        choices=lambda: [(name, BOT_NAMES[name]) for name in offered()],
        initial=strengths.USUAL,
        widget=Strengths(
            {
                "beginner": _("Plays like a person in their first games and overlooks a lot."),
                "easy": _("Sees most of what is near, but doesn’t plan."),
                "medium": _("Plays like a good player who decides quickly."),
                "hard": _("Looks ahead like an experienced player."),
                "strongest": _("Looks far ahead, for a few seconds a move."),
                "greedy": _("Always goes for the best card at hand."),
                "random": _("Moves as the dice fall. Good for learning the rules."),
            }
        ),
        error_messages=choose(_("Choose how strong the bots are.")),
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
                Game.Admission.NAMED: _("They get a mail, and find the table among theirs."),
                Game.Admission.OPEN: _("The table is listed for all players."),
            }
        ),
        error_messages=choose(_("Choose who may sit down.")),
    )
    friends = Names(label=_("People you played with"), required=False, widget=forms.CheckboxSelectMultiple)
    invited = Guests(label=_("User names or e-mail addresses"), required=False)
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
            (Game.Pace.DAYS, _("Some days for every turn")),
            (Game.Pace.NONE, _("As long as it takes")),
        ],
        initial=Game.Pace.NORMAL,
        widget=Described(
            {
                Game.Pace.DAYS: _("The same time for each; what is left over is not kept."),
                Game.Pace.NONE: _("No clock runs. Nobody is reminded, nobody is late."),
            }
        ),
        error_messages=choose(_("Choose how fast you want to play.")),
    )
    days = forms.IntegerField(
        label=_("Days for every turn"),
        required=False,
        min_value=1,
        max_value=MAX_DAYS_A_TURN,
        initial=3,
        widget=forms.NumberInput(attrs={"class": "input", "inputmode": "numeric"}),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), _("Write a number of days between 1 and 14.")
        ),
    )
    at_zero = forms.ChoiceField(
        label=_("Whose time runs out"),
        choices=[
            (Game.AtZero.CARETAKER, _("A bot plays on")),
            (Game.AtZero.FORFEIT, _("That player is out")),
            (Game.AtZero.WAIT, _("The others wait")),
        ],
        required=False,
        initial=Game.AtZero.CARETAKER,
        widget=Described(
            {
                Game.AtZero.CARETAKER: _(
                    "Until the player is back. After two days, or four moves, it is too late to win."
                ),
                Game.AtZero.FORFEIT: _("A bot plays the seat to the end, and cannot win."),
                Game.AtZero.WAIT: _("Nothing happens until that player moves."),
            }
        ),
        error_messages=choose(_("Choose what happens when somebody’s time runs out.")),
    )
    vacations = forms.ChoiceField(
        label=_("Vacations"),
        choices=[("yes", _("They stop the clock")), ("no", _("They do not count here"))],
        required=False,
        initial="yes",
        widget=Described(
            {
                "yes": _("Everybody has 21 days of them a year."),
                "no": _("Who sits down is told so."),
            }
        ),
        error_messages=choose(_("Choose whether vacations count.")),
    )

    def __init__(self, *args: Any, host: User, like: Game | None = None, **kwargs: Any) -> None:
        """`like` a game that the host played: the same title, seats, bots, clock and people."""
        super().__init__(*args, **kwargs)
        self.host = host
        known = [user.username for user in invitations.acquaintances(host)]
        if like:
            seats = like.seat_set.all()
            people = [seat.user.username for seat in seats if seat.user and seat.user != host]
            bots = [seat.bot for seat in seats if seat.bot]
            known = [*people, *(name for name in known if name not in people)]
            self.initial = {
                **self.initial,
                "title": like.title,
                "seats": like.seats,
                "bots": len(bots),
                "strength": bots[0] if bots else strengths.USUAL,
                "friends": people,
                "admission": Game.Admission.NAMED,
                "audience": like.audience,
                "pace": like.pace,
                "days": like.days or 3,
                "at_zero": like.at_zero,
                "vacations": "yes" if like.vacations else "no",
            }
        self._offer_also(self.data.get("strength") or self.initial.get("strength"))
        widget = self.fields["pace"].widget
        assert isinstance(widget, Described)
        clocks = {
            str(pace): next(times.agreed(Game(pace=pace), *astuple(each))) for pace, each in running.PACES.items()
        }
        widget.hints = {**widget.hints, **clocks}
        friends = self.fields["friends"]
        assert isinstance(friends, Names)
        friends.choices = [(name, name) for name in known]

    def _offer_also(self, bot: str | None) -> None:
        """Offer a bot that is no longer proposed to a user who has played against it."""
        strength = self.fields["strength"]
        assert isinstance(strength, forms.ChoiceField)
        if bot in BOT_NAMES and not strength.valid_value(bot):
            strength.choices = [*strength.widget.choices, (bot, BOT_NAMES[bot])]

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
            self.add_error("bots", _("One seat is yours. Choose fewer bots."))
        if title and bots and data.get("strength") not in (None, *TITLES[title].bots):
            self.add_error("strength", _("%(title)s doesn’t have this bot.") % {"title": TITLES[title].ruleset.name})
        if data.get("pace") != Game.Pace.DAYS:
            self.errors.pop("days", None)
        elif "days" not in self.errors and not data["days"]:
            self.add_error("days", self.fields["days"].error_messages["invalid"])
        if not self.errors:
            self._fill(data)
        return data

    def _fill(self, data: dict[str, Any]) -> None:
        """Find the invited people, and check that the free seats can be filled."""
        free = data["seats"] - data["bots"] - 1
        data["people"], data["addresses"] = [], []
        if data["admission"] == Game.Admission.NAMED:
            try:
                data["people"], data["addresses"] = guests_of([*data["friends"], *data["invited"]], besides=self.host)
            except forms.ValidationError as error:
                self.add_error("invited", error)
                return
            if len(data["people"]) + len(data["addresses"]) < free:
                text = ngettext(
                    "%(free)d seat is free: name at least %(free)d other player.",
                    "%(free)d seats are free: name at least %(free)d other players.",
                    free,
                )
                self.add_error("invited", text % {"free": free})
        elif free and data["audience"] == Game.Audience.SEATS:
            refusal = _("Who is to sit down must be able to see the table: let them watch, or name the players.")
            self.add_error("audience", refusal)

    def spec(self) -> TableSpec:
        data = self.cleaned_data
        return TableSpec(
            title=data["title"],
            seats=data["seats"],
            bots=[data["strength"]] * data["bots"],
            invited=data["people"],
            addresses=data["addresses"],
            pace=data["pace"],
            days=data["days"] if data["pace"] == Game.Pace.DAYS else None,
            at_zero=data["at_zero"] or Game.AtZero.CARETAKER,
            vacations=data["vacations"] != "no",
            audience=data["audience"],
            admission=data["admission"],
        )


class OpenTablesForm(forms.Form):
    """A search for open tables; invalid values count as empty."""

    title = forms.ChoiceField(
        label=_("Game"),
        choices=lambda: [("", _("Both games")), *((slug, title.ruleset.name) for slug, title in TITLES.items())],
        required=False,
    )
    seats = forms.TypedChoiceField(
        label=_("Players"),
        coerce=int,
        choices=[("", _("Any number")), *((number, str(number)) for number in range(2, MAX_SEATS + 1))],
        required=False,
        empty_value=None,
    )
    pace = forms.ChoiceField(label=_("How fast"), choices=[("", _("Any pace")), *Game.Pace.choices], required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        self.errors.clear()
        return data


class InviteForm(forms.Form):
    """More guests for an open table."""

    guests = Guests(label=_("User names or e-mail addresses"))

    def __init__(self, *args: Any, host: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.host = host

    def clean_guests(self) -> tuple[list[User], list[str]]:
        return guests_of(self.cleaned_data["guests"], besides=self.host)


class NoteForm(forms.Form):
    """A user's private note about a game."""

    note = forms.CharField(
        label=_("What you mean to do"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"max_length": _("A note has at most 500 characters.")},
    )


class DecisionForm(forms.Form):
    """One or more decisions, and the number that the page showed."""

    number = forms.IntegerField(min_value=0, max_value=100_000)
    moves = forms.CharField(max_length=MAX_POST_LENGTH)

    def clean_moves(self) -> list[str]:
        return [text for text in map(str.strip, self.cleaned_data["moves"].split(BETWEEN)) if text]
