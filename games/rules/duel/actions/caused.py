"""The effects of a purchase: abilities, the choices they offer, royal cards; and the return of tokens."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Self

from games.rules import tokens
from games.rules.base import Action, BadNotation, Event, IllegalAction, Step
from games.rules.duel.actions.spaces import ONE, lift, richer, space_named
from games.rules.duel.cards import COLOURS, GOLD, KINDS, ROYALS, SPACES, Ability
from games.rules.duel.state import Phase, State
from games.rules.trade import ReturnExcess


@dataclass(frozen=True, slots=True)
class Attach(Action[State]):
    """Choose the colour of the joker just bought, for good (D50, D53). The player must own a card with a bonus of that
    colour (D52). The joker's bonus counts from the next purchase on (D55)."""

    colour: int
    word = "attach"
    settles = True

    @classmethod
    def parse(cls, text: str) -> Self:
        if len(text) != 1 or text not in COLOURS:
            raise BadNotation("unknown_colour", text=text[:40])
        return cls(COLOURS.index(text))

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        return map(cls, state.player.colours)

    def check(self, state: State) -> None:
        if self.colour not in state.player.colours:
            raise IllegalAction("colour_not_owned", colour=COLOURS[self.colour])

    def play(self, state: State) -> Step[State]:
        *cards, joker = state.player.cards
        player = replace(state.player, cards=(*cards, replace(joker, colour=self.colour)))
        after = replace(state, players=state.players_with(state.seat, player), phases=state.phases[1:])
        return after.step(Event("attached", seat=state.seat, card=joker.card, colour=COLOURS[self.colour]))

    def __str__(self) -> str:
        return f"attach {COLOURS[self.colour]}"


@dataclass(frozen=True, slots=True)
class Match(Action[State]):
    """Take a token of the colour of the card just bought from any space of the board (D56). Tokens just paid are in the
    bag (D57)."""

    space: int
    word = "match"
    settles = True

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(space_named(text))

    @staticmethod
    def colour(state: State) -> str:
        """The colour of the card just bought."""
        colour = state.player.cards[-1].colour
        assert colour is not None
        return COLOURS[colour]

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        colour = cls.colour(state)
        return (cls(space) for space, token in enumerate(state.board) if token == colour)

    def check(self, state: State) -> None:
        if state.board[self.space] != self.colour(state):
            raise IllegalAction("wrong_colour", space=SPACES[self.space], colour=self.colour(state))

    def play(self, state: State) -> Step[State]:
        board, taken = lift(state.board, (self.space,))
        players = state.players_with(state.seat, richer(state.player, taken))
        after = replace(state, board=board, players=players, phases=state.phases[1:])
        return after.step(Event("matched", seat=state.seat, token=state.board[self.space], space=SPACES[self.space]))

    def __str__(self) -> str:
        return f"match {SPACES[self.space]}"


@dataclass(frozen=True, slots=True)
class Steal(Action[State]):
    """Take a gem or a pearl from the opponent, never gold (D59)."""

    kind: int
    word = "steal"
    settles = True

    @classmethod
    def parse(cls, text: str) -> Self:
        if sum(tokens.parse(text, KINDS)) != 1:
            raise BadNotation("name_one_token", text=text[:40])
        return cls(KINDS.index(text))

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        return (cls(kind) for kind, number in enumerate(state.opponent.tokens[:GOLD]) if number)

    def check(self, state: State) -> None:
        if self.kind == GOLD:
            raise IllegalAction("gold_not_stolen")
        if not state.opponent.tokens[self.kind]:
            raise IllegalAction("opponent_lacks", token=KINDS[self.kind])

    def play(self, state: State) -> Step[State]:
        stolen = ONE[KINDS[self.kind]]
        poorer = replace(state.opponent, tokens=tokens.subtract(state.opponent.tokens, stolen))
        thief = richer(state.player, stolen)
        players = (thief, poorer) if state.seat == 0 else (poorer, thief)
        after = replace(state, players=players, phases=state.phases[1:])
        return after.step(Event("stole", seat=state.seat, token=KINDS[self.kind]))

    def __str__(self) -> str:
        return f"steal {KINDS[self.kind]}"


@dataclass(frozen=True, slots=True)
class ChooseRoyal(Action[State]):
    """Take a royal card at the third and at the sixth crown, with its ability. It is free and cannot be refused
    (D62-D64)."""

    royal: str
    word = "royal"
    settles = True

    @classmethod
    def parse(cls, text: str) -> Self:
        if text not in ROYALS:
            raise BadNotation("unknown_royal", text=text[:40])
        return cls(text)

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        return map(cls, state.royals)

    def check(self, state: State) -> None:
        if self.royal not in state.royals:
            raise IllegalAction("royal_not_there", royal=self.royal)

    def play(self, state: State) -> Step[State]:
        player = replace(state.player, royals=(*state.player.royals, self.royal))
        after = replace(
            state,
            royals=tuple(royal for royal in state.royals if royal != self.royal),
            players=state.players_with(state.seat, player),
            phases=state.phases[1:],
        )
        after, caused = ABILITIES[ROYALS[self.royal].ability](after)
        return after.step(Event("royal", seat=state.seat, royal=self.royal), *caused)

    def __str__(self) -> str:
        return f"royal {self.royal}"


@dataclass(frozen=True, slots=True)
class Return(ReturnExcess[State]):
    """Return tokens of the player's choice, gold included, to the bag until exactly ten are left (D69, D70)."""

    kinds = KINDS

    def play(self, state: State) -> Step[State]:
        player = replace(state.player, tokens=tokens.subtract(state.player.tokens, self.returned))
        bag = tokens.add(state.bag, self.returned)
        players = state.players_with(state.seat, player)
        after = replace(state, bag=bag, players=players, phases=state.phases[1:])
        return after.step(Event("returned", seat=state.seat, tokens=self.text))


Caused = tuple[State, tuple[Event, ...]]


def _none(state: State) -> Caused:
    return state, ()


def _extra_turn(state: State) -> Caused:
    return replace(state, extra_turn=True), ()


def _take_privilege(state: State) -> Caused:
    return state.gain_privilege(state.seat)


def _first(phase: Phase, kind: type[Action[State]]) -> Callable[[State], Caused]:
    """Put that phase first, if it has an option: there may be no token to match or to steal (D56, D59)."""

    def caused(state: State) -> Caused:
        possible = any(True for _ in kind.options(state))
        return (replace(state, phases=(phase, *state.phases)) if possible else state), ()

    return caused


ABILITIES: dict[Ability, Callable[[State], Caused]] = {
    Ability.NONE: _none,
    Ability.EXTRA_TURN: _extra_turn,
    Ability.TAKE_SAME_COLOUR: _first(Phase.MATCH, Match),
    Ability.TAKE_PRIVILEGE: _take_privilege,
    Ability.STEAL_TOKEN: _first(Phase.STEAL, Steal),
    Ability.ASSOCIATE: _first(Phase.ATTACH, Attach),
}
"""The effect of each ability (D48-D60)."""
