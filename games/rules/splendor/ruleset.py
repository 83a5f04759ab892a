"""The ruleset of Splendor."""

from collections import Counter
from collections.abc import Collection, Iterator
from random import Random
from typing import ClassVar

from games.rules import chance, hand, tokens
from games.rules.base import Event, Outcome, Ruleset
from games.rules.splendor.actions import Buy, ChooseNoble, Pass, Reserve, Return, Take, earned
from games.rules.splendor.cards import CARDS, KINDS, LEVELS, NOBLES
from games.rules.splendor.state import (
    QUEUES,
    TARGET,
    Observation,
    Phase,
    Player,
    SeenPlayer,
    State,
)
from games.rules.trade import LIMIT

GEMS = {2: 4, 3: 5, 4: 7}
"""Gems of each colour in the bank, by number of seats (R4)."""
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
        """Set up a game (R1-R8). Seat 0 begins; the table draws who sits there (R8)."""
        if seats not in self.seats:
            raise ValueError(f"splendor has {self.seats} seats, not {seats}")
        decks = hand.shuffled(CARDS, seed)
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

    def outcome(self, state: State, out: Collection[int] = ()) -> Outcome | None:
        """The most prestige wins (R53, R58), then the fewest purchased cards (R59), then the victory is shared
        (R60)."""
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
        return list(self._malformed(state)) or list(self._broken(state))

    def _malformed(self, state: State) -> Iterator[str]:
        """Faults that make the other invariants meaningless: counts, names and places that do not exist."""
        seats, players = len(state.players), state.players
        if seats not in self.seats:
            yield f"{seats} players"
        if len(state.seed) != chance.SEED_BYTES or min(state.number, state.passes) < 0 or state.passes > seats:
            yield "seed, number or passes are out of range"
        if not 1 <= state.rules <= self.version:
            yield f"version {state.rules} of the rules is unknown"
        if state.to_act is not None and not 0 <= state.to_act < seats:
            yield f"seat {state.to_act} is to act"
        if state.phases not in (QUEUES if state.to_act is not None else ((),)):
            yield f"phases: {state.phases}"
        for counts in (state.bank, *(player.tokens for player in players)):
            if len(counts) != len(KINDS) or min(counts) < 0:
                yield f"tokens: {counts}"
        if len(state.decks) != len(LEVELS) or [len(row) for row in state.rows] != [PLACES] * len(LEVELS):
            yield "a level is missing, or a place"
        if Counter(_cards(state)) != Counter(CARDS.keys()):
            yield "cards: one is missing, double or unknown"
        nobles = [*state.nobles, *(noble for player in players for noble in player.nobles)]
        if not NOBLES.keys() >= set(nobles) or len(set(nobles)) != len(nobles) or len(nobles) != seats + 1:
            yield f"nobles: {nobles}"

    def _broken(self, state: State) -> Iterator[str]:
        held = state.bank
        for player in state.players:
            held = tokens.add(held, player.tokens)
        if held != supply(len(state.players)):
            yield f"tokens: {state.bank} in the bank, {held} in all"
        yield from hand.misplaced(state.decks, state.rows, refilled=True)
        for seat, player in enumerate(state.players):
            pending = state.phases if seat == state.to_act else ()
            if len(player.reserved) > hand.SIZE:
                yield f"seat {seat} holds {len(player.reserved)} reserved cards"
            if (sum(player.tokens) > LIMIT) != (Phase.RETURN in pending):
                yield f"seat {seat} keeps {sum(player.tokens)} tokens"
            if Phase.NOBLE in pending and not any(earned(state, player)):
                yield f"seat {seat} has earned no noble"
            if player.points >= TARGET and not state.last_round and pending in ((), (Phase.MAIN,)):
                yield f"seat {seat} has {player.points} points, and the round is not the last"
        best = max(player.points for player in state.players)
        if state.last_round and best < TARGET:
            yield f"the last round with {best} points"
        if state.to_act is None and not state.last_round and state.passes < len(state.players):
            yield "the game is over for no reason"


def _cards(state: State) -> Iterator[str]:
    yield from hand.face_up(state.rows)
    yield from (card for deck in state.decks for card in deck)
    for player in state.players:
        yield from player.cards
        yield from (reserved.card for reserved in player.reserved)


def supply(seats: int) -> tokens.Tokens:
    """All tokens of a game (R4)."""
    return (*(GEMS[seats],) * 5, GOLD_TOKENS)
