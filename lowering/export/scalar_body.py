"""What bodies of ops hold for other compilers, beyond what kernels compute."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith

from lowering.linalg.scalar_builder import Scalar, ScalarBuilder
from lowering.math import error_function
from lowering.math.expand_math import expansion


class ExportScalarBuilder(ScalarBuilder):
    """What divides, shifts and is the exponent of ints is a constant that suits (`lowering/linalg/divisions.py`)."""

    def fmod(self, x: Any, y: Any, /) -> Scalar:
        return self._bitwise(arith.RemSIOp, x, y)

    def trunc_div(self, x: Any, y: Any, /) -> Scalar:
        return self._bitwise(arith.DivSIOp, x, y)

    def floor_div(self, x: Any, y: Any, /) -> Scalar:
        return self._bitwise(arith.FloorDivSIOp, x, y)

    def shift_left(self, x: Any, y: Any, /) -> Scalar:
        return self._bitwise(arith.ShLIOp, x, y)

    def shift_right(self, x: Any, y: Any, /) -> Scalar:
        return self._bitwise(arith.ShRSIOp, x, y)

    def maximum(self, x: Any, y: Any, /) -> Scalar:
        first, second = self._known(x), self._known(y)
        if isinstance(first, int) and isinstance(second, int):
            return self.constant(max(first, second), x if isinstance(x, Scalar) else y)
        return super().maximum(x, y)

    def _known(self, x: Any) -> Any:
        """The number that a constant is; None for what is no constant."""
        return self._numbers.get(x.ssa) if isinstance(x, Scalar) else x

    def erfc(self, x: Scalar, /) -> Scalar:
        """Expanded: xDSL's math has no op for it."""
        ops, result = expansion(error_function.erfc, x.ssa.type).copy((x.ssa,))
        self.ops.extend(ops)
        return Scalar(result, x.dtype)

    def pow(self, x: Any, y: Any, /) -> Scalar:
        a, b = self._pair(x, y)
        if a.dtype.is_floating_point:
            return super().pow(a, b)
        exponent = int(self._known(b))
        power = self.constant(1, a)
        for digit in f"{exponent:b}":
            power = self.mul(power, power)
            if digit == "1":
                power = self.mul(power, a)
        return power
