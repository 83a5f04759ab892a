"""Times in words: spans, instants, and the terms of a table."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from games.models import Game
from games.wording.phrases import EPOCH

A_WEEK = 6
"""The number of days within which a weekday alone is unambiguous."""


class Patterns(NamedTuple):
    """The patterns of a time left, from a day on, from an hour on, and below."""

    days: str
    hours: str
    minutes: str


def patterns() -> Patterns:
    """The patterns of a time left; the page counts down in them."""
    return _patterns(get_language())


@cache
def _patterns(language: str | None) -> Patterns:
    # Translators: a time left, with the shortest abbreviations: days and hours, hours and minutes, minutes.
    return Patterns(_("%(days)s d %(hours)s h"), _("%(hours)s h %(minutes)s min"), _("%(minutes)s min"))


def left(time: timedelta) -> str:
    """“2 h 40 min”, in the two largest units."""
    minutes = int(time.total_seconds()) // 60
    if minutes < 0:
        return _("out of time")
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    pattern = patterns().days if days else patterns().hours if hours else patterns().minutes
    return pattern % {"days": days, "hours": hours, "minutes": minutes}


def taken(time: timedelta) -> str:
    """The time of a typical move, “40 s”, “12 min” or “1 h 50 min”, to a few minutes."""
    seconds = int(time.total_seconds())
    if seconds < 60:
        # Translators: a time, with the shortest abbreviation of seconds.
        return _("%(seconds)s s") % {"seconds": seconds}
    coarse = 600 if seconds >= 3600 else 60
    return left(timedelta(seconds=(seconds + coarse // 2) // coarse * coarse))


def instant(at: datetime, now: datetime) -> str:
    """An instant in the reader's time zone: “today 21:30”, “Thu 18:00”, “5 May, 18:00”. A reader without a known zone
    gets UTC, which is then named."""
    there = localtime(at)
    told = _told(get_language(), there.replace(tzinfo=None), localtime(now).date(), True)
    # Translators: a time that is not in the reader's time zone: “Thu 18:00 UTC”.
    return _("%(time)s UTC") % {"time": told} if there.tzname() == "UTC" else told


def ago(then: datetime, now: datetime) -> str:
    """“3 hours ago”, in one unit."""
    if (now - then).total_seconds() < 60:
        return _("just now")
    return _("%(time)s ago") % {"time": timesince(then, now, depth=1)}


def day(at: datetime, now: datetime) -> str:
    """The day of an instant in the reader's time zone: “tomorrow”, “Thu”, “5 May”."""
    return _told(get_language(), localtime(at).replace(tzinfo=None), localtime(now).date(), False)


@lru_cache(4096)
def _told(language: str | None, wall: datetime, today: date, with_time: bool) -> str:
    days = (wall.date() - today).days
    if days in (0, 1):
        told = _("tomorrow") if days else _("today")
    else:
        # Translators: date formats of Django: a weekday, a day of this year, and of another.
        weekday, this_year, another = _("D"), _("j M"), _("j M Y")
        told = date_format(wall, weekday if abs(days) <= A_WEEK else this_year if wall.year == today.year else another)
    if not with_time:
        return told
    # Translators: a day and a time: “today 21:30”, “Thu 18:00”; then “5 May, 18:00”.
    pattern = _("%(day)s %(time)s") if abs(days) <= A_WEEK else _("%(day)s, %(time)s")
    return pattern % {"day": told, "time": date_format(wall, "TIME_FORMAT")}


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


def expected(game: Game) -> str:
    """The table's number of players and its pace, as a sentence."""
    if game.days:
        text = ngettext(
            "A game for %(seats)d players. You have %(days)d day for each turn.",
            "A game for %(seats)d players. You have %(days)d days for each turn.",
            game.days,
        )
    else:
        text = {
            Game.Pace.FAST: _("A game for %(seats)d players that takes a few days, with several moves a day."),
            Game.Pace.NORMAL: _("A game for %(seats)d players that takes about two weeks, with a move a day."),
            Game.Pace.RELAXED: _("A game for %(seats)d players that takes a month or more, with a few moves a week."),
        }.get(Game.Pace(game.pace), _("A game for %(seats)d players without a time limit."))
    return text % {"seats": game.seats, "days": game.days}


AT_ZERO = {
    Game.AtZero.CARETAKER: gettext_lazy("If a player runs out of time, a bot plays until they’re back."),
    Game.AtZero.FORFEIT: gettext_lazy("A player whose time runs out is out."),
    Game.AtZero.WAIT: gettext_lazy("If a player runs out of time, the others wait."),
}
VACATIONS = {
    True: gettext_lazy("Clocks stop while a player is on vacation or has a day off."),
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
