"""The network as torch sees it, and what it learns from samples."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from games.bots.network import HEAD_WIDTH, Network, Shape, lines_of
from games.bots.search import Engine
from games.bots.train.selfplay import Samples, targets

BATCH = 512
DECAY = 1e-4
SMOOTHING = 0.998
"""Of the weights: what is played is their moving average."""


class Learner:
    """Weights, their moving average, and the optimizer."""

    def __init__(self, engine: Engine, seats: int, rate: float) -> None:
        self.engine, self.shape = engine, engine.shape(seats)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.weights = {
            name: torch.nn.Parameter(_initial(name, size).to(self.device)) for name, size in self.shape.weights.items()
        }
        self.average = {name: weight.detach().clone() for name, weight in self.weights.items()}
        self.optimizer = torch.optim.AdamW(self.weights.values(), lr=rate, weight_decay=DECAY)
        self.steps = 0

    def save(self, file: Path) -> None:
        """Everything that is needed to go on."""
        partial = file.with_suffix(".partial")
        state = {"weights": self.weights, "average": self.average, "steps": self.steps}
        torch.save({**state, "optimizer": self.optimizer.state_dict()}, partial)
        partial.rename(file)

    def load(self, file: Path, rate: float) -> None:
        """Go on from there, at this rate."""
        saved = torch.load(file, map_location=self.device, weights_only=True)
        with torch.no_grad():
            for name, weight in self.weights.items():
                weight.copy_(saved["weights"][name])
                self.average[name].copy_(saved["average"][name])
        self.optimizer.load_state_dict(saved["optimizer"])
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.steps = saved["steps"]

    def start_from(self, network: Network) -> None:
        """Go on from weights alone."""
        with torch.no_grad():
            for name, weight in network.weights.items():
                self.weights[name].copy_(torch.from_numpy(weight))
                self.average[name].copy_(self.weights[name])

    def network(self) -> Network:
        """What is played: the moving average."""
        return Network(self.shape, {name: weight.cpu().numpy() for name, weight in self.average.items()})

    def learn(self, samples: Samples, steps: int, rng: np.random.Generator) -> tuple[float, float]:
        """Take so many steps over random batches; return the mean losses of policy and value."""
        losses = np.zeros(2)
        for features, illegal, policy, value in self._batches(samples, steps, rng):
            logits, values = forward(self.shape, self.weights, features)
            logits = logits - 100 * illegal
            policy_loss = -(policy * functional.log_softmax(logits, 1)).sum(1).mean()
            value_loss = -(value * functional.log_softmax(values, 1)).sum(1).mean()
            self.optimizer.zero_grad()
            (policy_loss + value_loss).backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.weights.values(), 1.0)
            self.optimizer.step()
            self.steps += 1
            smoothing = min(SMOOTHING, 1 - 1 / (1 + self.steps / 10))
            with torch.no_grad():
                for name, weight in self.weights.items():
                    self.average[name].lerp_(weight, 1 - smoothing)
            losses += policy_loss.item(), value_loss.item()
        return losses[0] / steps, losses[1] / steps

    def _batches(self, samples: Samples, steps: int, rng: np.random.Generator) -> Iterator[tuple[Any, ...]]:
        features = np.empty((BATCH, self.shape.features), dtype=np.float32)
        illegal = np.empty((BATCH, self.shape.actions), dtype=np.float32)
        for _ in range(steps):
            rows = rng.integers(len(samples.states), size=BATCH)
            self.engine.loops.encode_all(samples.states[rows].astype(np.int32), features, illegal)
            value = targets(samples.outcome[rows].astype(np.float32), samples.expected[rows].astype(np.float32))
            policy = samples.policy[rows].astype(np.float32)
            yield tuple(torch.from_numpy(array).to(self.device) for array in (features, illegal, policy, value))


def _initial(name: str, size: tuple[int, ...]) -> torch.Tensor:
    if name.endswith("bias"):
        return torch.zeros(size)
    scale = 0.1 if name.startswith(("answer", "head")) else 2**0.5
    return torch.randn(size) * scale / size[0] ** 0.5


def forward(shape: Shape, weights: Any, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """What `Network.evaluate` computes, values as logits."""
    batch, cut = len(features), shape.items * shape.item_features
    context = features[:, cut : cut + shape.contexts]
    items = features[:, :cut].reshape(batch, shape.items, shape.item_features)
    items = torch.relu(items @ weights["item.weight"] + weights["item.bias"])
    pooled = [items[:, group[0] : group[-1] + 1].sum(1) for group in shape.groups]
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
    return logits, answers[:, at:]
