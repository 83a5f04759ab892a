"""The ruleset of Splendor Duel."""

from collections import Counter
from collections.abc import Collection, Iterator
from random import Random
from typing import ClassVar

from games.rules import chance, hand, tokens
from games.rules.base import Event, Outcome, Ruleset
from games.rules.duel.actions import (
    CROWNS_FOR_ROYAL,
    Attach,
    Buy,
    ChooseRoyal,
    Match,
    Replenish,
    Reserve,
    Return,
    Steal,
    Take,
    UsePrivilege,
    fill,
)
from games.rules.duel.cards import CARDS, COLOURS, KINDS, LEVELS, ROYALS, SPACES, Ability, Card
from games.rules.duel.state import (
    EMPTY,
    QUEUES,
    Observation,
    Phase,
    Player,
    SeenPlayer,
    State,
)
from games.rules.trade import LIMIT

TOKENS = (4, 4, 4, 4, 4, 2, 3)
"""How many tokens there are of each kind (D3)."""
PLACES = (5, 4, 3)
"""Face-up cards of levels 1 to 3 (D4)."""
PRIVILEGES = 3


class Duel(Ruleset[State, Observation]):
    slug = "duel"
    name = "Splendor Duel"
    version = 1
    seats = range(2, 3)
    actions: ClassVar = {
        Phase.TURN: (Take, Reserve, Buy, UsePrivilege, Replenish),
        Phase.MANDATORY: (Take, Reserve, Buy),
        Phase.ATTACH: (Attach,),
        Phase.MATCH: (Match,),
        Phase.STEAL: (Steal,),
        Phase.ROYAL: (ChooseRoyal,),
        Phase.RETURN: (Return,),
    }
    state_type = State

    def initial(self, seats: int, seed: bytes) -> State:
        """Set up a game (D1-D8). Seat 0 begins; the table draws who sits there (D7)."""
        if seats not in self.seats:
            raise ValueError(f"duel has 2 seats, not {seats}")
        decks = hand.shuffled(CARDS, seed)
        board = fill(EMPTY * len(SPACES), chance.shuffle(seed, "bag", 0, tokens.spell(TOKENS, KINDS)))
        return State(
            seed=seed,
            number=0,
            draws=1,
            board=board,
            bag=(0,) * len(KINDS),
            decks=tuple(deck[places:] for deck, places in zip(decks, PLACES, strict=True)),
            pyramid=tuple(deck[:places] for deck, places in zip(decks, PLACES, strict=True)),
            royals=tuple(ROYALS),
            privileges=PRIVILEGES - 1,
            players=(Player(), Player(privileges=1)),
            to_act=0,
            phases=(Phase.TURN,),
            extra_turn=False,
        )

    def observe(self, state: State, seat: int | None) -> Observation:
        return Observation(
            seat=seat,
            number=state.number,
            draws=state.draws,
            board=state.board,
            bag=state.bag,
            decks=tuple(map(len, state.decks)),
            pyramid=state.pyramid,
            royals=state.royals,
            privileges=state.privileges,
            players=tuple(
                SeenPlayer(
                    tokens=player.tokens,
                    privileges=player.privileges,
                    cards=player.cards,
                    royals=player.royals,
                    reserved=hand.observe(player.reserved, owner=owner == seat),
                )
                for owner, player in enumerate(state.players)
            ),
            to_act=state.to_act,
            phases=state.phases,
            extra_turn=state.extra_turn,
        )

    def show(self, event: Event, seat: int | None) -> Event | None:
        return hand.show(event, seat)

    def determinize(self, seen: Observation, rng: Random) -> State:
        open_cards = [card for row in seen.pyramid for card in row]
        open_cards += [owned.card for player in seen.players for owned in player.cards]
        hands, decks = hand.determinize([player.reserved for player in seen.players], CARDS, open_cards, rng)
        first, second = (
            Player(player.tokens, player.privileges, player.cards, player.royals, reserved)
            for player, reserved in zip(seen.players, hands, strict=True)
        )
        return State(
            seed=rng.randbytes(chance.SEED_BYTES),
            number=seen.number,
            draws=seen.draws,
            board=seen.board,
            bag=seen.bag,
            decks=decks,
            pyramid=seen.pyramid,
            royals=seen.royals,
            privileges=seen.privileges,
            players=(first, second),
            to_act=seen.to_act,
            phases=seen.phases,
            extra_turn=seen.extra_turn,
        )

    def outcome(self, state: State, out: Collection[int] = ()) -> Outcome | None:
        """A player who meets a condition of victory at the end of their turn wins at once (D71); there are no ties
        (D72). If that player is out, nobody wins."""
        if state.to_act is not None:
            return None
        scores = tuple(player.points for player in state.players)
        won = [(seat, player.victory) for seat, player in enumerate(state.players) if player.victory]
        ((winner, reason),) = won
        return Outcome((), scores) if winner in out else Outcome((winner,), scores, str(reason))

    def faults(self, state: State) -> list[str]:
        """The invariants listed at the end of `docs/rules/duel.md`."""
        return list(self._malformed(state)) or list(self._broken(state))

    def _malformed(self, state: State) -> Iterator[str]:
        """Faults that make the other invariants meaningless: counts, names and places that do not exist."""
        if len(state.seed) != chance.SEED_BYTES or state.number < 0 or state.draws < 1:
            yield "seed, number or draws are out of range"
        if state.to_act not in (None, 0, 1):
            yield f"seat {state.to_act} is to act"
        if state.phases not in (QUEUES if state.to_act is not None else ((),)):
            yield f"phases: {state.phases}"
        for counts in (state.bag, *(player.tokens for player in state.players)):
            if len(counts) != len(KINDS) or min(counts) < 0:
                yield f"tokens: {counts}"
        if len(state.board) != len(SPACES) or not set(state.board) <= {*KINDS, EMPTY}:
            yield f"board: {state.board}"
        if len(state.decks) != len(LEVELS) or tuple(map(len, state.pyramid)) != PLACES:
            yield "a level is missing, or a place"
        if Counter(_cards(state)) != Counter(CARDS.keys()):
            yield "cards: one is missing, double or unknown"
        royals = [*state.royals, *(royal for player in state.players for royal in player.royals)]
        if sorted(royals) != sorted(ROYALS):
            yield f"royal cards: {royals}"
        for owned in (owned for player in state.players for owned in player.cards):
            if owned.card in CARDS and owned.colour not in _colours(CARDS[owned.card]):
                yield f"colour {owned.colour} of {owned.card}"

    def _broken(self, state: State) -> Iterator[str]:
        total = tuple(state.board.count(kind) for kind in KINDS)
        for counts in (state.bag, *(player.tokens for player in state.players)):
            total = tokens.add(total, counts)
        if total != TOKENS:
            yield f"tokens: {total} in all"
        privileges = [state.privileges, *(player.privileges for player in state.players)]
        if sum(privileges) != PRIVILEGES or min(privileges) < 0:
            yield f"privileges: {privileges}"
        yield from hand.misplaced(state.decks, state.pyramid, refilled=state.phases[:1] == (Phase.TURN,))
        for seat, player in enumerate(state.players):
            pending = state.phases if seat == state.to_act else ()
            if len(player.reserved) > hand.SIZE:
                yield f"seat {seat} holds {len(player.reserved)} reserved cards"
            if sum(player.tokens) > LIMIT and not pending:
                yield f"seat {seat} keeps {sum(player.tokens)} tokens"
            due = sum(player.crowns >= crowns for crowns in CROWNS_FOR_ROYAL)
            if len(player.royals) + (Phase.ROYAL in pending) != due:
                yield f"seat {seat} has {len(player.royals)} royal cards for {player.crowns} crowns"
            uncoloured = [owned.card for owned in player.cards if owned.colour is None and CARDS[owned.card].joker]
            if uncoloured != [owned.card for owned in player.cards[-1:] if Phase.ATTACH in pending]:
                yield f"seat {seat} has jokers without a colour: {uncoloured}"
            if player.victory and pending[:1] in ((), (Phase.TURN,), (Phase.MANDATORY,)) and state.to_act is not None:
                yield f"seat {seat} has won, but the game continues"
        if state.to_act is None and [bool(player.victory) for player in state.players].count(True) != 1:
            yield "the game is over for no reason"
        if state.to_act is not None:
            yield from self._stuck(state)

    def _stuck(self, state: State) -> Iterator[str]:
        """Faults of the phase to decide: nothing can have led to it, or the seat to act has no option."""
        bought = state.player.cards[-1:]
        abilities = [ability for owned in bought for ability in CARDS[owned.card].abilities]
        abilities += [ROYALS[royal].ability for royal in state.player.royals[-1:]]
        asked = {Phase.MATCH: Ability.TAKE_SAME_COLOUR, Phase.STEAL: Ability.STEAL_TOKEN}.get(state.phases[0])
        if asked and asked not in abilities:
            yield f"nothing has led to {state.phases[0]}"
        elif state.phases[0] == Phase.RETURN and sum(state.player.tokens) <= LIMIT:
            yield "no token has to be returned"
        elif next(self.options(state), None) is None:
            yield f"nothing can be decided: {state.phases[0]}"


def _cards(state: State) -> Iterator[str]:
    yield from hand.face_up(state.pyramid)
    yield from (card for deck in state.decks for card in deck)
    for player in state.players:
        yield from (owned.card for owned in player.cards)
        yield from (held.card for held in player.reserved)


def _colours(card: Card) -> tuple[int | None, ...]:
    """The colours that an owned card can have: a joker any colour, or none yet."""
    return (None, *range(len(COLOURS))) if card.joker else (card.bonus,)
