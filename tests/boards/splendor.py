"""Positions of Splendor, and its board, for tests."""

from functools import cache
from random import Random

from games.boards.common import split
from games.boards.splendor import Board, build
from games.rules.splendor.ruleset import Splendor
from games.rules.splendor.state import Phase, State

RULES = Splendor()
PEOPLE = [{"name": name, "remark": f"note of {name}", "thinking": False} for name in ("Ana", "Ben", "Chloé", "Dan")]


@cache
def walk(seats: int, seed: int, length: int = 90) -> list[State]:
    """The positions of a random game that prefers buying and taking, so that hands fill and nobles come."""
    rng = Random(seed)
    state = RULES.initial(seats, rng.randbytes(32))
    states: list[State] = []
    while state.to_act is not None and len(states) < length:
        states.append(state)
        options = RULES.legal_actions(state)
        buys = [option for option in options if str(option).startswith("buy")]
        state = RULES.apply(state, rng.choice(buys if buys and rng.random() < 0.7 else options)).state
    return states


def positions() -> list[State]:
    """Positions from games of two to four seats: openings, middles and ends, and every one with a return or a noble."""
    found: list[State] = []
    for seats in RULES.seats:
        for seed in range(3):
            states = walk(seats, seed)
            special = [state for state in states if state.phases[0] is not Phase.MAIN]
            found += states[::12] + special[:4]
    return found


def look(state: State, draft: str = "") -> Board:
    """The board of the seat to act, with the draft tried out."""
    seat = state.to_act
    staged, piece = split(draft)
    after = state
    for notation in staged:
        step = RULES.apply(after, RULES.parse(notation))
        assert not step.reveals
        after = step.state
    legal = RULES.all_actions(after) if after.to_act == seat else []
    return build(RULES.observe(after, seat), legal, staged, piece, RULES.observe(state, seat))
