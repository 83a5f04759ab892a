"""What the training of Duel's network needs to know about its features."""

from games.bots.duel import features
from games.bots.duel import layout as at
from games.bots.jit import Ints
from games.bots.train import colours
from games.rules.duel.cards import GOLD


def turned(seats: int, turn: int) -> tuple[Ints, Ints]:
    """Indexes for features and for the answers about actions that move every colour `turn` places on."""
    form = features.shape(seats)
    here = form.items * form.item_features
    places = features.ITEM_BONUS, features.ITEM_DUE, features.ITEM_DUE + GOLD
    runs = [item * form.item_features + place for item in range(form.items) for place in places]
    for seat in range(seats):
        own = here + features.SEATS + seat * features.PER_SEAT
        runs += [own + features.SEAT_TOKENS, own + features.SEAT_BONUSES, own + features.SEAT_COLOURS]
    runs += [here + place for place in (features.BAG, features.ON_BOARD, features.CARD_COLOUR)]
    runs += range(here + features.BOARD, here + features.CONTEXTS, at.NKINDS)
    actions = colours.turned(form.actions, (at.ATTACH, at.STEAL, at.GIVE), turn)
    return colours.turned(form.features, runs, turn), actions
