"""Where clicks lead: to a draft that some legal notation continues. Reading notations, and nothing else."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.boards.common import BETWEEN
from games.rules.base import Action


def join(staged: Sequence[str], piece: str = "") -> str:
    """The text of a draft."""
    return BETWEEN.join((*staged, piece))


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft amid what is legal after its staged decisions."""

    staged: tuple[str, ...]
    piece: str
    """The decision in the making, its tokens in order; empty if it is none or leads nowhere."""
    kinds: str
    """The kinds of tokens of the title, in order."""
    legal: dict[str, Action[Any]]
    """By notation."""

    @classmethod
    def read(cls, staged: Sequence[str], piece: str, kinds: str, legal: Sequence[Action[Any]]) -> "Draft":
        draft = cls(tuple(staged), "", kinds, {str(action): action for action in legal})
        word, _, rest = piece.strip().partition(" ")
        card, equals, payment = (part.strip() for part in rest.partition("="))
        ways = draft.ways(f"{word} {card} =")
        if ways:
            choosing = equals and (payment or len(ways) > 1)
            tidy = f"{word} {card} = {draft.order(payment)}".strip() if choosing else ways[0]
        else:
            tidy = f"{word} {draft.order(rest)}".strip() if set(rest) <= set(kinds) else f"{word} {rest}"
        fits = tidy in draft.legal or (bool(draft.ways(tidy)) if equals else draft.goes_on(tidy))
        return cls(draft.staged, tidy if fits else "", kinds, draft.legal)

    @property
    def text(self) -> str:
        return self.on(self.piece)

    @property
    def word(self) -> str:
        """The word of the unfinished piece."""
        return self.piece.partition(" ")[0]

    @property
    def rest(self) -> str:
        """What follows the word."""
        return self.piece.partition(" ")[2]

    @property
    def action(self) -> Action[Any] | None:
        """The piece, if it is complete."""
        return self.legal.get(self.piece)

    @property
    def confirm(self) -> str | None:
        """The draft as it may be confirmed: its last piece is complete, and the seat has nothing else to decide."""
        if self.action or (self.staged and not self.piece and not self.legal):
            return self.text.removesuffix(BETWEEN)
        return None

    @property
    def undo(self) -> str | None:
        """The draft without its last token, or else without its last piece."""
        *before, last = (*self.staged, self.piece) if self.piece else self.staged or ("",)
        word, _, rest = last.partition(" ")
        shorter = f"{word} {rest[:-1]}" if len(rest) > 1 and set(rest) <= set(self.kinds) else ""
        return join(before, shorter) if last else None

    def order(self, letters: str) -> str:
        return "".join(sorted(letters, key=f"{self.kinds}-".find))

    def ways(self, start: str) -> list[str]:
        """The legal notations that begin so; of a purchase the default payment comes first."""
        return [notation for notation in self.legal if notation.startswith(start)]

    def fitting(self, piece: str) -> list[str]:
        """The legal notations that have the tokens of this piece, and perhaps more."""
        word, _, chosen = piece.partition(" ")
        if not set(chosen) <= set(self.kinds):
            return []
        start, wanted = len(word) + 1, Counter(chosen).items()
        ways = self.ways(f"{word} ")
        return [way for way in ways if all(way.count(kind, start) >= number for kind, number in wanted)]

    def goes_on(self, piece: str) -> bool:
        """Whether the piece has tokens, and may end as a legal notation."""
        return piece.partition(" ")[2] != "" and bool(self.fitting(piece))

    def grows(self, piece: str) -> bool:
        """Whether some legal notation has these tokens and more."""
        return any(len(way) > len(piece) for way in self.fitting(piece))

    def on(self, piece: str) -> str:
        """The draft with that piece in hand."""
        return join(self.staged, piece)

    def to(self, piece: str) -> str | None:
        """The draft with that piece in hand, if it is legal or leads somewhere."""
        return self.on(piece) if piece in self.legal or self.goes_on(piece) else None

    def tap(self, word: str, kind: str) -> str | None:
        """The draft after a click on a token: one more of its kind, or none of it if no more are possible. A lone
        choice gives way to another."""
        chosen = self.rest if self.word == word else ""
        more = self.to(f"{word} {self.order(chosen + kind)}")
        if more is not None:
            return more
        if kind in chosen:
            fewer = chosen.replace(kind, "")
            return self.on(f"{word} {fewer}" if fewer else "")
        return self.to(f"{word} {kind}") if len(chosen) == 1 and f"{word} {chosen}" in self.legal else None
