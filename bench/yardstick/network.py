"""The yardstick's network as the evaluation of our search: with the same network and as many simulations on both sides,
what is compared is the search alone.

The network knows no phase in which tokens are returned or a noble is chosen, so a position within a turn is worth what
it is after a plain end of it: of the kind held most, a token goes back, and the first noble comes. Such choices have no
prior. What the network would rather give back is shared by all takes that end in a return, which it does not know
either.
"""

import ast
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from games.bots.graph import Leaves
from games.bots.jit import Floats, Ints
from games.bots.splendor import core
from games.bots.splendor import layout as at

COLUMNS = 7
SLOTS_OF_THEIRS = 81
TAKE, PAIR, GIVE, PASS = 30, 55, 60, 80
LONGEST = 120
FLOOR = 1e-3
"""The least weight of a legal action that the network does not know."""
CARDS = len(at.COST)
_SETS = [chosen for size in (1, 2, 3) for chosen in combinations(range(at.NCOLOURS), size)]
_LEVEL = np.searchsorted(np.cumsum(at.DECK_SIZES), np.arange(CARDS), side="right")
_OFFSET = np.arange(CARDS) - (np.cumsum(at.DECK_SIZES) - at.DECK_SIZES)[_LEVEL]
_TAKES = np.zeros(at.ACTIONS, dtype=np.int32)
_TAKES[: at.PAIR] = at.TAKEN_SUM
_TAKES[at.PAIR : at.RESERVE] = 2
_THEIRS = np.full(at.ACTIONS, PASS)
_THEIRS[at.TAKE : at.PAIR] = [TAKE + _SETS.index(tuple(np.flatnonzero(taken))) for taken in at.TAKEN]
_THEIRS[at.PAIR : at.RESERVE] = np.arange(PAIR, GIVE)
_THEIRS[at.RESERVE : at.BUY] = np.arange(12, 27)
_THEIRS[at.BUY : at.GIVE] = [*range(12), *range(27, 30)]


class Borrowed:
    """The network of two seats."""

    def __init__(self, home: Path) -> None:
        sys.path += map(str, home.glob("venv/lib/python3*/site-packages"))
        import onnxruntime  # from the yardstick's own environment

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        file = str(home / "splendor_2p.onnx")
        self.session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
        self.rows = np.zeros((CARDS + 1, 2, COLUMNS), dtype=np.float32)
        self.column = np.zeros(CARDS, dtype=np.int32)
        self.bit = np.zeros(CARDS, dtype=np.int32)
        for card, (column, place) in enumerate(_places(home)):
            self.rows[card, 0, : at.NCOLOURS] = at.COST[card]
            self.rows[card, 1, at.BONUS[card]] = 1
            self.rows[card, 1, 6] = at.PRESTIGE[card]
            self.column[card], self.bit[card] = column, 128 >> place
        self.nobles = np.zeros((len(at.NEEDS) + 1, COLUMNS), dtype=np.float32)
        self.nobles[:-1, : at.NCOLOURS] = at.NEEDS
        self.nobles[:-1, 6] = 3
        self.places: list[int] = []
        self.owned: list[list[int]] = []
        self.turns = 0

    def look(self, seen: Any) -> None:
        """What the positions of a search do not tell: where the nobles were at first, whose those are that are gone,
        how many turns there were."""
        owned = [[at.NOBLE_INDEX[noble] for noble in player.nobles] for player in seen.players]
        there = [at.NOBLE_INDEX[noble] for noble in seen.nobles]
        if sorted(self.places) != sorted([*there, *owned[0], *owned[1]]):
            self.places = [*there, *owned[0], *owned[1]]
        self.owned = owned
        self.turns = seen.number + (seen.number - (seen.to_act or 0)) % 2

    def boards(self, states: Ints, depths: Ints) -> Floats:
        """The positions as the network reads them, from the seat to act on."""
        batch, every = len(states), np.arange(len(states))
        boards = np.zeros((batch, 56, COLUMNS), dtype=np.float32)
        movers = np.maximum(states[:, at.TO_ACT], 0)
        turns = self.turns + depths
        boards[:, 0, : at.NKINDS] = states[:, at.BANK : at.BANK + at.NKINDS]
        boards[:, 0, 6] = np.minimum(turns + (turns - movers) % 2, LONGEST)
        boards[:, 1:25] = self.rows[states[:, at.TABLE : at.TABLE + at.SLOTS]].reshape(batch, 24, COLUMNS)
        row, place = np.nonzero(_OFFSET[None] < states[:, at.LEFT : at.LEFT + 3][:, _LEVEL])
        card = states[row, at.DECK + place]
        counts, bits = np.zeros((2, batch, 15), dtype=np.float32)
        np.add.at(counts, (row, self.column[card]), 1)
        np.add.at(bits, (row, self.column[card]), self.bit[card])
        bits[bits > 127] -= 256
        boards[:, 25:31:2, :5] = counts.reshape(batch, 3, 5)
        boards[:, 26:31:2, :5] = bits.reshape(batch, 3, 5)
        nobles = states[:, at.NOBLE : at.NOBLE + 3]
        for slot, noble in enumerate(self.places):
            there = (nobles == noble).any(1)
            boards[there, 31 + slot] = self.nobles[noble]
            for seat in range(2):
                player = at.PLAYER + seat * at.WIDTH + at.BONUSES
                mine = noble in self.owned[seat]
                gone = (states[:, player : player + at.NCOLOURS] >= at.NEEDS[noble]).all(1)
                mine = ~there & (mine | (gone & (noble not in self.owned[1 - seat])))
                boards[mine, 36 + slot + 3 * ((seat - movers[mine]) % 2)] = self.nobles[noble]
        for near in range(2):
            base = at.PLAYER + (movers + near) % 2 * at.WIDTH

            def part(start: int, width: int, base: Ints = base) -> Ints:
                found: Ints = states[every[:, None], base[:, None] + start + np.arange(width)]
                return found

            boards[:, 34 + near, : at.NKINDS] = part(at.TOKENS, at.NKINDS)
            boards[:, 42 + near, : at.NCOLOURS] = part(at.BONUSES, at.NCOLOURS)
            given = boards[:, 36 + 3 * near : 39 + 3 * near, 6].sum(1)
            boards[:, 42 + near, 6] = part(at.POINTS, 1)[:, 0] - given
            hand = np.where(np.arange(at.HAND)[None] < part(at.HELD, 1), part(at.RESERVED, at.HAND), -1)
            boards[:, 44 + 6 * near : 50 + 6 * near] = self.rows[hand].reshape(batch, 6, COLUMNS)
        return boards

    def evaluate(self, leaves: Leaves, count: int) -> tuple[Floats, Floats]:
        """As a search wants it."""
        states = leaves.states[:count].copy()
        movers = states[:, at.TO_ACT].copy()
        over = np.zeros(count, dtype=bool)
        main = states[:, at.PHASE] == at.MAIN
        inner = np.flatnonzero(~main & (movers >= 0))
        for number in inner:
            over[number] = end_turn(states[number])
        boards = self.boards(states, leaves.depths[:count])
        held = boards[:, 34, : at.NKINDS].sum(1)
        row, index = np.nonzero(np.arange(leaves.actions.shape[1])[None] < leaves.widths[:count, None])
        action = leaves.actions[row, index]
        known = main[row] & (_TAKES[action] + held[row] <= 10)
        valid = np.zeros((count, SLOTS_OF_THEIRS), dtype=bool)
        valid[row[known], _THEIRS[action[known]]] = True
        valid[main & (held > 7), GIVE:] = True
        valid[~valid.any(1), PASS] = True
        policy, worth = self.session.run(None, {"board": boards, "valid_actions": valid})
        prior = np.exp(policy)
        logits = np.zeros((count, at.ACTIONS), dtype=np.float32)
        logits[row[known], action[known]] = np.log(np.maximum(prior[row[known], _THEIRS[action[known]]], 1e-9))
        others = main[row] & ~known
        many = np.maximum(np.bincount(row[others], minlength=count), 1)
        shared = np.log(np.maximum(prior[:, GIVE:].sum(1) / many, FLOOR))
        logits[row[others], action[others]] = shared[row[others]]
        values = ((worth + 1) / 2).astype(np.float32)
        shares = np.zeros(2, dtype=np.float32)
        for number in inner:
            if over[number]:
                core.result(states[number], shares)
                values[number] = np.roll(shares, -movers[number])
            elif states[number, at.TO_ACT] != movers[number]:
                values[number] = values[number, ::-1]
        return logits, values


def end_turn(state: Ints) -> bool:
    """Bring a turn to its end plainly, in place; return whether that ends the game."""
    actions = np.zeros(at.ACTIONS, dtype=np.int32)
    mover = state[at.TO_ACT]
    while state[at.TO_ACT] == mover and state[at.PHASE] != at.MAIN:
        legal = actions[: core.legal(state, actions)]
        tokens = at.PLAYER + mover * at.WIDTH + at.TOKENS
        held = [state[tokens + action - at.GIVE] if at.GIVE <= action < at.VISIT else 0 for action in legal]
        core.step(state, legal[int(np.argmax(held))])
    return bool(state[at.TO_ACT] == at.NONE)


def _places(home: Path) -> list[tuple[int, int]]:
    """Where each card is in the yardstick's own tables: in which of 15 columns, and the how manieth."""
    tree = ast.parse((home / "anchor/splendor/SplendorLogic.py").read_text())
    tables = {
        target.id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id.startswith("all_cards_")
    }
    found = []
    for card in range(CARDS):
        level = int(at.LEVEL[card])
        alike = [
            (5 * level + column, place)
            for column, cards in enumerate(tables[f"all_cards_{level + 1}"])
            for place, (cost, gain) in enumerate(cards)
            if cost[:5] == list(at.COST[card]) and gain[at.BONUS[card]] == 1 and gain[6] == at.PRESTIGE[card]
        ]
        assert len(alike) == 1
        found += alike
    return found
