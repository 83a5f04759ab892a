"""The token rules that both titles share: paying for a card, and returning the excess at the end of a turn."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, Self, TypeVar

from games.rules import tokens
from games.rules.base import Action, BadNotation, IllegalAction, State
from games.rules.tokens import Tokens


class Holder(Protocol):
    """A player, who holds tokens."""

    @property
    def tokens(self) -> Tokens: ...


class Trading(State, Protocol):
    """The state of a title in which the player to act holds tokens."""

    @property
    def player(self) -> Holder:
        """The player to act."""


S = TypeVar("S", bound=Trading)

LIMIT = 10
"""How many tokens a player may keep at the end of a turn (R20, D69)."""


@dataclass(frozen=True, slots=True)
class Purchase(Action[S]):
    """Buy a card for exactly its price. Gold can stand for anything; the default payment spends the least gold."""

    card: str
    payment: Tokens | None = None
    word = "buy"
    kinds: ClassVar[str]
    cards: ClassVar[frozenset[str]]
    """The ids of all cards."""

    @classmethod
    @abstractmethod
    def prices(cls, state: S) -> Iterator[tuple[str, Tokens]]:
        """Each card for sale to the player to act, affordable or not, with its price in every kind but gold."""

    def due(self, state: S) -> Tokens:
        """The price of this card; raises `IllegalAction` if it is not for sale."""
        for card, due in self.prices(state):
            if card == self.card:
                return due
        raise IllegalAction("card_not_for_sale", card=self.card)

    @classmethod
    def parse(cls, text: str) -> Self:
        card, equals, payment = (part.strip() for part in text.partition("="))
        if card not in cls.cards:
            raise BadNotation("unknown_card", text=card[:40])
        return cls(card, tokens.parse(payment, cls.kinds) if equals else None)

    @classmethod
    def options(cls, state: S) -> Iterator[Self]:
        held = state.player.tokens
        for card, due in cls.prices(state):
            payment = tokens.least_gold(due, held)
            if payment[-1] <= held[-1]:
                yield cls(card, payment)

    def variants(self, state: S) -> Iterator[Self]:
        ways = tokens.payments(self.due(state), state.player.tokens)
        return (replace(self, payment=payment) for payment in ways if payment != self.payment)

    def completed(self, state: S) -> Self:
        if self.payment is not None:
            return self
        return replace(self, payment=tokens.least_gold(self.due(state), state.player.tokens))

    def check(self, state: S) -> None:
        due, held = self.due(state), state.player.tokens
        short = tokens.least_gold(due, held)[-1] - held[-1]
        if short > 0:
            raise IllegalAction("cannot_afford", card=self.card, short=short)
        if not tokens.within(self.paid, held):
            raise IllegalAction("tokens_not_held", tokens=tokens.spell(self.paid, self.kinds))
        if sum(self.paid) != sum(due) or not tokens.within(self.paid[:-1], due):
            raise IllegalAction("pay_exactly", card=self.card, due=tokens.spell((*due, 0), self.kinds))

    @property
    def paid(self) -> Tokens:
        """The payment of a complete action."""
        assert self.payment is not None
        return self.payment

    def __str__(self) -> str:
        return f"buy {self.card}" + (f" = {tokens.spell(self.payment, self.kinds)}" if self.payment else "")


@dataclass(frozen=True, slots=True)
class ReturnExcess(Action[S]):
    """Return tokens of the player's choice until exactly ten are left; gold and tokens just taken may be returned."""

    returned: Tokens
    word = "return"
    kinds: ClassVar[str]

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(tokens.parse(text, cls.kinds))

    @classmethod
    def options(cls, state: S) -> Iterator[Self]:
        held = state.player.tokens
        return map(cls, tokens.selections(held, sum(held) - LIMIT))

    def check(self, state: S) -> None:
        held = state.player.tokens
        if not tokens.within(self.returned, held):
            raise IllegalAction("tokens_not_held", tokens=self.text)
        if sum(self.returned) != sum(held) - LIMIT:
            raise IllegalAction("return_exactly", excess=sum(held) - LIMIT)

    @property
    def text(self) -> str:
        """The notation of the tokens."""
        return tokens.spell(self.returned, self.kinds)

    def __str__(self) -> str:
        return f"return {self.text}"
