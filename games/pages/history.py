"""The match history: a user's finished games, newest first, each with its result. The address holds the filters."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.formats import date_format
from django.utils.timezone import localtime, make_aware
from django.utils.translation import gettext as _

from accounts import names
from accounts.models import User
from games.models import Act, Game, HeadToHead, Seat
from games.pages import keyset
from games.pages.dashboard import TableRow
from games.pages.keyset import Page, Place
from games.services.play import endings
from games.services.ratings import counting
from games.services.ratings.counting import Change

GAMES_PER_PAGE = 20
PARTNERS = Exists(Seat.objects.filter(game=OuterRef("game"), won=True).exclude(pk=OuterRef("pk")))
"""Whether another seat also won."""
RESULTS = {"won": Q(won=True) & ~Q(PARTNERS), "lost": Q(won=False), "shared": Q(won=True) & Q(PARTNERS)}
"""The results of a seat."""


@dataclass(frozen=True)
class HistoryRow(TableRow):
    """A finished game in which the reader has a seat."""

    change: Change | None = None
    """What the game did to the reader's rating; `None` if it did not count."""
    is_void: bool = False
    """Whether staff have let the game count for nobody."""

    @property
    def result(self) -> str:
        """A key of `RESULTS`."""
        if self.me and self.me.won:
            return "shared" if len(self.winners) > 1 else "won"
        return "lost"

    @property
    def how(self) -> str:
        """What decided the game, in a few words: “By 3 points.”."""
        seats = list(self.game.seat_set.all())
        return endings.in_brief(self.game, seats, list(map(str, seats)), self.reader.pk)

    @property
    def day(self) -> str:
        """“22 Nov”, for the reader."""
        # Translators: date formats of Django: a day of this year, and of another.
        return date_format(self._ended, _("j M"))

    @property
    def month(self) -> str:
        """“November 2026”, for the reader."""
        return date_format(self._ended, "YEAR_MONTH_FORMAT")

    @property
    def _ended(self) -> datetime:
        return localtime(self.game.ended_at)


@dataclass(frozen=True)
class History:
    """A page of the reader's finished games."""

    reader: User
    sought: Mapping[str, Any]
    """The filters, as `HistoryForm` cleans them."""
    place: Place | None

    @cached_property
    def page(self) -> Page[Seat]:
        voided = Exists(Act.objects.filter(kind=Act.Kind.VOIDED, game=OuterRef("game")))
        seats = Seat.objects.filter(user=self.reader, ended_at__isnull=False).annotate(is_void=voided)
        return keyset.page(seats, "ended_at", "game_id", GAMES_PER_PAGE, self.place, self._fits)

    @cached_property
    def rows(self) -> list[HistoryRow]:
        rows = self.page.rows
        games = Game.objects.with_seats().in_bulk([seat.game_id for seat in rows])
        changes = counting.changes(rows)
        return [
            HistoryRow(games[seat.game_id], self.reader, change=changes.get(seat.pk), is_void=seat.is_void)  # type: ignore[attr-defined]
            for seat in rows
        ]

    @property
    def _fits(self) -> Q:
        """The condition for a seat; empty without filters."""
        sought = {name: value for name, value in self.sought.items() if value}
        fits = Q(**{f"game__{name}": sought[name] for name in ("title", "seats", "ending", "pace") if name in sought})
        if "rated" in sought:
            fits &= Q(game__rated=sought["rated"] == "yes")
        if "result" in sought:
            fits &= RESULTS[sought["result"]]
        if "against" in sought:
            # The database asks this of each game that it would list, instead of collecting everybody who fits.
            others = Seat.objects.filter(game=OuterRef("game")).exclude(user=self.reader)
            fits &= Q(Exists(others.filter(self._named(sought["against"]))))
        if "since" in sought:
            fits &= Q(ended_at__gte=_midnight(sought["since"]))
        if "until" in sought:
            fits &= Q(ended_at__lt=_midnight(sought["until"] + timedelta(days=1)))
        return fits

    def _named(self, name: str) -> Q:
        """The condition for the opponent's seat: exactly that name if the reader has met somebody who has it, or else a
        name that begins so."""
        key = names.skeleton(name)
        has_met = HeadToHead.objects.filter(user=self.reader, opponent__name_key=key).exists()
        return Q(user__name_key=key) if has_met else names.begins(name, "user__")


def _midnight(day: date) -> datetime:
    """The beginning of the day in the reader's time zone."""
    return make_aware(datetime.combine(day, time.min)).astimezone(UTC)
