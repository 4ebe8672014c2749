"""Products of batches of matrices, for devices, and of 16-bit floats: on the host BLAS does each of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from lowering.kernel import LoweringError
from lowering.linalg.operands import are_halves, multiply, rank
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder


class BatchProduct(OperatorLowering):
    """`aten::bmm(%x, %y)` of one dtype becomes a `linalg.generic` over `(B, M, N, K)`, of which the last reduces."""

    follows_order = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return [*map(rank, op.operands)] == [3, 3] and multiply(op.operands)

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        return fusing_device() != "cpu" or are_halves(op.operands)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        """`(B, M, K), (B, K, N)` give `(B, M, N)`."""
        (batch, rows, depth), (other, lines, columns) = (b.shapes[one] for one in op.operands)
        if batch.size != other.size or depth.size != lines.size:
            raise LoweringError("a product of batches takes matrices that fit together")
        batch.unite(other)
        depth.unite(lines)
        return [(batch, rows, columns)]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        x, y = op.operands
        (result,) = op.results
        shape, of = b.shapes[result], b.dtype_of(result)
        product = b.batch_matmul(x, y, shape, of, like=op)
        return [b.rounded(product, shape, of, like=op)]
