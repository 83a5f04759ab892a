"""The parts of a table's page that are for its own players: their note, requests to them, and the way to the next
table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Move, Seat
from games.services.absence import timeouts
from games.services.clocks.moment import now
from games.wording import phrases, times


@dataclass(frozen=True)
class OwnSeat:
    """The parts for the user in one seat of a running or finished game."""

    seat: Seat
    waiting: int = 0
    """The number of other games that wait for the user."""
    results: int = 0
    """The number of results that the user has not seen."""
    later: bool = False
    """Whether the user set the table aside."""
    asking: str = ""
    """The sentence that asks the user to agree to a pause."""
    stopping: str = ""
    """The sentence that asks the user to agree to stop the game."""
    since: str = ""
    """When the clocks were paused, in words; empty if they are not."""
    away: str = ""
    """If a bot plays for the user: since when, and until when they can return in time."""

    @property
    def next_words(self) -> str:
        """The words of the link to the next table; empty if nothing waits."""
        if self.waiting:
            return ngettext("Next (%(number)d waiting)", "Next (%(number)d waiting)", self.waiting) % {
                "number": self.waiting
            }
        if self.results:
            return ngettext("Next: a result", "Next: %(number)d results", self.results) % {"number": self.results}
        return ""


def build(game: Game, seats: Sequence[Seat], names: Sequence[str], user: User, *, later: bool) -> OwnSeat | None:
    """The parts for this user; `None` without a seat. The game must have been read with these seats."""
    seat = game.seat_of(user)
    if seat is None:
        return None
    waiting, results = _others(game, user)
    if not game.is_active:
        return OwnSeat(seat, waiting, results, later)
    asking = [name for each, name in zip(seats, names, strict=True) if each.wants_pause]
    stopping = [name for each, name in zip(seats, names, strict=True) if each.wants_stop]
    at = now()
    return OwnSeat(
        seat,
        waiting,
        results,
        later,
        asking=_asking(asking) if asking and not (game.paused_at or seat.wants_pause or seat.acting_bot) else "",
        stopping=_stopping(stopping) if stopping and not (seat.wants_stop or seat.acting_bot) else "",
        since=times.instant(game.paused_at, at) if game.paused_at else "",
        away=_away(game, seat, seat.absent_since, at) if seat.absent_since and seat.caretaker else "",
    )


def wants_hints(game: Game, seats: Sequence[Seat], user: User | AnonymousUser) -> bool:
    """Whether the table gives its user hints: they play bots only, have finished no game of that title, and have not
    put an end to hints. The game must have been read with these seats."""
    if not isinstance(user, User) or not user.hints or not TITLES[game.title].lessons:
        return False
    if any(seat.user_id not in (None, user.pk) for seat in seats):
        return False
    return not Seat.objects.filter(user=user, ended_at__isnull=False, game__title=game.title).exists()


def _others(game: Game, user: User) -> tuple[int, int]:
    """The number of other games that wait for the user, and of results they have not seen."""
    others = Seat.objects.filter(Seat.TO_ACT | Seat.UNSEEN, ~Q(game=game), user=user, seen_end=False)
    found = list(others.values_list("game__status", flat=True))
    return found.count(Game.Status.ACTIVE), found.count(Game.Status.FINISHED)


def _asking(names: list[str]) -> str:
    text = ngettext("%(names)s wants to pause", "%(names)s want to pause", len(names))
    return text % {"names": phrases.join(names)}


def _stopping(names: list[str]) -> str:
    text = ngettext("%(names)s wants to stop the game", "%(names)s want to stop the game", len(names))
    return text % {"names": phrases.join(names)}


def _away(game: Game, seat: Seat, since: datetime, at: datetime) -> str:
    """The sentence that says since when a bot plays for the user, and until when they can return in time."""
    bot = Move.ActorKind.CARETAKER
    decided = game.move_set.filter(seat=seat.index or 0, actor=bot, made_at__gte=since).count()
    until, more = since + timeouts.CARETAKER_GRACE, timeouts.MAX_CARETAKER_DECISIONS - decided
    text = ngettext(
        "You ran out of time (%(time)s). The bot has made %(number)d move since.",
        "You ran out of time (%(time)s). The bot has made %(number)d moves since.",
        decided,
    ) % {"time": times.instant(since, at), "number": decided}
    if until <= at or more <= 0 or seat.absent:
        late = _("You can no longer win, but you can play on.")
        return f"{text} {late}"
    hurry = ngettext(
        "You can still win if you’re back by %(time)s and before the bot makes %(number)d more move.",
        "You can still win if you’re back by %(time)s and before the bot makes %(number)d more moves.",
        more,
    )
    return f"{text} {hurry % {'time': times.instant(until, at), 'number': more}}"
