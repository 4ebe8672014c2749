"""Floats of 8 bits: numbers become what they become in PyTorch, and what PyTorch does not compute with them is refused."""

import math
from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch as ts
from torchscript_dialect.tensor.dtype import all_dtypes
from torchscript_dialect.torch.limits import finfo

DTYPES = [element for element in all_dtypes() if element.is_float8]
NUMBERS = [1.0, 0.0, -0.0, -3.3, 448.0, 480.0, 1e6, 1e-9, math.inf, -math.inf]
BYTES = {
    "float8_e5m2": [60, 0, 128, 195, 95, 96, 124, 0, 124, 252],
    "float8_e4m3fn": [56, 0, 128, 197, 126, 126, 126, 0, 126, 254],
    "float8_e5m2fnuz": [64, 0, 0, 199, 99, 100, 128, 0, 128, 128],
    "float8_e4m3fnuz": [64, 0, 0, 205, 128, 128, 128, 0, 128, 128],
    "float8_e8m0fnu": [127, 0, 0, 129, 136, 136, 147, 97, 255, 255],
}
"""PyTorch's."""


def _bytes(x: Any) -> list[int]:
    return x.view(ts.uint8).tolist()


@pytest.mark.parametrize("element", DTYPES, ids=str)
def test_numbers_become_the_bytes_of_pytorch(element: Any) -> None:
    expected = BYTES[element.name]
    x = ts.tensor(NUMBERS, dtype=ts.float64)
    assert _bytes(x.to(element)) == expected
    assert _bytes(x.float().to(element)) == expected
    assert ts.tensor([math.nan]).to(element).isnan().all()
    assert _bytes(ts.tensor(NUMBERS, dtype=element)) == expected
    assert _bytes(ts.empty(len(NUMBERS), dtype=element).copy_(x)) == expected
    for number, byte in zip(NUMBERS, expected, strict=True):
        for made in (
            ts.full((1,), number, dtype=element),
            ts.empty(1, dtype=element).fill_(number),
        ):
            assert _bytes(made) == [byte]


@pytest.mark.parametrize("element", DTYPES, ids=str)
def test_zeros_are_bytes_of_zero(element: Any) -> None:
    """What has no zero has its smallest number there."""
    ones = ts.ones(2, dtype=element)
    for made in (ts.zeros(2, dtype=element), ts.zeros_like(ones), ones.new_zeros(2), ones.zero_()):
        assert _bytes(made) == [0, 0]


@pytest.mark.parametrize("element", DTYPES, ids=str)
def test_what_computes_is_refused(element: Any) -> None:
    x = ts.tensor([1.0, 2.0], dtype=element)
    for call in (
        lambda: x + x,
        lambda: x * 2.0,
        lambda: x < x,
        lambda: x.exp(),
        lambda: x.sum(),
        lambda: x.cumsum(0),
        lambda: x.softmax(0),
        lambda: x.uniform_(),
        lambda: ts.arange(3, dtype=element),
    ):
        with pytest.raises(NotImplementedError, match=f"not implemented for '{element.type_name}'"):
            call()
    assert (x == x).tolist() == [True, True]
    assert (x != 1.0).tolist() == [False, True]
    assert x.isnan().tolist() == [False, False]
    assert ts.cat([x, x[:1]]).float().tolist() == [1, 2, 1]
    with pytest.raises(RuntimeError, match="Promotion for Float8 Types is not supported"):
        x.add(ts.ones(2))


def test_limits() -> None:
    found = {
        e.name: (finfo(e).eps, finfo(e).max, finfo(e).tiny, finfo(e).resolution) for e in DTYPES
    }
    assert found == {
        "float8_e5m2": (0.25, 57344, 2.0**-14, 1),
        "float8_e4m3fn": (0.125, 448, 2.0**-6, 1),
        "float8_e5m2fnuz": (0.125, 57344, 2.0**-15, 1),
        "float8_e4m3fnuz": (0.125, 240, 2.0**-7, 1),
        "float8_e8m0fnu": (1, 2.0**127, 2.0**-127, 1),
    }


@pytest.mark.parametrize("element", DTYPES, ids=str)
def test_random_numbers_beside_pytorch(element: Any) -> None:
    torch = pytest.importorskip("torch")
    draw = np.random.default_rng(0)
    bits = draw.integers(0, 2**32, 20_000, dtype=np.uint32).view(np.float32)
    near = draw.normal(size=20_000).astype(np.float32) * np.float32(10) ** draw.integers(
        -6, 4, 20_000
    )
    for x in (bits, near, near.astype(np.float64) * (1 + 1e-9), near.astype(np.float16)):
        theirs = torch.from_numpy(x).to(getattr(torch, element.name)).float().numpy()
        mine = ts.tensor(x).to(element).float().numpy()
        assert np.array_equal(mine, theirs, equal_nan=True)
