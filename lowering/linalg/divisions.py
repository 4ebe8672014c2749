"""Divisions, shifts and powers of ints that kernels do not compute; they are lowered for other compilers.

The second operand is a constant, and one for which nothing is undefined. (Remainders of floats have no op in xDSL's arith.)
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.ir import SSAValue

from lowering.linalg.operands import constant
from lowering.linalg.pointwise import PointwiseLowering
from lowering.linalg.scalar_probe import NotComputable, ScalarProbe, Token
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.dtype import from_name
from torchscript_dialect.types.tensor_type import TensorType


class DivisionProbe(ScalarProbe):
    """Takes what `ExportScalarBuilder` records, too."""

    def fmod(self, x: Any, y: Any, /) -> Token:
        first = x if isinstance(x, Token) else y
        if first.dtype.is_floating_point:
            raise NotComputable("a remainder of floats")
        return first

    trunc_div = floor_div = shift_left = shift_right = pow = fmod


class Division(PointwiseLowering):
    """`aten::remainder(%x, 3)` of ints becomes `arith.remsi`, and what corrects its sign."""

    joins_groups = False
    wider = None
    probe = DivisionProbe

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return super().takes(op) and _is_defined(op)


def _is_defined(op: OperatorOp) -> bool:
    """Whether the second operand is an int that suits the operator, whatever the first is."""
    if len(op.operands) < 2 or not isinstance(op.operands[0].type, TensorType):
        return False
    other = _int(op.operands[1])
    if other is None:
        return False
    if "shift" in op.KIND:
        of = from_name(cast(str, op.operands[0].type.dtype))
        return 0 <= other < 8 * of.itemsize
    return other >= 0 if "pow" in op.KIND else other not in (0, -1)


def _int(value: SSAValue) -> int | None:
    found = constant(value)
    return found.value if found is not None and isinstance(found.value, int) else None
