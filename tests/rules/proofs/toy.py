"""A third title, as small as possible: the contract holds for it without any change to the base.

It has nine numbered cards. In turn, each seat draws one blind or stops for good; with no card left, it stops unasked.
The seat nearest to 15, but not above it, wins.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar, Self

from games.rules import chance
from games.rules.base import Action, BadNotation, Event, IllegalAction, Outcome, Ruleset, Step
from tests.rules.proofs import Place

CARDS = tuple(range(1, 10))
TARGET = 15


@dataclass(frozen=True, slots=True)
class State:
    seed: bytes
    number: int
    deck: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    stopped: tuple[int, ...]
    to_act: int | None
    phases: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<toy state {self.number}>"

    def step(self, event: Event, *, reveals: bool) -> Step["State"]:
        """This state as the result of an action: the turn passes to the next seat that has not stopped."""
        seats = len(self.hands)
        following = [(self.seat + ahead) % seats for ahead in range(1, seats + 1)]
        waiting = [seat for seat in following if seat not in self.stopped]
        if not waiting:
            return Step(replace(self, to_act=None, phases=()), (event, Event("game_over")), reveals)
        return Step(replace(self, to_act=waiting[0]), (event,), reveals)

    @property
    def seat(self) -> int:
        assert self.to_act is not None
        return self.to_act


@dataclass(frozen=True, slots=True)
class Player:
    """The figures of a seat that the site shows: its number of cards, since their sum is hidden."""

    points: int
    tokens: tuple[int, ...] = ()
    bonuses: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    seat: int | None
    number: int
    deck: int
    hands: tuple[tuple[int | None, ...], ...]
    stopped: tuple[int, ...]
    to_act: int | None
    phases: tuple[str, ...]

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(Player(len(hand)) for hand in self.hands)


@dataclass(frozen=True, slots=True)
class Draw(Action[State]):
    word = "draw"

    @classmethod
    def parse(cls, text: str) -> Self:
        if text:
            raise BadNotation("nothing_follows", text=text)
        return cls()

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        if state.deck:
            yield cls()

    def check(self, state: State) -> None:
        if not state.deck:
            raise IllegalAction("deck_empty")

    def play(self, state: State) -> Step[State]:
        card, *deck = state.deck
        hand = (*state.hands[state.seat], card)
        hands = (*state.hands[: state.seat], hand, *state.hands[state.seat + 1 :])
        after = replace(state, deck=tuple(deck), hands=hands)
        return after.step(Event("drew", seat=state.seat, card=card), reveals=True)

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Stop(Action[State]):
    word = "stop"
    settles = True

    @classmethod
    def parse(cls, text: str) -> Self:
        if text:
            raise BadNotation("nothing_follows", text=text)
        return cls()

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        yield cls()

    def check(self, state: State) -> None:
        pass

    def play(self, state: State) -> Step[State]:
        after = replace(state, stopped=(*state.stopped, state.seat))
        return after.step(Event("stopped", seat=state.seat), reveals=False)

    def __str__(self) -> str:
        return "stop"


class Toy(Ruleset[State, Observation]):
    slug = "toy"
    name = "Toy"
    version = 1
    seats = range(2, 4)
    actions: ClassVar = {"turn": (Draw, Stop)}
    state_type = State

    def initial(self, seats: int, seed: bytes) -> State:
        deck = chance.shuffle(seed, "deck", 0, CARDS)
        return State(seed, 0, deck, ((),) * seats, (), 0, ("turn",))

    def observe(self, state: State, seat: int | None) -> Observation:
        hands = tuple(hand if owner == seat else (None,) * len(hand) for owner, hand in enumerate(state.hands))
        return Observation(seat, state.number, len(state.deck), hands, state.stopped, state.to_act, state.phases)

    def show(self, event: Event, seat: int | None) -> Event | None:
        hide = event.code == "drew" and event.facts["seat"] != seat
        return Event("drew", seat=event.facts["seat"]) if hide else event

    def determinize(self, seen: Observation, rng: Random) -> State:
        unseen = [card for card in CARDS if not any(card in hand for hand in seen.hands)]
        rng.shuffle(unseen)
        hands = tuple(tuple(card or unseen.pop() for card in hand) for hand in seen.hands)
        seed = rng.randbytes(chance.SEED_BYTES)
        return State(seed, seen.number, tuple(unseen), hands, seen.stopped, seen.to_act, seen.phases)

    def outcome(self, state: State, out: Collection[int] = ()) -> Outcome | None:
        if state.to_act is not None:
            return None
        sums = tuple(sum(hand) for hand in state.hands)
        eligible = {seat: total for seat, total in enumerate(sums) if total <= TARGET and seat not in out}
        best = max(eligible.values(), default=0)
        return Outcome(tuple(seat for seat, total in eligible.items() if total == best), sums, "nearest")

    def faults(self, state: State) -> list[str]:
        cards = sorted([*state.deck, *(card for hand in state.hands for card in hand)])
        return [] if cards == list(CARDS) else [f"cards: {cards}"]


RULESET = Toy()


def domain(state: State) -> Iterator[Action[State]]:
    yield from (Draw(), Stop())


def reshuffle(state: State, reader: int | None, rng: Random, *, keep_next: bool) -> State:
    kept = state.deck[:1] if keep_next else ()
    cards = [*state.deck[len(kept) :]]
    cards += [card for seat, hand in enumerate(state.hands) if seat != reader for card in hand]
    rng.shuffle(cards)
    hands = tuple(hand if seat == reader else tuple(cards.pop() for _ in hand) for seat, hand in enumerate(state.hands))
    seed = state.seed if keep_next else rng.randbytes(32)
    return replace(state, deck=(*kept, *cards), hands=hands, seed=seed)


def hidden(state: State, reader: int | None) -> list[dict[Place, str]]:
    places = {("deck", 0, index): str(card) for index, card in enumerate(state.deck)}
    for seat, hand in enumerate(state.hands):
        if seat != reader:
            places |= {("hand", seat, index): str(card) for index, card in enumerate(hand)}
    return [places]
