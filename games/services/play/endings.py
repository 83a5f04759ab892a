"""The end of a game for one reader: who won and why, who left earlier, and the standing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording
from games.boards.gems import GEMS, Amount, amounts
from games.models import Game, Seat
from games.rules.base import Outcome
from games.services.play import ends
from games.services.play.look import Look
from games.services.ratings import counting
from games.services.ratings.counting import Change
from games.wording import phrases
from games.wording.title import Column


@dataclass(frozen=True)
class StandingRow:
    """A row of the standing."""

    rank: int
    seat: Seat
    name: str
    remark: str
    counts: tuple[tuple[Column, str], ...]
    """Each column with its figure."""
    bonuses: tuple[Amount, ...]
    rating: Change | None
    """What the game did to the rating of the player; `None` for a bot, or if the game did not count."""


@dataclass(frozen=True)
class Ending:
    """The text about a finished game, on its page and in the mail."""

    headline: str
    """A few words to the reader: “You lost by three”."""
    told: str
    """The winners and their points, as a sentence; empty if the headline says everything."""
    how: str
    """The other players who resigned or were away too long, in sentences; empty if there are none."""
    facts: str
    """The number of moves, the duration and the date of the end."""
    won: bool
    """Whether the reader won."""
    reason: str
    """The code of the reason that decided the game; empty if it was not played to the end."""
    rows: tuple[StandingRow, ...]
    """The standing."""


def of(game: Game, seats: Sequence[Seat], names: Sequence[str], look: Look) -> Ending:
    """The end of the game, which must have been read with its seats."""
    outcome = ends.outcome(game) if game.ending == Game.Ending.PLAYED else None
    return Ending(
        headline=_headline(seats, names, look.seat, outcome, game.title),
        told=_told(seats, names, look.seat, outcome, game.title),
        how=_how(seats, names, look.seat),
        won=look.seat is not None and seats[look.seat].won,
        facts=_facts(game),
        reason=outcome.reason if outcome else "",
        rows=_standing(game, seats, names, look),
    )


def in_brief(game: Game, seats: Sequence[Seat], names: Sequence[str], user: int) -> str:
    """What decided a finished game, in a few words to that user, who has a seat: “By 3 points.”, “10 crowns.”,
    “Bob resigned.”"""
    reader = next(place for place, seat in enumerate(seats) if seat.user_id == user)
    mine = seats[reader]
    if not mine.won and (mine.out or mine.caretaker):
        return _headline(seats, names, reader, None, game.title)
    if game.ending != Game.Ending.PLAYED:
        return _how(seats, names, reader)
    won = next(seat.score for seat in seats if seat.won)
    others = [seat.score for seat in seats if not (seat.won or seat.out or seat.caretaker)]
    behind = won - (max(others, default=won) if mine.won else mine.score)
    if behind > 0 and (not game.reason or wording.is_by_points(game.title, game.reason)):
        return ngettext("By %(number)d point.", "By %(number)d points.", behind) % {"number": behind}
    return wording.reason(game.title, game.reason) if game.reason else ""


def _headline(
    seats: Sequence[Seat], names: Sequence[str], reader: int | None, outcome: Outcome | None, title: str
) -> str:
    mine = None if reader is None else seats[reader]
    if mine and not mine.won and (mine.out or mine.caretaker):
        return _("You resigned") if mine.resigned else _("You were away too long")
    winners = [place for place, seat in enumerate(seats) if seat.won]
    rivals = [place for place, seat in enumerate(seats) if not (seat.won or seat.out or seat.caretaker)]
    return wording.verdict(title, names, reader, winners, rivals, outcome)


def _told(seats: Sequence[Seat], names: Sequence[str], reader: int | None, outcome: Outcome | None, title: str) -> str:
    if outcome:
        return wording.outcome(title, outcome, names, reader)
    if reader is None or seats[reader].won:
        return ""
    winners = [name for seat, name in zip(seats, names, strict=True) if seat.won]
    text = ngettext("%(winners)s won.", "%(winners)s share the victory.", len(winners))
    return text % {"winners": phrases.join(winners)}


def _how(seats: Sequence[Seat], names: Sequence[str], reader: int | None) -> str:
    others = [(seat, name) for place, (seat, name) in enumerate(zip(seats, names, strict=True)) if place != reader]
    resigned = [name for seat, name in others if seat.resigned]
    away = [name for seat, name in others if seat.absent and not seat.resigned]
    told = []
    if resigned:
        text = ngettext("%(names)s resigned.", "%(names)s resigned.", len(resigned))
        told.append(text % {"names": phrases.join(resigned)})
    if away:
        text = ngettext("%(names)s was away too long.", "%(names)s were away too long.", len(away))
        told.append(text % {"names": phrases.join(away)})
    return " ".join(told)


def _facts(game: Game) -> str:
    moves = ngettext("%(number)d move", "%(number)d moves", game.number) % {"number": game.number}
    began, ended = game.started_at, game.ended_at
    assert began is not None
    assert ended is not None
    lasted = timesince(began, ended, depth=1) if ended - began >= timedelta(minutes=1) else _("less than a minute")
    day = date_format(localtime(ended))
    # Translators: “42 moves in 3 days, ended Tue 5 May 2026”.
    return _("%(moves)s in %(time)s, ended %(day)s") % {"moves": moves, "time": lasted, "day": day}


def _standing(game: Game, seats: Sequence[Seat], names: Sequence[str], look: Look) -> tuple[StandingRow, ...]:
    """The winners come first and the seats that are out come last; between them the title's columns decide. Equal seats
    share a rank."""
    columns = wording.standing(game.title)

    def place(seat: Seat) -> tuple[int, ...]:
        if seat.won:
            return ()
        player = look.seen.players[seat.index]
        return (bool(seat.out or seat.caretaker), *(-column.ranks * column.count(player) for column in columns))

    places = sorted(map(place, seats))
    rows, changes = [], counting.changes(seats) if game.rated else {}
    for seat in sorted(seats, key=place):
        assert seat.index is not None
        player = look.seen.players[seat.index]
        rows.append(
            StandingRow(
                rank=places.index(place(seat)) + 1,
                seat=seat,
                name=_("You") if seat.index == look.seat else names[seat.index],
                remark=_remark(seat),
                counts=tuple((column, column.shown(player)) for column in columns),
                bonuses=amounts(player.bonuses, "".join(GEMS)[: len(player.bonuses)]),
                rating=changes.get(seat.pk),
            )
        )
    return tuple(rows)


def _remark(seat: Seat) -> str:
    if seat.resigned and seat.caretaker:
        return _("resigned; a bot played on")
    if seat.resigned:
        return _("resigned")
    if seat.absent:
        return _("away too long")
    if seat.caretaker:
        return _("a bot played on")
    return _("winner") if seat.won else ""
