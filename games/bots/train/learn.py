"""The network in torch, and how it learns from samples."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from games.bots.jit import Floats, Ints, chance
from games.bots.network import HEAD_WIDTH, SECOND_WIDTH, Network, Shape, lines_of
from games.bots.search import Engine
from games.bots.train import title
from games.bots.train.colours import NCOLOURS
from games.bots.train.loops import loops
from games.bots.train.selfplay import Samples, endings, targets

BATCH = 512
DECAY = 1e-4
MANY = 1000.0
"""The optimizer's state is stored multiplied by this number, because half precision cannot hold very small numbers."""
SMOOTHING = 0.998
"""The smoothing of the weights: games use their moving average."""


AUXILIARY = 0.15
"""The weight of the loss for the end of the game, in addition to policy and value."""
Arrays = dict[str, NDArray[Any]]


class Batch(NamedTuple):
    """Samples at full precision."""

    states: Ints
    policy: Floats
    outcome: Floats
    expected: Floats
    final: Floats


class Losses(NamedTuple):
    """Mean losses over some batches."""

    policy: float
    value: float
    ending: float


class Learner:
    """The weights, their moving average, and the optimizer."""

    def __init__(self, engine: Engine, seats: int, rate: float) -> None:
        self.engine, self.seats, self.shape = engine, seats, engine.shape(seats)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        sizes = {
            **self.shape.weights,
            "ending.weight": (SECOND_WIDTH, endings(seats)),
            "ending.bias": (endings(seats),),
        }
        self.weights = {name: torch.nn.Parameter(_initial(name, size).to(self.device)) for name, size in sizes.items()}
        self.average = {name: weight.detach().clone() for name, weight in self.weights.items()}
        self.optimizer = torch.optim.AdamW(self.weights.values(), lr=rate, weight_decay=DECAY)
        self.steps = 0

    @property
    def rate(self) -> float:
        """The learning rate."""
        return float(self.optimizer.param_groups[0]["lr"])

    @rate.setter
    def rate(self, rate: float) -> None:
        self.optimizer.param_groups[0]["lr"] = rate

    def arrays(self) -> Arrays:
        """Everything needed to continue training, as plain arrays, most of them at half precision."""
        arrays: Arrays = {"steps": np.array(self.steps), "rate": np.array(self.rate)}
        for name, weight in self.weights.items():
            state = self.optimizer.state[weight]
            arrays[f"weights/{name}"] = _array(weight)
            arrays[f"average/{name}"] = _array(self.average[name] - weight).astype(np.float16)
            if state:
                arrays[f"first/{name}"] = _array(state["exp_avg"] * MANY).astype(np.float16)
                arrays[f"second/{name}"] = _array(state["exp_avg_sq"].sqrt() * MANY).astype(np.float16)
        return arrays

    def begin(self, network: Network) -> None:
        """Learn from this network on, instead of random weights. If it is narrower, its answers are the same at first:
        new features have no effect until they are learnt."""
        with torch.no_grad():
            for name, values in network.weights.items():
                self.weights[name][..., : values.shape[-1]] = 0
                self.weights[name][tuple(map(slice, values.shape))] = torch.from_numpy(values).to(self.device)
                self.average[name].copy_(self.weights[name])

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Continue from the result of `arrays`."""
        self.steps, self.rate = int(arrays["steps"]), float(arrays["rate"])
        for name, weight in self.weights.items():
            with torch.no_grad():
                weight.copy_(torch.from_numpy(arrays[f"weights/{name}"]))
                self.average[name].copy_(weight + torch.from_numpy(arrays[f"average/{name}"]).to(self.device))
            if f"first/{name}" in arrays:
                first, second = (
                    torch.from_numpy(arrays[f"{kind}/{name}"]).float() / MANY for kind in ("first", "second")
                )
                self.optimizer.state[weight] = {
                    "step": torch.tensor(float(self.steps)),
                    "exp_avg": first.to(self.device),
                    "exp_avg_sq": second.to(self.device).square(),
                }

    def network(self) -> Network:
        """The network for games: the moving average of the weights."""
        return Network(self.shape, {name: _array(self.average[name]) for name in self.shape.weights})

    def learn(self, samples: Samples, steps: int, rng: np.random.Generator) -> Losses:
        """Take `steps` steps over random batches; return the mean losses. Some cards are hidden, as in a search, and
        the colours of each batch change places."""
        losses, source = np.zeros(3), chance(int(rng.integers(2**62)))
        for _ in range(steps):
            batch = rows_of(samples, rng.integers(len(samples.states), size=BATCH))
            loops(self.engine).hide(batch.states, batch.policy, source)
            found = self._losses(self.weights, batch, int(rng.integers(NCOLOURS)))
            policy, value, ending = found
            self.optimizer.zero_grad()
            (policy + value + AUXILIARY * ending).backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.weights.values(), 1.0)
            self.optimizer.step()
            self.steps += 1
            smoothing = min(SMOOTHING, 1 - 1 / (1 + self.steps / 10))
            with torch.no_grad():
                for name, weight in self.weights.items():
                    self.average[name].lerp_(weight, 1 - smoothing)
            losses += [loss.item() for loss in found]
        return Losses(*(losses / max(1, steps)))

    def validate(self, samples: Samples) -> Losses:
        """The mean losses of the moving average, on positions that it has not learnt from yet."""
        losses, batches = np.zeros(3), range(0, len(samples.states), BATCH)
        with torch.no_grad():
            for start in batches:
                batch = rows_of(samples, slice(start, start + BATCH))
                found = self._losses(self.average, batch)
                losses += [loss.item() * len(batch.states) / len(samples.states) for loss in found]
        return Losses(*losses)

    def _losses(self, weights: Mapping[str, torch.Tensor], batch: Batch, turn: int = 0) -> tuple[torch.Tensor, ...]:
        features = np.empty((len(batch.states), self.shape.features), dtype=np.float32)
        illegal = np.empty((len(batch.states), self.shape.actions), dtype=np.float32)
        loops(self.engine).encode_all(batch.states, features, illegal)
        policy = batch.policy
        if turn:
            feature_order, action_order = title(self.engine.slug).turned(self.seats, turn)
            features, illegal, policy = features[:, feature_order], illegal[:, action_order], policy[:, action_order]
            # Tokens are returned in the order of their kinds, so these policies do not fit any more.
            policy[batch.states[:, self.engine.layout.PHASE] == self.engine.layout.RETURN] = 0
        arrays = (features, illegal, policy, targets(batch.outcome, batch.expected), batch.final)
        tensors = [torch.from_numpy(array).to(self.device) for array in arrays]
        logits, values, ending = forward(self.shape, weights, tensors[0])
        logits = logits - 100 * tensors[1]
        return (
            -(tensors[2] * functional.log_softmax(logits, 1)).sum(1).mean(),
            -(tensors[3] * functional.log_softmax(values, 1)).sum(1).mean(),
            functional.mse_loss(ending, tensors[4]) * tensors[4].shape[1],
        )


def rows_of(samples: Samples, rows: NDArray[Any] | slice) -> Batch:
    """A copy of these rows at full precision."""
    states, *others = (column[rows] for column in samples)
    return Batch(states.astype(np.int32), *(other.astype(np.float32) for other in others))


def _array(tensor: torch.Tensor) -> NDArray[Any]:
    found: NDArray[Any] = tensor.detach().cpu().numpy().copy()
    return found


def _initial(name: str, size: tuple[int, ...]) -> torch.Tensor:
    if name.endswith("bias"):
        return torch.zeros(size)
    scale = 0.1 if name.startswith(("answer", "head", "ending")) else 2**0.5
    return torch.randn(size) * scale / size[0] ** 0.5


def forward(
    shape: Shape, weights: Mapping[str, torch.Tensor], features: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The logits and values of `Network.evaluate`, values as logits too, and the prediction of how the game ends."""
    batch, cut = len(features), shape.items * shape.item_features
    context = features[:, cut : cut + shape.contexts]
    items = features[:, :cut].reshape(batch, shape.items, shape.item_features)
    items = torch.relu(items @ weights["item.weight"] + weights["item.bias"])
    groups = [items[:, group[0] : group[-1] + 1] for group in shape.groups]
    pooled = [*(group.sum(1) for group in groups), *(group.amax(1) for group in groups)]
    hidden = torch.cat([*pooled, context], 1)
    hidden = torch.relu(hidden @ weights["first.weight"] + weights["first.bias"])
    hidden = torch.relu(hidden @ weights["second.weight"] + weights["second.bias"])
    answers = hidden @ weights["answer.weight"] + weights["answer.bias"]
    at = shape.actions + HEAD_WIDTH
    about = torch.relu(items @ weights["about.weight"] + answers[:, None, shape.actions : at])
    scores = about @ weights["head.weight"]
    logits = answers[:, : shape.actions]
    for number, head in enumerate(shape.heads):
        chosen, actions = zip(*head, strict=True)
        logits = logits.index_add(1, torch.tensor(actions, device=features.device), scores[:, list(chosen), number])
    if shape.lines:
        wanted = answers[:, at : at + shape.kinds, None]
        board = context[:, -shape.spaces * shape.kinds :].reshape(batch, shape.spaces, shape.kinds)
        logits = logits + (board @ wanted)[:, :, 0] @ torch.from_numpy(lines_of(shape)).to(features.device)
        at += shape.kinds
    if shape.flags:
        costs = answers[:, at : at + 1] * features[:, -len(shape.flags) :]
        logits = logits.index_add(1, torch.tensor(shape.flags, device=features.device), costs)
        at += 1
    return logits, answers[:, at:], hidden @ weights["ending.weight"] + weights["ending.bias"]
