"""Casts of float16 for products: what kernels give is what NumPy gives."""

from __future__ import annotations

import numpy as np
import pytest

from torchscript_dialect.ops.products.half_casts import cast, counted

ALL = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
"""Every number that there is, infinities and NaN among them."""


@pytest.fixture(autouse=True)
def _soon() -> None:
    """So many elements were cast that kernels run later calls."""
    operator = counted()
    for _ in range(2):
        operator.left = min(operator.left, 0)
        cast(ALL, np.dtype(np.float32))
        cast(ALL.astype(np.float32), np.dtype(np.float16))


def test_all_float16_numbers_are_those_of_float32() -> None:
    found = cast(ALL, np.dtype(np.float32))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, ALL.astype(np.float32))


def test_float32_numbers_are_rounded_to_even() -> None:
    between = np.random.default_rng(0).integers(0, 1 << 32, 1 << 16, dtype=np.uint32)
    halves = ALL.astype(np.float32)
    with np.errstate(all="ignore"):
        ties = halves[1:] / 2 + halves[:-1] / 2
        for numbers in (between.view(np.float32), ties):
            wanted = numbers.astype(np.float16)
            np.testing.assert_array_equal(cast(numbers, np.dtype(np.float16)), wanted)


def test_few_elements_and_other_layouts_are_cast_by_numpy() -> None:
    turned = ALL.reshape(256, 256).T
    found = cast(turned, np.dtype(np.float32))
    assert found.strides == turned.astype(np.float32).strides
    np.testing.assert_array_equal(found, turned.astype(np.float32))
    assert cast(ALL[:3], np.dtype(np.float32)).tolist() == ALL[:3].tolist()
