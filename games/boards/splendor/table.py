"""Builds the market of the board: cards, decks, piles and nobles, each with the draft that a click leads to."""

from __future__ import annotations

from collections.abc import Iterator

from games.boards.gems import Deck, Level, holder_of, means, prices
from games.boards.splendor.market import After, Card, Need, Noble, Pile
from games.boards.splendor.moment import Moment
from games.rules import tokens
from games.rules.hand import DECKS
from games.rules.splendor.actions import PAIR_NEEDS, Buy, Reserve, Take
from games.rules.splendor.cards import CARDS, COLOURS, GOLD, KINDS, NOBLES
from games.rules.splendor.ruleset import supply
from games.rules.splendor.state import price

SEALS = {noble: f"seal-{index}" for index, noble in enumerate(NOBLES)}


def levels(now: Moment) -> Iterator[Level[Card]]:
    """The levels 3, 2, 1."""
    for name, level in reversed(DECKS.items()):
        deck = Deck(level, name, now.seen.decks[level - 1], _reserving(now, name), name in now.targets)
        row = enumerate(now.seen.rows[level - 1], 1)
        places = (face(now, card, f"T{level}-{place}") if card else None for place, card in row)
        yield Level(level, deck, tuple(places))


def _reserving(now: Moment, target: str) -> str | None:
    return now.link(now.options.reserves.get(target))


def face(now: Moment, name: str, slot: str = "") -> Card:
    card, payer = CARDS[name], now.pays_for(name)
    me, yours = None if payer is None else now.seen.players[payer], payer is not None and payer == now.reader
    bonuses = now.bonuses[payer] if payer is not None else (0,) * len(COLOURS)
    due = price(card, bonuses)
    purchases, staged = now.options.purchases.get(name, []), now.targets.get(name)
    buying = staged if isinstance(staged, Buy) else purchases[0] if purchases else None
    aimed = staged.word if staged else now.choice.word if now.choice.target == name else ""
    if me and buying:
        paid = buying.paid
        after = After(bonuses[card.bonus] + 1, me.points + card.prestige, sum(me.tokens) - sum(paid))
    else:
        paid, after = (*map(min, due, me.tokens), 0) if me else (*due, 0), None
    return Card(
        id=name,
        level=card.level,
        slot=slot,
        kind=COLOURS[card.bonus],
        points=card.prestige,
        prices=prices(COLOURS, card.cost, bonuses, due, me.tokens if me else (0,) * len(KINDS), paid),
        due=tokens.spell(due, COLOURS),
        printed=tokens.spell(card.cost, COLOURS),
        means=means(payer, due, me.tokens, COLOURS) if payer is not None and me else None,
        yours=yours,
        payment=tokens.spell(buying.paid, KINDS) if buying else "",
        after=after,
        rivals=tuple(
            means(index, price(card, now.bonuses[index]), now.seen.players[index].tokens, COLOURS)
            for index in now.order
            if index == holder_of(name, now.seen.players, index) and not (yours and index == payer)
        ),
        buy=now.link(purchases[0]) if purchases else None,
        pay=now.drafting.to(f"{Buy.word} {name} =") if len(purchases) > 1 else None,
        reserve=_reserving(now, name),
        chosen="buy" if aimed == Buy.word else "reserve" if aimed == Reserve.word else "",
        trace=now.traces.get(name),
    )


def pile(now: Moment, index: int) -> Pile:
    kind, number, picked = KINDS[index], now.before.bank[index], now.taken[index]
    take = now.tap(Take.word, index)
    return Pile(
        kind=kind,
        number=number,
        left=now.seen.bank[index] - now.moved[index],
        held=now.held[index] if now.held else None,
        picked=picked,
        pair=index != GOLD and number >= PAIR_NEEDS,
        supply=supply(len(now.seen.players))[index],
        takers=now.takers.get(kind, ()),
        take=now.untake(index) if picked and take is None else take,
    )


def nobles(now: Moment) -> Iterator[Noble]:
    """The nobles on the table, then those claimed."""
    owners = {noble: index for index in now.order for noble in now.seen.players[index].nobles}
    for name in (*now.seen.nobles, *owners):
        noble = NOBLES[name]
        yield Noble(
            id=name,
            points=noble.prestige,
            seal=SEALS[name],
            needs=tuple(
                Need(COLOURS[i], number, tuple(max(number - now.bonuses[seat][i], 0) for seat in now.order))
                for i, number in enumerate(noble.needs)
                if number
            ),
            owner=owners.get(name),
            choose=now.link(now.options.nobles.get(name)),
            chosen=name in now.targets,
        )
