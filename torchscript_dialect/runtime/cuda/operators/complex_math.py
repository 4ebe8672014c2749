"""Scalar bodies on complex numbers of devices, whose kernels have real elements alone: pairs of tensors
(`ops/pointwise/complex_math.py`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.pointwise.complex_math import Pair, PairMath, pair
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.tensor import Tensor

__all__ = ["PAIRS", "Pair"]

_NAMES = {
    "bit_and": "bitwise_and",
    "bit_or": "bitwise_or",
    "bit_xor": "bitwise_xor",
    "bit_not": "bitwise_not",
}
"""Operators that bodies call by other names."""


@lru_cache(maxsize=256)
def _of(name: str) -> Callable[..., Any]:
    """The operator of real tensors."""

    def run(*operands: Any) -> Any:
        return call(f"aten::{_NAMES.get(name, name)}", operands)

    return run


class TensorPairs(PairMath):
    """The one instance is `PAIRS`; see the module."""

    def real(self, name: str) -> Callable[..., Any]:
        return _of(name)

    def kind_of_real(self, x: Any) -> str:
        return x.array.dtype.kind

    def bits_of_real(self, x: Any) -> int:
        return 8 * x.array.itemsize

    def real_constant(self, number: float, like: Any) -> Any:
        return call("aten::full_like", (like, number))

    def cast(self, x: Any, name: str, /) -> Any:
        wanted, parts = dtypes.from_name(name), pair(x)
        if not wanted.is_complex:
            return _cast(parts.real, wanted)
        if not isinstance(x, Pair):
            parts = Pair(x, self.real_constant(0, x))
        return Pair(*(_cast(one, wanted.to_real()) for one in (parts.real, parts.imag)))


def _cast(x: Tensor, wanted: dtype) -> Tensor:
    return x if x.dtype is wanted else call("aten::to", (x, wanted))


PAIRS: Final = TensorPairs()
"""Operators on complex numbers of the device, whose kernels have real elements alone."""
