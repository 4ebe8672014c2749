"""Write test/golden/gradients.json, slopes of operators by PyTorch's gradients for some samples of each, and
test/golden/node_names.json, what it calls the nodes of their results. Needs PyTorch.
"""

import json
import math
import sys
import warnings
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from samples import torch_side  # noqa: E402
from support import gradient_golden as golden  # noqa: E402
from support import node_names  # noqa: E402
from torchscript_dialect.ops import registry  # noqa: E402

SIDE = golden.Side(
    torch.from_numpy,
    lambda tensor: (tensor.detach() + 0).resolve_conj().resolve_neg().numpy(),
    torch_side.invoke,
    torch.autograd.grad,
)


def record(name: str) -> list[list[float | None]]:
    """For each sample a pair of numbers, or nothing."""
    operator = registry.find(name)
    assert operator is not None
    lines: list[list[float | None]] = []
    told = 0
    for make in golden.samples(operator):
        found = None
        if told < golden.SAMPLES:
            try:
                found = golden.slopes(SIDE, operator, make)
            except Exception:
                found = None
        numbers = [] if found is None else [found.first, found.second]
        numbers = [n if n is None or math.isfinite(n) else None for n in numbers]
        if numbers[:1] == [None]:
            numbers = []
        told += bool(numbers)
        lines.append([None if n is None else float(f"{n:.11g}") for n in numbers])
    while lines and not lines[-1]:
        lines.pop()
    return lines


def write_names() -> None:
    """The names of nodes, by operator."""
    found = {one.qualified_name: node_names.names(SIDE, one) for one in node_names.operators()}
    lines = [f"{json.dumps(name)}: {json.dumps(rows)}" for name, rows in found.items() if any(rows)]
    node_names.GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    warnings.simplefilter("ignore")
    write_names()
    found = {name: record(name) for name in golden.names()}
    lines = [
        f"{json.dumps(n)}: {json.dumps(v, separators=(',', ':'))}" for n, v in found.items() if v
    ]
    golden.GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(lines)} operators, {golden.GOLDEN.stat().st_size} bytes")


if __name__ == "__main__":
    main()
