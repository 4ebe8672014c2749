"""Functions of elements that look at, or make, the bits of floats."""

from __future__ import annotations

from torchscript_dialect.ops.dispatch import call
from torchscript_dialect.runtime.cuda.fused_functions import fused
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor

_FRACTION, _BIAS = 52, 1023
"""Bits of the fraction of a float64, and the exponent that stands for 0."""
_MOST = 1000
"""An exponent that a float64 has room for, of either sign."""


def _power_of_2(exponents: Tensor) -> Tensor:
    """2 to integers that are no larger than `_MOST`, as float64."""
    return exponents.add(_BIAS).bitwise_left_shift(_FRACTION).view(dtypes.float64)


@fused
def scaled(x: Tensor, exponents: Tensor) -> list[Tensor]:
    """Floats times powers of 2, rounded once: in float64, in two steps of which the second one alone may round."""
    powers = call("aten::to", (exponents, dtypes.int64)).clamp(-3 * _MOST, 3 * _MOST)
    last = powers.clamp(-_MOST, _MOST)
    rest = powers.sub(last)
    before = rest.clamp(-_MOST, _MOST)
    found = call("aten::to", (x, dtypes.float64))
    for one in (rest.sub(before), before, last):
        found = found.mul(_power_of_2(one))
    return [call("aten::to", (found, x.dtype))]
