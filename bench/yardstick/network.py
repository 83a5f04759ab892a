"""The yardstick's network as the evaluation of our search. With the same network and number of simulations on both
sides, a match compares only the searches.

In this network's game, a player who already has eight or nine tokens may take fewer than three. By the official rules
the player takes three and returns some. The weight of such a small take therefore goes to one take that includes it,
and then to the return of the other tokens. The network may also return tokens without taking any; the weight of that is
divided among all takes that end in a return. The value of a position within a turn is the value after the likeliest end
of the turn.
"""

import ast
import sys
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from games.bots.graph import Leaves
from games.bots.jit import Floats, Ints
from games.bots.splendor import core
from games.bots.splendor import layout as at
from games.rules.splendor.state import Phase

COLUMNS = 7
SLOTS_OF_THEIRS = 81
TAKE, PAIR, GIVE, PASS = 30, 55, 60, 80
LIMIT = 10
MAX_TURNS = 120
FLOOR = 1e-3
"""The minimum weight of a legal action that the network does not know."""
MANY = 3
"""The maximum number of tokens returned in a turn; the weight of a return of the network is divided by it."""
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
_NET = {tuple(int(kind in chosen) for kind in range(at.NKINDS)): TAKE + place for place, chosen in enumerate(_SETS)}
_NET |= {tuple(2 * (kind == colour) for kind in range(at.NKINDS)): PAIR + colour for colour in range(at.NCOLOURS)}
"""The network's action for a take, given the number of tokens of each kind."""
_GIVEN = [*(set(chosen) for chosen in _SETS if len(chosen) < 3), *({colour} for colour in range(at.NCOLOURS))]
"""The colours that each of the network's returns gives back."""
_SMALL = np.array([[colour in chosen for colour in range(at.NCOLOURS)] for chosen in _SETS if len(chosen) < 3])
_HOLDING = np.zeros((len(_SMALL), at.ACTIONS), dtype=bool)
_HOLDING[:, at.TAKE : at.PAIR] = (_SMALL[:, None] <= (at.TAKEN > 0)[None]).all(2)
"""For each of the network's takes of fewer than three tokens (row), whether our action (column) includes it."""


class Borrowed:
    """The yardstick's network for two seats."""

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
        self.known: dict[int, Known] = {}
        self.root: Known | None = None
        self.before: Known | None = None
        """The root of the previous search, if this search belongs to the same turn."""

    def look(self, seen: Any) -> None:
        """Remember facts that the positions of a search lack: the first places of the nobles, their owners, and the
        number of turns. Call it before every search."""
        owned = [[at.NOBLE_INDEX[noble] for noble in player.nobles] for player in seen.players]
        there = [at.NOBLE_INDEX[noble] for noble in seen.nobles]
        if sorted(self.places) != sorted([*there, *owned[0], *owned[1]]):
            self.places = [*there, *owned[0], *owned[1]]
        self.owned = owned
        if seen.number < 2:
            self.turns = int(seen.to_act)
        elif seen.phases[0] is Phase.MAIN:
            self.turns += 2
        self.before = self.root if seen.phases[0] is not Phase.MAIN else None

    def boards(self, states: Ints, turns: Ints) -> Floats:
        """The network's input for these positions, one board each, beginning with the seat to act. `turns` are their
        turn numbers."""
        batch, every = len(states), np.arange(len(states))
        boards = np.zeros((batch, 56, COLUMNS), dtype=np.float32)
        movers = np.maximum(states[:, at.TO_ACT], 0)
        boards[:, 0, : at.NKINDS] = states[:, at.BANK : at.BANK + at.NKINDS]
        boards[:, 0, 6] = np.minimum(turns, MAX_TURNS)
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
        """The evaluation for `games.bots.search`."""
        states = leaves.states[:count].copy()
        movers = states[:, at.TO_ACT].copy()
        over = np.zeros(count, dtype=bool)
        main = states[:, at.PHASE] == at.MAIN
        turns = np.zeros(count, dtype=np.int32)
        logits = np.zeros((count, at.ACTIONS), dtype=np.float32)
        for number in range(count):
            turns[number] = self._remember(leaves, number, states[number])
        inner = np.flatnonzero(~main & (movers >= 0)).tolist()
        for number in inner:
            state, began = states[number], self.known[int(leaves.nodes[number])]
            if state[at.PHASE] == at.RETURN:
                weights, likeliest = returns(_tokens(state), int(state[at.LEAST]), began.tokens, began.policy)
                logits[number, at.GIVE : at.VISIT] = np.log(weights)
                for kind in likeliest:
                    core.step(state, at.GIVE + kind)
            over[number] = end_turn(state)
        boards = self.boards(states, turns + (states[:, at.TO_ACT] != movers))
        held = boards[:, 34, : at.NKINDS].sum(1)
        row, index = np.nonzero(np.arange(leaves.actions.shape[1])[None] < leaves.widths[:count, None])
        action = leaves.actions[row, index]
        known = main[row] & (_TAKES[action] + held[row] <= LIMIT)
        valid = np.zeros((count, SLOTS_OF_THEIRS), dtype=bool)
        valid[row[known], _THEIRS[action[known]]] = True
        full = np.flatnonzero(main & (held > LIMIT - 3)).tolist()
        for number in full:
            small = ((boards[number, :1, : at.NCOLOURS] > 0) >= _SMALL).all(1)
            valid[number, TAKE : TAKE + len(_SMALL)] = small & (_SMALL.sum(1) + held[number] <= LIMIT)
            valid[number, GIVE:] = True
        valid[~valid.any(1), PASS] = True
        policy, worth = self.session.run(None, {"board": boards, "valid_actions": valid})
        prior = np.exp(policy)
        logits[row[known], action[known]] = np.log(np.maximum(prior[row[known], _THEIRS[action[known]]], 1e-9))
        for number in full:
            actions = leaves.actions[number, : leaves.widths[number]]
            ending = actions[_TAKES[actions] + held[number] > LIMIT]
            logits[number, ending] = np.log(takes(ending, prior[number]))
            self.known[int(leaves.nodes[number])].policy[:] = prior[number]
        values = ((worth + 1) / 2).astype(np.float32)
        shares = np.zeros(2, dtype=np.float32)
        for number in inner:
            if over[number]:
                core.result(states[number], shares)
                values[number] = np.roll(shares, -movers[number])
            elif states[number, at.TO_ACT] != movers[number]:
                values[number] = values[number, ::-1]
        return logits, values

    def _remember(self, leaves: Leaves, number: int, state: Ints) -> int:
        """Remember the facts about a leaf that later leaves need, and return its turn."""
        mover, depth = int(state[at.TO_ACT]), int(leaves.depths[number])
        parent = self.known.get(int(leaves.path[number, depth - 1])) if depth else self.before
        turn = self.turns if depth == 0 else parent.turn + (parent.mover != mover) if parent else self.turns + depth
        if state[at.PHASE] != at.MAIN and parent and parent.mover == mover:
            tokens, policy = parent.tokens, parent.policy
        else:
            tokens, policy = _tokens(state).copy(), np.zeros(SLOTS_OF_THEIRS, dtype=np.float32)
        known = self.known[int(leaves.nodes[number])] = Known(turn, mover, tokens, policy)
        if depth == 0:
            self.root = known
        return turn


class Known(NamedTuple):
    """Facts about a node that was evaluated."""

    turn: int
    mover: int
    tokens: Ints
    """The mover's tokens at the start of the turn."""
    policy: Floats
    """The network's policy at the start of the turn; zeros if the turn cannot end in a return."""


def takes(ending: Ints, policy: Floats) -> Floats:
    """The weights of our takes `ending`, after which tokens must be returned. The weight of each smaller take of the
    network goes to one take that includes it. The weights of its returns and of its pass are divided among all
    takes."""
    weights: Floats = np.full(len(ending), FLOOR + policy[GIVE:].sum() / max(1, len(ending)), dtype=np.float32)
    for small, holding in enumerate(_HOLDING[:, ending]):
        if holding.any():
            weights[holding.argmax()] += policy[TAKE + small]
    return weights


def returns(tokens: Ints, least: int, before: Ints, policy: Floats) -> tuple[Floats, tuple[int, ...]]:
    """The weight of each kind as the next token to return, and the likeliest return as kinds. `least` is the lowest
    kind that may be returned, `before` are the tokens at the start of the turn. Returns that leave a take of the
    network have its weight; among equal returns, those of the most held kinds come first."""
    weights = np.full(at.NKINDS, 1e-9, dtype=np.float32)
    likeliest: tuple[float, tuple[int, ...]] = (-1.0, ())
    for given in combinations_with_replacement(range(least, at.NKINDS), int(tokens.sum()) - LIMIT):
        left = tokens - np.bincount(given, minlength=at.NKINDS)
        if (left < 0).any():
            continue
        taken = _NET.get(tuple((left - before).tolist()))
        weight = FLOOR if taken is None else FLOOR + float(policy[taken])
        weight += sum(float(policy[GIVE + place]) for place, kinds in enumerate(_GIVEN) if kinds <= set(given)) / MANY
        weights[given[0]] += weight
        likeliest = max(likeliest, (weight - 1e-6 * float(left @ left), given))
    return weights, likeliest[1]


def _tokens(state: Ints) -> Ints:
    """The tokens of the seat to act, as a view of the state."""
    start = at.PLAYER + state[at.TO_ACT] * at.WIDTH + at.TOKENS
    tokens: Ints = state[start : start + at.NKINDS]
    return tokens


def end_turn(state: Ints) -> bool:
    """End the turn in place by the first legal actions, and return whether the game is over."""
    actions = np.zeros(at.ACTIONS, dtype=np.int32)
    while state[at.TO_ACT] != at.NONE and state[at.PHASE] != at.MAIN:
        core.legal(state, actions)
        core.step(state, actions[0])
    return bool(state[at.TO_ACT] == at.NONE)


def _places(home: Path) -> list[tuple[int, int]]:
    """The place of each card in the yardstick's own tables: one of 15 columns, and the index within it."""
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
