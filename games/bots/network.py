"""A small network that predicts the winner and the next action from the features of a position.

Cards, nobles and the like are *items*. One encoder reads all of them, and some actions are about one item, so lessons
about one place hold for every other. The sum and the maximum of the items of each group, together with the context,
pass through two layers to the answers. `games.bots.train` trains the network; numpy computes it here, except for one
compiled loop.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from threadpoolctl import threadpool_limits

from games.bots.jit import Floats, Ints, jit

threadpool_limits(limits=1, user_api="blas")

ITEM_WIDTH, HEAD_WIDTH = 64, 32
"""The width of an item's encoding, and of the encoding that judges an action about it."""
FIRST_WIDTH, SECOND_WIDTH = 192, 160


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a network's input and output."""

    seats: int
    actions: int
    items: int
    item_features: int
    contexts: int
    """The number of features that belong to no item."""
    groups: tuple[tuple[int, ...], ...]
    """The items that are pooled together."""
    heads: tuple[tuple[tuple[int, int], ...], ...]
    """For every kind of action about an item, pairs of an item and its action."""
    spaces: int = 0
    """The number of spaces of a token board. Their features end the context: one per kind for each space in turn."""
    kinds: int = 0
    lines: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Actions about spaces, each with its spaces."""
    flags: tuple[int, ...] = ()
    """Actions that have a cost in some positions; the last features say in which."""

    @property
    def features(self) -> int:
        """The number of features of a position: items, context and flags."""
        return self.items * self.item_features + self.contexts + len(self.flags)

    @property
    def weights(self) -> dict[str, tuple[int, ...]]:
        """The sizes of all weights, by name."""
        answers = self.actions + HEAD_WIDTH + self.kinds + bool(self.flags) + self.seats
        return {
            "item.weight": (self.item_features, ITEM_WIDTH),
            "item.bias": (ITEM_WIDTH,),
            "first.weight": (2 * len(self.groups) * ITEM_WIDTH + self.contexts, FIRST_WIDTH),
            "first.bias": (FIRST_WIDTH,),
            "second.weight": (FIRST_WIDTH, SECOND_WIDTH),
            "second.bias": (SECOND_WIDTH,),
            "answer.weight": (SECOND_WIDTH, answers),
            "answer.bias": (answers,),
            "about.weight": (ITEM_WIDTH, HEAD_WIDTH),
            "head.weight": (HEAD_WIDTH, len(self.heads)),
        }


class Network:
    """Evaluates positions in batches."""

    def __init__(self, shape: Shape, weights: Mapping[str, Floats]) -> None:
        self.shape = shape
        self.weights = {name: np.ascontiguousarray(values, dtype=np.float32) for name, values in weights.items()}
        self.group_of = np.zeros(shape.items, dtype=np.int32)
        for number, group in enumerate(shape.groups):
            self.group_of[list(group)] = number
        abouts = [(number, item, action) for number, head in enumerate(shape.heads) for item, action in head]
        self.score_index = np.array([item * len(shape.heads) + number for number, item, _ in abouts])
        self.action_index = np.array([action for _, _, action in abouts])
        self.on_line = lines_of(shape)

    @classmethod
    def load(cls, shape: Shape, file: Path) -> Self:
        """The network in a file of weights."""
        with np.load(file) as weights:
            return cls(shape, dict(weights))

    def evaluate(self, features: Floats) -> tuple[Floats, Floats]:
        """The logits of all actions, legal or not, and each seat's chance to win, beginning with the seat to act; one
        row for each row of features."""
        shape, weights, batch = self.shape, self.weights, len(features)
        cut = shape.items * shape.item_features
        context = features[:, cut : cut + shape.contexts]
        items = features[:, :cut].reshape(batch * shape.items, shape.item_features) @ weights["item.weight"]
        pooled = np.zeros((batch, len(weights["first.weight"])), dtype=np.float32)
        pooled[:, -shape.contexts :] = context
        _pool(items.reshape(batch, shape.items, ITEM_WIDTH), weights["item.bias"], self.group_of, pooled)
        hidden: Floats = pooled @ weights["first.weight"]
        hidden += weights["first.bias"]
        np.maximum(hidden, 0, out=hidden)
        hidden = hidden @ weights["second.weight"]
        hidden += weights["second.bias"]
        np.maximum(hidden, 0, out=hidden)
        answers = hidden @ weights["answer.weight"]
        answers += weights["answer.bias"]
        logits = answers[:, : shape.actions]
        about = (items @ weights["about.weight"]).reshape(batch, shape.items, HEAD_WIDTH)
        about += answers[:, None, shape.actions : shape.actions + HEAD_WIDTH]
        np.maximum(about, 0, out=about)
        scores = (about.reshape(-1, HEAD_WIDTH) @ weights["head.weight"]).reshape(batch, -1)
        logits[:, self.action_index] += scores[:, self.score_index]
        at = shape.actions + HEAD_WIDTH
        if shape.lines:
            wanted = answers[:, at : at + shape.kinds, None]
            board = context[:, -shape.spaces * shape.kinds :].reshape(batch, shape.spaces, shape.kinds)
            logits += (board @ wanted)[:, :, 0] @ self.on_line
            at += shape.kinds
        if shape.flags:
            logits[:, shape.flags] += answers[:, at : at + 1] * features[:, -len(shape.flags) :]
            at += 1
        values = answers[:, at:]
        values = np.exp(values - values.max(1, keepdims=True))
        values /= values.sum(1, keepdims=True)
        return logits, values


@jit
def _pool(items: Floats, bias: Floats, group_of: Ints, pooled: Floats) -> None:
    """Add the bias to the items in place, replace negative values by 0, and write the sums of all groups, then the
    maxima."""
    width = len(bias)
    groups = group_of.max() + 1
    for row in range(len(items)):
        for item in range(len(group_of)):
            start = group_of[item] * width
            for index in range(width):
                value = max(items[row, item, index] + bias[index], np.float32(0))
                items[row, item, index] = value
                pooled[row, start + index] += value
                highest = start + groups * width + index
                pooled[row, highest] = max(pooled[row, highest], value)


def lines_of(shape: Shape) -> Floats:
    """A matrix that says which space (row) belongs to which action (column)."""
    on_line = np.zeros((shape.spaces, shape.actions), dtype=np.float32)
    for action, spaces in shape.lines:
        on_line[list(spaces), action] = 1
    return on_line
