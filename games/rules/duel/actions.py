"""The decisions of Splendor Duel, one class each: its legality and its effect."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Self

from games.rules import chance, hand, tokens
from games.rules.base import Action, BadNotation, Event, IllegalAction, Step
from games.rules.duel.cards import (
    CARDS,
    COLOURS,
    GOLD,
    KINDS,
    LINES,
    PEARL,
    ROYALS,
    SPACES,
    SPIRAL,
    Ability,
)
from games.rules.duel.state import EMPTY, Owned, Phase, Player, Pyramid, State, price
from games.rules.hand import DECKS, Reserved
from games.rules.tokens import Tokens
from games.rules.trade import Purchase, ReturnExcess

ONE = {kind: tokens.single(index, KINDS) for index, kind in enumerate(KINDS)}
"""One token of each kind."""
TAKEABLE = KINDS[:GOLD]
"""Gems and pearls; gold can only be taken by reserving (D34)."""
CROWNS_FOR_ROYAL = (3, 6)
"""Crowns at which a royal card is taken (D62)."""


def fill(board: str, drawn: tuple[str, ...]) -> str:
    """The board after the drawn tokens were put one by one on its empty spaces, along the spiral (D5, D23)."""
    spaces = list(board)
    empty = (space for space in SPIRAL if spaces[space] == EMPTY)
    for token, space in zip(drawn, empty, strict=False):
        spaces[space] = token
    return "".join(spaces)


def lift(board: str, spaces: tuple[int, ...]) -> tuple[str, Tokens]:
    """The board without the tokens on those spaces, and these tokens."""
    taken = (0,) * len(KINDS)
    for space in spaces:
        taken = tokens.add(taken, ONE[board[space]])
        board = board[:space] + EMPTY + board[space + 1 :]
    return board, taken


def _space(text: str) -> int:
    if text not in SPACES:
        raise BadNotation("unknown_space", text=text[:40])
    return SPACES.index(text)


def _nothing(text: str) -> None:
    if text:
        raise BadNotation("nothing_follows", text=text[:40])


def _check_takeable(state: State, space: int) -> None:
    if state.board[space] == EMPTY:
        raise IllegalAction("space_empty", space=SPACES[space])
    if state.board[space] == KINDS[GOLD]:
        raise IllegalAction("gold_only_by_reserving")


def _face_up(state: State) -> Iterator[str]:
    return (card for row in state.pyramid for card in row if card is not None)


def _without(pyramid: Pyramid, card: str) -> Pyramid:
    """The place of a face-up card stays empty until the end of the turn (D68)."""
    return tuple(tuple(None if place == card else place for place in row) for row in pyramid)


def _richer(player: Player, gained: Tokens) -> Player:
    return replace(player, tokens=tokens.add(player.tokens, gained))


def _can_act(state: State) -> bool:
    """Whether a mandatory action is possible (D13)."""
    return any(True for kind in (Take, Reserve, Buy) for _ in kind.options(state))


@dataclass(frozen=True, slots=True)
class UsePrivilege(Action[State]):
    """Give a privilege back for a gem or pearl from any space, never gold (D18, D19); before replenishing, one by one,
    as often as one likes (D9-D11), and without a privilege for the opponent (D20). Only if a mandatory action is
    possible afterwards, at once or after replenishing (D15, D17)."""

    space: int
    word = "privilege"

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(_space(text))

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        if state.player.privileges:
            for space, token in enumerate(state.board):
                if token in TAKEABLE and not cls(space)._strands(state):
                    yield cls(space)

    def _strands(self, state: State) -> bool:
        """Whether no mandatory action would be left: never while another gem or pearl lies on the board."""
        if sum(token in TAKEABLE for token in state.board) > 1:
            return False
        after = self._spend(state)
        return not _can_act(after) and not (any(after.bag) and _can_act(Replenish.refill(after)))

    def _spend(self, state: State) -> State:
        board, gained = lift(state.board, (self.space,))
        player = replace(_richer(state.player, gained), privileges=state.player.privileges - 1)
        players = state.players_with(state.seat, player)
        return replace(state, board=board, privileges=state.privileges + 1, players=players)

    def check(self, state: State) -> None:
        if not state.player.privileges:
            raise IllegalAction("no_privilege")
        _check_takeable(state, self.space)
        if self._strands(state):
            raise IllegalAction("privilege_strands")

    def play(self, state: State) -> Step[State]:
        return self._spend(state).step(
            Event(
                "privilege_used",
                seat=state.seat,
                token=state.board[self.space],
                space=SPACES[self.space],
            )
        )

    def __str__(self) -> str:
        return f"privilege {SPACES[self.space]}"


@dataclass(frozen=True, slots=True)
class Replenish(Action[State]):
    """Put all tokens of the bag on the board, in random order along the spiral (D23-D25); the opponent takes a
    privilege. Allowed at any time before the mandatory action (D26), and the only way on without one (D14)."""

    word = "replenish"

    @classmethod
    def parse(cls, text: str) -> Self:
        _nothing(text)
        return cls()

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        if any(state.bag):
            yield cls()

    def check(self, state: State) -> None:
        if not any(state.bag):
            raise IllegalAction("bag_empty")

    @staticmethod
    def refill(state: State) -> State:
        """The board with the tokens of the bag."""
        drawn = chance.shuffle(state.seed, "bag", state.draws, tokens.spell(state.bag, KINDS))
        return replace(state, board=fill(state.board, drawn), bag=(0,) * len(KINDS), draws=state.draws + 1)

    def play(self, state: State) -> Step[State]:
        drawn = sum(state.bag)
        after, gained = self.refill(state).gain_privilege(1 - state.seat)
        after = replace(after, phases=(Phase.MANDATORY,))
        return after.step(Event("replenished", seat=state.seat, drawn=drawn), *gained, reveals=True)

    def __str__(self) -> str:
        return "replenish"


@dataclass(frozen=True, slots=True)
class Take(Action[State]):
    """Take one to three gems or pearls, never gold (D27), from consecutive spaces of a row, column or diagonal, none
    empty or gold (D28, D29). For three of a colour or both pearls the opponent takes a privilege (D30)."""

    spaces: tuple[int, ...]
    """In ascending order."""
    word = "take"

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(tuple(sorted(map(_space, text.split() or [""]))))

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        there = {space for space, token in enumerate(state.board) if token in TAKEABLE}
        return (cls(line) for line in LINES if there.issuperset(line))

    def check(self, state: State) -> None:
        if len(self.spaces) > 3:
            raise IllegalAction("take_at_most_three")
        for space in self.spaces:
            _check_takeable(state, space)
        if self.spaces not in LINES:
            raise IllegalAction("not_a_line", spaces=self.text)

    def play(self, state: State) -> Step[State]:
        seat = state.seat
        board, taken = lift(state.board, self.spaces)
        players = state.players_with(seat, _richer(state.player, taken))
        after = replace(state, board=board, players=players, phases=())
        events: tuple[Event, ...] = (Event("took", seat=seat, tokens=tokens.spell(taken, KINDS), spaces=self.text),)
        if max(taken) == 3 or taken[PEARL] == 2:
            after, gained = after.gain_privilege(1 - seat)
            events += gained
        return after.step(*events)

    @property
    def text(self) -> str:
        """The spaces by name."""
        return " ".join(SPACES[space] for space in self.spaces)

    def __str__(self) -> str:
        return f"take {self.text}"


@dataclass(frozen=True, slots=True)
class Reserve(Action[State]):
    """Take a gold of one's choice from the board (D33, D34) and reserve a face-up card or, as `L1` to `L3`, the top of
    a deck unseen; only with a gold on the board and at most three cards in hand (D32)."""

    target: str
    gold: int
    """The space of the gold."""
    word = "reserve"

    @classmethod
    def parse(cls, text: str) -> Self:
        target, _, space = text.partition(" ")
        return cls(hand.parse_target(target, CARDS), _space(space.strip()))

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        targets = list(hand.targets(state.player.reserved, state.decks, _face_up(state)))
        golds = [space for space, token in enumerate(state.board) if token == KINDS[GOLD]]
        return (cls(target, gold) for gold in golds for target in targets)

    def check(self, state: State) -> None:
        hand.check_target(self.target, state.player.reserved, state.decks, _face_up(state))
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
        player = replace(_richer(state.player, gold), reserved=(*state.player.reserved, Reserved(card, blind)))
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
    """Buy a face-up card or one from one's own hand (D38) for exactly its price (D39, D43), perhaps nothing (D45).
    Gold stands for any gem or pearl (D41), even one that the player holds (D42). The tokens go to the bag (D44). A
    joker needs a card with a bonus to be attached to (D51). Then come its abilities, then a royal card (D65)."""

    kinds = KINDS
    cards = frozenset(CARDS)

    @classmethod
    def prices(cls, state: State) -> Iterator[tuple[str, Tokens]]:
        bonuses, attachable = state.player.bonuses, bool(state.player.colours)
        for card in (*_face_up(state), *(held.card for held in state.player.reserved)):
            if attachable or not CARDS[card].joker:
                yield card, price(CARDS[card], bonuses)

    @classmethod
    def held(cls, state: State) -> Tokens:
        return state.player.tokens

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


@dataclass(frozen=True, slots=True)
class Attach(Action[State]):
    """Choose for good the colour of the joker just bought (D50, D53): one in which the player has a card with a bonus
    (D52). Its bonus serves later purchases (D55)."""

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
    """Take a token of the colour of the card just bought from any space (D56), not one just paid (D57)."""

    space: int
    word = "match"
    settles = True

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(_space(text))

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
        players = state.players_with(state.seat, _richer(state.player, taken))
        after = replace(state, board=board, players=players, phases=state.phases[1:])
        return after.step(Event("matched", seat=state.seat, token=state.board[self.space], space=SPACES[self.space]))

    def __str__(self) -> str:
        return f"match {SPACES[self.space]}"


@dataclass(frozen=True, slots=True)
class Steal(Action[State]):
    """Take a gem or pearl from the opponent, never gold (D59)."""

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
        richer = _richer(state.player, stolen)
        players = (richer, poorer) if state.seat == 0 else (poorer, richer)
        after = replace(state, players=players, phases=state.phases[1:])
        return after.step(Event("stole", seat=state.seat, token=KINDS[self.kind]))

    def __str__(self) -> str:
        return f"steal {KINDS[self.kind]}"


@dataclass(frozen=True, slots=True)
class ChooseRoyal(Action[State]):
    """Take a royal card, free and not to be refused, at the third and the sixth crown (D62-D64), and its ability."""

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
    """Return tokens of one's choice, gold included, to the bag, down to exactly ten (D69, D70)."""

    kinds = KINDS

    @classmethod
    def held(cls, state: State) -> Tokens:
        return state.player.tokens

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
    """That phase next, if it has an option: a token to match or to steal may be lacking (D56, D59)."""

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
"""What each ability brings about (D48-D60)."""
