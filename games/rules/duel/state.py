"""A position of Splendor Duel, and the part of it that one seat may know."""

from dataclasses import dataclass, replace
from enum import StrEnum

from games.rules import hand
from games.rules.base import Event, Step
from games.rules.duel.cards import CARDS, COLOURS, ROYALS, Card
from games.rules.hand import Decks, Hand, Rows, SeenHand
from games.rules.tokens import Tokens
from games.rules.trade import LIMIT

PRESTIGE_TO_WIN, CROWNS_TO_WIN, COLOUR_TO_WIN = 20, 10, 10
"""The prestige, the crowns, or the prestige on cards of one colour that win the game (D71)."""
EMPTY = "."
"""A space of the board without a token."""


class Phase(StrEnum):
    """The decisions of a turn (D9)."""

    TURN = "turn"
    """Use a privilege, replenish, or take the mandatory action."""
    MANDATORY = "mandatory"
    """Take the mandatory action; nothing else is allowed after replenishing (D10)."""
    ATTACH = "attach"
    MATCH = "match"
    STEAL = "steal"
    ROYAL = "royal"
    RETURN = "return"


_CAUSED = (Phase.ATTACH, Phase.MATCH, Phase.STEAL, Phase.ROYAL)
QUEUES = (
    *((phase,) for phase in (Phase.TURN, Phase.MANDATORY, Phase.RETURN, *_CAUSED)),
    *((phase, Phase.ROYAL) for phase in _CAUSED[:-1]),
)
"""Every queue of phases that can remain in a turn. Abilities come before a royal card (D65)."""


@dataclass(frozen=True, slots=True)
class Owned:
    """A purchased card. `colour` is the index of its bonus: printed, or chosen for a joker (D53); `None` without a
    bonus."""

    card: str
    colour: int | None


class Belongings:
    """Values derived from a player's purchased and royal cards. Reserved cards give nothing (D36, D74)."""

    __slots__ = ()
    cards: tuple[Owned, ...]
    royals: tuple[str, ...]

    @property
    def bonuses(self) -> Tokens:
        """Bonuses of each colour (D46); a joker always gives one (D54)."""
        counts = [0] * len(COLOURS)
        for owned in self.cards:
            if owned.colour is not None:
                counts[owned.colour] += CARDS[owned.card].bonus_count
        return tuple(counts)

    @property
    def colours(self) -> tuple[int, ...]:
        """The colours of the player's bonuses: a joker can be attached to a card of any of them (D52)."""
        return tuple(sorted({owned.colour for owned in self.cards if owned.colour is not None}))

    @property
    def crowns(self) -> int:
        """Crowns on the purchased cards; royal cards carry none (D61)."""
        return sum(CARDS[owned.card].crowns for owned in self.cards)

    @property
    def points(self) -> int:
        """Prestige of purchased and royal cards."""
        return sum(CARDS[owned.card].prestige for owned in self.cards) + sum(
            ROYALS[royal].prestige for royal in self.royals
        )

    @property
    def colour_points(self) -> Tokens:
        """Prestige on the cards of each colour, attached jokers included; cards without a bonus have no colour
        (D73)."""
        counts = [0] * len(COLOURS)
        for owned in self.cards:
            if owned.colour is not None:
                counts[owned.colour] += CARDS[owned.card].prestige
        return tuple(counts)

    @property
    def victory(self) -> str | None:
        """The condition by which this player has won (D71), `prestige`, `crowns` or `colour`; else `None`."""
        if self.points >= PRESTIGE_TO_WIN:
            return "prestige"
        if self.crowns >= CROWNS_TO_WIN:
            return "crowns"
        return "colour" if max(self.colour_points) >= COLOUR_TO_WIN else None


@dataclass(frozen=True, slots=True)
class Player(Belongings):
    """The possessions of one seat. `cards` are the purchased ones, oldest first."""

    tokens: Tokens = (0, 0, 0, 0, 0, 0, 0)
    privileges: int = 0
    cards: tuple[Owned, ...] = ()
    royals: tuple[str, ...] = ()
    reserved: Hand = ()


def price(card: Card, discount: Tokens) -> Tokens:
    """The price of the card in gems and pearls, given the buyer's bonuses (D39); pearls have no bonus (D40)."""
    return tuple(cost - bonus if cost > bonus else 0 for cost, bonus in zip(card.cost, (*discount, 0), strict=True))


@dataclass(frozen=True, slots=True)
class State:
    """Everything about a position. Its `repr` shows no secrets."""

    seed: bytes
    number: int
    draws: int
    """How many times the bag has been emptied: the number of the next draw."""
    board: str
    """The token on each of the 25 spaces, row by row."""
    bag: Tokens
    decks: Decks
    pyramid: Rows
    royals: tuple[str, ...]
    privileges: int
    """The privileges above the board."""
    players: tuple[Player, Player]
    to_act: int | None
    phases: tuple[Phase, ...]
    extra_turn: bool
    """Whether the seat to act gets another turn after this one (D48)."""

    def __repr__(self) -> str:
        return f"<duel state {self.number} {' '.join(self.phases)}>"

    @property
    def seat(self) -> int:
        """The seat to act; the game must not be over."""
        assert self.to_act is not None
        return self.to_act

    @property
    def player(self) -> Player:
        """The player to act."""
        return self.players[self.seat]

    @property
    def opponent(self) -> Player:
        """The other player."""
        return self.players[1 - self.seat]

    def players_with(self, seat: int, player: Player) -> tuple[Player, Player]:
        """The players, with the one in that seat replaced."""
        return (player, self.players[1]) if seat == 0 else (self.players[0], player)

    def gain_privilege(self, seat: int) -> tuple["State", tuple[Event, ...]]:
        """The seat takes a privilege from above the board, otherwise from the other player. If it already owns all,
        nothing happens (D21, D22)."""
        player, other = self.players[seat], self.players[1 - seat]
        gaining = replace(self, players=self.players_with(seat, replace(player, privileges=player.privileges + 1)))
        if self.privileges:
            return replace(gaining, privileges=self.privileges - 1), (Event("privilege_gained", seat=seat),)
        if other.privileges:
            poorer = replace(other, privileges=other.privileges - 1)
            return replace(gaining, players=gaining.players_with(1 - seat, poorer)), (
                Event("privilege_taken_over", seat=seat),
            )
        return self, ()

    def step(self, *events: Event, reveals: bool = False) -> Step["State"]:
        """This state as the result of an action. If no phase is left, the token limit applies (D69), then the turn
        ends."""
        if self.phases:
            return Step(self, events, reveals)
        if sum(self.player.tokens) > LIMIT:
            return Step(replace(self, phases=(Phase.RETURN,)), events, reveals)
        return self._end_turn(events, reveals)

    def _end_turn(self, events: tuple[Event, ...], reveals: bool) -> Step["State"]:
        """Refill the pyramid (D67, D68), check for victory (D71), then give the extra turn (D48) or move on to the
        other player."""
        decks, pyramid = self.decks, list(self.pyramid)
        for index, row in enumerate(pyramid):
            if None in row and decks[index]:
                card, decks = hand.draw(decks, index + 1)
                place = row.index(None)
                pyramid[index] = (*row[:place], card, *row[place + 1 :])
                events += (Event("revealed", card=card),)
                reveals = True
        to_act: int | None = 1 - self.seat
        phases: tuple[Phase, ...] = (Phase.TURN,)
        if self.player.victory:
            to_act, phases = None, ()
            events += (Event("game_over"),)
        elif self.extra_turn:
            to_act = self.seat
            events += (Event("extra_turn", seat=self.seat),)
        state = replace(
            self,
            decks=decks,
            pyramid=tuple(pyramid),
            to_act=to_act,
            phases=phases,
            extra_turn=False,
        )
        return Step(state, events, reveals)


@dataclass(frozen=True, slots=True)
class SeenPlayer(Belongings):
    """A player as a reader sees it."""

    tokens: Tokens
    privileges: int
    cards: tuple[Owned, ...]
    royals: tuple[str, ...]
    reserved: SeenHand


@dataclass(frozen=True, slots=True)
class Observation:
    """The knowledge of one seat; seat `None` is a spectator. The cards in the decks are hidden, and so are those
    that others reserved from them (D31, D35)."""

    seat: int | None
    number: int
    draws: int
    board: str
    bag: Tokens
    decks: tuple[int, ...]
    """How many cards are left in the decks of levels 1 to 3."""
    pyramid: Rows
    royals: tuple[str, ...]
    privileges: int
    players: tuple[SeenPlayer, ...]
    to_act: int | None
    phases: tuple[Phase, ...]
    extra_turn: bool
