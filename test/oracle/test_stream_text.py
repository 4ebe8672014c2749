"""`str` of random tensors in a program, against PyTorch: all dtypes, ranks, magnitudes, columns and special numbers.

STREAM_TEXTS says how many.

Point 6 of docs/testing.md.
"""

import math
import os
import random
import warnings
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import torchscript_dialect as ts  # noqa: E402

COUNT = int(os.environ.get("STREAM_TEXTS", "600"))
SOURCE = "def text(x):\n    return str(x)\n"
DTYPES = (
    "float32 float32 float64 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool complex64"
).split()
EXPONENTS = (0, 0, 1, 3, 5, 6, 9, 10, 12, 18, 30, 99, 100, 101, 300)
SPECIAL = (math.nan, -math.nan, math.inf, -math.inf, 0.0, -0.0)


def number(r: random.Random, exponent: int, spread: int, mode: int) -> float:
    power = max(-320, min(307, exponent + r.randint(-spread, spread)))
    value = r.choice((1, 1, 1, -1)) * r.random() * 10.0**power
    if mode == 0:
        return float(round(value))
    if mode == 1 and r.random() < 0.3:
        return r.choice(SPECIAL)
    if mode == 2:
        return float(r.randint(-20, 20))
    if mode == 3 and value:
        return 10.0 ** round(math.log10(abs(value))) * r.choice((1, 0.5, -1))
    return value


def random_tensor(seed: int) -> Any:
    r = random.Random(seed)
    shape = [r.choice((0, 1, 2, 3, 5, 30) if r.random() < 0.4 else (1, 2, 3)) for _ in range(r.randint(0, 4))]  # fmt: skip
    if len(shape) == 2 and r.random() < 0.2:
        shape[1] = r.randint(1, 100)
    dtype = getattr(torch, r.choice(DTYPES))
    exponent, spread = r.choice((1, -1)) * r.choice(EXPONENTS), r.choice((0, 0, 1, 2, 4, 5, 6, 10))
    mode = r.randint(0, 5)
    numbers = [number(r, exponent, spread, mode) for _ in range(math.prod(shape))]
    x = torch.tensor(numbers, dtype=torch.float64).reshape(shape)
    if not (dtype.is_floating_point or dtype.is_complex):
        x = torch.nan_to_num(x).clamp(-100 if mode % 2 else -(2.0**62), 2.0**62)
    x = x.to(dtype)
    return x.transpose(-1, -2) if len(shape) > 1 and r.random() < 0.3 else x


def test_same_as_pytorch() -> None:
    ours, theirs = ts.CompilationUnit(SOURCE).text, torch.jit.CompilationUnit(SOURCE).text
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch says that imaginary parts are not printed
        for seed in range(COUNT):
            x = random_tensor(seed)
            assert ours(x) == theirs(x), (seed, x)
