"""Functions of elements that look at, or make, the bits of floats."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.fused_functions import fused
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import result_type

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


@fused
def _parts(x: Tensor) -> list[Tensor]:
    """Mantissas from 0.5 to 1, and exponents of 2; the number itself and 0 where it is 0 or not finite."""
    wide = call("aten::to", (x, dtypes.float64))
    is_small = wide.abs().lt(2.0**-1000)
    bits = call("aten::where", (is_small, wide.mul(2.0**60), wide)).view(dtypes.int64)
    field = bits.bitwise_right_shift(_FRACTION).bitwise_and(2 * _BIAS + 1)
    half = bits.bitwise_and(~((2 * _BIAS + 1) << _FRACTION)).bitwise_or((_BIAS - 1) << _FRACTION)
    exponent = call("aten::where", (is_small, field.sub(60), field)).sub(_BIAS - 1)
    stays = call("aten::isfinite", (wide,)).logical_not().logical_or(wide.eq(0))
    mantissa = call("aten::where", (stays, wide, half.view(dtypes.float64)))
    return [
        call("aten::to", (mantissa, x.dtype)),
        call("aten::to", (exponent.masked_fill(stays, 0), dtypes.int32)),
    ]


def frexp(x: Tensor) -> Any:
    """`aten::frexp`."""
    return tuple(_parts(x)) if x.dtype.is_floating_point else NOTHING


_BITS = {2: dtypes.int16, 4: dtypes.int32, 8: dtypes.int64}


@fused
def _neighbours(x: Tensor, y: Tensor) -> list[Tensor]:
    """The numbers beside others, in the directions of still others."""
    bits = x.view(_BITS[x.dtype.itemsize])
    grows = y.gt(x).eq(x.gt(0))
    step = call("aten::where", (grows, bits.add(1), bits.sub(1))).view(x.dtype)
    smallest = bits.mul(0).add(1).view(x.dtype)
    found = call("aten::where", (x.eq(0), call("aten::copysign", (smallest, y)), step))
    found = call("aten::where", (x.eq(y), y, found))
    return [call("aten::where", (x.isnan().logical_or(y.isnan()), x.add(y), found))]


def nextafter(x: Tensor, y: Tensor) -> Any:
    """`aten::nextafter` of floats."""
    common = result_type([x, y])
    if not common.is_floating_point or common.itemsize not in _BITS:
        return NOTHING
    given = [transfers.of_dtype(one, common) for one in (x, y)]
    spread: list[Tensor] = call("aten::broadcast_tensors", (given,))
    return _neighbours(*(one.contiguous() for one in spread))[0]
