"""Helpers for tests of the Duel board."""

import dataclasses
from functools import cache
from random import Random

from django.template.loader import render_to_string
from django.test import RequestFactory

from games.boards.duel import build
from games.rules import tokens
from games.rules.duel.actions import Buy
from games.rules.duel.cards import KINDS
from games.rules.duel.ruleset import Duel
from games.rules.duel.state import Phase, State

RULES = Duel()
LINKS = {"draft", "buy", "reserve", "tap", "instead", "change", "onward", "undo"}
"""The fields that contain drafts."""
A_PHASE = 10


def ask(state, draft):
    """The board of the seat to act for that draft; the pieces before the last `;` are tried out."""
    *staged, piece = draft.split(";")
    before = RULES.observe(state, state.seat)
    seat = state.seat
    for notation in staged:
        step = RULES.apply(state, RULES.parse(notation))
        assert not step.reveals
        state = step.state
    legal = RULES.all_actions(state) if state.to_act == seat else []
    return build(RULES.observe(state, seat), legal, staged, piece, before)


def drawn(board, sheet=None):
    """The board as a page shows it, with the sheet of a card."""
    people = [{"name": "Ana"}, {"name": "Ben"}]
    context = {"board": board, "people": people, "table_url": "/t", "sheet": sheet, "at": None}
    return render_to_string("games/duel/board.jinja", context, RequestFactory().get("/t"), using="jinja")


def walk(value):
    """The fields of nested dataclasses, by name, except those of spaces that only explain a refusal."""
    if dataclasses.is_dataclass(value) and getattr(value, "act", "") != "refuse":
        for field in dataclasses.fields(value):
            yield field.name, getattr(value, field.name)
            yield from walk(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield "", item
            yield from walk(item)


def links(board):
    return {value for name, value in walk(board) if name in LINKS and isinstance(value, str)}


def cells(board):
    return [cell for row in board.rows for cell in row]


def cell(board, name):
    return next(cell for cell in cells(board) if cell.name == name)


def chosen(board):
    return [cell.name for cell in cells(board) if cell.chosen]


def step(board, name):
    return next(step for step in board.decision.steps if step.name == name)


def purchases(state):
    """The legal purchases by card, the default payment first."""
    ways: dict[str, list[Buy]] = {}
    for action in RULES.all_actions(state):
        if isinstance(action, Buy):
            ways.setdefault(action.card, []).append(action)
    return ways


def lying(board):
    """An opening position with this board, and one gem of each colour in the bag."""
    return dataclasses.replace(RULES.initial(2, bytes(32)), board=board, bag=tokens.parse("wugrk", KINDS))


@cache
def positions():
    """Equally many positions of each phase, from random games that prefer to buy cards."""
    found: dict[Phase, list[State]] = {phase: [] for phase in Phase}
    rng, game = Random(5), 0
    while any(len(states) < A_PHASE for states in found.values()):
        game += 1
        assert game < 400, {phase: len(states) for phase, states in found.items()}
        state = RULES.initial(2, game.to_bytes(32, "big"))
        while state.to_act is not None and state.number < 150:
            pool = found[state.phases[0]]
            if len(pool) < A_PHASE and rng.random() < (0.1 if state.phases[0] == Phase.TURN else 0.6):
                pool.append(state)
            options = RULES.legal_actions(state)
            buys = [action for action in options if isinstance(action, Buy)]
            state = RULES.apply(state, rng.choice(buys if buys and rng.random() < 0.7 else options)).state
    return tuple(state for states in found.values() for state in states)
