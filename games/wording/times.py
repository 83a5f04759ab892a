"""Time in words: how much is left, until when, and what a table agreed on."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.models import Game

A_WEEK = 6
"""Days in which a weekday alone says which day is meant."""


def units() -> tuple[str, str, str]:
    """Days, hours and minutes, as short as possible."""
    return pgettext("days", "d"), pgettext("hours", "h"), pgettext("minutes", "min")


def left(time: timedelta) -> str:
    """“2 h 40 min”, in the two greatest units."""
    minutes = int(time.total_seconds()) // 60
    if minutes < 0:
        return _("time is up")
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    d, h, m = units()
    if days:
        return f"{days} {d} {hours} {h}"
    return f"{hours} {h} {minutes} {m}" if hours else f"{minutes} {m}"


def span(time: timedelta) -> str:
    """“3 d” or “36 h”: a time that is whole hours."""
    hours = int(time.total_seconds()) // 3600
    days, rest = divmod(hours, 24)
    d, h, _m = units()
    return f"{hours} {h}" if rest else f"{days} {d}"


def instant(at: datetime, now: datetime) -> str:
    """A moment, in the reader's zone and by its day: “today 21:30”, “Thu 18:00”, “5 May, 18:00”. UTC is named: whose
    zone nobody knows is told in it."""
    there, here = localtime(at), localtime(now)
    zone = " T" if there.tzname() == "UTC" else ""
    days = (there.date() - here.date()).days
    between = " " if abs(days) <= A_WEEK else ", "
    return f"{day(at, now)}{between}{date_format(there, f'H:i{zone}')}"


def day(at: datetime, now: datetime) -> str:
    """The day of a moment, likewise: “tomorrow”, “Thu”, “5 May”."""
    there, here = localtime(at), localtime(now)
    days = (there.date() - here.date()).days
    if days in (0, 1):
        return _("tomorrow") if days else _("today")
    return date_format(there, "D" if abs(days) <= A_WEEK else "j M" if there.year == here.year else "j M Y")


def pace(game: Game) -> str:
    """How fast a table plays: “about two weeks”."""
    if game.days:
        text = ngettext("%(days)d day for every turn", "%(days)d days for every turn", game.days)
        return text % {"days": game.days}
    return {
        Game.Pace.FAST: _("a few days"),
        Game.Pace.NORMAL: _("about two weeks"),
        Game.Pace.RELAXED: _("a month or more"),
    }.get(Game.Pace(game.pace), _("as long as it takes"))


def at_zero(game: Game) -> str:
    """What comes when somebody's time is up."""
    return {
        Game.AtZero.CARETAKER: _("When somebody’s time is up, a bot plays on until they are back."),
        Game.AtZero.FORFEIT: _("Whose time is up is out of the game."),
        Game.AtZero.WAIT: _("When somebody’s time is up, the others wait on."),
    }[Game.AtZero(game.at_zero)]


def vacations(game: Game) -> str:
    """Whether clocks stand for who is away."""
    if game.vacations:
        return _("Clocks stand while their owners are on vacation.")
    return _("Clocks run on during vacations.")


def agreed(game: Game, bank: timedelta, increment: timedelta, cap: timedelta) -> Iterator[str]:
    """What a table with a clock agreed on, a sentence each."""
    if game.days:
        yield _("%(time)s for every turn; what is left over is not kept.") % {"time": span(bank)}
    else:
        text = _("%(bank)s to begin with, %(increment)s more after every turn, %(cap)s at most.")
        yield text % {"bank": span(bank), "increment": span(increment), "cap": span(cap)}
    yield at_zero(game)
    yield vacations(game)
