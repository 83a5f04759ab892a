"""The yardstick's network for two seats as the evaluation of our search. With the same network and number of
simulations on both sides, a match compares only the searches."""

import ast
import sys
from pathlib import Path
from typing import Any

import numpy as np

from bench.yardstick import boards
from bench.yardstick.boards import CARDS, COLUMNS, Cards
from games.bots.graph import Leaves
from games.bots.jit import Floats
from games.bots.search import MAX_LEAVES_AT_ONCE, NODES
from games.bots.splendor import layout as at
from games.rules.splendor.state import Phase

PRESTIGE = 6
"""The column of the prestige."""


class Borrowed:
    """The yardstick's network, for searches of several games side by side. Their facts must be set before a search."""

    def __init__(self, home: Path, nodes: int = NODES, games: int = 1, batch: int = MAX_LEAVES_AT_ONCE) -> None:
        sys.path += map(str, home.glob("venv/lib/python3*/site-packages"))
        import onnxruntime  # from the yardstick's own environment

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        file = str(home / "splendor_2p.onnx")
        self.session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
        self.cards, self.batch = _cards(home), boards.empty_batch(batch)
        self.facts = boards.facts(nodes, games, batch)

    def look(self, first: Any, current_round: int, seen: Any) -> None:
        """Set the facts of the only game before a search: the first places of the nobles, their owners, the number of
        turns so far, and the tokens and the policy at the start of the turn."""
        facts, seats = self.facts, len(seen.players)
        facts.turns[0] = seats * (current_round - 1) + seen.to_act
        facts.places[0] = [at.NOBLE_INDEX[noble] for noble in first.nobles]
        facts.owned[0] = [[noble in player.nobles for noble in first.nobles] for player in seen.players]
        if seen.phases[0] is not Phase.MAIN:
            # The root of the search before, which belonged to the same turn.
            facts.tokens[0], facts.policy[0] = facts.node_tokens[0], facts.node_policy[0]

    def evaluate(self, leaves: Leaves, count: int) -> tuple[Floats, Floats]:
        """The evaluation for `games.bots.search`."""
        batch = self.batch
        boards.prepare(leaves, count, self.facts, self.cards, batch)
        policy, worth = self.session.run(None, {"board": batch.boards[:count], "valid_actions": batch.valid[:count]})
        boards.finish(leaves, count, self.facts, batch, policy, worth)
        return batch.logits[:count], batch.values[:count]


def _cards(home: Path) -> Cards:
    """The cards and nobles as the network reads them."""
    places = np.array(_places(home), dtype=np.int32)
    rows = np.zeros((CARDS + 1, 2, COLUMNS), dtype=np.float32)
    rows[:-1, 0, : at.NCOLOURS] = at.COST
    rows[np.arange(CARDS), 1, at.BONUS] = 1
    rows[:-1, 1, PRESTIGE] = at.PRESTIGE
    nobles = np.zeros((len(at.NEEDS), COLUMNS), dtype=np.float32)
    nobles[:, : at.NCOLOURS] = at.NEEDS
    nobles[:, PRESTIGE] = at.NOBLE_PRESTIGE
    return Cards(rows, places[:, 0].copy(), 128 >> places[:, 1], nobles)


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
