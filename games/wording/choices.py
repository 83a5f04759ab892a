"""The decisions that the reader of a board can make now, with their words, as data for a browser that stages them."""

import msgspec
from markupsafe import Markup

from games.boards.common import Board, Option
from games.wording import board_words


class Choice(msgspec.Struct, omit_defaults=True):
    """A decision, with the controls that the reader touches to make it."""

    touches: tuple[str, ...]
    """The names of the controls: kinds of tokens (`w`), spaces (`c3`), a card, a deck (`L1`), a noble, a word."""
    moves: str
    """The decisions that its confirmation posts: those staged, and this one."""
    words: str = ""
    """The words of the button that confirms them; empty if another decision of the turn follows."""
    payment: str = ""
    """The tokens paid for a card. The first choice of a card pays with the least gold."""
    draft: str = ""
    """The draft with this decision, if it differs from `moves`."""
    fills: bool = False
    """Whether some of its controls suffice: the two ends of a line take its middle too."""


class Choices(msgspec.Struct):
    number: int
    """The number of the decision that a post is for."""
    draft: str
    """The current draft."""
    touched: tuple[str, ...]
    """The controls touched for the last piece of the draft."""
    unfinished: str
    """The words in place of the button while a piece of the draft is incomplete."""
    choices: list[Choice]
    """All legal decisions after the staged ones; empty unless the reader is to act."""


def dump(slug: str, board: Board) -> bytes:
    """`Choices` as JSON, in the reader's language."""
    title = board_words(slug)

    def choice(option: Option) -> Choice:
        words = "" if option.follows else title.confirm_words(option.pieces)
        draft = "" if option.draft == option.moves else option.draft
        return Choice(option.touches, option.moves, words, option.payment, draft, option.fills)

    unfinished = title.unfinished_words(board)
    return msgspec.json.encode(
        Choices(board.number, board.draft, tuple(board.touched), unfinished, list(map(choice, board.options)))
    )


def embedded(slug: str, board: Board) -> Markup:
    """The same for a script element, within which only “<” could end the text."""
    return Markup(dump(slug, board).decode().replace("<", r"\u003c"))
