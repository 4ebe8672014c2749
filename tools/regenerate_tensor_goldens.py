#!/usr/bin/env python3
"""Writes test/golden/tensor/*.json from PyTorch: promotion, strides, printed texts, random streams.

    python tools/regenerate_tensor_goldens.py

PyTorch must be installed. Read the difference before keeping it.
"""

from __future__ import annotations

import json
import random
import warnings
from pathlib import Path
from typing import Any

import torch

GOLDEN = Path(__file__).parent.parent / "test" / "golden" / "tensor"
NAMES = (
    "uint8 int8 int16 int32 int64 float16 float32 float64 complex64 complex128 bool bfloat16 "
    "float8_e5m2 float8_e4m3fn float8_e5m2fnuz float8_e4m3fnuz uint16 uint32 uint64 float8_e8m0fnu"
).split()
NUMBERS = {"bool": True, "int": 2, "float": 2.0, "complex": 2j}


def numbers_of_dtypes() -> dict[str, int]:
    """The `ScalarType` number of every dtype, read from where graphs carry it."""
    source = "".join(f"def {name}_():\n    return torch.{name}\n" for name in NAMES)
    unit = torch.jit.CompilationUnit(source)
    return {name: getattr(unit, f"{name}_")() for name in NAMES}


def promotion() -> dict[str, Any]:
    """`result_type` of every pair of operands; null where PyTorch has none."""
    operands: dict[str, Any] = {}
    for name in NAMES:
        kind = getattr(torch, name)
        operands[f"{name} dim"] = torch.empty(2, dtype=kind)
        operands[f"{name} 0-d"] = torch.empty((), dtype=kind)
    operands.update(NUMBERS)
    rows: list[str] = []
    for left in operands.values():
        row: list[str] = []
        for right in operands.values():
            try:
                row.append(str(torch.result_type(left, right)).removeprefix("torch."))
            except RuntimeError:
                row.append("-")
        rows.append(" ".join(row))
    casts = {
        source: [t for t in NAMES if torch.can_cast(getattr(torch, source), getattr(torch, t))]
        for source in NAMES
    }
    return {"operands": list(operands), "results": rows, "can_cast": casts}


def random_operand(rng: random.Random, shape: list[int]) -> torch.Tensor:
    """A float tensor of this shape: permuted, padded, expanded, or plain."""
    order = list(range(len(shape)))
    if rng.random() < 0.6:
        rng.shuffle(order)
    padded = [n + rng.choice((0, 0, 0, 1)) for n in shape]
    base = torch.zeros([padded[d] for d in order])
    view = base.permute([order.index(d) for d in range(len(shape))])
    for dim, size in enumerate(shape):
        view = view.narrow(dim, 0, size)
        if size > 1 and rng.random() < 0.1:
            view = view.narrow(dim, 0, 1)
            view = view.expand([size if d == dim else n for d, n in enumerate(view.shape)])
    return view


def strides(count: int) -> list[list[Any]]:
    """Rows of [operand shapes, operand strides, result strides] of sums of one to three tensors."""
    rng = random.Random(7)
    rows: list[list[Any]] = []
    while len(rows) < count:
        out_shape = [
            rng.choice((1, 2, 3, 4, 0) if rng.random() < 0.1 else (1, 2, 3))
            for _ in range(rng.randint(1, 5))
        ]
        operands: list[torch.Tensor] = []
        for _ in range(rng.randint(1, 3)):
            shape = (
                out_shape
                if rng.random() < 0.5
                else [1 if rng.random() < 0.3 else n for n in out_shape]
            )
            shape = shape[rng.choice((0, 0, 0, 1)) :]
            operands.append(random_operand(rng, shape))
        result = operation(operands)
        rows.append(
            [
                [list(t.shape) for t in operands],
                [list(t.stride()) for t in operands],
                list(result.shape),
                list(result.stride()),
            ]
        )
    return rows


def operation(operands: list[torch.Tensor]) -> torch.Tensor:
    """A pointwise operator with as many tensor operands."""
    match operands:
        case [x]:
            return x.neg()
        case [x, y]:
            return x + y
        case [x, y, z]:
            return torch.addcmul(x, y, z)
        case _:
            raise ValueError(len(operands))


def texts() -> list[dict[str, Any]]:
    """Tensors, as dtype, shape and either values or the step of a range, and their text in Python and in programs."""
    in_program = torch.jit.CompilationUnit("def text(x):\n    return str(x)\n").text
    special = [0.0, -0.0, float("inf"), float("-inf"), float("nan")]
    cases: list[tuple[str, list[int], Any]] = [
        ("float32", [], [1.5]),
        ("float32", [], [1e-7]),
        ("int64", [], [7]),
        ("bool", [3], [True, False, True]),
        ("float32", [2, 2], [1, 2.5, 3, 4]),
        ("float32", [2, 2], [1, 2, 3, 4]),
        ("float64", [3], [0.1, 0.2, 100]),
        ("float16", [3], [0.1, 0.2, 65504]),
        ("bfloat16", [2, 1], [0.1, -3]),
        ("float8_e5m2", [2], [0.25, -3]),
        ("uint8", [2, 0], []),
        ("float32", [0], []),
        ("float32", [0, 3], []),
        ("int64", [0], []),
        ("int32", [2, 3], [1, -20, 300, 4, 5, 6]),
        ("float32", [5], special),
        ("float32", [7], [*special, 1.25, 1e9]),
        ("float32", [6], [*special, 3]),
        ("float32", [3], [1e-5, 1, 2]),
        ("float32", [3], [1, 1000, 1001]),
        ("float32", [3], [1, 1000.5, 10]),
        ("float32", [2], [1e8, 1.1e8]),
        ("float32", [2], [-99999.5, 99999.5]),
        ("complex64", [3], [[1, 2], [0.5, -3], [-1, 0]]),
        ("complex128", [2], [[1, 2], [1e-6, 1e6]]),
        ("complex64", [], [[1, -0.0]]),
        ("complex64", [2], [[float("nan"), 1], [float("inf"), float("-inf")]]),
        ("float32", [30], 0.37),
        ("int64", [40], 1),
        ("float32", [2, 3, 4], 0.5),
        ("float32", [2, 1, 2, 2], 1),
        ("float64", [9, 2], 1e4),
        ("float32", [1001], 1),
        ("float32", [40, 40], 0.01),
        ("int16", [11, 11, 11], 3),
        ("float32", [2, 600], 0.1),
        ("bfloat16", [300, 5], 1),
        ("complex64", [1200], 0.5),
        ("bool", [1100], 1),
        ("float16", [17], 0.013),
        ("int64", [], [2**53 + 1]),
        ("int64", [2], [123456789, 1]),
        ("int64", [2], [1234567890, -1]),
        ("float32", [], [-0.0]),
        ("float32", [], [1e20]),
        ("float64", [], [1e-5]),
        ("float32", [2], [0.001, 0.002]),
        ("float32", [2], [0.0, 1e-4]),
        ("float32", [1, 2, 1], [1e6 + 0.5, 1e6 + 1.5]),
        ("float32", [1, 2, 20], 1e-4),
        ("float64", [1, 30], -1234.5),
        ("float64", [2], [1e17, 3e-101]),
        ("float64", [2], [1e-99, 2.5e-99]),
        ("float64", [2], [1e300, 0.5]),
        ("float32", [2], [99999.5, 0.25]),
        ("complex64", [1, 2], [[1.5, 2], [3, -1]]),
        ("float32", [2, 0, 3], []),
        ("float32", [1, 1, 1, 1, 1], [2.5]),
    ]
    rows: list[dict[str, Any]] = []
    for name, shape, data in cases:
        count = 1
        for n in shape:
            count *= n
        if isinstance(data, list):
            values = [complex(*v) if isinstance(v, list) else v for v in data]
        else:
            values = [i * data for i in range(count)]
        if name == "bool":
            values = [bool(v) for v in values]
        tensor = torch.tensor(values, dtype=getattr(torch, name)).reshape(shape)
        row = {"dtype": name, "shape": shape, "data": data}
        rows.append({**row, "text": repr(tensor), "in_program": in_program(tensor)})
    return rows


def streams() -> dict[str, list[float]]:
    """The first numbers of the generator at seed 0."""
    made = {
        "rand float32": lambda: torch.rand(20),
        "rand float64": lambda: torch.rand(5, dtype=torch.float64),
        "rand float16": lambda: torch.rand(5, dtype=torch.float16),
        "randn float32": lambda: torch.randn(20),
        "randn few": lambda: torch.randn(5),
        "randn float64": lambda: torch.randn(33, dtype=torch.float64),
        "randint": lambda: torch.randint(-5, 1 << 40, (5,)),
        "randperm": lambda: torch.randperm(12),
    }
    found: dict[str, list[float]] = {}
    for name, make in made.items():
        torch.manual_seed(0)
        found[name] = make().tolist()
    return found


def write(name: str, content: Any) -> None:
    """Writes one file, one line per entry."""
    if isinstance(content, list):
        text = "[\n" + ",\n".join(json.dumps(row) for row in content) + "\n]\n"
    else:
        text = json.dumps(content, indent=1) + "\n"
    (GOLDEN / f"{name}.json").write_text(text)


def main() -> None:
    """Asks PyTorch and writes every file."""
    warnings.simplefilter("ignore")  # torch.jit announces its retirement
    GOLDEN.mkdir(parents=True, exist_ok=True)
    write("dtypes", numbers_of_dtypes())
    write("promotion", promotion())
    write("strides", strides(400))
    write("texts", texts())
    write("streams", streams())


if __name__ == "__main__":
    main()
