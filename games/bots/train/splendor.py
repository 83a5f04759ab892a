"""What the training of Splendor's networks needs to know about their features."""

import numpy as np

from games.bots.jit import Ints
from games.bots.splendor import features
from games.bots.splendor import layout as at
from games.bots.train import colours

Sources = list[tuple[int, float]]


def turned(seats: int, turn: int) -> tuple[Ints, Ints]:
    """Indexes for features and for the answers about actions that move every colour `turn` places on."""
    form = features.shape(seats)
    here = form.items * form.item_features
    places = features.ITEM_BONUS, features.ITEM_DUE, features.ITEM_DUE + at.NCOLOURS
    runs = [item * form.item_features + place for item in range(form.items) for place in places]
    runs += [here + place for place in (features.BANK, features.STACKS, features.STACKS + at.NCOLOURS)]
    for seat in range(seats):
        own = here + features.SEATS + seat * features.PER_SEAT
        runs += [own + features.SEAT_TOKENS, own + features.SEAT_BONUSES]
    actions = colours.turned(form.actions, (at.PAIR, at.GIVE), turn)
    taken = at.TAKEN.tolist()
    actions[at.TAKE : at.PAIR] = [at.TAKE + taken.index(np.roll(kinds, -turn).tolist()) for kinds in at.TAKEN]
    return colours.turned(form.features, runs, turn), actions


def from_two(seats: int) -> tuple[Sources, Sources]:
    """For each feature of an item, then of the context: the feature for two seats that stands for the same, and the
    factor for its weights. Each opponent gets a fraction of the weights of the only opponent of two seats."""
    same, others = [(0, 1.0)], [(1, 1 / (seats - 1))] * (seats - 1)

    def by_seat(first: int, width: int) -> Sources:
        """The sources of the features of all seats; each seat has `width` of them, from `first` on."""
        return [(first + width * seat + place, factor) for seat, factor in same + others for place in range(width)]

    sums, seats_end = features.ITEM_SUMS, features.SEATS + features.PER_SEAT * 2
    items = [(place, 1.0) for place in range(sums)] + by_seat(sums, features.SUMS)
    items += [(sums + features.SUMS * 2, 1.0)] * (seats - 1)
    contexts = [(place, 1.0) for place in range(features.SEATS)] + by_seat(features.SEATS, features.PER_SEAT)
    contexts += [(seats_end + min(seat, 1), 1.0) for seat in range(seats)]
    contexts += [(seats_end + 2 + place, 1.0) for place in range(features.REST)]
    return items, contexts
