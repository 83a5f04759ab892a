"""A second copy of the rules of Splendor Duel, on one array of small numbers, for bots that look far ahead.

`games.rules.duel` is the source of truth: the core is set up from an observation, and the rules check every action that
it chooses.
"""

import numpy as np

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
from games.bots.duel import layout as at
from games.bots.duel.options import each, mandatory, on_board
from games.bots.jit import Chance, Floats, Ints, below, inlined, jit, shuffle
from games.rules.duel.actions import CROWNS_FOR_ROYAL
from games.rules.duel.cards import GOLD, PEARL
from games.rules.duel.state import COLOUR_TO_WIN, CROWNS_TO_WIN, PRESTIGE_TO_WIN
from games.rules.trade import LIMIT

AT = Layout.of(at)
DIGITS = 5
"""How many cards of an order make a seed for the bag: the number of cards to this power is below `at.SEEDS`."""


@jit
def legal(state: Ints, actions: Ints) -> int:
    """Write every legal action in ascending order and return their number, 0 when the game is over."""
    seat = state[at.TO_ACT]
    if seat == at.NONE:
        return 0
    player = at.PLAYER + seat * at.WIDTH
    phase = state[at.PHASE]
    if phase <= at.MANDATORY:
        return int(mandatory(state, player, actions))
    if phase == at.CHOOSE_GOLD:
        return int(on_board(state, GOLD, at.TAKE_GOLD, actions))
    if phase == at.CHOOSE_MATCH:
        return int(on_board(state, at.BONUS[state[at.CARD]], at.MATCH, actions))
    if phase == at.CHOOSE_COLOUR:
        return int(each(state, player + at.BONUSES, at.NCOLOURS, at.ATTACH, actions))
    if phase == at.CHOOSE_STOLEN:
        return int(each(state, at.PLAYER + (1 - seat) * at.WIDTH + at.TOKENS, GOLD, at.STEAL, actions))
    if phase == at.CHOOSE_ROYAL:
        return int(each(state, at.ROYALS_LEFT, len(at.ROYAL_PRESTIGE), at.ROYAL, actions))
    return int(returns(state, AT, player, actions))


@inlined
def _lift(state: Ints, player: int, space: int) -> int:
    """Move the token on that space to the player; return its kind."""
    kind = state[at.BOARD + space]
    state[at.BOARD + space] = at.NONE
    state[player + at.TOKENS + kind] += 1
    return int(kind)


@inlined
def _gain_privilege(state: Ints, player: int, other: int) -> None:
    if state[at.PRIVILEGES]:
        state[at.PRIVILEGES] -= 1
        state[player + at.OWN_PRIVILEGES] += 1
    elif state[other + at.OWN_PRIVILEGES]:
        state[other + at.OWN_PRIVILEGES] -= 1
        state[player + at.OWN_PRIVILEGES] += 1


@jit
def _replenish(state: Ints) -> None:
    """Empty the bag onto the board. The order depends on the seed of this world and the number of draws so far."""
    drawn = np.empty(at.NSPACES, dtype=np.int32)
    count = 0
    for kind in range(at.NKINDS):
        for _ in range(state[at.BAG + kind]):
            drawn[count] = kind
            count += 1
        state[at.BAG + kind] = 0
    rng = np.empty(2, dtype=np.int64)
    rng[0], rng[1] = state[at.SEED], state[at.SEED + 1]
    shuffle(drawn, count, rng)
    state[at.SEED], state[at.SEED + 1] = rng[0], rng[1]
    following = 0
    for space in at.ALONG_SPIRAL:
        if following < count and state[at.BOARD + space] == at.NONE:
            state[at.BOARD + space] = drawn[following]
            following += 1


@inlined
def _abilities(state: Ints, player: int, other: int, has: Ints) -> bool:
    """Apply these abilities; return whether one of them leaves a choice, which is the next phase."""
    if has[at.EXTRA_TURN]:
        state[at.EXTRA] = 1
    if has[at.GAINS_PRIVILEGE]:
        _gain_privilege(state, player, other)
    if has[at.JOKER]:
        state[at.PHASE] = at.CHOOSE_COLOUR
        return True
    if has[at.SAME_COLOUR] and (state[at.BOARD : at.BOARD + at.NSPACES] == at.BONUS[state[at.CARD]]).any():
        state[at.PHASE] = at.CHOOSE_MATCH
        return True
    if has[at.STEALS] and state[other + at.TOKENS : other + at.TOKENS + GOLD].any():
        state[at.PHASE] = at.CHOOSE_STOLEN
        return True
    return False


@inlined
def _counts(state: Ints, player: int, card: int, colour: int) -> None:
    """Count a bought card as one of that colour."""
    state[player + at.BONUSES + colour] += at.BONUS_COUNT[card]
    state[player + at.COLOUR_POINTS + colour] += at.PRESTIGE[card]


@inlined
def _pay(state: Ints, player: int, card: int) -> None:
    """Pay the price of the card, with as little gold as possible."""
    for kind in range(GOLD):
        due = at.COST[card, kind]
        if kind < at.NCOLOURS:
            due = max(0, due - state[player + at.BONUSES + kind])
        gold = max(0, due - state[player + at.TOKENS + kind])
        state[player + at.TOKENS + kind] -= due - gold
        state[at.BAG + kind] += due - gold
        state[player + at.TOKENS + GOLD] -= gold
        state[at.BAG + GOLD] += gold


@inlined
def _own(state: Ints, player: int, card: int) -> None:
    """Count the crowns, the prestige and the bonus of the bought card."""
    for crowns in CROWNS_FOR_ROYAL:
        if state[player + at.CROWNS] < crowns <= state[player + at.CROWNS] + at.CROWNS_ON[card]:
            state[at.ROYAL_DUE] = 1
    state[player + at.CROWNS] += at.CROWNS_ON[card]
    state[player + at.POINTS] += at.PRESTIGE[card]
    state[player + at.BOUGHT] += 1
    if at.BONUS[card] != at.NONE:
        _counts(state, player, card, at.BONUS[card])


@jit
def _won(state: Ints, player: int) -> bool:
    if state[player + at.POINTS] >= PRESTIGE_TO_WIN or state[player + at.CROWNS] >= CROWNS_TO_WIN:
        return True
    return bool(state[player + at.COLOUR_POINTS : player + at.COLOUR_POINTS + at.NCOLOURS].max() >= COLOUR_TO_WIN)


@inlined
def _end_turn(state: Ints, player: int) -> None:
    state[at.PHASE] = at.TURN
    if _won(state, player):
        state[at.TO_ACT] = at.NONE
    elif not state[at.EXTRA]:
        state[at.TO_ACT] = 1 - state[at.TO_ACT]
    state[at.EXTRA] = 0


@inlined
def step(state: Ints, action: int) -> None:
    """Play a legal action in place. Cards come to the table when a turn ends."""
    act(state, action)
    if state[at.PHASE] == at.TURN:
        refill(state, AT)


@inlined
def act(state: Ints, action: int) -> None:
    """Play a legal action in place, but leave a place empty whose card is taken."""
    player = at.PLAYER + state[at.TO_ACT] * at.WIDTH
    other = at.PLAYER + (1 - state[at.TO_ACT]) * at.WIDTH
    if not _play(state, player, other, action):
        _go_on(state, player)


@inlined
def _play(state: Ints, player: int, other: int, action: int) -> bool:
    """Play a legal action, and return whether it leaves a choice, which is the next phase."""
    if action < at.PRIVILEGE:
        _take(state, player, other, action)
    elif action < at.TAKE_GOLD:
        _begin(state, player, other, action)
        return True
    elif action < at.BUY:
        _lift(state, player, action - at.TAKE_GOLD)
    elif action < at.ATTACH:
        return bool(_buy(state, player, other, action - at.BUY))
    elif action < at.MATCH:
        _counts(state, player, state[at.CARD], action - at.ATTACH)
    elif action < at.STEAL:
        _lift(state, player, action - at.MATCH)
    elif action < at.ROYAL:
        state[player + at.TOKENS + action - at.STEAL] += 1
        state[other + at.TOKENS + action - at.STEAL] -= 1
    elif action < at.GIVE:
        return bool(_take_royal(state, player, other, action - at.ROYAL))
    else:
        state[player + at.TOKENS + action - at.GIVE] -= 1
        state[at.BAG + action - at.GIVE] += 1
        state[at.LEAST] = action - at.GIVE
    return False


@inlined
def _take(state: Ints, player: int, other: int, line: int) -> None:
    """Take the tokens of a line. Three alike or two pearls give the opponent a privilege."""
    first = _lift(state, player, at.LINE_SPACES[line, 0])
    alike, pearls = 1, int(first == PEARL)
    for index in range(1, 3):
        if at.LINE_SPACES[line, index] != at.NONE:
            kind = _lift(state, player, at.LINE_SPACES[line, index])
            alike += kind == first
            pearls += kind == PEARL
    if alike == 3 or pearls == 2:
        _gain_privilege(state, other, player)


@inlined
def _begin(state: Ints, player: int, other: int, action: int) -> None:
    """Use a privilege, replenish the board, or reserve a card; the turn goes on."""
    if action < at.REPLENISH:
        _lift(state, player, action - at.PRIVILEGE)
        state[player + at.OWN_PRIVILEGES] -= 1
        state[at.PRIVILEGES] += 1
    elif action == at.REPLENISH:
        _replenish(state)
        _gain_privilege(state, other, player)
        state[at.PHASE] = at.MANDATORY
    else:
        reserve(state, AT, player, action - at.RESERVE)
        state[at.PHASE] = at.CHOOSE_GOLD


@inlined
def _buy(state: Ints, player: int, other: int, slot: int) -> bool:
    """Buy the card of that slot, and return whether it leaves a choice."""
    card = remove(state, AT, player, slot)
    _pay(state, player, card)
    _own(state, player, card)
    state[at.CARD] = card
    chooses = _abilities(state, player, other, at.ABILITY[card])
    if state[at.PHASE] == at.CHOOSE_STOLEN:
        state[at.CARD] = at.NONE
    return bool(chooses)


@inlined
def _take_royal(state: Ints, player: int, other: int, royal: int) -> bool:
    """Take the royal card, and return whether it leaves a choice."""
    state[at.ROYALS_LEFT + royal] = 0
    state[player + at.OWN_ROYALS] += 1
    state[player + at.POINTS] += at.ROYAL_PRESTIGE[royal]
    return bool(_abilities(state, player, other, at.ROYAL_ABILITY[royal]))


@inlined
def _go_on(state: Ints, player: int) -> None:
    """Go on after an action that left no choice: to a royal card, to the return of tokens, or to the next turn."""
    state[at.CARD] = at.NONE
    if state[at.ROYAL_DUE]:
        state[at.ROYAL_DUE] = 0
        state[at.PHASE] = at.CHOOSE_ROYAL
    elif tokens_of(state, AT, player) > LIMIT:
        state[at.PHASE] = at.RETURN
    else:
        state[at.LEAST] = 0
        _end_turn(state, player)


@jit
def result(state: Ints, shares: Floats) -> None:
    """Write each seat's share of the victory: 1 or 0."""
    for seat in range(at.MAX_SEATS):
        shares[seat] = 1.0 if _won(state, at.PLAYER + seat * at.WIDTH) else 0.0


@jit
def deal(state: Ints, viewer: int, rng: Chance) -> None:
    """Deal again, in place, everything that the viewer cannot know: the decks, the cards that the opponent reserved
    from them, and the order in which tokens will come from the bag."""
    deal_cards(state, AT, viewer, rng)
    state[at.SEED] = 1 + below(rng, at.SEEDS)
    state[at.SEED + 1] = 1 + below(rng, at.SEEDS)


@jit
def sort(state: Ints) -> None:
    """Sort the decks and forget the cards drawn from them, in place, so that equal positions have equal arrays."""
    sort_decks(state, AT)
    state[at.SEED] = state[at.SEED + 1] = 0


@jit
def reveal(state: Ints, action: int, order: Ints) -> bool:
    """Play a legal action in a sorted position in place; return whether it revealed anything. A card taken from the
    table is not replaced, because nobody can know the next one. The next card of a deck is its first one in `order`,
    which also decides how tokens come from the bag."""
    blind = bring_up(state, AT, action, order)
    for number in range(2):
        seed = 0
        for place in range(DIGITS):
            seed = seed * len(order) + order[number * DIGITS + place]
        state[at.SEED + number] = 1 + seed
    act(state, action)
    sort(state)
    return bool(blind or action == at.REPLENISH)
