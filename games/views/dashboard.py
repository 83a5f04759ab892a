"""What somebody's page of tables draws: their games and those they may join or watch, each as a row."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from django.core.paginator import Page, Paginator
from django.db.models import F

from accounts.models import User
from games import rendering
from games.models import Game, GameQuerySet, Move, Seat
from games.services import history
from games.services.moment import now

PAGE = 20
"""Rows of a group that is cut off."""
WATCHED = 5
URGENT = 25
"""Percent of the time for a turn that are little."""


@dataclass(frozen=True)
class Row:
    """One table as the reader's list shows it; the game was read with its seats."""

    game: Game
    reader: User
    last: Move | None = None
    """The newest decision, for a running game that has one."""

    @cached_property
    def seats(self) -> list[Seat]:
        """The reader first, then the others in turn order after them."""
        seats = list(self.game.seat_set.all())
        here = next((place for place, seat in enumerate(seats) if seat.user_id == self.reader.pk), 0)
        return seats[here:] + seats[:here]

    @property
    def me(self) -> Seat | None:
        return next((seat for seat in self.seats if seat.user_id == self.reader.pk), None)

    @property
    def others(self) -> list[Seat]:
        return [seat for seat in self.seats if seat is not self.me]

    @property
    def acting(self) -> Seat | None:
        return next((seat for seat in self.seats if self.game.is_active and seat.index == self.game.to_act), None)

    @property
    def is_mine_to_move(self) -> bool:
        """Whether the game waits for the reader, and not for the bot that plays on for them."""
        return self.acting is not None and self.acting is self.me and not self.me.program

    @property
    def winners(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.won]

    @property
    def resigned(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.resigned]

    @property
    def free(self) -> int:
        """How many seats nobody has taken."""
        return self.game.seats - len(self.seats)

    @property
    def deadline(self) -> datetime | None:
        """Until when somebody must move; no program has to."""
        return None if self.acting and self.acting.program else self.game.deadline

    @property
    def left(self) -> int:
        """How much is left of the time for this turn, in percent."""
        if self.deadline is None or self.deadline <= self.game.changed_at:
            return 0
        share = (self.deadline - now()) / (self.deadline - self.game.changed_at)
        return round(100 * min(max(share, 0), 1))

    @property
    def is_urgent(self) -> bool:
        """Whether most of the reader's time for this turn is gone."""
        return self.is_mine_to_move and self.deadline is not None and self.left <= URGENT

    @property
    def last_line(self) -> str:
        """What the newest decision brought about first, as the reader may know it: “Ana took ◇◇.”"""
        if self.last is None:
            return ""
        names = [str(seat) for seat in self.game.seat_set.all()]
        [entry] = history.since(self.game.title, [self.last], self.me.index if self.me else None)
        return next((rendering.event_line(self.game.title, event, names) for event in entry.events), "")


@dataclass(frozen=True)
class Dashboard:
    """The rows of each group, for a search by the name of another person and by title (empty for any)."""

    reader: User
    name: str
    title: str
    page: str | None = field(default=None)
    """Which page of the finished games."""

    @cached_property
    def your_turn(self) -> list[Row]:
        """What is due first, then what has waited longest."""
        return [row for row in self._running if row.is_mine_to_move]

    @cached_property
    def waiting(self) -> list[Row]:
        """What moved last comes first."""
        rows = [row for row in self._running if not row.is_mine_to_move]
        return sorted(rows, key=lambda row: row.game.changed_at, reverse=True)

    @cached_property
    def open(self) -> list[Row]:
        """The reader's tables that wait for players."""
        return self._rows(self._mine.filter(status=Game.Status.OPEN).order_by("-changed_at"))

    @cached_property
    def joinable(self) -> list[Row]:
        """Open tables that wait for the reader by name, then those that are open to all."""
        games = self._found(Game.objects.joinable_by(self.reader))
        return self._rows(games.order_by("admission", "-created_at")[:PAGE])

    @cached_property
    def watchable(self) -> list[Row]:
        """Running games of others that are listed for everybody."""
        games = self._found(Game.objects.exclude(pk__in=Game.objects.of(self.reader)))
        listed = games.filter(status=Game.Status.ACTIVE, audience=Game.Audience.ANYONE)
        return self._rows(listed.order_by("-changed_at")[:WATCHED])

    @cached_property
    def finished(self) -> Page[Game]:
        """The newest end first."""
        games = self._mine.filter(status=Game.Status.FINISHED).order_by("-ended_at", "-pk")
        return Paginator(games, PAGE).get_page(self.page)

    @cached_property
    def finished_rows(self) -> list[Row]:
        return self._rows(self.finished.object_list)

    @cached_property
    def number_waiting(self) -> int:
        """How many games wait for the reader, found by the search or not."""
        return Game.objects.waiting_for(self.reader).count() if self.is_searched else len(self.your_turn)

    @property
    def is_searched(self) -> bool:
        return bool(self.name or self.title)

    @property
    def has_games(self) -> bool:
        """Whether the reader sits at any table that the search leaves."""
        return bool(self._running or self.open or self.finished_rows)

    @property
    def _mine(self) -> GameQuerySet:
        return self._found(Game.objects.of(self.reader))

    def _found(self, games: GameQuerySet) -> GameQuerySet:
        return games.searched(self.reader, self.name, self.title).with_seats()

    @cached_property
    def _running(self) -> list[Row]:
        return self._rows(self._mine.filter(status=Game.Status.ACTIVE).most_urgent_first(), with_last=True)

    def _rows(self, games: Iterable[Game], *, with_last: bool = False) -> list[Row]:
        games = list(games)
        last: dict[int, Move] = {}
        if with_last:
            moves = Move.objects.filter(game__in=games, number=F("game__number") - 1)
            last = {move.game_id: move for move in moves}
        return [Row(game, self.reader, last.get(game.pk)) for game in games]
