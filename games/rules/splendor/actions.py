"""The decisions of Splendor: one class each, with its legality and its effect."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Self

from games.rules import hand, tokens
from games.rules.base import Action, BadNotation, Event, IllegalAction, Step
from games.rules.hand import DECKS, Reserved
from games.rules.splendor.cards import CARDS, COLOURS, GOLD, KINDS, NOBLES
from games.rules.splendor.state import Phase, Player, State, price
from games.rules.tokens import Tokens
from games.rules.trade import LIMIT, Purchase, ReturnExcess

PAIR_NEEDS = 4
"""How many tokens of a colour the bank must hold before a player may take two of them (R16)."""


def _end_of_turn(state: State, player: Player) -> tuple[Phase, ...]:
    """The phases left after the main action: return tokens, then choose a noble (R10, R21)."""
    phases: tuple[Phase, ...] = ()
    if sum(player.tokens) > LIMIT:
        phases += (Phase.RETURN,)
    if any(earned(state, player)):
        phases += (Phase.NOBLE,)
    return phases


def earned(state: State, player: Player) -> Iterator[str]:
    """The face-up nobles whose needs the player's bonuses meet (R45)."""
    bonuses = player.bonuses
    return (noble for noble in state.nobles if tokens.within(NOBLES[noble].needs, bonuses))


def _take_away(state: State, card: str) -> tuple[State, tuple[Event, ...]]:
    """Remove a face-up card. The next card of its level replaces it at once (R61); without one the place stays empty
    (R62)."""
    index = hand.level(card) - 1
    decks = state.decks
    following: str | None = None
    revealed: tuple[Event, ...] = ()
    if decks[index]:
        following, decks = hand.draw(decks, index + 1)
        revealed = (Event("revealed", card=following),)
    row = tuple(following if place == card else place for place in state.rows[index])
    return replace(state, rows=(*state.rows[:index], row, *state.rows[index + 1 :]), decks=decks), revealed


@dataclass(frozen=True, slots=True)
class Take(Action[State]):
    """Take gems from the bank, never gold: three of different colours, or one or two if fewer colours are left
    (R12-R15); or two of a colour if the bank has at least four of it (R16, R17). A player with ten tokens may still
    take (R18), and a colour may run out (R19)."""

    taken: Tokens
    word = "take"

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(tokens.parse(text, KINDS))

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        bank = state.bank
        yield from cls._different(tuple(index for index in range(GOLD) if bank[index]))
        yield from cls._alike(tuple(index for index in range(GOLD) if bank[index] >= PAIR_NEEDS))

    @classmethod
    @cache
    def _different(cls, colours: tuple[int, ...]) -> tuple[Self, ...]:
        sizes = (3,) if len(colours) >= 3 else range(len(colours), 0, -1)
        return tuple(
            cls(tuple(int(index in chosen) for index in range(len(KINDS))))
            for size in sizes
            for chosen in combinations(colours, size)
        )

    @classmethod
    @cache
    def _alike(cls, colours: tuple[int, ...]) -> tuple[Self, ...]:
        return tuple(cls(tuple(2 * (index == colour) for index in range(len(KINDS)))) for colour in colours)

    def check(self, state: State) -> None:
        taken, bank = self.taken, state.bank
        if taken[GOLD]:
            raise IllegalAction("gold_only_by_reserving")
        if not any(taken):
            raise IllegalAction("take_at_least_one")
        for colour, wanted, left in zip(COLOURS, taken, bank, strict=False):
            if wanted and not left:
                raise IllegalAction("colour_exhausted", colour=colour)
        if max(taken) == 1:
            available = sum(left > 0 for left in bank[:GOLD])
            if sum(taken) > 3 or sum(taken) < 3 <= available:
                raise IllegalAction("take_three_colours", available=available)
        elif sum(taken) == max(taken) == 2:
            index = taken.index(2)
            if bank[index] < PAIR_NEEDS:
                raise IllegalAction("pair_needs_four", colour=COLOURS[index], left=bank[index])
        else:
            raise IllegalAction("different_or_two_alike")

    def play(self, state: State) -> Step[State]:
        player = replace(state.player, tokens=tokens.add(state.player.tokens, self.taken))
        after = replace(state, bank=tokens.subtract(state.bank, self.taken), passes=0)
        took = Event("took", seat=state.seat, tokens=tokens.spell(self.taken, KINDS))
        return after.step(player, _end_of_turn(after, player), took)

    def __str__(self) -> str:
        return f"take {tokens.spell(self.taken, KINDS)}"


@dataclass(frozen=True, slots=True)
class Reserve(Action[State]):
    """Reserve a face-up card, or the unseen top card of a deck, `L1` to `L3` (R26), unless the deck is empty (R34) or
    the player already holds three (R29). The player also takes a gold if one is left (R27, R28). A card that the player
    could buy may be reserved too (R36)."""

    target: str
    word = "reserve"

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(hand.parse_target(text, CARDS))

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        return map(cls, hand.targets(state.player.reserved, state.decks, hand.face_up(state.rows)))

    def check(self, state: State) -> None:
        hand.check_target(self.target, state.player.reserved, state.decks, hand.face_up(state.rows))

    def play(self, state: State) -> Step[State]:
        seat, player = state.seat, state.player
        blind = self.target in DECKS
        events: tuple[Event, ...]
        if blind:
            level = DECKS[self.target]
            card, decks = hand.draw(state.decks, level)
            after = replace(state, decks=decks, passes=0)
            events = (Event("reserved_blind", seat=seat, level=level), Event("drew", seat=seat, card=card))
        else:
            card = self.target
            after, revealed = _take_away(replace(state, passes=0), card)
            events = (Event("reserved", seat=seat, card=card), *revealed)
        reveals = after.decks != state.decks
        if state.bank[GOLD]:
            gold = tokens.single(GOLD, KINDS)
            after = replace(after, bank=tokens.subtract(state.bank, gold))
            player = replace(player, tokens=tokens.add(player.tokens, gold))
            events = (*events, Event("took", seat=seat, tokens=KINDS[GOLD]))
        player = replace(player, reserved=(*player.reserved, Reserved(card, blind)))
        return after.step(player, _end_of_turn(after, player), *events, reveals=reveals)

    def __str__(self) -> str:
        return f"reserve {self.target}"


@dataclass(frozen=True, slots=True)
class Buy(Purchase[State]):
    """Buy a face-up card or one of the player's reserved cards (R32, R37) for exactly its price (R41): its cost minus
    the player's bonuses (R38), which may be nothing (R42). Gold can stand for any gem (R39), even one that the player
    holds (R40); the default payment spends the least gold."""

    kinds = KINDS
    cards = frozenset(CARDS)

    @classmethod
    def prices(cls, state: State) -> Iterator[tuple[str, Tokens]]:
        bonuses = state.player.bonuses
        for card in (*hand.face_up(state.rows), *(held.card for held in state.player.reserved)):
            yield card, price(CARDS[card], bonuses)

    def play(self, state: State) -> Step[State]:
        player = state.player
        kept = tuple(held for held in player.reserved if held.card != self.card)
        after = replace(state, bank=tokens.add(state.bank, self.paid), passes=0)
        revealed: tuple[Event, ...] = ()
        if kept == player.reserved:
            after, revealed = _take_away(after, self.card)
        left = tokens.subtract(player.tokens, self.paid)
        player = replace(player, tokens=left, cards=(*player.cards, self.card), reserved=kept)
        bought = Event("bought", seat=state.seat, card=self.card, payment=tokens.spell(self.paid, KINDS))
        return after.step(player, _end_of_turn(after, player), bought, *revealed, reveals=bool(revealed))


@dataclass(frozen=True, slots=True)
class Pass(Action[State]):
    """Do nothing, if no other action is possible; played unasked (R11). When all seats in a row had to pass and
    received no noble, the game ends (R11a)."""

    word = "pass"
    settles = True

    @classmethod
    def parse(cls, text: str) -> Self:
        if text:
            raise BadNotation("nothing_follows", text=text[:40])
        return cls()

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        if not any(True for kind in (Take, Reserve, Buy) for _ in kind.options(state)):
            yield cls()

    def check(self, state: State) -> None:
        if not any(type(self).options(state)):
            raise IllegalAction("must_act")

    def play(self, state: State) -> Step[State]:
        after = replace(state, passes=state.passes + 1)
        return after.step(state.player, _end_of_turn(state, state.player), Event("passed", seat=state.seat))

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Return(ReturnExcess[State]):
    """Return tokens of the player's choice until exactly ten are left (R24); gold and tokens just taken may be returned
    (R22, R23)."""

    kinds = KINDS

    def play(self, state: State) -> Step[State]:
        player = replace(state.player, tokens=tokens.subtract(state.player.tokens, self.returned))
        after = replace(state, bank=tokens.add(state.bank, self.returned))
        return after.step(player, state.phases[1:], Event("returned", seat=state.seat, tokens=self.text))


@dataclass(frozen=True, slots=True)
class ChooseNoble(Action[State]):
    """Receive one of the nobles whose needs are met, at most one a turn. It is free and cannot be refused (R46-R49).
    The player keeps it for the rest of the game, and it is not replaced (R51). A noble restarts the count of passes,
    except in version 1 of the rules (R11a)."""

    noble: str
    word = "noble"
    settles = True

    @classmethod
    def parse(cls, text: str) -> Self:
        if text not in NOBLES:
            raise BadNotation("unknown_noble", text=text[:40])
        return cls(text)

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        return map(cls, earned(state, state.player))

    def check(self, state: State) -> None:
        if self.noble not in state.nobles:
            raise IllegalAction("noble_not_there", noble=self.noble)
        if self.noble not in earned(state, state.player):
            raise IllegalAction("noble_not_earned", noble=self.noble)

    def play(self, state: State) -> Step[State]:
        player = replace(state.player, nobles=(*state.player.nobles, self.noble))
        passes = state.passes if state.rules == 1 else 0
        nobles = tuple(noble for noble in state.nobles if noble != self.noble)
        after = replace(state, nobles=nobles, passes=passes)
        return after.step(player, state.phases[1:], Event("noble", seat=state.seat, noble=self.noble))

    def __str__(self) -> str:
        return f"noble {self.noble}"
