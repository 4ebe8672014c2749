"""Operations of math that xDSL 0.74 lacks."""

from __future__ import annotations

from xdsl.dialects.math import FloatingPointLikeUnaryMathOperation
from xdsl.ir import Dialect
from xdsl.irdl import irdl_op_definition, traits_def
from xdsl.traits import Pure, SameOperandsAndResultType


@irdl_op_definition
class ErfcOp(FloatingPointLikeUnaryMathOperation):
    """`math.erfc`: 1 - erf(x), with an accuracy of its own where that is small. `%x : f32`."""

    name = "math_ext.erfc"
    traits = traits_def(Pure(), SameOperandsAndResultType())


MathExt = Dialect("math_ext", [ErfcOp])
