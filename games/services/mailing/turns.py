"""Gathers what a mail about the reader's turn says: what happened since their last one, and what they could do."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from accounts.models import User
from games import wording
from games.bots.base import Limit
from games.catalogue import TITLES, Title
from games.mails import facts, words
from games.mails.parts import LabelledLine, Line, line
from games.models import Game, Preferences, Seat
from games.rules.base import Action
from games.services.mailing import links
from games.services.play import Look, history

MAX_SUGGESTIONS = 2
"""The maximum number of takes that a mail suggests, and of decisions if there are too many to name them all."""
LOOKED_AT = 10
"""The number of takes considered as suggestions."""
MAX_LISTED_DECISIONS = 8
"""The maximum number of decisions to name; if there are more, only suggestions are named."""
OMITTED_EVENTS = {"revealed"}
"""Events left out because the board shows them better."""


def decision(table: facts.Table, user: User, seat: Seat, look: Look) -> facts.Turn:
    """What the mail says about the decision of that seat."""
    game = table.game
    title, names = TITLES[game.title], [str(each) for each in game.seat_set.all()]
    moves = game.move_set.filter(number__gte=seat.seen_number).order_by("number")
    entries = history.since(game.title, moves, look.seat, seat.seen_number, game.number)
    events = [event for entry in entries for event in entry.events]
    board = title.board(look.seen, look.legal, (), "", look.before, since=events)
    return facts.Turn(
        table=table,
        points=[player.points for player in look.seen.players],
        board=board,
        since=_since(game, entries, names, seat),
        offers=_offers(game, seat, title, look, board, linked=Preferences.of(user).links and not user.is_suspended),
        note=seat.note,
    )


def _since(game: Game, entries: Iterable[history.Entry], names: Sequence[str], seat: Seat) -> list[LabelledLine]:
    """Moves with their numbers, and the incidents between them, since the last decision of that seat."""
    told: list[tuple[int, LabelledLine]] = []
    for incident in game.incident_set.filter(
        kind__in=wording.INCIDENTS, seat__lt=game.seats, after_number__gte=seat.seen_number
    ).order_by("pk"):
        of, other = incident.seat or 0, incident.facts.get("to")
        text = wording.incident(incident.kind, names, of, other, reader=seat.index)
        told.append((incident.after_number, LabelledLine("", line(text))))
    for entry in entries:
        shown = (event for event in entry.events if event.code not in OMITTED_EVENTS)
        lines = [words.told(game.title, event, names, seat.index) for event in shown]
        if lines:
            told.append((entry.move.number, LabelledLine(str(entry.move.number + 1), _one_line(lines))))
    return [row for _number, row in sorted(told, key=lambda one: one[0])]


def _one_line(lines: Sequence[Line]) -> Line:
    spaced = [(*each, *line(" ")) for each in lines[:-1]]
    return tuple(run for each in (*spaced, lines[-1]) for run in each)


def _offers(game: Game, seat: Seat, title: Title, look: Look, board: Any, *, linked: bool) -> facts.Offers:
    """All cards that the reader can buy, and the tokens that the greedy bot would take; in the middle of a turn all
    decisions, or if there are many, the bot's choices."""

    def address(action: str) -> str:
        return links.issue(game, seat, action) if linked else ""

    purchases = [(card, address(card.buy)) for card in board.decision.buyable]
    takes = _takes(game, title, look)
    others: list[Action[Any]] = []
    if not purchases and not takes:
        others = look.legal
        if len(others) > MAX_LISTED_DECISIONS:
            others = list(islice(_ranked(title, look, others), MAX_SUGGESTIONS))
    return facts.Offers(
        purchases=purchases,
        takes=[(staged, address(str(action))) for action, staged in takes],
        actions=[(action, address(str(action))) for action in others],
        anything=address(""),
    )


def _takes(game: Game, title: Title, look: Look) -> list[tuple[Action[Any], Any]]:
    """The best ways to take tokens, each with the board on which it is staged. None is part of another."""
    found: list[tuple[Action[Any], Any]] = []
    hauls: list[Counter[str]] = []
    takes = [action for action in look.legal if action.word == "take"]
    for action in islice(_ranked(title, look, takes), LOOKED_AT):
        staged = title.board(look.seen, look.legal, (), str(action), look.before)
        haul = Counter(words.title(game.title).taken(staged))
        if not any(haul <= other for other in hauls):
            found.append((action, staged))
            hauls.append(haul)
            if len(found) == MAX_SUGGESTIONS:
                break
    return found


def _ranked(title: Title, look: Look, actions: Sequence[Action[Any]]) -> Iterator[Action[Any]]:
    """The actions in the order in which the greedy bot would choose them; always the same."""
    bot, left = title.bot("greedy"), list(actions)
    while left:
        best = bot.choose(look.seen, left, Random(0), Limit())
        left.remove(best)
        yield best
