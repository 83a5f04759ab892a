"""What the boards of all titles share: the names of gems, and how a draft is written.

A draft is what a reader has staged, in one text for the address: decisions joined by `;`, as in `take wug;return k`.
What stands before the last `;` is complete and tried out; what follows is the piece in hand, complete or not.
"""

GEMS = {
    "w": "white",
    "u": "blue",
    "g": "green",
    "r": "red",
    "k": "black",
    "p": "pearl",
    "*": "gold",
}
"""The name that styles and drawings have for each kind of token."""

BETWEEN = ";"
"""Stands between the pieces of a draft."""


def split(draft: str) -> tuple[list[str], str]:
    """The staged decisions and the piece in hand, which may be empty."""
    *staged, piece = (text.strip() for text in draft.split(BETWEEN))
    return [text for text in staged if text], piece
