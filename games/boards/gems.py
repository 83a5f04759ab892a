"""Parts that the boards of Splendor and Duel share: tokens, levels of cards, means to buy them, and traces of
others."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from games.boards.common import Link, Payer
from games.rules import tokens
from games.rules.base import Event
from games.rules.tokens import Tokens

GEMS = {
    "w": "white",
    "u": "blue",
    "g": "green",
    "r": "red",
    "k": "black",
    "p": "pearl",
    "*": "gold",
}
"""The name of each kind of token in styles and drawings."""

Face = TypeVar("Face")
"""A card as drawn by its title."""


def numeral(level: int) -> str:
    """The level as a Roman numeral, as on cards and decks."""
    return "I" * level


def holder_of(card: str, players: Sequence[Any], otherwise: int) -> int:
    """The seat that has reserved the card and alone can buy it; `otherwise` if nobody has."""
    holders = (seat for seat, player in enumerate(players) if any(kept.card == card for kept in player.reserved))
    return next(holders, otherwise)


class Levelled:
    """A part with one of the three levels."""

    __slots__ = ()
    level: int

    @property
    def numeral(self) -> str:
        return numeral(self.level)


class Coloured:
    """A part with a kind of token, by the letter of the rules; empty for none."""

    __slots__ = ()
    kind: str

    @property
    def gem(self) -> str:
        return GEMS.get(self.kind, "")


@dataclass(frozen=True, slots=True)
class Give(Coloured):
    """A kind of token in the return picker."""

    kind: str
    left: int
    """The number held after the return."""
    given: int
    tap: Link


@dataclass(frozen=True, slots=True)
class Amount(Coloured):
    """A number of tokens of one kind."""

    kind: str
    number: int


def amounts(counts: Tokens, kinds: str) -> tuple[Amount, ...]:
    """The kinds with a number above 0."""
    return tuple(Amount(kind, number) for kind, number in zip(kinds, counts, strict=True) if number)


@dataclass(frozen=True, slots=True)
class Means(Coloured):
    """Whether a player can pay for a card with the tokens they hold.

    `state` is `buy`, `gold` (with `gold` gold tokens), `short` (by `short` tokens; `kind` if all are of one kind)
    or `joker` (no card with a bonus to attach it to).
    """

    seat: int
    state: str
    gold: int = 0
    short: int = 0
    kind: str = ""


def means(seat: int, due: Tokens, held: Tokens, kinds: str) -> Means:
    """Whether that seat, which holds these tokens, can pay the price `due`; its kinds are the first of `kinds`."""
    gold = tokens.least_gold(due, held)[-1]
    if gold <= held[-1]:
        return Means(seat, "gold" if gold else "buy", gold=gold)
    lacking = [kind for kind, owed, there in zip(kinds, due, held, strict=False) if owed > there]
    return Means(seat, "short", short=gold - held[-1], kind=lacking[0] if len(lacking) == 1 else "")


@dataclass(frozen=True, slots=True)
class Price(Coloured):
    """The price of a card in one kind of token."""

    kind: str
    printed: int
    bonus: int
    """The part that the bonuses of the player who would pay cover; 0 with printed prices."""
    due: int
    """The rest."""
    held: int
    """The number of tokens of that kind that this player holds."""
    paid: int
    """The part of `due` that is paid with tokens of that kind."""

    @property
    def gold(self) -> int:
        """The part of `due` that gold pays for."""
        return self.due - self.paid


def prices(kinds: str, printed: Tokens, bonuses: Tokens, due: Tokens, held: Tokens, paid: Tokens) -> tuple[Price, ...]:
    """The price of a card in each kind that it costs."""
    rows = zip(kinds, printed, map(min, bonuses, printed), due, held, paid, strict=False)
    return tuple(Price(*row) for row in rows if row[1])


def payer_of(payer: Payer, reader: int | None) -> int | None:
    """The seat whose prices are shown; `None` for the printed ones."""
    return reader if payer == "me" else None if payer == "printed" else payer


@dataclass(frozen=True, slots=True)
class Deck(Levelled):
    level: int
    name: str
    """The notation of the deck."""
    left: int
    reserve: Link
    chosen: bool


@dataclass(frozen=True, slots=True)
class Level(Generic[Face]):
    number: int
    deck: Deck
    places: tuple[Face | None, ...]
    """The cards in its places; `None` for an empty place."""


@dataclass(frozen=True, slots=True)
class Kept(Levelled, Generic[Face]):
    """A reserved card. `card` is `None` if it is hidden from the reader; `blind` cards are hidden from the others."""

    level: int
    blind: bool
    card: Face | None


@dataclass(frozen=True, slots=True)
class Trace:
    """Another seat took the card that was here before: `bought` or `reserved`."""

    seat: int
    verb: str
    points: int
    tint: str
    """The gem of its bonus; `wild` for a joker, `none` for a card without a bonus."""


def traces(
    since: Sequence[Event], reader: int | None, looks: Callable[[str], tuple[int, str]]
) -> Iterator[tuple[str, Trace]]:
    """Traces by the card that replaced the one taken. `looks` returns points and tint of a card."""
    last: Event | None = None
    for event in since:
        if event.code in ("bought", "reserved"):
            last = event
        elif event.code == "revealed" and last and last.facts["seat"] != reader:
            yield str(event.facts["card"]), Trace(int(last.facts["seat"]), last.code, *looks(str(last.facts["card"])))
