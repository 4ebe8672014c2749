"""Tensors of one number in groups."""

from __future__ import annotations

import numpy as np
import pytest

import torchscript_dialect as ts
from unit.lowering.test_reductions import agree, arrays

X = arrays((3, 4), "float32")


@pytest.mark.parametrize(
    "expression",
    [
        "torch.where(x > 0, x, torch.zeros_like(x)) + 1",
        "torch.ones_like(x) - torch.tanh(x)",
        "torch.full_like(x, 0.5) * x",
        "torch.zeros_like(x, dtype=torch.float64) + x",
        "torch.ones_like(x, dtype=torch.bool) | (x > 0)",
        "torch.full_like(x, 7, dtype=torch.int64) + 1",
        "torch.ones_like(x) + 1",
        "torch.tanh(x) + 1, torch.zeros_like(x)",
    ],
)
def test_in_one_kernel(expression: str) -> None:
    agree(f"def f(x):\n    return {expression}\n", (X,))


def test_sizes_that_the_program_names_are_a_condition() -> None:
    source = "def f(x):\n    return x * torch.ones([4]) + torch.zeros([3, 4])\n"
    others = [arrays(shape, "float32") for shape in ((3, 4), (1, 4), (3, 1), (3, 5), (2, 3, 4))]
    agree(source, (X,), *[(other,) for other in others], native=False)
    agree(
        "def f(x):\n    return torch.ones([2, 3]) * 2 + torch.full([3], 0.25)\n", (X,), native=False
    )


@pytest.mark.parametrize(
    "expression", ["x * torch.full([3, 4], 2.0) + 1", "torch.tensor([1.0, 2.0, 3.0, 4.0]) * x + 1"]
)
def test_constants_are_operands_of_groups(expression: str) -> None:
    """Tensors that constant propagation had made were taken for numbers."""
    source = f"def f(x):\n    return {expression}\n"
    agree(source, (X,), (arrays((1, 4), "float32"),), native=False)


@pytest.mark.parametrize("number", ["1e300", "300", "0.5"])
def test_numbers_that_do_not_fit(number: str) -> None:
    """They are the operator's to convert or to refuse."""
    for dtype in ("torch.float32", "torch.int32", "torch.bool"):
        source = f"def f(x):\n    return (torch.full_like(x, {number}, dtype={dtype}) + x) * 1\n"
        agree(source, (X,), native=False)


def test_nobody_else_sees_the_tensor() -> None:
    source = "def f(x):\n    y = torch.zeros_like(x) + x\n    y.add_(1)\n    return y, x * 1\n"
    f = ts.CompilationUnit(source).f
    for _ in range(4):
        y, x = f(X)
        np.testing.assert_array_equal(y.numpy(), X + 1)
        np.testing.assert_array_equal(x.numpy(), X)
