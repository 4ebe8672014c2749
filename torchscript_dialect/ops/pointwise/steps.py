"""What PyTorch computes in 16-bit floats, rounding what each step gives: scalar bodies, and arrays.

Most of its kernels widen 16-bit floats once and round once, as the callers of bodies do (Note [Scalar bodies] in scalar_math.py). Those
that are written in `c10::Half` and `c10::BFloat16` themselves round after each operator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import NDArray

from torchscript_dialect.ops.pointwise.pointwise_declaration import Body
from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath
from torchscript_dialect.tensor.dtype import bfloat16, dtype, float16
from torchscript_dialect.tensor.type_promotion import opmath

_AS_THEY_ARE = frozenset(("kind", "bits", "cast"))


class Steps:
    """The methods of a `ScalarMath` on float32, whose results are rounded to a dtype of 16 bits."""

    def __init__(self, math: ScalarMath, name: str) -> None:
        self.math = math
        self.name = name

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.math, name)
        if name in _AS_THEY_ARE:
            return method

        def step(*operands: Any) -> Any:
            return self.rounded(method(*operands))

        return step

    def rounded(self, x: Any) -> Any:
        """A value as a number of the dtype; bools stay what they are."""
        if self.math.kind(x) != "f":
            return x
        return self.math.cast(self.math.cast(x, self.name), "float32")


def in_steps(body: Body) -> Mapping[dtype, Body]:
    """The bodies of 16-bit floats, for `pointwise(bodies=...)`."""

    def of(name: str) -> Body:
        def run(m: ScalarMath, *operands: Any) -> Any:
            steps: Any = Steps(m, name)
            are_static = (one is None or isinstance(one, str) for one in operands)
            values = zip(operands, are_static, strict=True)
            return body(steps, *(x if is_static else steps.rounded(x) for x, is_static in values))

        return run

    return {one: of(one.name) for one in (float16, bfloat16)}


def rounded(values: NDArray[Any], element: dtype) -> NDArray[Any]:
    """What is computed in more than a dtype, as numbers of it: 16-bit floats lose digits, others are computed in their own dtype."""
    if opmath(element) is element:
        return values
    return values.astype(element.numpy_dtype).astype(values.dtype)
