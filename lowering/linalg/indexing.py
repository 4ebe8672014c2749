"""Elements whose places other tensors hold, which are lowered for other compilers: `tensor.extract` in a `linalg.generic`.

That places lie in the tensor is the caller's affair: the compiled program does not check them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import SSAValue

from lowering.linalg.element import Element
from lowering.linalg.operands import constant, is_known
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape, Symbol
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.dtype import int64
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.export.export_builder import ExportBuilder, Places
    from lowering.linalg.scalar_builder import Scalar


class IndexSelect(OperatorLowering):
    """`aten::index_select(%x, %dim, %places)`: dimension `dim` of the result is that of the places."""

    joins_groups = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        x, dim, places = op.operands[:3]
        rank = len(cast(TensorType, x.type).sizes or ())
        return is_known(x) and is_known(places) and constant(dim) is not None and rank > 0

    def axis(self, b: ExportBuilder, op: OperatorOp) -> int:
        """The dimension whose places are given."""
        return b.constant(op.operands[1]) % len(b.shapes[op.operands[0]])

    def shapes(self, b: ExportBuilder, op: OperatorOp) -> Sequence[Shape]:
        x, places = b.shapes[op.operands[0]], b.shapes[op.operands[2]]
        axis = self.axis(b, op)
        return [(*x[:axis], places[0] if places else Symbol(1, True), *x[axis + 1 :])]

    def place(self, axis: int, shape: Shape, places: Shape) -> tuple[int, ...]:
        """The loops that walk the places."""
        return (axis,) if places else ()

    def lower(self, b: ExportBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, _, places, *_ = op.operands
        shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
        axis = self.axis(b, op)
        walked = Element(places, b.dtype_of(places), self.place(axis, shape, b.shapes[places]))

        def body(here: Places, elements: list[Scalar]) -> Scalar:
            at = [here.place(one) for one in range(len(shape)) if one != axis]
            at.insert(axis, here.math.cast(elements[0], int64.name))
            return here.element(source, of, at)

        return [b.indexed(shape, of, [walked], body, like=op)]


class Gather(IndexSelect):
    """`aten::gather(%x, %dim, %places, ...)`: the result has the sizes of the places."""

    def shapes(self, b: ExportBuilder, op: OperatorOp) -> Sequence[Shape]:
        return [b.shapes[op.operands[2]]]

    def place(self, axis: int, shape: Shape, places: Shape) -> tuple[int, ...]:
        return tuple(range(len(shape)))
