"""The dashboard: a row for each of the user's games, and for tables that they may join or watch."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from django.db.models import F, Q
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from markupsafe import Markup

from accounts.models import User
from games import rendering
from games.catalogue import TITLES
from games.models import Game, Move, Seat
from games.pages import timing, week
from games.services.clocks.moment import now
from games.services.play import history
from games.services.ratings import counting
from games.services.tables import tables
from games.wording import phrases, times

MORNING, NOON, EVENING = 5, 12, 18
"""The hours at which the greeting changes."""
MAX_LISTED = MAX_WATCHED = 5
"""The maximum numbers of other people's tables to join and to watch."""
MAX_UNSEEN = 20
"""The maximum number of results."""


@dataclass(frozen=True)
class TableRow:
    """One table in the reader's list; the game must have been read with its seats."""

    game: Game
    reader: User
    moves: tuple[Move, ...] = ()
    """The moves of a running game since the reader's last decision, oldest first."""
    backs: Mapping[int, datetime] = field(default_factory=dict)
    """When each user who is on vacation will be back."""
    is_later: bool = False
    """Whether the reader has set it aside."""
    is_invitation: bool = False
    """Whether the reader is invited to the table."""

    @cached_property
    def seats(self) -> list[Seat]:
        """The reader first, then the others in turn order after them."""
        seats = list(self.game.seat_set.all())
        here = seats.index(self.me) if self.me else 0
        return seats[here:] + seats[:here]

    @cached_property
    def me(self) -> Seat | None:
        return self.game.seat_of(self.reader)

    @cached_property
    def others(self) -> list[Seat]:
        return [seat for seat in self.seats if seat is not self.me]

    @property
    def host(self) -> Seat | None:
        """The seat of the host."""
        return next((seat for seat in self.seats if seat.user_id == self.game.host_id), None)

    @property
    def is_rated(self) -> bool:
        """Whether the game is rated if it begins with these players."""
        return counting.is_rated(self.game, self.seats)

    @cached_property
    def acting(self) -> Seat | None:
        return next((seat for seat in self.seats if self.game.is_active and seat.index == self.game.to_act), None)

    @property
    def is_mine_to_move(self) -> bool:
        """Whether the game waits for the reader; not if a caretaker plays for them."""
        return self.acting is not None and self.acting is self.me and not self.me.acting_bot

    @property
    def has_begun_turn(self) -> bool:
        """Whether the reader has already made a decision this turn and must make another."""
        return self.is_mine_to_move and 0 < self.game.number == self.me.seen_number  # type: ignore[union-attr]

    @property
    def winners(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.won]

    @property
    def resigned(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.resigned]

    @property
    def free(self) -> int:
        """The number of free seats."""
        return self.game.seats - len(self.seats)

    @cached_property
    def deadline(self) -> timing.Deadline | None:
        """The deadline of the player to act; `None` if no clock runs."""
        return timing.deadline(self.game, self.acting) if self.acting and not self.stands else None

    @cached_property
    def stands(self) -> str:
        """The reason why the clock is stopped, in words; empty if it is running, or if there is none."""
        acting = self.acting
        return timing.stands(self.game, acting, self.backs.get(acting.user_id or 0)) if acting else ""

    @property
    def left(self) -> int:
        """The percentage of the time for this turn that is left."""
        began = self.game.clock_started_at or self.game.changed_at
        if self.deadline is None or self.deadline.at <= began:
            return 0
        return round(100 * min(max((self.deadline.at - now()) / (self.deadline.at - began), 0), 1))

    @property
    def is_urgent(self) -> bool:
        """Whether the reader has little time left."""
        return self.is_mine_to_move and self.deadline is not None and self.deadline.is_near

    @cached_property
    def news(self) -> Markup:
        """The first event of the newest decision since the reader's last one, as they may know it: “Ana took ◇◇.”"""
        if self.me is None:
            return Markup("")
        names = [str(seat) for seat in self.game.seat_set.all()]
        entries = history.since(self.game.title, self.moves, self.me.index, self.me.seen_number)
        events = [entry.events[0] for entry in entries if entry.events]
        return rendering.event_line(self.game.title, events[-1], names, self.me.index) if events else Markup("")

    @property
    def about(self) -> str:
        """“Splendor · #K7Q2 · round 12”."""
        title, key = TITLES[self.game.title].ruleset.name, "" if self.game.name else self.game.short_key
        return phrases.about([title, key], self.game.round if self.game.is_active else 0)

    @property
    def mark(self) -> str:
        """The drawing of the title."""
        return TITLES[self.game.title].mark

    @property
    def pace(self) -> str:
        return times.pace(self.game)

    @property
    def expires(self) -> str:
        """The day on which an open table closes: “May 5”."""
        return date_format(localtime(self.game.expires_at), "MONTH_DAY_FORMAT") if self.game.expires_at else ""

    @property
    def changed(self) -> str:
        """The instant of the last decision: “today 21:30”."""
        return times.instant(self.game.changed_at, now())

    @property
    def changed_ago(self) -> str:
        return times.ago(self.game.changed_at, now())

    @property
    def ended(self) -> str:
        """The day on which the game ended: “May 5, 2026”."""
        return date_format(localtime(self.game.ended_at)) if self.game.ended_at else ""

    @property
    def ended_ago(self) -> str:
        return times.ago(self.game.ended_at, now()) if self.game.ended_at else ""

    @cached_property
    def best(self) -> int:
        """The score of the leader; 0 if nobody has points."""
        return max(seat.score for seat in self.seats)


@dataclass(frozen=True)
class Dashboard:
    """The rows of each group."""

    reader: User
    later: Collection[str] = ()
    """The keys of the tables that the reader has set aside."""

    @cached_property
    def your_turn(self) -> list[TableRow]:
        """The most urgent game first, then the one that has waited longest; games that the reader set aside come
        last."""
        return sorted((row for row in self._running if row.is_mine_to_move), key=lambda row: row.is_later)

    @cached_property
    def unseen(self) -> list[TableRow]:
        """The newest finished games whose result the reader has not seen, the newest first."""
        over = [row for row in self._own if row.game.status == Game.Status.FINISHED]
        return sorted(over, key=lambda row: row.game.ended_at or row.game.changed_at, reverse=True)

    @cached_property
    def number_unseen(self) -> int:
        """The number of results that the reader has not seen."""
        found = len(self.unseen)
        return found if found < MAX_UNSEEN else Game.objects.unseen_by(self.reader).count()

    @property
    def has_more_unseen(self) -> bool:
        """Whether there are more results that the reader has not seen."""
        return self.number_unseen > len(self.unseen)

    @cached_property
    def waiting(self) -> list[TableRow]:
        """Games that wait for others; the latest change first."""
        rows = [row for row in self._running if not row.is_mine_to_move]
        return sorted(rows, key=lambda row: row.game.changed_at, reverse=True)

    @cached_property
    def invitations(self) -> list[TableRow]:
        """Open tables that the reader is invited to, by name or by address."""
        if not Game.objects.naming(self.reader).exists():  # a short query spares most readers a long one
            return []
        found = Game.objects.inviting(self.reader).with_seats().order_by("-changed_at")
        return [TableRow(game, self.reader, is_invitation=True) for game in found]

    @cached_property
    def open(self) -> list[TableRow]:
        """Invitations, the reader's open tables, and some tables that anybody with an account may join."""
        return self.invitations + self._gathering + self._joinable[:MAX_LISTED]

    @property
    def has_more_open(self) -> bool:
        """Whether there are more tables that the reader may join."""
        return len(self._joinable) > MAX_LISTED

    @property
    def watchable(self) -> list[TableRow]:
        """Other people's running games that anyone may watch."""
        return self._public[:MAX_WATCHED]

    @property
    def has_more_watchable(self) -> bool:
        """Whether there are more games to watch."""
        return len(self._public) > MAX_WATCHED

    @cached_property
    def has_finished(self) -> bool:
        """Whether the reader has finished a game."""
        return Seat.objects.filter(user=self.reader, ended_at__isnull=False).exists()

    @property
    def number_waiting(self) -> int:
        """The number of games that wait for the reader."""
        return len(self.your_turn)

    @property
    def nearest(self) -> timing.Deadline | None:
        """The nearest deadline of a game that waits for the reader, unless it has passed."""
        deadlines = [row.deadline for row in self.your_turn if row.deadline and row.deadline.seconds]
        return min(deadlines, key=lambda each: each.at, default=None)

    @property
    def week(self) -> week.Week | None:
        """The deadlines of the games that wait for the reader."""
        return week.of([(row.deadline, row.others) for row in self.your_turn if row.deadline])

    @property
    def greeting(self) -> str:
        """“Good evening, Ana”, by the reader's clock."""
        told = {"name": self.reader.called}
        hour = localtime(now()).hour
        if MORNING <= hour < NOON:
            return _("Good morning, %(name)s") % told
        if NOON <= hour < EVENING:
            return _("Good afternoon, %(name)s") % told
        return _("Good evening, %(name)s") % told

    @property
    def has_games(self) -> bool:
        """Whether the reader has a table or had one."""
        return bool(self._own or self.has_finished)

    @cached_property
    def _own(self) -> list[TableRow]:
        """The reader's open tables and running games, and the newest finished ones whose result they have not seen."""
        over = Seat.objects.filter(Seat.UNSEEN, user=self.reader).order_by("-ended_at").values("game")[:MAX_UNSEEN]
        shown = Q(status__in=(Game.Status.OPEN, Game.Status.ACTIVE)) | Q(pk__in=over)
        found = Game.objects.not_done_by(self.reader).filter(shown)
        games = list(found.with_seats().most_urgent_first())
        active = [game for game in games if game.is_active]
        seats = [seat for game in active for seat in game.seat_set.all() if seat.user_id == self.reader.pk]
        mine = Q(game__seat_set__in=seats, number__gte=F("game__seat_set__seen_number"))
        since: dict[int, list[Move]] = {}
        for move in Move.objects.filter(mine).order_by("number"):
            since.setdefault(move.game_id, []).append(move)
        backs = timing.backs(active)
        return [
            TableRow(game, self.reader, tuple(since.get(game.pk, ())), backs, game.key in self.later) for game in games
        ]

    @property
    def _running(self) -> list[TableRow]:
        return [row for row in self._own if row.game.is_active]

    @property
    def _gathering(self) -> list[TableRow]:
        """Open tables that the reader has joined; the latest change first."""
        rows = [row for row in self._own if row.game.status == Game.Status.OPEN]
        return sorted(rows, key=lambda row: row.game.changed_at, reverse=True)

    @cached_property
    def _joinable(self) -> list[TableRow]:
        """The newest tables that anybody with an account may join, one more than are listed."""
        if self.reader.is_guest:
            return []
        known = [row.game.pk for row in self.invitations + self._gathering]
        games = tables.joinable(self.reader).exclude(pk__in=known).with_seats()
        return self._rows(games.order_by("-created_at")[: MAX_LISTED + 1])

    @cached_property
    def _public(self) -> list[TableRow]:
        """The public games with the latest moves, one more than are listed."""
        games = Game.objects.public().exclude(pk__in=[row.game.pk for row in self._running]).with_seats()
        return self._rows(games.order_by("-changed_at")[: MAX_WATCHED + 1])

    def _rows(self, games: Iterable[Game]) -> list[TableRow]:
        return [TableRow(game, self.reader) for game in games]
