"""Kernels of complex numbers on the CPU: as close to what operators give one by one as their dtype is precise, and the same where parts
are infinite, no numbers or zeros of either sign.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor

pytestmark = [needs_native_calls, pytest.mark.usefixtures("compiled_at_once")]

DTYPES = {np.complex64: 4e-6, np.complex128: 1e-14}
PROGRAMS = {
    "arithmetic": "x * y + x / (y + 3) - 2.5 * x",
    "parts": "x.real * torch.abs(y) + (x * torch.conj(y)).imag",
    "conjugates": "torch.conj_physical(x) * y * (1 - 2j) + torch.angle(x)",
    "choices": "torch.where(x == y, x, -y) * torch.isfinite(x) + y.real",
    "powers": "x**3 - y**2 + torch.sqrt(x) * torch.rsqrt(y + 4)",
    "sums": "(x * y).sum(1) + x.mean() * y.sum(1)",
    "views": "(x[1:, ::3] * y[1:, ::3]).reshape(-1) + x[0, 1]",
}
SPECIAL = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan]
FUNCTIONS = "abs exp exp2 log log2 log10 sqrt rsqrt reciprocal sigmoid sin cos tan sinh cosh tanh expm1 sgn square neg".split()
BINARY = ("x + y", "x - y", "x * y", "x / y", "x * 2.0", "2 / y", "x == y")
BESIDE = ("torch.pow(x, y)", "torch.asin(x)", "torch.acosh(x)", "torch.atan(x)")


def both(body: str, x: Tensor, y: Tensor) -> tuple[Any, Any]:
    """What operators give one by one, and a kernel."""
    f = ts.CompilationUnit(f"def f(x, y):\n    return {body}\n").f
    with ts.fuser("none"):
        expected = f(x, y)
    found = f(x, y)
    assert "native: the whole function" in ts.explain(f)
    return expected, found


def layouts(dtype: Any) -> list[tuple[Tensor, Tensor]]:
    """Of sizes that fit no vector, with gaps, at odd addresses, broadcast, expanded and without elements."""
    rng = np.random.default_rng(0)
    parts = rng.standard_normal((2, 2, 67, 39))
    x, y = (torch.from_numpy((one[0] + 1j * one[1]).astype(dtype)) for one in parts)
    return [
        (x, y),
        (x[::2, 1:], y[::2, 1:]),
        (x[:, ::2], y[:, ::2]),
        (x.flatten()[1:].unflatten(0, (2, -1)), y.flatten()[1:].unflatten(0, (2, -1))),
        (x, y[:1].expand(67, 39)),
    ]


def agree(found: Tensor, expected: Tensor, tolerance: float) -> bool:
    """Parts that are finite are close, measured by the largest number; what is infinite or no number is so in both."""
    given, wanted = found.numpy(), expected.numpy()
    same = (found.dtype, found.shape, found.stride()) == (
        expected.dtype,
        expected.shape,
        expected.stride(),
    )
    size = np.abs(wanted[np.isfinite(wanted)]).max(initial=1.0)
    return same and np.allclose(given, wanted, rtol=0, atol=tolerance * size, equal_nan=True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_kernels_are_as_close_as_their_dtype(name: str) -> None:
    """The dtypes take turns."""
    dtype = [*DTYPES][[*PROGRAMS].index(name) % 2]
    for x, y in layouts(dtype):
        expected, found = both(PROGRAMS[name], x, y)
        assert agree(found, expected, DTYPES[dtype]), (x.shape, x.stride())


def kinds(parts: Any) -> Any:
    """What a part is: a finite number, a zero, an infinity, each with its sign, or no number."""
    signs = np.where(np.signbit(parts), -1, 1)
    kind = np.where(np.isinf(parts), 3, np.where(parts == 0, 1, 2)) * signs
    return np.where(np.isnan(parts), 0, kind)


def of_kinds(found: Tensor) -> Any:
    array: Any = found.numpy()
    if array.dtype.kind == "c":
        return np.stack([kinds(array.real), kinds(array.imag)])
    return array if array.dtype.kind == "b" else kinds(array)


@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_of_extremes_are_those_of_operators(dtype: Any) -> None:
    x = torch.from_numpy(np.array([complex(a, b) for a in SPECIAL for b in SPECIAL], dtype))
    results = zip(*both(", ".join(f"torch.{name}(x)" for name in FUNCTIONS), x, x), strict=True)
    for name, (expected, found) in zip(FUNCTIONS, results, strict=True):
        np.testing.assert_array_equal(of_kinds(found), of_kinds(expected), name)


@pytest.mark.parametrize("dtype", DTYPES)
def test_arithmetic_of_extremes_is_that_of_operators(dtype: Any) -> None:
    grid = torch.from_numpy(np.array([complex(a, b) for a in SPECIAL for b in SPECIAL], dtype))
    results = zip(*both(", ".join(BINARY), grid.unsqueeze(1), grid.unsqueeze(0)), strict=True)
    for body, (expected, found) in zip(BINARY, results, strict=True):
        np.testing.assert_array_equal(of_kinds(found), of_kinds(expected), body)


def test_differences_have_the_signs_of_pytorch() -> None:
    """It adds products with -1."""
    x = torch.tensor([complex(0.0, -0.0), complex(-0.0, -0.0), complex(1.0, -0.0)])
    y = torch.zeros(3, dtype=torch.complex64)
    expected, found = both("x - y, torch.rsub(x, y)", x, y)
    for one in (expected, found):
        assert [str(v) for v in one[0].tolist()] == ["0j", "(-0+0j)", "(1+0j)"]


@pytest.mark.parametrize("body", BESIDE)
def test_what_pytorch_computes_otherwise_has_no_kernel(body: str) -> None:
    x = torch.tensor([1 + 2j, -3j])
    f = ts.CompilationUnit(f"def f(x, y):\n    return {body} * 2 + x\n").f
    with ts.fuser("none"):
        expected = f(x, x)
    assert agree(f(x, x), expected, 4e-6)
    assert "native: aten::mul, aten::add" in ts.explain(f)


def test_nothing_is_written_beside_conjugates() -> None:
    """They are no results of kernels: writes to these would be lost."""
    x = torch.tensor([1 + 2j, -3j])
    f = ts.CompilationUnit("def f(x):\n    y = x * 2 + 1\n    return y.conj(), y.real\n").f
    conjugate, real = f(x)
    assert (conjugate.tolist(), real.tolist()) == ([3 - 4j, 1 + 6j], [3.0, 1.0])
    with pytest.raises((RuntimeError, ValueError)):
        conjugate.mul_(2)


def test_gradients_go_through() -> None:
    x = torch.tensor([1 + 2j, -3j, 0.5 + 0j], requires_grad=True)
    f = ts.CompilationUnit(
        "def f(x):\n    return (torch.exp(x * x) * torch.conj(x)).abs().sum()\n"
    ).f
    f(x).backward()
    assert x.grad is not None
    number = x.detach().numpy()
    step = 1e-3
    for direction in (1, 1j):
        up, down = (
            f(torch.from_numpy((number + s * direction).astype(np.complex128)))
            for s in (step, -step)
        )
        slope = (up.item() - down.item()) / (2 * step)
        along = sum((np.conj(x.grad.numpy()) * direction).real)
        assert abs(slope - along) < 1e-3 * abs(along)
