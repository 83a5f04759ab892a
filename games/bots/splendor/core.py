"""A second copy of the rules of Splendor, on one array of small numbers, for bots that look far ahead.

`games.rules.splendor` is the source of truth: the core is set up from an observation, and the rules check every action
that it chooses.
"""

from games.bots.common import (
    Layout,
    bring_up,
    deal_cards,
    refill,
    remove,
    reserve,
    returns,
    sort_decks,
    tokens_of,
)
from games.bots.jit import Chance, Floats, Ints, inlined, jit
from games.bots.splendor import layout as at
from games.bots.splendor.options import earned, main, nobles
from games.rules.splendor.cards import GOLD
from games.rules.splendor.state import TARGET
from games.rules.trade import LIMIT

AT = Layout.of(at)


@jit
def legal(state: Ints, actions: Ints) -> int:
    """Write every legal action in ascending order and return their number, 0 when the game is over."""
    seat = state[at.TO_ACT]
    if seat == at.NONE:
        return 0
    player = at.PLAYER + seat * at.WIDTH
    if state[at.PHASE] == at.MAIN:
        return int(main(state, player, actions))
    if state[at.PHASE] == at.RETURN:
        return int(returns(state, AT, player, actions))
    return int(nobles(state, player, actions))


@inlined
def _buy(state: Ints, player: int, card: int) -> None:
    for colour in range(at.NCOLOURS):
        due = at.COST[card, colour] - state[player + at.BONUSES + colour]
        if due > 0:
            held = state[player + at.TOKENS + colour]
            gold = max(0, due - held)
            state[player + at.TOKENS + colour] -= due - gold
            state[at.BANK + colour] += due - gold
            state[player + at.TOKENS + GOLD] -= gold
            state[at.BANK + GOLD] += gold
    state[player + at.BONUSES + at.BONUS[card]] += 1
    state[player + at.POINTS] += at.PRESTIGE[card]
    state[player + at.BOUGHT] += 1


@inlined
def _play(state: Ints, player: int, action: int) -> None:
    """Play an action of the phase `MAIN`."""
    state[at.PASSES] = state[at.PASSES] + 1 if action == at.PASS else 0
    if action < at.PAIR:
        for colour in range(at.NCOLOURS):
            state[at.BANK + colour] -= at.TAKEN[action, colour]
            state[player + at.TOKENS + colour] += at.TAKEN[action, colour]
    elif action < at.RESERVE:
        state[at.BANK + action - at.PAIR] -= 2
        state[player + at.TOKENS + action - at.PAIR] += 2
    elif action < at.BUY:
        reserve(state, AT, player, action - at.RESERVE)
        if state[at.BANK + GOLD]:
            state[at.BANK + GOLD] -= 1
            state[player + at.TOKENS + GOLD] += 1
    elif action < at.GIVE:
        _buy(state, player, remove(state, AT, player, action - at.BUY))
    state[at.LEAST] = 0


@inlined
def _give(state: Ints, player: int, kind: int) -> None:
    """Return a token."""
    state[player + at.TOKENS + kind] -= 1
    state[at.BANK + kind] += 1
    state[at.LEAST] = kind


@inlined
def _receive(state: Ints, player: int, place: int) -> None:
    """Receive the noble in that place."""
    state[player + at.POINTS] += at.NOBLE_PRESTIGE[state[at.NOBLE + place]]
    state[at.NOBLE + place] = at.NONE
    state[at.PASSES] = 0


@inlined
def _choice_left(state: Ints, player: int) -> bool:
    """Whether the player must return tokens, or else receives a noble; that is the next phase."""
    if tokens_of(state, AT, player) > LIMIT:
        state[at.PHASE] = at.RETURN
        return True
    for place in range(state[at.SEATS] + 1):
        if earned(state, player, state[at.NOBLE + place]):
            state[at.PHASE] = at.CHOOSE_NOBLE
            return True
    return False


@inlined
def _end_turn(state: Ints, player: int) -> None:
    seats = state[at.SEATS]
    if state[player + at.POINTS] >= TARGET:
        state[at.LAST_ROUND] = 1
    following = (state[at.TO_ACT] + 1) % seats
    if (state[at.LAST_ROUND] and following == 0) or state[at.PASSES] == seats:
        state[at.TO_ACT] = at.NONE
    else:
        state[at.TO_ACT] = following
        state[at.PHASE] = at.MAIN


@inlined
def step(state: Ints, action: int) -> None:
    """Play a legal action in place."""
    act(state, action)
    refill(state, AT)


@inlined
def act(state: Ints, action: int) -> None:
    """Play a legal action in place, but leave a place empty whose card is taken."""
    player = at.PLAYER + state[at.TO_ACT] * at.WIDTH
    phase = state[at.PHASE]
    if phase == at.MAIN:
        _play(state, player, action)
    elif phase == at.RETURN:
        _give(state, player, action - at.GIVE)
    else:
        _receive(state, player, action - at.VISIT)
    if phase == at.CHOOSE_NOBLE or not _choice_left(state, player):
        _end_turn(state, player)


@jit
def result(state: Ints, shares: Floats) -> None:
    """Write each seat's share of the victory: 1, its part of a shared victory, or 0."""
    best = -1
    winners = 0
    for seat in range(state[at.SEATS]):
        player = at.PLAYER + seat * at.WIDTH
        rank = 100 * state[player + at.POINTS] + 99 - state[player + at.BOUGHT]
        if rank > best:
            best, winners = rank, 0
        winners += rank == best
    for seat in range(state[at.SEATS]):
        player = at.PLAYER + seat * at.WIDTH
        rank = 100 * state[player + at.POINTS] + 99 - state[player + at.BOUGHT]
        shares[seat] = 1.0 / winners if rank == best else 0.0


@jit
def deal(state: Ints, viewer: int, rng: Chance) -> None:
    """Deal again, in place, everything that the viewer cannot know: the decks, and the cards that others reserved from
    them."""
    deal_cards(state, AT, viewer, rng)


@jit
def sort(state: Ints) -> None:
    """Sort the decks and forget the cards drawn from them, in place, so that equal positions have equal arrays."""
    sort_decks(state, AT)
    if state[at.PHASE] != at.RETURN:
        state[at.LEAST] = 0


@jit
def reveal(state: Ints, action: int, order: Ints) -> bool:
    """Play a legal action in a sorted position in place; return whether it revealed a card. A card taken from the table
    is not replaced, because nobody can know the next one. The next card of a deck is its first one in `order`."""
    blind = bring_up(state, AT, action, order)
    act(state, action)
    sort(state)
    return bool(blind)
