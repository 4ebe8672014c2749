"""`values * factor + added` rounded once, as PyTorch's vectorized kernels and those that a C++ compiler fuses give it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_SPLIT = 2.0**27 + 1
_LARGEST = 1e290
"""The halves of what is larger overflow."""


def multiply_add(values: NDArray[Any], factor: float, added: float) -> NDArray[Any]:
    """Of float32 `values` by float64, which holds their products with a float32; of float64 ones by the parts that a product and a sum
    lose (T. J. Dekker, A Floating-Point Technique for Extending the Available Precision).
    """
    if values.dtype == np.float32:
        wide = values.astype(np.float64)
        wide *= np.float32(factor)
        wide += np.float32(added)
        return wide.astype(np.float32)
    product = values * factor
    total = product + added
    if not abs(factor) < _LARGEST or not np.isfinite(total).all():
        return total
    high, low = _halves(values)
    factor_high, factor_low = _halves(np.float64(factor))
    lost = high * factor_high - product
    lost += high * factor_low
    lost += low * factor_high
    lost += low * factor_low
    taken = total - product
    lost += product - (total - taken)
    lost += added - taken
    return total + lost


def multiply_add_whole(values: NDArray[Any], factor: Any, added: Any) -> NDArray[Any]:
    """The same of whole numbers below 2**26 in float64, whose products with half a factor are exact."""
    if not abs(factor) < _LARGEST:
        return added + factor * values
    high, low = _halves(factor)
    product = high * values
    total = added + product
    taken = total - added
    lost = added - (total - taken)
    lost += product - taken
    lost += low * values
    total += lost
    return total


def _halves(value: Any) -> tuple[Any, Any]:
    scaled = value * _SPLIT
    high = scaled - (scaled - value)
    return high, value - high
