"""Depthwise convolutions as kernels, against the same programs interpreted, at sizes that the kernel was not made for, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.kernel_agreement import agree

RNG = np.random.default_rng(0)

CASES: dict[str, tuple[tuple[int, ...], tuple[int, ...], str]] = {
    # input, filters, and what stands after the bias
    "plain": ((2, 3, 5, 6), (3, 1, 3, 2), "1, 0, 1, 3"),
    "padded": ((2, 3, 5, 6), (3, 1, 3, 3), "1, 1, 1, 3"),
    "wide": ((2, 2, 9, 40), (2, 1, 7, 7), "1, 3, 1, 2"),
    "steps": ((2, 3, 9, 8), (3, 1, 3, 3), "[2, 3], [1, 0], 1, 3"),
    "dilated": ((2, 3, 9, 8), (3, 1, 3, 2), "1, [2, 1], [2, 3], 3"),
    "same": ((2, 3, 9, 8), (3, 1, 4, 3), "1, 'same', 1, 3"),
    "valid": ((2, 3, 9, 8), (3, 1, 2, 2), "2, 'valid', 1, 3"),
    "one channel": ((2, 1, 6, 5), (1, 1, 3, 3), "1, 1"),
    "one element": ((2, 3, 6, 5), (3, 1, 1, 1), "1, 0, 1, 3"),
    "no batch": ((3, 6, 5), (3, 1, 3, 3), "1, 1, 1, 3"),
    "rows": ((2, 4, 33), (4, 1, 5), "1, 2, 1, 4"),
    "volumes": ((2, 2, 4, 5, 6), (2, 1, 2, 2, 3), "1, 1, 1, 2"),
}


def numbers(shape: tuple[int, ...], dtype: str = "float32") -> np.ndarray:
    return RNG.standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("bias", ["None", "b"])
@pytest.mark.parametrize("name", CASES)
def test_agrees(name: str, bias: str) -> None:
    shape, filters, rest = CASES[name]
    rank = len(filters) - 2
    source = (
        f"def f(x, w, b):\n    return torch.relu(torch.conv{rank}d(x * 2, w, {bias}, {rest}))\n"
    )
    w, b = numbers(filters), numbers(filters[:1])
    lead, inner = shape[:-rank], shape[-rank:]
    shapes = [shape, (*lead, *(size + 3 for size in inner))]
    if len(lead) == 2:
        shapes.append(
            (lead[0] + 1, lead[1], *(size + place + 1 for place, size in enumerate(inner)))
        )
    agree(source, *[(numbers(one), w, b) for one in shapes])


def test_float64() -> None:
    shape, filters, rest = CASES["padded"]
    source = f"def f(x, w):\n    return torch.conv2d(x, w, None, {rest}) + 1\n"
    agree(source, (numbers(shape, "float64"), numbers(filters, "float64")))


def test_infinities_and_nan_meet_the_padding() -> None:
    """What is not finite in a filter makes NaN of the zeros around the tensor."""
    x, w = numbers((1, 2, 4, 4)), numbers((2, 1, 3, 3))
    x[0, 0, 1, 1], w[1, 0, 0, 0] = np.nan, np.inf
    agree("def f(x, w):\n    return torch.conv2d(x, w, None, 1, 1, 1, 2) * 2\n", (x, w))


def test_what_the_operator_refuses_is_refused() -> None:
    """A kernel serves no call for which the operator raises."""
    source = "def f(x, w):\n    return torch.conv2d(x, w, None, 1, 0, 1, 3) * 2\n"
    w = numbers((3, 1, 3, 3))
    small, other, wide = numbers((2, 3, 2, 6)), numbers((2, 4, 5, 6)), numbers((3, 1, 7, 3))
    agree(source, (numbers((2, 3, 5, 6)), w), (small, w), (other, w), (other, wide), native=False)


@pytest.mark.parametrize(
    ("filters", "groups"), [((6, 1, 3, 3), 3), ((3, 3, 3, 3), 1), ((3, 1, 9, 9), 3)]
)
def test_what_is_not_depthwise_or_large_stays_an_operator(filters: Any, groups: int) -> None:
    source = f"def f(x, w):\n    return torch.conv2d(x, w, None, 1, 4, 1, {groups}) + 1\n"
    f = ts.CompilationUnit(source)["f"]
    x, w = numbers((1, 3, 9, 9)), numbers(filters)
    for _ in range(4):
        f(x, w)
    assert not f.native_calls


def test_channels_last_stays_so() -> None:
    x = np.ascontiguousarray(numbers((2, 5, 6, 3))).transpose(0, 3, 1, 2)
    w = numbers((3, 1, 3, 3))
    source = "def f(x, w):\n    return torch.conv2d(x, w, None, 1, 1, 1, 3) * 2\n"
    with ts.fuser("none"):
        wanted = ts.CompilationUnit(source)["f"](x, w)
    f = ts.CompilationUnit(source)["f"]
    for _ in range(4):
        found = f(x, w)
        assert found.stride() == wanted.stride()
        np.testing.assert_allclose(found.array, wanted.array, rtol=2e-5, atol=1e-6)
