"""Numbers that are computed beside tensors: ops of arith on i64, f64 and i1. They are lowered for other compilers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from lowering.linalg.operands import constant, is_known
from lowering.linalg.operator_lowering import OperatorLowering
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.tensor.dtype import bool_, dtype, float64, int64
from torchscript_dialect.types.core import BOOL, FLOAT, INT, TorchScriptType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

_METHODS = {f"aten::{name}": name for name in "add sub mul eq ne lt le gt ge".split()}
"""The methods of ScalarBuilder for operators that raise nothing."""
_DTYPES: dict[TorchScriptType, dtype] = {INT: int64, FLOAT: float64, BOOL: bool_}


class NumberOperator(OperatorLowering):
    """Computes one number; a subclass says how."""

    joins_groups = False

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[None]:
        (result,) = op.results
        b.scalars[result] = _DTYPES[type_of(result)]
        return [None]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        return [b.number(lambda math: self.number(b, op, math))]

    def number(self, b: LinalgBuilder, op: OperatorOp, math: ScalarBuilder) -> Scalar:
        """The number, recorded."""
        raise NotImplementedError


class Arithmetic(NumberOperator):
    """`aten::mul(%a, %b)` of an int and a float becomes `arith.sitofp` and `arith.mulf`."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return all(type_of(value) in (INT, FLOAT) for value in op.operands)

    def number(self, b: LinalgBuilder, op: OperatorOp, math: ScalarBuilder) -> Scalar:
        types = [b.type_of(value) for value in op.operands]
        of = float64 if FLOAT in types else int64
        operands = [
            math.cast(math.wrap(value, b.scalars[value]), of.name)
            if value in b.scalars
            else math.number(b.constant(value), of)
            for value in op.operands
        ]
        return getattr(math, _METHODS[op.KIND])(*operands)


class SizeOf(NumberOperator):
    """`aten::size(%x, %dim)` becomes `arith.index_cast` of what `tensor.dim` gives."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return is_known(op.operands[0]) and constant(op.operands[1]) is not None

    def number(self, b: LinalgBuilder, op: OperatorOp, math: ScalarBuilder) -> Scalar:
        shape = b.shapes[op.operands[0]]
        dim: int = b.constant(op.operands[1])
        return math.of_index(b.extent(shape[dim % len(shape)]), int64)
