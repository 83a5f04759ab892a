"""Functions on the token board that several decisions share."""

from dataclasses import replace

from games.rules import tokens
from games.rules.base import BadNotation, IllegalAction
from games.rules.duel.cards import GOLD, KINDS, SPACES, SPIRAL
from games.rules.duel.state import EMPTY, Player, State
from games.rules.tokens import Tokens

ONE = {kind: tokens.single(index, KINDS) for index, kind in enumerate(KINDS)}
"""One token of each kind."""
TAKEABLE = KINDS[:GOLD]
"""Gems and pearls. Gold is taken only by reserving (D34)."""


def fill(board: str, drawn: tuple[str, ...]) -> str:
    """The board after the drawn tokens were placed one by one on the empty spaces, along the spiral (D5, D23)."""
    spaces = list(board)
    empty = (space for space in SPIRAL if spaces[space] == EMPTY)
    for token, space in zip(drawn, empty, strict=False):
        spaces[space] = token
    return "".join(spaces)


def lift(board: str, spaces: tuple[int, ...]) -> tuple[str, Tokens]:
    """The board without the tokens on those spaces, and the tokens lifted."""
    taken = (0,) * len(KINDS)
    for space in spaces:
        taken = tokens.add(taken, ONE[board[space]])
        board = board[:space] + EMPTY + board[space + 1 :]
    return board, taken


def space_named(text: str) -> int:
    if text not in SPACES:
        raise BadNotation("unknown_space", text=text[:40])
    return SPACES.index(text)


def check_takeable(state: State, space: int) -> None:
    if state.board[space] == EMPTY:
        raise IllegalAction("space_empty", space=SPACES[space])
    if state.board[space] == KINDS[GOLD]:
        raise IllegalAction("gold_only_by_reserving")


def richer(player: Player, gained: Tokens) -> Player:
    return replace(player, tokens=tokens.add(player.tokens, gained))
