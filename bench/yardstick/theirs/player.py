"""The yardstick as a player. It converts our observations to its positions, and its actions to our decisions.

Its rules differ a little from ours: a player may take fewer than three tokens, return tokens instead of taking any, and
pass. If its favourite action is illegal here, it plays the next best one. If it wants to return tokens, it plays the
take and return that its network values most. The hidden cards of other seats are dealt at random, so it knows only what
its seat may know.
"""

import csv
import itertools
import math
import os
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from MCTS import MCTS, magic_seeds
from splendor import SplendorGame
from splendor.SplendorLogic import all_cards, list_different_gems_up_to_3
from utils import dotdict

HOME = Path(os.environ["YARDSTICK"])
DATA = Path(__file__).parents[3] / "games/rules/splendor/data"
OWN = {
    2: {"cpuct": 0.8, "fpu": 0.0593, "universes": 3},
    3: {"cpuct": 1.0, "fpu": 0.1, "universes": 1},
    4: {"cpuct": 0.8, "fpu": 0.1, "universes": 3},
}
"""The settings with which each network was trained, by number of seats."""
KINDS = "wugrk*"
COLOURS = ("white", "blue", "green", "red", "black")
ACTIONS = 81
BUY, RESERVE, BUY_RESERVED, TAKE, PAIR, GIVE = 0, 12, 27, 30, 55, 60
LIMIT = 10
FEW, MANY = 2, 400
"""The minimum number of simulations under a time limit; the maximum number of takes with returns to compare."""
KEEP, OLD = 20, 5
"""The number of rounds between two cleanings of its tree, and the age in rounds of the oldest nodes that stay."""
FORCED = 0.5
"""The factor in its formula for forced visits, which do not count in the decision."""


def _cards() -> dict[str, tuple[int, int, tuple[int, int], list[int], int]]:
    """For each card its level (from 0), bonus, place in the yardstick's tables (column, index), price and prestige."""
    cards = {}
    with (DATA / "cards.csv").open() as file:
        for row in csv.DictReader(file):
            level, bonus = int(row["level"]) - 1, COLOURS.index(row["bonus"])
            cost, prestige = [int(row[colour]) for colour in COLOURS], int(row["prestige"])
            (place,) = (
                (column, number)
                for column, alike in enumerate(all_cards[level])
                for number, (price, gain) in enumerate(alike)
                if price[:5] == cost and gain[bonus] == 1 and gain[6] == prestige
            )
            cards[row["id"]] = (level, bonus, place, cost, prestige)
    return cards


def _nobles() -> dict[str, list[int]]:
    with (DATA / "nobles.csv").open() as file:
        return {
            row["id"].removeprefix("noble-"): [int(row[colour]) for colour in COLOURS] for row in csv.DictReader(file)
        }


CARDS, NOBLES = _cards(), _nobles()
TAKES = [tuple(colour for colour in range(5) if gems[colour]) for gems in list_different_gems_up_to_3]
GAMES: dict[int, Any] = {}


class Network:
    """One of the yardstick's networks, on one thread."""

    def __init__(self, seats: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        file = str(HOME / f"splendor_{seats}p.onnx")
        self.session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])

    def predict(self, board: Any, valid: Any) -> tuple[Any, Any]:
        """The policy and the values of a position, as the yardstick's search calls for them."""
        boards, allowed = board.astype(np.float32)[None], np.asarray(valid, dtype=np.bool_)[None]
        policy, values = self.session.run(None, {"board": boards, "valid_actions": allowed})
        return np.exp(policy[0]), values[0]

    def values(self, boards: list[Any]) -> Any:
        """The values of these positions, one row each."""
        every = np.ones((len(boards), ACTIONS), dtype=bool)
        return self.session.run(None, {"board": np.array(boards, dtype=np.float32), "valid_actions": every})[1]


def warm() -> None:
    """Compile everything for every number of seats."""
    for seats in OWN:
        SplendorGame.NUMBER_PLAYERS = seats
        game = GAMES[seats] = SplendorGame.SplendorGame()
        search = MCTS(game, Network(seats), arguments(seats, 30))
        board = game.getInitBoard()
        search.getActionProb(board, temp=1, force_full_search=True)
        for action in (BUY, RESERVE, BUY_RESERVED, TAKE, GIVE, ACTIONS - 1):
            game.getNextState(board.copy(), 0, action, 1)
        game.getScore(board, 0)
        game.getGameEnded(board, 0)
        game.getCanonicalForm(board, 1)


def arguments(seats: int, sims: int) -> Any:
    """The settings of the yardstick's search."""
    return dotdict(
        numMCTSSims=sims, prob_fullMCTS=1.0, ratio_fullMCTS=5, no_mem_optim=False, forced_playouts=True,
        dirichletAlpha=0, temperature=[1, 1, 1], **OWN[seats],
    )  # fmt: skip


def rows_of(card: str | None) -> Any:
    """The two rows of a card in a board of the yardstick: its price, and its bonus and prestige; zeros for no card."""
    rows = np.zeros((2, 7), np.int8)
    if card:
        _, bonus, _, cost, prestige = CARDS[card]
        rows[0, :5] = cost
        rows[1, bonus] = 1
        rows[1, 6] = prestige
    return rows


def spell(kinds: Any) -> str:
    """The notation of these tokens."""
    return "".join(KINDS[kind] for kind in sorted(kinds))


class Player:
    """Plays one seat of one game."""

    def __init__(self, sims: int | None) -> None:
        self.sims, self.seats = sims, 0
        self.nobles: list[str] = []
        """All nobles in their first places."""
        self.giving: str | None = None
        """The notation of the tokens to return after the take just made."""

    def answer(self, request: dict[str, Any]) -> str:
        """The answer to a request: the decision, its simulations and its seconds of processor time."""
        if not self.seats:
            self._begin(request)
        clock = time.process_time if request["clock"] == "processor" else time.monotonic
        used, self.started, self.clock, self.made = time.process_time(), clock(), clock, 0
        decision = self._decide(request)
        return f"{decision} # {self.made} {time.process_time() - used:.6f}"

    def _begin(self, request: dict[str, Any]) -> None:
        self.seats = seats = request["seats"]
        SplendorGame.NUMBER_PLAYERS = seats
        self.game, self.network = GAMES[seats], Network(seats)
        self.settings = arguments(seats, self.sims or 0)
        self.search = MCTS(self.game, self.network, self.settings)
        self.nobles = request["first"]["nobles"]

    def _decide(self, request: dict[str, Any]) -> str:
        seen, legal, me = request["seen"], request["legal"], request["seat"]
        turn = self.seats * (request["round"] - 1) + me
        if seen["phases"][0] == "main":
            return self._main(request, seen, legal, me, turn)
        if seen["phases"][0] == "return":
            if f"return {self.giving}" in legal:
                return f"return {self.giving}"
            changes: list[dict[str, Any]] = []
            for notation in legal:
                given = [notation[7:].count(kind) for kind in KINDS]
                mine, bank = seen["players"][me]["tokens"], seen["bank"]
                changes.append({"tokens": _minus(mine, given), "bank": _plus(bank, given)})
        else:
            changes = [{"noble": notation[6:]} for notation in legal]
        decision: str = self._best(legal, seen, me, turn, changes)
        return decision

    def _main(self, request: dict[str, Any], seen: dict[str, Any], legal: list[str], me: int, turn: int) -> str:
        self.giving = None
        if len(legal) == 1:
            return legal[0]
        board = self._board(seen, me, turn, random.Random(f"{seen['number']}/{me}"))
        wishes, valid = self._search(board, request["time"])
        decision: tuple[str, str | None] = (random.Random(turn).choice(legal), None)
        for action in np.argsort(-wishes, kind="stable"):
            found = self._translate(int(action), seen, me, legal, turn) if valid[action] else None
            if found:
                decision = found
                break
        self._clean(board)
        self.giving = decision[1]
        return decision[0]

    def _search(self, board: Any, seconds: float | None) -> tuple[Any, Any]:
        """The weight of each of its actions, and which of them are valid."""
        valid = self.game.getValidMoves(board, 0)
        if self.sims == 0:
            return self.network.predict(board, valid)[0] * valid, valid
        made = 0
        while made < self.sims if self.sims else made < FEW or self.clock() - self.started < (seconds or 60):
            self.search.step = made
            self.search.random_seed = magic_seeds[made % self.settings.universes]
            self.search.search(board, forced_playouts=True)
            made += 1
        self.made = made
        node = self.search.nodes_data[self.game.stringRepresentation(board)]
        prior, visits = node[2], node[5].astype(float)
        most = visits.max()
        kept = np.array(
            [
                count if count == most else count - int(math.sqrt(FORCED * each * made))
                for count, each in zip(visits, prior, strict=True)
            ]
        )
        kept = np.where(kept > 1, kept, 0)
        return kept + 1e-4 * visits / most * (valid > 0) + 1e-9 * prior, valid

    def _clean(self, board: Any) -> None:
        """Delete old nodes, as the yardstick's own code does between its turns."""
        now, nodes = self.game.getRound(board), self.search.nodes_data
        if now > self.search.last_cleaning + KEEP:
            for node in [node for node in nodes if nodes[node][6] < now - OLD]:
                del nodes[node]
            self.search.last_cleaning = int(now)

    def _board(
        self, seen: dict[str, Any], me: int, turn: int, rng: random.Random, mover: int | None = None, **change: Any
    ) -> Any:
        """The position as a board of the yardstick, beginning with the seat `mover` (by default `me`). `change`
        replaces `bank` or this seat's `tokens`, or gives it a `noble`."""
        n, mover, players = self.seats, me if mover is None else mover, seen["players"]
        board = np.zeros((32 + 10 * n + n * n, 7), np.int8)
        board[0, :6] = change.get("bank", seen["bank"])
        board[0, 6] = np.uint8(turn).astype(np.int8)
        for place, card in enumerate(card for row in seen["rows"] for card in row):
            board[1 + 2 * place : 3 + 2 * place] = rows_of(card)
        hidden = self._deal(board, seen, rng)
        for place, noble in enumerate(self.nobles):
            if noble in seen["nobles"] and noble != change.get("noble"):
                board[31 + place, :5], board[31 + place, 6] = NOBLES[noble], 3
        for near in range(n):
            seat = (mover + near) % n
            player = players[seat]
            board[32 + n + near, :6] = change.get("tokens", player["tokens"]) if seat == me else player["tokens"]
            for place, noble in enumerate(self.nobles):
                if noble in player["nobles"] or (noble == change.get("noble") and seat == me):
                    row = 32 + 2 * n + near * (n + 1) + place
                    board[row, :5], board[row, 6] = NOBLES[noble], 3
            for card in player["cards"]:
                board[32 + 3 * n + n * n + near, CARDS[card][1]] += 1
                board[32 + 3 * n + n * n + near, 6] += CARDS[card][4]
            for place, held in enumerate(player["reserved"]):
                row = 32 + 4 * n + n * n + 6 * near + 2 * place
                board[row : row + 2] = rows_of(held["card"] or hidden[seat, place])
        return board

    def _deal(self, board: Any, seen: dict[str, Any], rng: random.Random) -> dict[tuple[int, int], str]:
        """Deal the unseen cards. Write the decks on the board, and return the hidden reserved cards by seat and
        place."""
        known = {card for row in seen["rows"] for card in row}
        for player in seen["players"]:
            known.update(player["cards"], (held["card"] for held in player["reserved"]))
        hidden = {}
        for level in range(3):
            pool = sorted(card for card in CARDS if CARDS[card][0] == level and card not in known)
            rng.shuffle(pool)
            for seat, player in enumerate(seen["players"]):
                for place, held in enumerate(player["reserved"]):
                    if not held["card"] and held["level"] == level + 1:
                        hidden[seat, place] = pool.pop()
            counts, bits = [0] * 5, [0] * 5
            for card in pool:
                column, place = CARDS[card][2]
                counts[column] += 1
                bits[column] |= 128 >> place
            board[25 + 2 * level, :5] = counts
            board[26 + 2 * level, :5] = np.array(bits, np.uint8).astype(np.int8)
        return hidden

    def _best(self, choices: list[Any], seen: dict[str, Any], me: int, turn: int, changes: list[dict[str, Any]]) -> Any:
        """The choice with the best position for `me`, by the network's values at the start of the next turn; `changes`
        has the change of each choice."""
        following, rng = (me + 1) % self.seats, random.Random(1)
        boards = [self._board(seen, me, turn + 1, rng, following, **change) for change in changes]
        return choices[int(np.argmax(self.network.values(boards)[:, self.seats - 1]))]

    def _translate(
        self, action: int, seen: dict[str, Any], me: int, legal: list[str], turn: int
    ) -> tuple[str, str | None] | None:
        """An action of the yardstick as a decision and the tokens to return after it; `None` if it is illegal."""
        tokens, bank = seen["players"][me]["tokens"], seen["bank"]
        if action < RESERVE or BUY_RESERVED <= action < TAKE:
            hand = seen["players"][me]["reserved"]
            card = seen["rows"][action // 4][action % 4] if action < RESERVE else hand[action - BUY_RESERVED]["card"]
            return next(((notation, None) for notation in legal if notation.startswith(f"buy {card} ")), None)
        if action < BUY_RESERVED:
            place = action - RESERVE
            notation = f"reserve {seen['rows'][place // 4][place % 4] if place < 12 else f'L{place - 11}'}"
            return (notation, None) if notation in legal else None
        if action < PAIR:
            taken = TAKES[action - TAKE]
            if f"take {spell(taken)}" in legal:
                return f"take {spell(taken)}", None
            there = [colour for colour in range(5) if bank[colour]]
            others = [colour for colour in there if colour not in taken]
            more = min(3, len(there)) - len(taken)
            if more > 0 and sum(tokens) + min(3, len(there)) - LIMIT == more:
                return f"take {spell([*taken, *others[:more]])}", spell(others[:more])
            return None
        if action < GIVE:
            notation = f"take {KINDS[action - PAIR] * 2}"
            return (notation, None) if notation in legal else None
        return self._swap(seen, me, legal, turn) if sum(tokens) >= LIMIT - 2 else None

    def _swap(self, seen: dict[str, Any], me: int, legal: list[str], turn: int) -> tuple[str, str | None] | None:
        """The take and return that the yardstick's network values most; `None` if no take is legal."""
        tokens, bank = seen["players"][me]["tokens"], seen["bank"]
        choices: list[tuple[str, str | None]] = []
        changes = []
        for notation in legal:
            if notation.startswith("take "):
                taken = [notation[5:].count(kind) for kind in KINDS]
                held, left = _plus(tokens, taken), _minus(bank, taken)
                each = [kind for kind in range(6) for _ in range(held[kind])]
                for back in sorted(set(itertools.combinations(each, max(0, sum(held) - LIMIT)))):
                    given = [back.count(kind) for kind in range(6)]
                    choices.append((notation, spell(back) or None))
                    changes.append({"tokens": _minus(held, given), "bank": _plus(left, given)})
        if not choices:
            return None
        found: tuple[str, str | None] = self._best(choices[:MANY], seen, me, turn, changes[:MANY])
        return found


def _plus(one: list[int], other: list[int]) -> list[int]:
    return [left + right for left, right in zip(one, other, strict=True)]


def _minus(one: list[int], other: list[int]) -> list[int]:
    return [left - right for left, right in zip(one, other, strict=True)]
