"""The three mandatory actions: take, reserve, buy."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from games.rules import hand, tokens
from games.rules.base import Action, Event, IllegalAction, Step
from games.rules.duel.actions.caused import ABILITIES
from games.rules.duel.actions.spaces import TAKEABLE, check_takeable, lift, richer, space_named
from games.rules.duel.cards import CARDS, GOLD, KINDS, LINES, PEARL, SPACES
from games.rules.duel.state import Owned, Phase, State, price
from games.rules.hand import DECKS, Reserved, Rows
from games.rules.tokens import Tokens
from games.rules.trade import Purchase

CROWNS_FOR_ROYAL = (3, 6)
"""The numbers of crowns at which a player takes a royal card (D62)."""


def _without(pyramid: Rows, card: str) -> Rows:
    """The pyramid without a face-up card, whose place stays empty until the end of the turn (D68)."""
    return tuple(tuple(None if place == card else place for place in row) for row in pyramid)


@dataclass(frozen=True, slots=True)
class Take(Action[State]):
    """Take one to three gems or pearls, never gold (D27), from consecutive spaces of a row, column or diagonal. No
    space between them may be empty or hold gold (D28, D29). For three of a colour or two pearls the opponent takes a
    privilege (D30)."""

    spaces: tuple[int, ...]
    """In ascending order."""
    word = "take"

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(tuple(sorted(map(space_named, text.split() or [""]))))

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        there = {space for space, token in enumerate(state.board) if token in TAKEABLE}
        return (cls(line) for line in LINES if there.issuperset(line))

    def check(self, state: State) -> None:
        if len(self.spaces) > 3:
            raise IllegalAction("take_at_most_three")
        for space in self.spaces:
            check_takeable(state, space)
        if self.spaces not in LINES:
            raise IllegalAction("not_a_line", spaces=self.text)

    def play(self, state: State) -> Step[State]:
        seat = state.seat
        board, taken = lift(state.board, self.spaces)
        players = state.players_with(seat, richer(state.player, taken))
        after = replace(state, board=board, players=players, phases=())
        events: tuple[Event, ...] = (Event("took", seat=seat, tokens=tokens.spell(taken, KINDS), spaces=self.text),)
        if max(taken) == 3 or taken[PEARL] == 2:
            after, gained = after.gain_privilege(1 - seat)
            events += gained
        return after.step(*events)

    @property
    def text(self) -> str:
        """The names of the spaces: `a1 b2 c3`."""
        return " ".join(SPACES[space] for space in self.spaces)

    def __str__(self) -> str:
        return f"take {self.text}"


@dataclass(frozen=True, slots=True)
class Reserve(Action[State]):
    """Take a gold token of the player's choice from the board (D33, D34) and reserve a face-up card or the unseen top
    card of a deck, `L1` to `L3`. There must be gold on the board, and the player must hold fewer than three reserved
    cards (D32)."""

    target: str
    gold: int
    """The space of the gold."""
    word = "reserve"

    @classmethod
    def parse(cls, text: str) -> Self:
        target, _, space = text.partition(" ")
        return cls(hand.parse_target(target, CARDS), space_named(space.strip()))

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        targets = list(hand.targets(state.player.reserved, state.decks, hand.face_up(state.pyramid)))
        golds = [space for space, token in enumerate(state.board) if token == KINDS[GOLD]]
        return (cls(target, gold) for gold in golds for target in targets)

    def check(self, state: State) -> None:
        hand.check_target(self.target, state.player.reserved, state.decks, hand.face_up(state.pyramid))
        if KINDS[GOLD] not in state.board:
            raise IllegalAction("no_gold_on_board")
        if state.board[self.gold] != KINDS[GOLD]:
            raise IllegalAction("no_gold_there", space=SPACES[self.gold])

    def play(self, state: State) -> Step[State]:
        seat, card, decks, blind = state.seat, self.target, state.decks, self.target in DECKS
        events: tuple[Event, ...]
        if blind:
            level = DECKS[self.target]
            card, decks = hand.draw(decks, level)
            events = (Event("reserved_blind", seat=seat, level=level), Event("drew", seat=seat, card=card))
        else:
            events = (Event("reserved", seat=seat, card=card),)
        board, gold = lift(state.board, (self.gold,))
        player = replace(richer(state.player, gold), reserved=(*state.player.reserved, Reserved(card, blind)))
        after = replace(
            state,
            board=board,
            decks=decks,
            pyramid=_without(state.pyramid, card),
            players=state.players_with(seat, player),
            phases=(),
        )
        took = Event("took", seat=seat, tokens=KINDS[GOLD], spaces=SPACES[self.gold])
        return after.step(took, *events, reveals=blind)

    def __str__(self) -> str:
        return f"reserve {self.target} {SPACES[self.gold]}"


@dataclass(frozen=True, slots=True)
class Buy(Purchase[State]):
    """Buy a face-up card or one of the player's reserved cards (D38) for exactly its price (D39, D43), which may be
    nothing (D45). Gold can stand for any gem or pearl (D41), even one that the player holds (D42). The tokens go to the
    bag (D44). A joker must be attached to a card with a bonus (D51). The card's abilities follow, then a royal card
    (D65)."""

    kinds = KINDS
    cards = frozenset(CARDS)

    @classmethod
    def prices(cls, state: State) -> Iterator[tuple[str, Tokens]]:
        bonuses, attachable = state.player.bonuses, bool(state.player.colours)
        for card in (*hand.face_up(state.pyramid), *(held.card for held in state.player.reserved)):
            if attachable or not CARDS[card].joker:
                yield card, price(CARDS[card], bonuses)

    def due(self, state: State) -> Tokens:
        if CARDS[self.card].joker and not state.player.colours:
            raise IllegalAction("joker_needs_colour", card=self.card)
        return Purchase.due(self, state)  # super() does not work in dataclasses with slots

    def play(self, state: State) -> Step[State]:
        seat, player, card = state.seat, state.player, CARDS[self.card]
        bought = replace(
            player,
            tokens=tokens.subtract(player.tokens, self.paid),
            cards=(*player.cards, Owned(self.card, card.bonus)),
            reserved=tuple(held for held in player.reserved if held.card != self.card),
        )
        royal = any(player.crowns < crowns <= bought.crowns for crowns in CROWNS_FOR_ROYAL)
        after = replace(
            state,
            bag=tokens.add(state.bag, self.paid),
            pyramid=_without(state.pyramid, self.card),
            players=state.players_with(seat, bought),
            phases=(Phase.ROYAL,) if royal else (),
        )
        events: tuple[Event, ...] = (
            Event("bought", seat=seat, card=self.card, payment=tokens.spell(self.paid, KINDS)),
        )
        for ability in reversed(card.abilities):
            after, caused = ABILITIES[ability](after)
            events += caused
        return after.step(*events)
