"""Parts of tensors that the program names by numbers: `tensor.extract_slice`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import SSAValue

from lowering.linalg.operands import constant, is_known
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape, fixed
from torchscript_dialect.dialects.operators import OperatorOp

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder


class Part(OperatorLowering):
    """Every `step`-th of the indices of one dimension; all of them are the tensor itself."""

    joins_groups = False
    drops_dimension: ClassVar[bool] = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        tensor, *numbers = op.operands
        return is_known(tensor) and all(map(constant, numbers))

    @abstractmethod
    def indices(self, size: int, *numbers: int | None) -> range:
        """The indices, of a dimension of that size."""

    def part(self, b: LinalgBuilder, op: OperatorOp) -> tuple[int, range]:
        """The dimension and the indices that are taken."""
        source, dim, *numbers = op.operands
        shape = b.shapes[source]
        axis: int = b.constant(dim) % len(shape)
        return axis, self.indices(shape[axis].size, *map(b.constant, numbers))

    def is_whole(self, b: LinalgBuilder, op: OperatorOp) -> bool:
        """Whether the operator takes all of the dimension, whatever its size."""
        return False

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        source = b.shapes[op.operands[0]]
        if self.is_whole(b, op):
            return [source]
        axis, taken = self.part(b, op)
        source[axis].unite(fixed(source[axis].size))
        kept = () if self.drops_dimension else (fixed(len(taken)),)
        return [(*source[:axis], *kept, *source[axis + 1 :])]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, result = op.operands[0], op.results[0]
        if self.is_whole(b, op):
            return [source]
        axis, taken = self.part(b, op)
        shape = b.shapes[source]
        sizes = (*shape[:axis], fixed(len(taken)), *shape[axis + 1 :])
        of = b.dtype_of(result)
        return [b.extract_part(source, sizes, axis, taken, b.shapes[result], of)]


class Slice(Part):
    """`aten::slice(%x, %dim, %start, %end, %step)`."""

    def indices(self, size: int, *numbers: int | None) -> range:
        return range(size)[slice(*numbers)]

    def is_whole(self, b: LinalgBuilder, op: OperatorOp) -> bool:
        start, end, step = map(b.constant, op.operands[2:])
        return start in (None, 0) and end in (None, (1 << 63) - 1) and step == 1


class Selection(Part):
    """`aten::select(%x, %dim, %index)`."""

    drops_dimension = True

    def indices(self, size: int, *numbers: int | None) -> range:
        (index,) = numbers
        assert index is not None
        return range(size)[index % size :][:1]


class Narrowed(Part):
    """`aten::narrow(%x, %dim, %start, %length)`."""

    def indices(self, size: int, *numbers: int | None) -> range:
        start, length = numbers
        assert start is not None and length is not None
        first = start % size if start < 0 else start
        return range(first, first + length)
