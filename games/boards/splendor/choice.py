"""Reads drafts and finds the drafts that clicks lead to, using nothing but the legal actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.boards import common
from games.boards.common import Drafting, Link
from games.rules import tokens
from games.rules.base import Action, BadNotation
from games.rules.splendor.actions import Buy, ChooseNoble, Pass, Reserve, Return, Take
from games.rules.splendor.cards import KINDS
from games.rules.tokens import Tokens

NONE: Tokens = (0,) * len(KINDS)


class Options(common.Options):
    """The legal actions by the controls that the reader touches."""

    def __init__(self, actions: Sequence[Action[Any]]) -> None:
        super().__init__(actions)
        self.tokens: dict[str, dict[Tokens, Take | Return]] = {
            Take.word: {action.taken: action for action in self.of(Take)},
            Return.word: {action.returned: action for action in self.of(Return)},
        }
        """Actions by word and by the tokens they move."""
        self.purchases: dict[str, list[Buy]] = {}
        """Purchases by card; the default payment comes first."""
        for buy in self.of(Buy):
            self.purchases.setdefault(buy.card, []).append(buy)
        self.reserves = {reserve.target: reserve for reserve in self.of(Reserve)}
        self.nobles = {choice.noble: choice for choice in self.of(ChooseNoble)}
        self.passing = next(iter(self.of(Pass)), None)

    def fitting(self, word: str, chosen: Tokens) -> list[Tokens]:
        """The legal takes or returns that include the chosen tokens."""
        return [whole for whole in self.tokens.get(word, ()) if tokens.within(chosen, whole)]

    def grows(self, word: str, chosen: Tokens) -> bool:
        """Whether more tokens can be chosen."""
        return any(whole != chosen for whole in self.fitting(word, chosen))


@dataclass(frozen=True, slots=True)
class InHand:
    """The piece in hand, as far as it leads to a legal action. `action` is set once it is complete."""

    word: str = ""
    action: Action[Any] | None = None
    tokens: Tokens = NONE
    """The tokens chosen to take or return."""
    target: str = ""
    """The chosen card, deck or noble."""

    @property
    def text(self) -> str:
        """The piece as text of the draft."""
        if self.action is not None:
            return str(self.action)
        if self.word == Buy.word:
            return f"{Buy.word} {self.target} ="
        return spelled(self.word, self.tokens)


def spelled(word: str, chosen: Tokens) -> str:
    """The piece that takes or returns these tokens; empty for none."""
    return f"{word} {tokens.spell(chosen, KINDS)}" if any(chosen) else ""


def read(text: str, options: Options) -> InHand:
    """The piece in hand; empty if it leads to no legal action."""
    word, _, rest = (part.strip() for part in text.strip().partition(" "))
    if word in options.tokens:
        return _tokens(word, rest, options)
    if word == Buy.word:
        return _buy(rest, options)
    if word == Reserve.word and rest in options.reserves:
        return InHand(word, options.reserves[rest], target=rest)
    if word == ChooseNoble.word and rest in options.nobles:
        return InHand(word, options.nobles[rest], target=rest)
    return InHand(word, options.passing) if word == Pass.word and options.passing and not rest else InHand()


def _tokens(word: str, text: str, options: Options) -> InHand:
    try:
        chosen = tokens.parse(text, KINDS)
    except BadNotation:
        return InHand()
    leads_on = any(chosen) and options.fitting(word, chosen)
    return InHand(word, options.tokens[word].get(chosen), chosen) if leads_on else InHand()


def _buy(text: str, options: Options) -> InHand:
    card, equals, payment = (part.strip() for part in text.partition("="))
    purchases = options.purchases.get(card)
    if not purchases:
        return InHand()
    if not equals or (not payment and len(purchases) == 1):
        return InHand(Buy.word, purchases[0], target=card)
    if not payment:
        return InHand(Buy.word, target=card)
    try:
        action = Buy.parse(text)
    except BadNotation:
        return InHand()
    return InHand(Buy.word, action, target=card) if action in purchases else InHand()


# --- where clicks on tokens lead ---


def tapped(word: str, kind: int, choice: InHand, options: Options) -> Tokens | None:
    """The chosen tokens after a click on one of that kind: one more, or none of that kind if no more are possible. A
    single choice is replaced by another."""
    chosen = choice.tokens if choice.word == word else NONE
    one = tokens.single(kind, KINDS)
    more = tokens.add(chosen, one)
    if options.fitting(word, more):
        return more
    if chosen[kind]:
        return without(chosen, kind)
    return one if sum(chosen) == 1 and chosen in options.tokens[word] and options.fitting(word, one) else None


def without(chosen: Tokens, kind: int) -> Tokens:
    """The tokens without any of that kind."""
    return (*chosen[:kind], 0, *chosen[kind + 1 :])


def undone(drafting: Drafting, staged: Sequence[Action[Any]], choice: InHand) -> Link:
    """The draft without its last token, or without its last piece."""
    if choice.word:
        return drafting.to(_shorter(choice.word, choice.tokens))
    match staged:
        case (*before, Take(taken=moved) | Return(returned=moved) as last):
            return drafting.instead(len(before), _shorter(last.word, moved))
        case (*before, _):
            return drafting.instead(len(before))
    return None


def _shorter(word: str, chosen: Tokens) -> str:
    """The piece without the last of these tokens."""
    kind = max((kind for kind, number in enumerate(chosen) if number), default=0)
    return spelled(word, tokens.subtract(chosen, tokens.single(kind, KINDS))) if any(chosen) else ""
