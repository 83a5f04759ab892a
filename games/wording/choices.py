"""What the reader of a board may decide now, with the words of each, as data for a browser that stages it."""

from importlib import import_module

import msgspec

from games.boards.common import Board


class Choice(msgspec.Struct, omit_defaults=True):
    """A decision, by what is touched to make it."""

    touches: tuple[str, ...]
    """Names that controls have: kinds of tokens (`w`), spaces (`c3`), a card, a deck (`L1`), a noble, a word."""
    moves: str
    """What its confirmation posts: the decisions staged, and it."""
    words: str
    """What the button says that confirms them."""
    payment: str = ""
    """Of a card: the tokens paid. The first choice of a card pays with the least gold."""


class Choices(msgspec.Struct):
    number: int
    """Of the decision that a post is for."""
    draft: str
    """As it stands."""
    choices: list[Choice]
    """All that is legal after the decisions staged; none unless the reader is to act."""


def dump(slug: str, board: Board) -> bytes:
    """`Choices` as JSON, in the reader's language."""
    words = import_module(f"games.wording.{slug}_board").confirm_words
    choices = [Choice(option.touches, option.moves, words(option.pieces), option.payment) for option in board.options]
    return msgspec.json.encode(Choices(board.number, board.draft, choices))
