"""What somebody's page of tables draws: their games and those they may join or watch, each as a row."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from django.core.paginator import Page, Paginator
from django.db.models import F, Q
from markupsafe import Markup

from accounts.models import User
from games import rendering
from games.models import Game, GameQuerySet, Move, Seat
from games.pages import timing
from games.services.clocks.moment import now
from games.services.play import history

PAGE = 20
"""Rows of a group that is cut off."""
LISTED = WATCHED = 5
"""Tables of strangers, of each kind."""


@dataclass(frozen=True)
class Row:
    """One table as the reader's list shows it; the game was read with its seats."""

    game: Game
    reader: User
    moves: tuple[Move, ...] = ()
    """Those of a running game since the reader decided last, oldest first."""
    backs: Mapping[int, datetime] = field(default_factory=dict)
    """Who is on vacation, by user: until when."""
    is_later: bool = False
    """Whether the reader has set it aside."""
    is_invitation: bool = False
    """Whether the reader was asked to sit down there."""

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
    def host(self) -> Seat | None:
        """Who opened the table."""
        return next((seat for seat in self.seats if seat.user_id == self.game.created_by_id), None)

    @property
    def acting(self) -> Seat | None:
        return next((seat for seat in self.seats if self.game.is_active and seat.index == self.game.to_act), None)

    @property
    def is_mine_to_move(self) -> bool:
        """Whether the game waits for the reader, and not for the bot that plays on for them."""
        return self.acting is not None and self.acting is self.me and not self.me.program

    @property
    def has_begun_turn(self) -> bool:
        """Whether the reader has decided and must decide on."""
        return self.is_mine_to_move and 0 < self.game.number == self.me.seen_number  # type: ignore[union-attr]

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

    @cached_property
    def deadline(self) -> timing.Deadline | None:
        """Until when somebody must move; no program has to."""
        return timing.deadline(self.game, self.acting) if self.acting and not self.stands else None

    @cached_property
    def stands(self) -> str:
        """Why nobody's time runs, if it is for a reason."""
        acting = self.acting
        return timing.stands(self.game, acting, self.backs.get(acting.user_id or 0)) if acting else ""

    @property
    def left(self) -> int:
        """How much is left of the time for this turn, in percent."""
        began = self.game.clock_started_at or self.game.changed_at
        if self.deadline is None or self.deadline.at <= began:
            return 0
        return round(100 * min(max((self.deadline.at - now()) / (self.deadline.at - began), 0), 1))

    @property
    def is_urgent(self) -> bool:
        """Whether little is left of the reader's time."""
        return self.is_mine_to_move and self.deadline is not None and self.deadline.is_near

    @cached_property
    def news(self) -> Markup:
        """What came of each decision first since the reader left, as they may know it: “Ana took ◇◇. Ben …”"""
        if self.me is None:
            return Markup("")
        names = [str(seat) for seat in self.game.seat_set.all()]
        entries = history.since(self.game.title, self.moves, self.me.index, self.me.seen_number)
        events = [entry.events[0] for entry in entries if entry.events]
        return Markup(" ").join(rendering.event_line(self.game.title, event, names) for event in events)


@dataclass(frozen=True)
class Dashboard:
    """The rows of each group, for a search by the name of another person and by title (empty for any)."""

    reader: User
    name: str
    title: str
    page: str | None = field(default=None)
    """Which page of the finished games."""
    later: Collection[str] = ()
    """The keys of the tables that the reader has set aside."""

    @cached_property
    def your_turn(self) -> list[Row]:
        """What is due first, then what has waited longest; what was set aside last."""
        return sorted((row for row in self._running if row.is_mine_to_move), key=lambda row: row.is_later)

    @cached_property
    def unseen(self) -> list[Row]:
        """Games that ended without the reader looking, the newest end first."""
        over = [row for row in self._own if not row.game.is_active]
        return sorted(over, key=lambda row: row.game.ended_at or row.game.changed_at, reverse=True)

    @cached_property
    def waiting(self) -> list[Row]:
        """What moved last comes first."""
        rows = [row for row in self._running if not row.is_mine_to_move]
        return sorted(rows, key=lambda row: row.game.changed_at, reverse=True)

    @cached_property
    def invitations(self) -> list[Row]:
        """Open tables at which a seat is kept for the reader, by name or by address."""
        return [row for row in self._gathering if row.is_invitation]

    @cached_property
    def open(self) -> list[Row]:
        """Invitations, the reader's own tables that wait for players, and some of those that are open to all."""
        own = [row for row in self._gathering if row.me]
        games = self._found(Game.objects.listed().exclude(pk__in=Game.objects.of(self.reader)))
        invited = {row.game.pk for row in self.invitations}
        listed = [game for game in games.order_by("-created_at")[: LISTED + len(invited)] if game.pk not in invited]
        return self.invitations + own + self._rows(listed[:LISTED])

    @cached_property
    def watchable(self) -> list[Row]:
        """Running games of others that are listed for everybody."""
        games = self._found(Game.objects.exclude(pk__in=Game.objects.of(self.reader)))
        listed = games.filter(status=Game.Status.ACTIVE, audience=Game.Audience.ANYONE)
        return self._rows(listed.order_by("-changed_at")[:WATCHED])

    @cached_property
    def finished(self) -> Page[Game]:
        """Those whose result the reader has seen, the newest end first."""
        games = self._mine.filter(status=Game.Status.FINISHED).exclude(pk__in=Game.objects.unseen_by(self.reader))
        return Paginator(games.order_by("-ended_at", "-pk"), PAGE).get_page(self.page)

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
        return bool(self._own or any(row.me for row in self._gathering) or self.finished_rows)

    @property
    def _mine(self) -> GameQuerySet:
        return self._found(Game.objects.of(self.reader))

    def _found(self, games: GameQuerySet) -> GameQuerySet:
        return games.searched(self.reader, self.name, self.title).with_seats()

    @cached_property
    def _own(self) -> list[Row]:
        """The reader's games that run, and those whose result is new to them."""
        unseen = Q(pk__in=Game.objects.unseen_by(self.reader).values("pk"))
        games = list(self._mine.filter(Q(status=Game.Status.ACTIVE) | unseen).most_urgent_first())
        mine = Q(game__seat_set__user=self.reader, number__gte=F("game__seat_set__seen_number"))
        since: dict[int, list[Move]] = {}
        for move in Move.objects.filter(mine, game__in=[game for game in games if game.is_active]).order_by("number"):
            since.setdefault(move.game_id, []).append(move)
        backs = timing.backs(game for game in games if game.is_active)
        return [Row(game, self.reader, tuple(since.get(game.pk, ())), backs, game.key in self.later) for game in games]

    @property
    def _running(self) -> list[Row]:
        return [row for row in self._own if row.game.is_active]

    @cached_property
    def _gathering(self) -> list[Row]:
        """Open tables at which the reader sits, or is asked to."""
        groups = (games.values("pk") for games in (Game.objects.of(self.reader), Game.objects.inviting(self.reader)))
        mine, asked = (Q(pk__in=pks) for pks in groups)
        rows = self._rows(
            self._found(Game.objects.filter(mine | asked, status=Game.Status.OPEN)).order_by("-changed_at")
        )
        return [row if row.me else replace(row, is_invitation=True) for row in rows]

    def _rows(self, games: Iterable[Game]) -> list[Row]:
        return [Row(game, self.reader) for game in games]
