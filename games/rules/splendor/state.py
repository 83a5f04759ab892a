"""A position of Splendor, and the part of it that one seat may know."""

from dataclasses import dataclass, replace
from enum import StrEnum

from games.rules.base import Event, Step
from games.rules.hand import Decks, Hand, Rows, SeenHand
from games.rules.splendor.cards import CARDS, COLOURS, NOBLES, Card
from games.rules.tokens import Tokens

TARGET = 15
"""The prestige that starts the last round (R54)."""


class Phase(StrEnum):
    """The decisions of a turn, in this order (R9, R10)."""

    MAIN = "main"
    RETURN = "return"
    NOBLE = "noble"


QUEUES = ((Phase.MAIN,), (Phase.RETURN,), (Phase.NOBLE,), (Phase.RETURN, Phase.NOBLE))
"""Every queue of phases that can be left of a turn."""


class Belongings:
    """Values derived from a player's purchased cards and nobles."""

    __slots__ = ()
    cards: tuple[str, ...]
    nobles: tuple[str, ...]

    @property
    def bonuses(self) -> Tokens:
        """Bonuses of each colour, one for every purchased card (R43)."""
        counts = [0] * len(COLOURS)
        for card in self.cards:
            counts[CARDS[card].bonus] += 1
        return tuple(counts)

    @property
    def points(self) -> int:
        """Prestige of purchased cards and nobles (R53); reserved cards give none (R33)."""
        return sum(CARDS[card].prestige for card in self.cards) + sum(NOBLES[noble].prestige for noble in self.nobles)


@dataclass(frozen=True, slots=True)
class Player(Belongings):
    """The possessions of one seat, nothing at first (R7). `cards` are the purchased ones, oldest first."""

    tokens: Tokens = (0, 0, 0, 0, 0, 0)
    cards: tuple[str, ...] = ()
    reserved: Hand = ()
    nobles: tuple[str, ...] = ()


def price(card: Card, discount: Tokens) -> Tokens:
    """The price of the card in each colour, given the buyer's bonuses (R38)."""
    return tuple(cost - bonus if cost > bonus else 0 for cost, bonus in zip(card.cost, discount, strict=True))


@dataclass(frozen=True, slots=True)
class State:
    """Everything about a position. Its `repr` shows no secrets."""

    seed: bytes
    number: int
    bank: Tokens
    decks: Decks
    rows: Rows
    """The four places of levels 1 to 3; `None` is a place that stays empty."""
    nobles: tuple[str, ...]
    players: tuple[Player, ...]
    to_act: int | None
    phases: tuple[Phase, ...]
    last_round: bool
    passes: int
    """How many seats in a row had to pass (R11a)."""
    rules: int = 1
    """The version of the rules under which the game is played. Dumps of version 1 lack this field."""

    def __repr__(self) -> str:
        return f"<splendor state {self.number} {' '.join(self.phases)}>"

    @property
    def seat(self) -> int:
        """The seat to act; the game must not be over."""
        assert self.to_act is not None
        return self.to_act

    @property
    def player(self) -> Player:
        """The player to act."""
        return self.players[self.seat]

    def step(self, player: Player, phases: tuple[Phase, ...], *events: Event, reveals: bool = False) -> Step["State"]:
        """This state as the result of an action, with `player` in the seat to act. Ends the turn if no phase is
        left."""
        seat = self.seat
        players = (*self.players[:seat], player, *self.players[seat + 1 :])
        state = replace(self, players=players, phases=phases)
        return Step(state, events, reveals) if phases else state._end_turn(events, reveals)

    def _end_turn(self, events: tuple[Event, ...], reveals: bool) -> Step["State"]:
        """Move on to the next seat. 15 points make this the last round (R54), which the last seat finishes (R55, R56).
        The game also ends when all seats had to pass (R11a)."""
        seat, last_round = self.seat, self.last_round or self.player.points >= TARGET
        following = (seat + 1) % len(self.players)
        if (last_round and following == 0) or self.passes == len(self.players):
            state = replace(self, to_act=None, last_round=last_round)
            return Step(state, (*events, Event("game_over")), reveals)
        if last_round and not self.last_round:
            events += (Event("last_round", seat=seat),)
        state = replace(self, to_act=following, phases=(Phase.MAIN,), last_round=last_round)
        return Step(state, events, reveals)


@dataclass(frozen=True, slots=True)
class SeenPlayer(Belongings):
    """A player as a reader sees it."""

    tokens: Tokens
    cards: tuple[str, ...]
    reserved: SeenHand
    nobles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """The knowledge of one seat; seat `None` is a spectator. Tokens, purchases and scores are public (R25, R44)."""

    seat: int | None
    number: int
    bank: Tokens
    decks: tuple[int, ...]
    """How many cards are left in the decks of levels 1 to 3."""
    rows: Rows
    nobles: tuple[str, ...]
    players: tuple[SeenPlayer, ...]
    to_act: int | None
    phases: tuple[Phase, ...]
    last_round: bool
    passes: int
