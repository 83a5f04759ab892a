"""Times in words: spans, instants, and the terms of a table."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache, lru_cache

from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext
from django.utils.translation import gettext as _

from games.models import Game
from games.wording.common import EPOCH

A_WEEK = 6
"""The number of days within which a weekday alone is unambiguous."""


def units() -> tuple[str, str, str]:
    """The shortest abbreviations of days, hours and minutes."""
    return _units(get_language())


@cache
def _units(language: str | None) -> tuple[str, str, str]:
    return pgettext("days", "d"), pgettext("hours", "h"), pgettext("minutes", "min")


def left(time: timedelta) -> str:
    """“2 h 40 min”, in the two largest units."""
    minutes = int(time.total_seconds()) // 60
    if minutes < 0:
        return _("out of time")
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    d, h, m = units()
    if days:
        return f"{days} {d} {hours} {h}"
    return f"{hours} {h} {minutes} {m}" if hours else f"{minutes} {m}"


def instant(at: datetime, now: datetime) -> str:
    """An instant in the reader's time zone: “today 21:30”, “Thu 18:00”, “5 May, 18:00”. A reader without a known zone
    gets UTC, which is then named."""
    there = localtime(at)
    told = _told(get_language(), there.replace(tzinfo=None), localtime(now).date(), True)
    return f"{told} UTC" if there.tzname() == "UTC" else told


def day(at: datetime, now: datetime) -> str:
    """The day of an instant in the reader's time zone: “tomorrow”, “Thu”, “5 May”."""
    return _told(get_language(), localtime(at).replace(tzinfo=None), localtime(now).date(), False)


@lru_cache(4096)
def _told(language: str | None, wall: datetime, today: date, with_time: bool) -> str:
    days = (wall.date() - today).days
    if days in (0, 1):
        told = _("tomorrow") if days else _("today")
    else:
        told = date_format(wall, "D" if abs(days) <= A_WEEK else "j M" if wall.year == today.year else "j M Y")
    between = " " if abs(days) <= A_WEEK else ", "
    return f"{told}{between}{wall:%H:%M}" if with_time else told


def pace(game: Game) -> str:
    """The pace of a table: “about two weeks”."""
    if game.days:
        text = ngettext("%(days)d day per turn", "%(days)d days per turn", game.days)
        return text % {"days": game.days}
    return {
        Game.Pace.FAST: _("a few days"),
        Game.Pace.NORMAL: _("about two weeks"),
        Game.Pace.RELAXED: _("a month or more"),
    }.get(Game.Pace(game.pace), _("no time limit"))


AT_ZERO = {
    Game.AtZero.CARETAKER: gettext_lazy("If a player runs out of time, a bot plays until they’re back."),
    Game.AtZero.FORFEIT: gettext_lazy("A player whose time runs out is out."),
    Game.AtZero.WAIT: gettext_lazy("If a player runs out of time, the others wait."),
}
VACATIONS = {
    True: gettext_lazy("Clocks stop while a player is on vacation."),
    False: gettext_lazy("Clocks keep running during vacations."),
}
"""Whether vacations stop clocks, as a sentence."""


def at_zero(game: Game) -> str:
    """The table's rule for a player who runs out of time, as a sentence."""
    return str(AT_ZERO[Game.AtZero(game.at_zero)])


def agreed(game: Game, bank: timedelta, increment: timedelta, cap: timedelta) -> Iterator[str]:
    """The terms of a table with a clock, one sentence each."""
    yield from _agreed(get_language(), bool(game.days), bank, increment, cap, game.at_zero, game.vacations)


@lru_cache(256)
def _agreed(
    language: str | None,
    by_days: bool,
    bank: timedelta,
    increment: timedelta,
    cap: timedelta,
    at_zero: str,
    vacations: bool,
) -> tuple[str, ...]:
    if by_days:
        pace = ngettext(
            "%(days)d day per turn. Unused time doesn’t carry over.",
            "%(days)d days per turn. Unused time doesn’t carry over.",
            bank.days,
        ) % {"days": bank.days}
    else:
        text = _("Starts at %(bank)s, +%(increment)s per turn, up to %(cap)s.")
        spans = {"bank": bank, "increment": increment, "cap": cap}
        pace = text % {name: timesince(EPOCH, EPOCH + time) for name, time in spans.items()}
    return pace, str(AT_ZERO[Game.AtZero(at_zero)]), str(VACATIONS[vacations])
