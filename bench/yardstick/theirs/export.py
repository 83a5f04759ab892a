"""Writes the yardstick's networks as ONNX and compares their results with those of torch: see docs/yardstick.md."""

import os
import sys
import types
from pathlib import Path

import numpy as np
import onnxruntime
import torch

HOME = Path(os.environ["YARDSTICK"])
COLUMNS, ACTIONS = 7, 81
NEAR = 1e-5


def divisible(value: float, divisor: int, least: int | None = None) -> int:
    """A multiple of the divisor near the value, at most a tenth below it. The networks need only this function of
    torchvision."""
    near = max(least or divisor, int(value + divisor / 2) // divisor * divisor)
    return near + divisor if near < 0.9 * value else near


def main() -> None:
    """Write all three networks."""
    for name in ("torchvision", "torchvision.models", "torchvision.models._utils"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["torchvision.models._utils"]._make_divisible = divisible  # type: ignore[attr-defined]
    sys.path.insert(0, str(HOME / "anchor"))
    torch.set_num_threads(1)
    for seats in (2, 3, 4):
        kept = torch.load(
            HOME / f"anchor/splendor/pretrained_{seats}players.pt", map_location="cpu", weights_only=False
        )
        network = kept["full_model"].eval()
        rows, file = 32 + 10 * seats + seats * seats, HOME / f"splendor_{seats}p.onnx"
        one = torch.randn(1, rows, COLUMNS), torch.ones(1, ACTIONS, dtype=torch.bool)
        names = {"input_names": ["board", "valid_actions"], "output_names": ["pi", "v"]}
        batches = {name: {0: "batch"} for both in names.values() for name in both}
        with torch.no_grad():
            torch.onnx.export(network, one, file, opset_version=17, dynamo=False, dynamic_axes=batches, **names)
        boards = np.random.randint(0, 5, (8, rows, COLUMNS)).astype(np.float32)
        valid = np.random.rand(8, ACTIONS) > 0.3
        found = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"]).run(
            None, {"board": boards, "valid_actions": valid}
        )
        with torch.no_grad():
            wanted = network(torch.from_numpy(boards), torch.from_numpy(valid))
        off = max(
            np.abs(np.exp(found[0]) - np.exp(wanted[0].numpy())).max(), np.abs(found[1] - wanted[1].numpy()).max()
        )
        assert off < NEAR, off
        print(f"{file}: {sum(weight.numel() for weight in network.parameters())} parameters, off by {off:.0e} at most")


if __name__ == "__main__":
    main()
