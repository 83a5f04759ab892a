"""The ruleset of Splendor."""

from collections import Counter
from collections.abc import Collection
from random import Random
from typing import ClassVar

from games.rules import chance, hand, tokens
from games.rules.base import Event, Outcome, Ruleset
from games.rules.codec import Json
from games.rules.splendor.actions import Buy, ChooseNoble, Pass, Reserve, Return, Take
from games.rules.splendor.cards import CARDS, KINDS, LEVELS, NOBLES
from games.rules.splendor.state import (
    Observation,
    Phase,
    Player,
    SeenPlayer,
    State,
)
from games.rules.trade import LIMIT

GEMS = {2: 4, 3: 5, 4: 7}
"""Gems of each colour in the supply, by the number of seats (R4)."""
GOLD_TOKENS = 5
PLACES = 4
"""Face-up cards of each level (R6)."""


class Splendor(Ruleset[State, Observation]):
    slug = "splendor"
    name = "Splendor"
    version = 2
    seats = range(2, 5)
    actions: ClassVar = {
        Phase.MAIN: (Take, Reserve, Buy, Pass),
        Phase.RETURN: (Return,),
        Phase.NOBLE: (ChooseNoble,),
    }
    state_type = State

    def initial(self, seats: int, seed: bytes) -> State:
        """R1-R8. Who sits in seat 0, and so begins (R8), is drawn by the table."""
        if seats not in self.seats:
            raise ValueError(f"splendor has {self.seats} seats, not {seats}")
        decks = [
            chance.shuffle(
                seed,
                f"level-{level}",
                0,
                [card.id for card in CARDS.values() if card.level == level],
            )
            for level in LEVELS
        ]
        return State(
            seed=seed,
            number=0,
            bank=supply(seats),
            decks=tuple(deck[PLACES:] for deck in decks),
            rows=tuple(deck[:PLACES] for deck in decks),
            nobles=chance.shuffle(seed, "nobles", 0, list(NOBLES))[: seats + 1],
            players=(Player(),) * seats,
            to_act=0,
            phases=(Phase.MAIN,),
            last_round=False,
            passes=0,
            rules=self.version,
        )

    def observe(self, state: State, seat: int | None) -> Observation:
        return Observation(
            seat=seat,
            number=state.number,
            bank=state.bank,
            decks=tuple(map(len, state.decks)),
            rows=state.rows,
            nobles=state.nobles,
            players=tuple(
                SeenPlayer(
                    tokens=player.tokens,
                    cards=player.cards,
                    reserved=hand.observe(player.reserved, owner=owner == seat),
                    nobles=player.nobles,
                )
                for owner, player in enumerate(state.players)
            ),
            to_act=state.to_act,
            phases=state.phases,
            last_round=state.last_round,
            passes=state.passes,
        )

    def show(self, event: Event, seat: int | None) -> Event | None:
        return hand.show(event, seat)

    def determinize(self, seen: Observation, rng: Random) -> State:
        open_cards = [card for row in seen.rows for card in row]
        open_cards += [card for player in seen.players for card in player.cards]
        hands, decks = hand.determinize([player.reserved for player in seen.players], CARDS, open_cards, rng)
        return State(
            seed=rng.randbytes(chance.SEED_BYTES),
            number=seen.number,
            bank=seen.bank,
            decks=decks,
            rows=seen.rows,
            nobles=seen.nobles,
            players=tuple(
                Player(player.tokens, player.cards, reserved, player.nobles)
                for player, reserved in zip(seen.players, hands, strict=True)
            ),
            to_act=seen.to_act,
            phases=seen.phases,
            last_round=seen.last_round,
            passes=seen.passes,
            rules=self.version,
        )

    def load(self, data: Json) -> State:
        """Version 1 of the rules was not written down."""
        return super().load({"rules": 1} | data)

    def outcome(self, state: State, out: Collection[int] = ()) -> Outcome | None:
        """Most prestige (R53, R58), then fewest purchased cards (R59), then a shared victory (R60)."""
        if state.to_act is not None:
            return None
        scores = tuple(player.points for player in state.players)
        seats = [seat for seat in range(len(scores)) if seat not in out]
        if not seats:
            return Outcome((), scores)
        best = max(scores[seat] for seat in seats)
        leaders = [seat for seat in seats if scores[seat] == best]
        fewest = min(len(state.players[seat].cards) for seat in leaders)
        winners = tuple(seat for seat in leaders if len(state.players[seat].cards) == fewest)
        reason = "prestige" if len(leaders) == 1 else "fewest_cards" if len(winners) == 1 else "shared"
        return Outcome(winners, scores, reason)

    def faults(self, state: State) -> list[str]:
        """The invariants listed at the end of `docs/rules/splendor.md`."""
        faults = []
        seats = len(state.players)
        held = state.bank
        for player in state.players:
            held = tokens.add(held, player.tokens)
        if held != supply(seats) or min(state.bank + sum((player.tokens for player in state.players), ())) < 0:
            faults.append(f"tokens: {tokens.spell(state.bank, KINDS)} in the supply, {held} in all")
        places = [card for row in state.rows for card in row if card is not None]
        hands = [reserved.card for player in state.players for reserved in player.reserved]
        bought = [card for player in state.players for card in player.cards]
        undealt = [card for deck in state.decks for card in deck]
        if Counter(places + hands + bought + undealt) != Counter(CARDS.keys()):
            faults.append("cards: one is missing, double or unknown")
        for level, row, deck in zip(LEVELS, state.rows, state.decks, strict=True):
            if {CARDS[card].level for card in (*row, *deck) if card is not None} - {level}:
                faults.append(f"level {level} holds a card of another level")
            if len(row) != PLACES or (None in row and deck):
                faults.append(f"level {level} has an empty place")
        nobles = [*state.nobles, *(noble for player in state.players for noble in player.nobles)]
        if len(set(nobles)) != len(nobles) or len(nobles) != seats + 1:
            faults.append(f"nobles: {nobles}")
        for seat, player in enumerate(state.players):
            if len(player.reserved) > hand.SIZE:
                faults.append(f"seat {seat} holds {len(player.reserved)} reserved cards")
            if sum(player.tokens) > LIMIT and (seat != state.to_act or Phase.RETURN not in state.phases):
                faults.append(f"seat {seat} keeps {sum(player.tokens)} tokens")
        if (state.to_act is None) != (not state.phases):
            faults.append("the queue is empty exactly when the game is over")
        return faults


def supply(seats: int) -> tokens.Tokens:
    """All tokens of a game (R4)."""
    return (*(GEMS[seats],) * 5, GOLD_TOKENS)
