"""The reader's statistics: what their finished games of a title add up to. The address says of which games."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import Min, QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from games import wording
from games.boards.gems import GEMS
from games.catalogue import TITLES
from games.models import ALL, BOT_NAMES, Game, HeadToHead, Rating, Tally
from games.pages import keyset, ratings
from games.pages.dashboard import TableRow
from games.pages.keyset import Page, Place
from games.services.statistics import counting
from games.wording import phrases, times

SHOWN, LISTED = 10, 20
"""The number of opponents among the statistics, and on a page of all opponents."""
FULL = 1000
"""The width of a bar in a chart."""
ROOM = 1.25
"""How much longer a bar could be than the longest one."""
RECORDS = ("most_points_game", "fewest_rounds_game", "best_streak_game", "last_game")
"""The columns of a tally that lead to a game."""
PLACES = (
    pgettext_lazy("place in the turn order", "first"),
    pgettext_lazy("place in the turn order", "second"),
    pgettext_lazy("place in the turn order", "third"),
    pgettext_lazy("place in the turn order", "fourth"),
)
"""The places in the turn order."""


class Option(NamedTuple):
    """A choice of games, with its address."""

    words: str
    query: str
    is_chosen: bool


class Figure(NamedTuple):
    """An average."""

    heading: str
    average: float


@dataclass(frozen=True)
class Bar:
    """A share, beside the share that would be even. Shares are in percent."""

    words: str
    share: float
    even: float
    scale: float
    """The share at the end of the bar."""
    gem: str = ""
    games: int | None = None

    @property
    def length(self) -> int:
        return round(FULL * self.share / self.scale)

    @property
    def mark(self) -> int:
        return round(FULL * self.even / self.scale)


@dataclass(frozen=True)
class Rival:
    """The games against an opponent."""

    row: HeadToHead

    @property
    def name(self) -> str:
        return self.row.opponent.called if self.row.opponent else str(BOT_NAMES.get(self.row.bot, self.row.bot))

    @property
    def seek(self) -> str:
        """The name by which the match history finds the games; empty if it cannot."""
        opponent = self.row.opponent
        return opponent.username if opponent and opponent.is_active and not opponent.is_guest else ""

    @property
    def points(self) -> float:
        return self.row.points / self.row.played

    @property
    def points_of_opponent(self) -> float:
        return self.row.points_of_opponent / self.row.played

    @property
    def won(self) -> int:
        """The part of the bar for victories."""
        return round(FULL * self.row.won / self.row.games)

    @property
    def not_lost(self) -> int:
        """The part of the bar for victories and ties."""
        return round(FULL * (self.row.won + self.row.shared) / self.row.games)


@dataclass(frozen=True)
class Statistics:
    """The statistics of one choice of games."""

    reader: User
    query: Mapping[str, str]
    place: Place | None = None
    """The place in the list of all opponents."""

    @cached_property
    def _tallies(self) -> list[Tally]:
        """All of the reader's, those of the last game first."""
        return list(Tally.objects.filter(user=self.reader).order_by("-last_at", "seats", "pk"))

    @cached_property
    def title(self) -> str:
        latest = self._tallies[0].title if self._tallies else next(iter(TITLES))
        return self.query["title"] if self.query.get("title") in TITLES else latest

    @cached_property
    def seats(self) -> int:
        """The number of seats, or `ALL`."""
        return next((number for number in self._numbers if str(number) == self.query.get("seats")), ALL)

    @cached_property
    def bots(self) -> bool:
        if self.query.get("with") in ("bots", "people"):
            return self.query["with"] == "bots"
        return next((tally.bots for tally in self._tallies if tally.title == self.title), False)

    @property
    def is_empty(self) -> bool:
        """Whether the reader has not finished any game."""
        return not self._tallies

    @property
    def _numbers(self) -> Sequence[int]:
        """The numbers of seats to choose from; none for a title with only one."""
        seats = TITLES[self.title].ruleset.seats
        return seats if len(seats) > 1 else ()

    @property
    def has_more_players(self) -> bool:
        """Whether more than two people may have been at a table."""
        return max(TITLES[self.title].ruleset.seats if self.seats == ALL else [self.seats]) > 2

    @property
    def choices(self) -> Iterator[tuple[str, list[Option]]]:
        """The groups of choices, with the name of each group."""
        yield _("Game"), [self._option(TITLES[slug].ruleset.name, title=slug) for slug in TITLES]
        if self._numbers:
            every = self._option(_("any number"), seats=ALL)
            yield _("Players"), [every, *(self._option(str(number), seats=number) for number in self._numbers)]
        people = self._option(_("people"), bots=False)
        yield _("Opponents"), [people, self._option(_("bots"), bots=True)]

    def _option(self, words: str, *, title: str = "", seats: int | None = None, bots: bool | None = None) -> Option:
        title, bots = title or self.title, self.bots if bots is None else bots
        seats = self.seats if seats is None else seats
        is_chosen = (title, seats, bots) == (self.title, self.seats, self.bots)
        query = {"title": title, **({"seats": seats} if seats else {}), "with": "bots" if bots else "people"}
        return Option(words, urlencode(query), is_chosen)

    @property
    def chosen(self) -> Option:
        """The present choice."""
        return self._option(TITLES[self.title].ruleset.name)

    @cached_property
    def tally(self) -> Tally | None:
        kind = (self.title, self.seats, self.bots)
        return next((tally for tally in self._tallies if (tally.title, tally.seats, tally.bots) == kind), None)

    @property
    def victories(self) -> int:
        """The number of games won or shared."""
        return self.tally.won + self.tally.shared if self.tally else 0

    @property
    def won(self) -> float:
        """Their share, in percent."""
        return 100 * self.victories / self.tally.games if self.tally else 0

    @property
    def figures(self) -> list[Figure]:
        """Averages of the games that were played to the end."""
        if not (self.tally and self.tally.played):
            return []
        columns = zip(wording.figures(self.title), self.tally.figures, strict=True)
        sums = [*((column.heading, number) for column, number in columns), (_("Rounds"), self.tally.rounds)]
        return [Figure(str(heading), number / self.tally.played) for heading, number in sums]

    @property
    def time(self) -> str:
        """The time per move, in words: half of the moves were quicker. Empty without moves."""
        middle = median_time([self.tally] if self.tally else [])
        return "" if middle is None else times.taken(middle)

    @cached_property
    def places(self) -> list[Bar]:
        """The share of games won from each place in the turn order."""
        rows = self.tally.places if self.tally else []
        shares = [
            (won / games, twelfths / counting.TWELFTHS / games) if games else (0, 0) for games, won, twelfths in rows
        ]
        scale = max((100 * ROOM * max(share) for share in shares), default=0)
        return [
            Bar(str(PLACES[place]), 100 * share, 100 * even, scale, games=row[0])
            for place, (row, (share, even)) in enumerate(zip(rows, shares, strict=True))
            if row[0]
        ]

    @cached_property
    def colours(self) -> list[Bar]:
        """The share of each colour in the reader's bonuses."""
        numbers = self.tally.colours if self.tally else []
        total, even = sum(numbers), 100 / counting.COLOURS
        if not total:
            return []
        scale = ROOM * max(even, 100 * max(numbers) / total)
        letters = list(GEMS)[: counting.COLOURS]
        return [
            Bar(phrases.colour(letter), 100 * number / total, even, scale, gem=GEMS[letter])
            for letter, number in zip(letters, numbers, strict=True)
        ]

    @property
    def _rivals(self) -> QuerySet[HeadToHead]:
        # SQLite takes “NOT bots” for no equality, and would sort all rows.
        kind = {"title": self.title, "seats": self.seats, "bots__in": [self.bots]}
        return HeadToHead.objects.filter(user=self.reader, **kind).select_related("opponent")

    @cached_property
    def _most_frequent(self) -> list[Rival]:
        return [Rival(row) for row in self._rivals.order_by("-games", "pk")[: SHOWN + 1]]

    @property
    def rivals(self) -> list[Rival]:
        """The most frequent opponents."""
        return self._most_frequent[:SHOWN]

    @property
    def has_more_rivals(self) -> bool:
        return len(self._most_frequent) > SHOWN

    @cached_property
    def page(self) -> Page[HeadToHead]:
        """A page of all opponents, those of the last games first."""
        return keyset.page(self._rivals, "last_at", "pk", LISTED, self.place)

    @property
    def rivals_of_page(self) -> list[Rival]:
        return [Rival(row) for row in self.page.rows]

    @cached_property
    def records(self) -> dict[str, TableRow]:
        """The games to which the tally leads, by its columns."""
        named = {column: getattr(self.tally, f"{column}_id", None) for column in RECORDS}
        games = Game.objects.with_seats().in_bulk([pk for pk in named.values() if pk])
        return {column: TableRow(games[pk], self.reader) for column, pk in named.items() if pk}

    @property
    def streak(self) -> int:
        """The length of the present streak, of victories or of defeats."""
        return abs(self.tally.streak) if self.tally else 0

    @cached_property
    def board(self) -> ratings.Board | None:
        """The reader's rating; `None` if there is none, or if there are several."""
        seats = self.seats if self._numbers else TITLES[self.title].ruleset.seats[0]
        board = ratings.Board(self.title, seats, self.bots, self.reader) if seats != ALL else None
        return board if board and board.mine else None

    @cached_property
    def several(self) -> list[Rating]:
        """The reader's ratings for several numbers of seats."""
        if self.seats != ALL or not self._numbers:
            return []
        return [
            rating
            for rating in ratings.of(self.reader)
            if (rating.pool.title, rating.pool.bots) == (self.title, self.bots)
        ]


def median_time(tallies: Iterable[Tally]) -> timedelta | None:
    """The time that half of the moves took at most; `None` without moves."""
    numbers = Counter[int]()
    for tally in tallies:
        numbers.update({int(step): number for step, number in tally.times.items()})
    taken = sorted(numbers.items())
    sums = accumulate(number for _step, number in taken)
    steps = (step for (step, _n), below in zip(taken, sums, strict=True) if 2 * below >= numbers.total())
    return next((timedelta(seconds=counting.seconds(step)) for step in steps), None)


def total(reader: User) -> dict[str, int]:
    """The number of the reader's finished games, of those won, shared and lost, and the end of the first one."""
    tallies = Tally.objects.filter(user=reader, seats=ALL)
    sums = tallies.aggregate(number=Sum("games"), won=Sum("won"), shared=Sum("shared"), since=Min("first_at"))
    return {**sums, "lost": sums["number"] - sums["won"] - sums["shared"]} if sums["number"] else {}
