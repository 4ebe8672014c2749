"""Parts of tensors that the program names by numbers: `tensor.extract_slice`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from xdsl.ir import SSAValue

from lowering.linalg.operands import constant, has_elements, is_known
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Definition, Shape, Symbol, fixed
from torchscript_dialect.dialects.operators import OperatorOp

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder

LAST = (1 << 63) - 1
"""What stands for the end where a program names none."""


class Edge(NamedTuple):
    """A place in a dimension: `number`, after the last element where it counts `from_end`. It is that for sizes in a range."""

    from_end: bool
    number: int
    low: int = 0
    high: int | None = None

    def of(self, size: int) -> int:
        """The place in a dimension of that size."""
        return self.number + (size if self.from_end else 0)


START = Edge(False, 0)
END = Edge(True, 0)


def edge(place: int, size: int) -> Edge:
    """A place that a program names in a dimension of that size, where negative numbers count from the end."""
    if place >= 0:
        return Edge(False, place, low=place) if place <= size else Edge(True, 0, high=place)
    return Edge(True, place, low=-place) if -place <= size else Edge(False, 0, high=-place)


class Part(OperatorLowering):
    """Every `step`-th of the indices of one dimension; all of them are the tensor itself."""

    is_view = True
    takes_complex = True
    drops_dimension: ClassVar[bool] = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        tensor, *numbers = op.operands
        return is_known(tensor, takes_complex=True) and all(map(constant, numbers))

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        return has_elements(op.operands[0]) and has_elements(op.results[0])

    @abstractmethod
    def edges(self, size: int, *numbers: int | None) -> tuple[Edge, Edge, int]:
        """Where the indices begin and end in a dimension of that size, and how far one is from the next."""

    def part(self, b: LinalgBuilder, op: OperatorOp) -> tuple[int, Edge, Edge, int]:
        """The dimension, and the indices that are taken."""
        source, dim, *numbers = op.operands
        shape = b.shapes[source]
        axis: int = b.constant(dim) % len(shape)
        return axis, *self.edges(shape[axis].size, *map(b.constant, numbers))

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        source = b.shapes[op.operands[0]]
        axis, start, end, step = self.part(b, op)
        if (start, end, step) == (START, END, 1):
            return [source]
        whole = source[axis]
        for one in (start, end):
            if one.low or one.high is not None:
                b.require(whole, one.low, one.high)
        kept = () if self.drops_dimension else (_length(b, whole, start, end, step),)
        return [(*source[:axis], *kept, *source[axis + 1 :])]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, result = op.operands[0], op.results[0]
        axis, start, end, step = self.part(b, op)
        if (start, end, step) == (START, END, 1):
            return [source]
        shape, given = b.shapes[result], b.shapes[source]
        size = Symbol(1, is_static=True) if self.drops_dimension else shape[axis]
        sizes = (*given[:axis], size, *given[axis + 1 :])
        first: int | SSAValue = start.number
        if start.from_end:
            whole = b.static_size(given[axis])
            at_end = start.of(whole) if whole is not None else None
            first = (
                b.plus(b.extent(given[axis]), b.index(start.number)) if at_end is None else at_end
            )
        if not size.size:
            first, step = 0, 1
        return [b.extract_part(source, sizes, axis, first, step, shape, b.dtype_of(result))]


def _length(b: LinalgBuilder, whole: Symbol, start: Edge, end: Edge, step: int) -> Symbol:
    """How many indices there are."""
    size = len(range(start.of(whole.size), end.of(whole.size), step))
    if start.from_end == end.from_end:
        return fixed(size)
    if start.from_end or not size:
        whole.unite(fixed(whole.size))
        return fixed(size)
    number = end.number - start.number
    if (number, step) == (0, 1):
        return whole
    symbol = Symbol(size)
    symbol.definitions.append(Definition("span", (whole,), step, number))
    return b.derived(symbol)


class Slice(Part):
    """`aten::slice(%x, %dim, %start, %end, %step)`."""

    def edges(self, size: int, *numbers: int | None) -> tuple[Edge, Edge, int]:
        start, end, step = numbers
        assert step is not None
        first = START if start is None else edge(start, size)
        return first, END if end in (None, LAST) else edge(end, size), step


class Selection(Part):
    """`aten::select(%x, %dim, %index)`."""

    drops_dimension = True

    def edges(self, size: int, *numbers: int | None) -> tuple[Edge, Edge, int]:
        (index,) = numbers
        assert index is not None
        first = edge(index, size)
        return first, Edge(first.from_end, first.number + 1, low=index + 1 if index >= 0 else 0), 1


class Narrowed(Part):
    """`aten::narrow(%x, %dim, %start, %length)`."""

    def edges(self, size: int, *numbers: int | None) -> tuple[Edge, Edge, int]:
        start, length = numbers
        assert start is not None and length is not None
        first = edge(start, size)
        end = first.number + length
        return first, Edge(first.from_end, end, low=0 if first.from_end else end), 1
