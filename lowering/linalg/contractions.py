"""Products of tensors of any ranks, which are lowered for other compilers: a `linalg.generic` that multiplies and adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import SSAValue

from lowering.linalg.element import Place, Window, multiply_add
from lowering.linalg.operands import is_known
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape, broadcast
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.export.export_builder import ExportBuilder


class Contraction(OperatorLowering):
    """`aten::matmul(%x, %y)` of `(B, M, K)` and `(K, N)` has loops over `(B, M, N, K)`, of which the last reduces.

    Vectors have no M, or no N; dimensions of size 1 in front of the matrices repeat.
    """

    joins_groups = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        types = [cast(TensorType, value.type) for value in op.operands]
        same = types[0].dtype == types[1].dtype and types[0].dtype != "Bool"
        return same and all(map(is_known, op.operands))

    def shapes(self, b: ExportBuilder, op: OperatorOp) -> Sequence[Shape]:
        x, y = (b.shapes[value] for value in op.operands)
        (depth,) = x[-1:]
        depth.unite(y[-min(len(y), 2)])
        return [(*broadcast([x[:-2], y[:-2]]), *x[-2:-1], *(y[-1:] if len(y) > 1 else ()))]

    def lower(self, b: ExportBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
        first, second = op.operands
        x, y = b.shapes[first], b.shapes[second]
        rank = len(shape)
        batch = rank - (len(x) > 1) - (len(y) > 1)
        depth: Place = ((rank, 1),)

        def of_batch(sizes: Shape) -> list[Place]:
            lead = batch - len(sizes)
            return [
                () if symbol.find().is_static else ((lead + axis, 1),)
                for axis, symbol in enumerate(sizes)
            ]

        left = [*of_batch(x[:-2]), *([((batch, 1),)] if len(x) > 1 else []), depth]
        right = [*of_batch(y[:-2]), depth, *([((rank - 1, 1),)] if len(y) > 1 else [])]

        windows = [Window(first, of, tuple(left)), Window(second, of, tuple(right))]
        kinds = "p" * rank + "r"
        return [b.accumulate(windows, kinds, range(rank), shape, of, 0, multiply_add, like=op)]
