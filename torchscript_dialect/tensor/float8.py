"""Floats of 8 bits: how numbers become them, and of 16, and what does not compute with them (c10/util/Float8_e4m3fn.h,
Float8_e8m0fnu.h).

ml_dtypes has their elements and rounds as PyTorch does. What two of them cannot hold PyTorch gives other elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor.dtype import dtype, float8_e4m3fn, float8_e8m0fnu

Array = NDArray[Any]

_LARGEST = np.float32(448)
_SMALLEST = np.float32(2.0**-127)

_HELD: dict[np.dtype[Any], Callable[[Array], Array]] = {
    float8_e4m3fn.numpy_dtype: lambda x: np.clip(x, -_LARGEST, _LARGEST),
    float8_e8m0fnu.numpy_dtype: lambda x: np.maximum(np.abs(x), _SMALLEST),
}
"""`float8_e4m3fn` has no infinity, and saturates; `float8_e8m0fnu` has neither a sign nor a zero."""


def held_by(element: np.dtype[Any], numbers: Array) -> Array:
    """What NumPy converts to a dtype as PyTorch converts these numbers: themselves, for most dtypes."""
    hold = _HELD.get(element)
    if hold is not None:
        return hold(np.asarray(numbers).astype(np.float32))
    if element == np.float16 and np.asarray(numbers).dtype == np.float64:
        return numbers.astype(np.float32)  # PyTorch's class is made of float32 (c10/util/Half.h)
    return numbers


def converted(element: np.dtype[Any], numbers: Array) -> Array:
    """A copy of the numbers with a dtype, as PyTorch converts them."""
    return held_by(element, numbers).astype(element)


def refuse_float8(element: dtype, name: str) -> None:
    """NotImplementedError for floats of 8 bits, with which PyTorch computes nothing."""
    if element.is_float8:
        raise NotImplementedError(f"\"{name}\" not implemented for '{element.type_name}'")
