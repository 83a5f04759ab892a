"""The form for a new table."""

from collections.abc import Iterable
from dataclasses import astuple
from typing import Any

from django import forms
from django.db import models
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.names import MAX_NAME_LENGTH
from games.bots import strengths
from games.catalogue import TITLES
from games.forms.guests import Guests, Names, guests_of
from games.forms.tables import MAX_SEATS, TableName, choose
from games.models import BOT_NAMES, Block, Game, Seat
from games.services.clocks import running
from games.services.ratings import counting
from games.services.tables import invitations
from games.services.tables.tables import TableSpec
from games.widgets import Described, Said, Strengths, Titles
from games.wording import times
from games.wording.bots import STRENGTHS

MAX_DAYS_A_TURN = 14
"""The maximum number of days per turn."""
MAX_MATES = 3
"""The number of people with a button of their own."""
MAX_REMEMBERED = 10
"""The number of the host's last tables in which their choices are looked up."""


def offered() -> Iterable[str]:
    """The bots that people may choose for some title."""
    return dict.fromkeys(name for title in TITLES.values() for name in title.strengths)


class Way(models.TextChoices):
    """The buttons of the form."""

    TABLE = "table", _("Open the table")
    BOTS = "bots", _("Play a bot")
    LINK = "link", _("Get a link to share")


def last_choices(host: User) -> dict[str, Any]:
    """The choices of the host's last tables. A game against bots alone says nothing about games with people, except its
    title and strength."""
    games = list(Game.objects.filter(host=host, follows=None).with_seats().order_by("-pk")[:MAX_REMEMBERED])
    found: dict[str, Any] = next((_choices(game) for game in games if not _is_against_bots(game)), {})
    against = next((_choices(game) for game in games if any(seat.bot for seat in game.seat_set.all())), {})
    if games:
        found |= {"title": games[0].title, "strength": against.get("strength", strengths.USUAL), "name": ""}
    return found


def _is_against_bots(game: Game) -> bool:
    return sum(bool(seat.bot) for seat in game.seat_set.all()) == game.seats - 1


def _choices(game: Game) -> dict[str, Any]:
    """The values of the form that would open the same table."""
    bots = [seat.bot for seat in game.seat_set.all() if seat.bot]
    return {
        "title": game.title,
        "name": game.name,
        "seats": game.seats,
        "bots": len(bots),
        "strength": bots[0] if bots else strengths.USUAL,
        "admission": game.admission,
        "audience": game.audience,
        "pace": game.pace,
        "days": game.days or 3,
        "at_zero": game.at_zero,
        "vacations": "yes" if game.vacations else "no",
        "rated": "no" if counting.can_be_rated(game, game.seat_set.all()) and not game.rated else "yes",
    }


def _fitted(title: str, seats: int, bots: int) -> dict[str, int]:
    """The numbers of players and bots that the title allows instead of these, because the form hides all others. If
    another person was to play, a seat stays free."""
    alone = bots >= seats - 1
    seats = min(TITLES[title].ruleset.seats, key=lambda number: abs(number - seats))
    return {"seats": seats, "bots": min(bots, seats - 1 if alone else seats - 2)}


class NewTableForm(forms.Form):
    """A new table: title, players, pace, and who may watch."""

    way = forms.ChoiceField(choices=Way.choices, required=False, error_messages=choose(_("Choose a game.")))
    friend = forms.CharField(required=False, max_length=MAX_NAME_LENGTH)
    """The one player to invite, if their button was pressed."""

    title = forms.ChoiceField(
        label=_("Game"),
        choices=lambda: [(slug, title.ruleset.name) for slug, title in TITLES.items()],
        widget=Titles,
        error_messages=choose(_("Choose a game.")),
    )
    name = TableName()
    seats = forms.TypedChoiceField(
        label=_("Players"),
        coerce=int,
        choices=[(number, str(number)) for number in range(2, MAX_SEATS + 1)],
        initial=2,
        widget=Said(lambda number: ngettext("%(n)d player", "%(n)d players", number) % {"n": number}),
        error_messages=choose(_("Choose the number of players.")),
    )
    bots = forms.TypedChoiceField(
        label=_("Bots"),
        coerce=int,
        choices=[(number, str(number)) for number in range(MAX_SEATS)],
        initial=0,
        widget=Said(lambda number: number and ngettext("%(n)d bot", "%(n)d bots", number) % {"n": number}),
        error_messages=choose(_("Choose the number of bots.")),
    )
    strength = forms.ChoiceField(
        label=_("Bot strength"),
        choices=lambda: [(name, STRENGTHS.get(name, BOT_NAMES[name])) for name in offered()],
        initial=strengths.USUAL,
        widget=Strengths(
            {
                "beginner": _("Buys whenever it can, and otherwise makes any move that looks good at first sight."),
                "easy": _("Makes any move that looks good at first sight."),
                "medium": _("Looks a move or two ahead."),
                "hard": _("Looks several moves ahead."),
                "strongest": _("Thinks far ahead, a few seconds per move."),
                "greedy": _("Always goes for the best card within reach."),
                "random": _("Moves at random. Good for learning the rules."),
            }
        ),
        error_messages=choose(_("Choose a strength for the bots.")),
    )
    admission = forms.ChoiceField(
        label=_("Open to"),
        choices=[
            (Game.Admission.LINK, _("Anyone with the link")),
            (Game.Admission.NAMED, _("Only players I invite")),
            (Game.Admission.OPEN, _("Everyone")),
        ],
        initial=Game.Admission.LINK,
        widget=Described(
            {
                Game.Admission.LINK: _("You’ll get a link to share."),
                Game.Admission.NAMED: _("They get an email, and the table appears on their list."),
                Game.Admission.OPEN: _("All players see the table on the list of open tables."),
            }
        ),
        error_messages=choose(_("Choose who can join.")),
    )
    friends = Names(label=_("People you’ve played with"), required=False, widget=forms.CheckboxSelectMultiple)
    invited = Guests(label=_("User names or email addresses"), required=False)
    audience = forms.ChoiceField(
        label=_("Visible to"),
        choices=[
            (Game.Audience.LINK, _("Anyone with the link")),
            (Game.Audience.SEATS, _("Only the players")),
            (Game.Audience.ANYONE, _("Everyone")),
        ],
        initial=Game.Audience.LINK,
        widget=Described(
            {
                Game.Audience.LINK: _("Spectators never see your hidden cards."),
                Game.Audience.SEATS: _("Nobody else can open the page."),
                Game.Audience.ANYONE: _("Everyone sees the game on the list of games to watch."),
            }
        ),
        error_messages=choose(_("Choose who can watch.")),
    )
    pace = forms.ChoiceField(
        label=_("Pace"),
        choices=[
            (Game.Pace.FAST, _("A few days")),
            (Game.Pace.NORMAL, _("About two weeks")),
            (Game.Pace.RELAXED, _("A month or more")),
            (Game.Pace.DAYS, _("A fixed number of days per turn")),
            (Game.Pace.NONE, _("No time limit")),
        ],
        initial=Game.Pace.NORMAL,
        widget=Described(
            {
                Game.Pace.DAYS: _("Every turn gets the same time. Unused time doesn’t carry over."),
                Game.Pace.NONE: _("No clocks and no reminders."),
            }
        ),
        error_messages=choose(_("Choose a pace.")),
    )
    days = forms.IntegerField(
        label=_("Days per turn"),
        required=False,
        min_value=1,
        max_value=MAX_DAYS_A_TURN,
        initial=3,
        widget=forms.NumberInput(attrs={"class": "input", "inputmode": "numeric"}),
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _("Enter a number of days from 1 to 14.")),
    )
    at_zero = forms.ChoiceField(
        label=_("If time runs out"),
        choices=[
            (Game.AtZero.CARETAKER, _("A bot takes over")),
            (Game.AtZero.FORFEIT, _("The player is out")),
            (Game.AtZero.WAIT, _("The others wait")),
        ],
        required=False,
        initial=Game.AtZero.CARETAKER,
        widget=Described(
            {
                Game.AtZero.CARETAKER: _("The player can come back, but can’t win after two days or four bot moves."),
                Game.AtZero.FORFEIT: _("A bot plays on. The player can come back, but can’t win."),
                Game.AtZero.WAIT: _("Nothing happens until the player moves."),
            }
        ),
        error_messages=choose(_("Choose what happens if time runs out.")),
    )
    vacations = forms.ChoiceField(
        label=_("Vacations"),
        choices=[("yes", _("Vacations stop the clock")), ("no", _("Clocks run during vacations"))],
        required=False,
        initial="yes",
        widget=Described(
            {
                "yes": _("Every player has 21 vacation days a year."),
                "no": _("Players are told before they join."),
            }
        ),
        error_messages=choose(_("Choose whether vacations stop the clock.")),
    )
    rated = forms.ChoiceField(
        label=_("Rating"),
        choices=[("yes", _("The game is rated")), ("no", _("Just for fun"))],
        required=False,
        initial="yes",
        widget=Described(
            {
                "yes": _("Every player needs an account, and the game needs a clock unless you play only bots."),
                "no": _("The game changes nobody’s rating."),
            }
        ),
        error_messages=choose(_("Choose whether the game is rated.")),
    )

    def __init__(
        self, data: QueryDict | None = None, *, host: User, like: Game | None = None, guest: str = "", **kwargs: Any
    ) -> None:
        """The choices are those of `like`, a game that the host played, or else the host's last ones. `guest` is the
        name of somebody to invite."""
        super().__init__(data, **kwargs)
        self.host = host
        self.known = [user.username for user in invitations.acquaintances(host)]
        """The people the host has played with, the latest first; before them, the one to invite."""
        if like:
            blocked = Block.objects.filter(by=host).values("blocked")
            others = Seat.objects.filter(game=like, user__is_guest=False, user__is_active=True).exclude(user=host)
            others = others.exclude(user__in=blocked).order_by("index")
            people = list(others.values_list("user__username", flat=True))
            self.known = [*people, *(name for name in self.known if name not in people)]
            chosen = _choices(like) | {"friends": people, "admission": Game.Admission.NAMED}
        else:
            chosen = last_choices(host)
        if guest:
            self.known = [guest, *(name for name in self.known if name != guest)]
            chosen |= {"friends": [guest], "admission": Game.Admission.NAMED}
        self.initial = {"title": next(iter(TITLES)), "seats": 2, "bots": 0, **chosen, **self.initial}
        self.initial |= _fitted(*(self.initial[name] for name in ("title", "seats", "bots")))
        self._offer_also(self.data.get("strength") or self.initial.get("strength"))
        widget = self.fields["pace"].widget
        assert isinstance(widget, Described)
        clocks = {
            str(pace): next(times.agreed(Game(pace=pace), *astuple(each))) for pace, each in running.PACES.items()
        }
        widget.hints = {**widget.hints, **clocks}
        friends = self.fields["friends"]
        assert isinstance(friends, Names)
        friends.choices = [(name, name) for name in self.known]

    def _offer_also(self, bot: str | None) -> None:
        """Offer a bot that is no longer proposed to a user who has played against it."""
        strength = self.fields["strength"]
        assert isinstance(strength, forms.ChoiceField)
        if bot in BOT_NAMES and not strength.valid_value(bot):
            strength.choices = [*strength.widget.choices, (bot, BOT_NAMES[bot])]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not {"title", "seats", "bots"} - data.keys():
            data |= _fitted(data["title"], data["seats"], data["bots"])
        self._take_shortcut(data)
        title = data.get("title")
        if title and data.get("bots") and data.get("strength") not in (None, *TITLES[title].bots):
            text = _("This bot doesn’t play %(title)s. Choose another strength.")
            self.add_error("strength", text % {"title": TITLES[title].ruleset.name})
        if data.get("pace") != Game.Pace.DAYS:
            self.errors.pop("days", None)
        elif "days" not in self.errors and not data["days"]:
            self.add_error("days", self.fields["days"].error_messages["invalid"])
        if not self.errors:
            self._fill(data)
        return data

    def _take_shortcut(self, data: dict[str, Any]) -> None:
        """A game against bots and a table with a link fill in what they need, and leave the other settings."""
        friend, way = data.get("friend"), data.get("way") or Way.TABLE
        if way == Way.TABLE and not friend:
            return
        others = (data.get("seats") or 2) - 1
        if way == Way.BOTS:
            data |= {"bots": others, "pace": Game.Pace.NONE, "admission": Game.Admission.LINK}
            return
        data["bots"] = min(data.get("bots") or 0, others - 1)
        if friend and others - data["bots"] == 1:
            data |= {"admission": Game.Admission.NAMED, "friends": [friend], "invited": []}
            return
        if data.get("admission") != Game.Admission.OPEN:
            data["admission"] = Game.Admission.LINK
        if data.get("audience") == Game.Audience.SEATS:
            data["audience"] = Game.Audience.LINK

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
                    "%(free)d seat is free. Invite at least %(free)d player.",
                    "%(free)d seats are free. Invite at least %(free)d players.",
                    free,
                )
                self.add_error("invited", text % {"free": free})
            return
        if data.get("friend"):
            data["people"], _addresses = guests_of([data["friend"]], besides=self.host)
        if free and data["audience"] == Game.Audience.SEATS:
            refusal = _(
                "Players must be able to open the table before they join. Let others watch, or invite "
                "the players by name."
            )
            self.add_error("audience", refusal)

    @property
    def mates(self) -> list[str]:
        """The people who can be invited with one click."""
        return self.known[:MAX_MATES]

    @property
    def summary(self) -> list[tuple[str, str]]:
        """The settings in words, by field: “2 players”, “About two weeks” …"""
        found = []
        for name in ("seats", "bots", "pace", "admission", "at_zero"):
            said = [radio.data["attrs"].get("data-said", radio.choice_label) for radio in self[name] if _is_on(radio)]
            found.append((name, str(said[0]) if said else ""))
        return found

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
            rated=data["rated"] != "no",
            audience=data["audience"],
            admission=data["admission"],
            name=data["name"],
        )


def _is_on(radio: Any) -> bool:
    return bool(radio.data["selected"])
