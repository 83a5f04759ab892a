"""Builds the decision that the reader is asked for, and the state of the draft."""

from __future__ import annotations

from collections.abc import Iterator

from games.boards.common import join
from games.boards.gems import Deck, Give, amounts
from games.boards.splendor.market import Card, Noble
from games.boards.splendor.moment import Moment
from games.boards.splendor.parts import Decision, Doing, Payment, Share
from games.rules import tokens
from games.rules.splendor.actions import Buy, Reserve, Return, Take
from games.rules.splendor.cards import GOLD, KINDS
from games.rules.splendor.state import Phase
from games.rules.trade import LIMIT


def decide(now: Moment, cards: list[Card], decks: list[Deck], nobles: tuple[Noble, ...]) -> Decision:
    """The decision for a reader who sees these cards, decks and nobles."""
    choice, options = now.choice, now.options
    total = sum(now.held or ()) + sum(now.given)
    word = choice.word if choice.word in options.tokens else Return.word
    sizes = [sum(whole) for whole in options.fitting(word, choice.tokens)]
    return Decision(
        doing=_doing(now),
        taken="".join(kind * number for kind, number in zip(KINDS, now.taken, strict=True)),
        missing=max(sizes, default=sum(choice.tokens)) - sum(choice.tokens),
        again=choice.word == Take.word and bool(options.fitting(Take.word, tokens.add(choice.tokens, choice.tokens))),
        total=total,
        excess=max(total - LIMIT, 0),
        gives=tuple(_gives(now)),
        card=next((card for card in cards if card.chosen), None),
        deck=next((deck for deck in decks if deck.chosen), None),
        gold=now.seen.bank[GOLD] > 0,
        shares=tuple(_shares(now)),
        payments=tuple(_payments(now)),
        nobles=tuple(noble for noble in nobles if noble.choose),
        passing=now.link(options.passing),
        buyable=tuple(sorted((card for card in cards if card.buy), key=lambda card: card.state == "gold")),
        pieces=tuple(map(now.piece, now.confirmed)),
        confirm=join(now.confirmed) or None,
        onward=now.onward(choice.action),
        undo=now.undo,
    )


def _doing(now: Moment) -> Doing:
    choice, options = now.choice, now.options
    if now.before.to_act is None:
        return "over"
    if now.reader is None:
        return "look"
    if now.before.to_act != now.reader or not (options.all or now.staged):
        return "wait"
    if choice.word in (Take.word, Reserve.word, Buy.word):
        return "pay" if choice.action is None and choice.word == Buy.word else choice.word  # type: ignore[return-value]
    if not options.all:
        return "done"
    return {Phase.MAIN: "main", Phase.RETURN: "return", Phase.NOBLE: "noble"}[now.seen.phases[0]]  # type: ignore[return-value]


def _gives(now: Moment) -> Iterator[Give]:
    if not now.options.tokens[Return.word] or not now.held:
        return
    for index, (kind, left, given) in enumerate(zip(KINDS, now.held, now.given, strict=True)):
        if left + given:
            yield Give(kind, left, given, now.tap(Return.word, index))


def _payments(now: Moment) -> Iterator[Payment]:
    purchases = now.options.purchases.get(now.choice.target, []) if now.choice.word == Buy.word else []
    for buy in purchases if len(purchases) > 1 else ():
        yield Payment(tokens.spell(buy.paid, KINDS), amounts(buy.paid, KINDS), now.drafting.to(str(buy)))


def _shares(now: Moment) -> Iterator[Share]:
    buy = now.choice.action
    if not isinstance(buy, Buy) or not any(buy.paid):
        return
    ways = {other.paid: other for other in now.options.purchases[buy.card]}

    def swap(gone: int, come: int) -> str | None:
        shifted = tokens.add(buy.paid, tokens.single(come, KINDS))
        return now.link(ways.get(tokens.subtract(shifted, tokens.single(gone, KINDS))))

    for index, number in enumerate(buy.paid):
        less, more = (None, None) if index == GOLD else (swap(index, GOLD), swap(GOLD, index))
        if number or more:
            yield Share(KINDS[index], number, less, more)
