"""The profile of a person: what they let the reader see, and what the reader can do about them."""

from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import NamedTuple

from django.db.models import Q, Sum
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import services as accounts
from accounts.models import User
from games.models import ALL, Block, Game, HeadToHead, Rating, Seat, Tally
from games.pages import keyset, ratings, statistics
from games.pages.dashboard import TableRow
from games.pages.history import HistoryRow
from games.services.clocks.arithmetic import DAY
from games.services.tables import person_notes, tables

MAX_GAMES, MAX_TABLES = 5, 5
"""The maximum numbers of finished games and of open tables on a profile."""
PACES = (
    (timedelta(hours=1), _("within an hour")),
    (timedelta(hours=6), _("within a few hours")),
    (DAY, _("within a day")),
)
"""How fast half of a person's moves are, in the words of the first limit that they keep."""
SLOWEST = _("after more than a day")


class Share(NamedTuple):
    """Some of a person's games."""

    percent: int
    games: int


class Score(NamedTuple):
    """The games of two people against each other, from the point of view of the first."""

    games: int
    won: int
    shared: int

    @property
    def not_lost(self) -> int:
        return self.won + self.shared

    @property
    def lost(self) -> int:
        return self.games - self.not_lost


class MostPlayed(NamedTuple):
    """A person's statistics of one title for one number of seats."""

    statistics: statistics.Statistics
    seats: int


@dataclass(frozen=True)
class Profile:
    """What the reader sees of a person."""

    person: User
    reader: User

    @property
    def is_own(self) -> bool:
        return self.person == self.reader

    @cached_property
    def is_open(self) -> bool:
        """Whether the reader sees the person's ratings and games."""
        return self.is_own or self.person.open_profile or self._have_met

    @cached_property
    def _have_met(self) -> bool:
        """Whether the two have a running or a finished game together."""
        running = Seat.objects.filter(user=self.reader, seen_end=False, game__status=Game.Status.ACTIVE)
        return self.score is not None or running.filter(game__seat_set__user=self.person).exists()

    @cached_property
    def score(self) -> Score | None:
        """The finished games of the two against each other; `None` if there are none."""
        if self.is_own:
            return None
        rows = HeadToHead.objects.filter(user=self.reader, opponent=self.person, seats=ALL)
        sums = rows.aggregate(games=Sum("games"), won=Sum("won"), shared=Sum("shared"))
        return Score(**sums) if sums["games"] else None

    @cached_property
    def _tallies(self) -> list[Tally]:
        """The sums of the person's games with people, by title and number of seats."""
        return list(Tally.objects.filter(user=self.person, bots=False).order_by("-games", "pk"))

    @cached_property
    def _games(self) -> int:
        return sum(tally.games for tally in self._tallies if tally.seats == ALL)

    @property
    def finished(self) -> Share | None:
        """The games that the person did not leave."""
        return self._share("finished")

    @property
    def timed_out(self) -> Share | None:
        """The games in which the person ran out of time."""
        return self._share("timed_out")

    def _share(self, column: str) -> Share | None:
        number = sum(getattr(tally, column) for tally in self._tallies if tally.seats == ALL)
        return Share(round(100 * number / self._games), self._games) if self._games else None

    @property
    def pace(self) -> str | Promise:
        """How fast the person usually answers; empty if they do not show it."""
        tallies = [tally for tally in self._tallies if tally.seats == ALL] if self.person.shows_pace else []
        middle = statistics.median_time(tallies)
        return "" if middle is None else next((words for limit, words in PACES if middle <= limit), SLOWEST)

    @cached_property
    def ratings(self) -> list[Rating]:
        """The person's ratings from games with people."""
        return [rating for rating in ratings.of(self.person) if not rating.pool.bots] if self.is_open else []

    @cached_property
    def most_played(self) -> MostPlayed | None:
        """The statistics of the games that the person plays most, if they show them."""
        if not (self.is_open and self.person.shows_statistics):
            return None
        most = next((tally for tally in self._tallies if tally.seats != ALL and tally.played), None)
        if most is None:
            return None
        query = QueryDict(f"title={most.title}&seats={most.seats}&with=people")
        return MostPlayed(statistics.Statistics(self.person, query), most.seats)

    @cached_property
    def games(self) -> list[HistoryRow]:
        """The person's last games that everybody may watch, among the last ones that a search looks at."""
        if not self.is_open:
            return []
        seats = Seat.objects.filter(user=self.person, ended_at__isnull=False)
        public = Q(game__audience=Game.Audience.ANYONE)
        rows = keyset.page(seats, "ended_at", "game_id", MAX_GAMES, None, public).rows
        games = Game.objects.with_seats().in_bulk([seat.game_id for seat in rows])
        return [HistoryRow(games[seat.game_id], self.person) for seat in rows]

    @cached_property
    def tables(self) -> list[TableRow]:
        """The open tables at which the person sits and the reader may sit down."""
        if self.is_own:
            return []
        mine = tables.joinable(self.reader).of(self.person).without(self.reader)
        return [TableRow(game, self.reader) for game in mine.with_seats().order_by("-created_at", "-pk")[:MAX_TABLES]]

    @cached_property
    def note(self) -> str:
        """The reader's note about the person."""
        return person_notes.about(self.reader, self.person)

    @cached_property
    def is_blocked(self) -> bool:
        """Whether the reader has blocked the person."""
        return Block.objects.filter(by=self.reader, blocked=self.person).exists()


def find(name: str, reader: User) -> User | None:
    """The person of that name whom the reader may look up: not a guest, not somebody who deleted their account, and not
    somebody who has blocked the reader."""
    people = User.objects.filter(username=name.replace("\0", ""), is_active=True, is_guest=False)
    return accounts.confirmed(people).exclude(pk__in=Block.objects.filter(blocked=reader).values("by")).first()
