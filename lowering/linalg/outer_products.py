"""Outer products: pointwise ops over both vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from lowering.linalg.element import Element
from lowering.linalg.operands import are_floats, rank
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.type_promotion import opmath

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class OuterProduct(OperatorLowering):
    """`aten::outer(%x, %y)` of vectors of one float dtype becomes a `linalg.generic` over `(M, N)`."""

    follows_order = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return [*map(rank, op.operands)] == [1, 1] and are_floats(op.operands)

    @classmethod
    def weight(cls, op: OperatorOp) -> int | None:
        return 1

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        """`(M,)` and `(N,)` give `(M, N)`."""
        (rows,), (columns,) = (b.shapes[one] for one in op.operands)
        return [(rows, columns)]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
        vectors = [
            Element(vector, of, (-1 if size.find().is_static else axis,))
            for axis, (vector, size) in enumerate(zip(op.operands, shape, strict=True))
        ]

        def multiplied(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            compute = opmath(of).name
            product = math.mul(*(math.cast(one, compute) for one in elements))
            return math.cast(product, of.name)

        return [b.generic(shape, of, vectors, multiplied, like=op)]
