"""The cards of the board: face up, reserved, and royal."""

from __future__ import annotations

from collections.abc import Iterator

from games.boards.common import Link
from games.boards.duel.moment import Moment, tint_of
from games.boards.duel.parts import Face, Royal
from games.boards.gems import Deck, Level, Means, amounts, holder_of, means, prices
from games.rules import tokens
from games.rules.duel.actions import ChooseRoyal, Reserve
from games.rules.duel.cards import CARDS, COLOURS, KINDS, ROYALS, Card
from games.rules.duel.state import price
from games.rules.hand import DECKS
from games.rules.tokens import Tokens

SEALS = {name: f"seal-{number}" for number, name in enumerate(ROYALS, start=5)}


def level(now: Moment, index: int) -> Level[Face]:
    places: list[Face | None] = []
    for place, card in enumerate(now.seen.pyramid[index]):
        shown = card or now.before.pyramid[index][place]
        places.append(face(now, shown, f"T{index + 1}-{place + 1}") if shown else None)
    return Level(index + 1, _deck(now, index + 1), tuple(places))


def _deck(now: Moment, level: int) -> Deck:
    name = next(name for name, number in DECKS.items() if number == level)
    return Deck(level, name, now.seen.decks[level - 1], reserving(now, name), name in now.targets)


def face(now: Moment, name: str, slot: str) -> Face:
    if (name, slot) not in now.faces:
        now.faces[name, slot] = _face(now, name, slot)
    return now.faces[name, slot]


def _face(now: Moment, name: str, slot: str) -> Face:
    card, payer = CARDS[name], now.pays_for(name)
    yours = payer is not None and payer == now.reader
    tint = tint_of(card)
    bonuses = (*(now.bonuses[payer] if payer is not None else (0,) * len(COLOURS)), 0)
    due = price(card, bonuses[:-1])
    held = now.seen.players[payer].tokens if payer is not None else (0,) * len(KINDS)
    paid = tokens.least_gold(due, held)
    purchases = now.options.purchases.get(name)
    return Face(
        id=name,
        level=card.level,
        slot=slot,
        art=f"art-{card.level}-{tint}",
        tint=tint,
        points=card.prestige,
        crowns=tuple(range(card.crowns)),
        abilities=tuple(str(ability) for ability in card.abilities if ability != "none"),
        bonus=tint if card.bonus is not None else "",
        bonus_kind=COLOURS[card.bonus] if card.bonus is not None else "",
        double=card.bonus_count == 2,
        joker=card.joker,
        prices=prices(KINDS, card.cost, bonuses, due, held, paid),
        free=not any(due),
        means=_means(now, payer, card, due) if payer is not None else None,
        yours=yours,
        rivals=tuple(_rivals(now, name, payer if yours else None)),
        staged=name in now.targets,
        buy=now.drafting.to(str(purchases[0])) if purchases else None,
        payment=amounts(paid, KINDS),
        reserve=reserving(now, name),
        trace=now.traces.get(name),
    )


def slot_of(now: Moment, name: str) -> str:
    """The slot of the card before the draft."""
    for index, row in enumerate(now.before.pyramid):
        if name in row:
            return f"T{index + 1}-{row.index(name) + 1}"
    return ""


def reserving(now: Moment, target: str) -> Link:
    """The draft that reserves the target; its gold is still to choose unless there is only one."""
    golds = list(now.options.golds.get(target, {}).values())
    if not golds:
        return None
    return now.drafting.to(str(golds[0]) if len(golds) == 1 else f"{Reserve.word} {target}")


def royal_card(now: Moment, name: str) -> Royal:
    royal = ROYALS[name]
    owner = next((seat for seat, player in enumerate(now.seen.players) if name in player.royals), None)
    return Royal(
        id=name,
        points=royal.prestige,
        ability="" if royal.ability == "none" else str(royal.ability),
        seal=SEALS[name],
        owner=owner,
        draft=now.link(next((action for action in now.options.of(ChooseRoyal) if action.royal == name), None)),
        chosen=now.choice.royal == name,
    )


def _rivals(now: Moment, name: str, told: int | None) -> Iterator[Means]:
    card = CARDS[name]
    for seat in range(len(now.seen.players)):
        if seat != told and seat == holder_of(name, now.seen.players, seat):
            yield _means(now, seat, card, price(card, now.bonuses[seat]))


def _means(now: Moment, seat: int, card: Card, due: Tokens) -> Means:
    player = now.seen.players[seat]
    return Means(seat, "joker") if card.joker and not player.colours else means(seat, due, player.tokens, KINDS)
