"""`sub` and `rsub` with the least int of 64 bits as their factor: PyTorch negates it as an int, which gives itself, and adds.

The results are PyTorch's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

LEAST = -(2**63)
X, Y = [1.0, -2.0, 0.0], [2.0, 3.0, -1.0]
HUGE = 2.0**63
EXPECTED = {
    "sub": [-2 * HUGE, -3 * HUGE, HUGE],
    "sub of a number": [-3 * HUGE] * 3,
    "rsub": [-HUGE, 2 * HUGE, -1.0],
    "rsub of a number": [-HUGE, 2 * HUGE, 3.0],
}
SOURCES = {
    "sub": "torch.sub(x, y, alpha=n)",
    "sub of a number": "torch.sub(x, 3, alpha=n)",
    "rsub": "torch.rsub(x, y, alpha=n)",
    "rsub of a number": "torch.rsub(x, 3, alpha=n)",
}
DTYPES = ("float32", "float64", "bfloat16", "complex64")


def computed(x: Any) -> Any:
    return x.to(torch.complex128).numpy().tolist()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SOURCES)
def test_eager_calls_add_the_negated_factor(name: str, dtype: str) -> None:
    x, y = (torch.tensor(values, dtype=getattr(torch, dtype)) for values in (X, Y))
    given = {"torch": torch, "x": x, "y": y, "n": LEAST}
    assert computed(eval(SOURCES[name], given)) == EXPECTED[name]
    if name == "sub":
        x.sub_(y, alpha=LEAST)
        assert computed(x) == EXPECTED[name]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("is_constant", [False, True])
def test_compiled_calls_add_the_negated_factor(name: str, dtype: str, is_constant: bool) -> None:
    text = (
        SOURCES[name].replace("n)", "-9223372036854775807 - 1)") if is_constant else SOURCES[name]
    )
    unit = ts.CompilationUnit(f"def f(x, y, n: int):\n    x = x * 1\n    return {text}\n")
    x, y = (torch.tensor(values, dtype=getattr(torch, dtype)) for values in (X, Y))
    for _ in range(5):
        assert computed(unit.f(x, y, LEAST)) == EXPECTED[name]


def test_large_tensors_are_no_other() -> None:
    x, y = np.full(300_000, 1, "float32"), np.full(300_000, 2, "float32")
    result = torch.sub(torch.from_numpy(x), torch.from_numpy(y), alpha=LEAST)
    assert set(result.numpy().tolist()) == {-2 * HUGE}


def test_a_float_and_ints_are_as_they_were() -> None:
    x, y = torch.tensor(X), torch.tensor(Y)
    assert computed(torch.sub(x, y, alpha=float(LEAST))) == [2 * HUGE, 3 * HUGE, -HUGE]
    whole = torch.sub(torch.tensor([1, 2]), torch.tensor([1, 2]), alpha=LEAST)
    assert whole.tolist() == [1 + LEAST, 2]
