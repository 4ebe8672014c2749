"""Views whose elements another `linalg.generic` reads: dimensions in another order, without those of size 1, repeated.

Kernels read them where NumPy's views lie; they are lowered for other compilers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import SSAValue

from lowering.linalg.element import Element
from lowering.linalg.operands import is_known
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.sizes import is_list_of_sizes, listed_sizes
from lowering.linalg.symbolic_shapes import Shape, Symbol, fixed
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

Axes = tuple[int | None, ...]
"""Which dimension of the operand each dimension of the result is; None for one that repeats."""


class Rearrangement(OperatorLowering):
    """A view becomes a `linalg.generic` that copies, and that fuses into its users."""

    joins_groups = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        tensor, *others = op.operands
        return is_known(tensor) and all(is_known(one) or is_list_of_sizes(one) for one in others)

    @abstractmethod
    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        """Where the dimensions of the result come from."""

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        source = b.shapes[op.operands[0]]
        return [
            tuple(Symbol(1, True) if axis is None else source[axis] for axis in self.axes(b, op))
        ]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, result = op.operands[0], op.results[0]
        shape, of = b.shapes[result], b.dtype_of(result)
        place = {axis: loop for loop, axis in enumerate(self.axes(b, op)) if axis is not None}
        sizes = b.shapes[source]
        walked = tuple(
            -1 if symbol.find().is_static else place.get(axis, -1)
            for axis, symbol in enumerate(sizes)
        )
        copied = Element(source, b.dtype_of(source), walked)

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.cast(elements[0], of.name)

        return [b.generic(shape, of, [copied], body, like=op)]


class Permutation(Rearrangement):
    """`aten::permute(%x, [2, 0, 1])`."""

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        rank = len(b.shapes[op.operands[0]])
        return tuple(dim % rank for dim in b.constant(op.operands[1]))


class Swap(Rearrangement):
    """`aten::transpose(%x, 0, 1)`."""

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        order = list(range(len(b.shapes[op.operands[0]])))
        if order:
            first, second = (b.constant(dim) % len(order) for dim in op.operands[1:])
            order[first], order[second] = second, first
        return tuple(order)


class Reversal(Rearrangement):
    """`aten::numpy_T(%x)`: the dimensions in the opposite order."""

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        return tuple(reversed(range(len(b.shapes[op.operands[0]]))))


class MatrixTransposition(Rearrangement):
    """`aten::mT(%x)`: the last two dimensions exchanged."""

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        *batch, rows, columns = range(len(b.shapes[op.operands[0]]))
        return (*batch, columns, rows)


class Squeeze(Rearrangement):
    """`aten::squeeze(%x, %dim)`: without the dimensions of size 1, or those of them that are named."""

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        source = b.shapes[op.operands[0]]
        named: Any = b.constant(op.operands[1]) if len(op.operands) > 1 else range(len(source))
        dims = {dim % len(source) for dim in ([named] if isinstance(named, int) else named)}
        for dim in dims:
            if source[dim].size == 1:
                source[dim].find().is_static = True
            else:
                source[dim].unite(fixed(source[dim].size))
        return tuple(axis for axis, one in enumerate(source) if one.size != 1 or axis not in dims)


class Expansion(Rearrangement):
    """`aten::expand(%x, [4, -1])`: dimensions of size 1, and new ones in front, repeated."""

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        source = b.shapes[op.operands[0]]
        sizes = cast(TensorType, b.type_of(op.results[0])).sizes or ()
        lead = len(sizes) - len(source)
        own = enumerate(zip(source, sizes[lead:], strict=True))
        return (None,) * lead + tuple(
            None if symbol.size == 1 and size != 1 else axis for axis, (symbol, size) in own
        )

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        source, axes = b.shapes[op.operands[0]], self.axes(b, op)
        other = op.operands[1]
        if other in b.shapes:
            wanted = b.shapes[other]
        else:
            known = cast(TensorType, op.results[0].type).sizes or ()
            wanted = tuple(
                one if one is not None else fixed(cast(int, size)) if axis is None else source[axis]
                for one, axis, size in zip(listed_sizes(b, other), axes, known, strict=True)
            )
        for axis, symbol in zip(axes, wanted, strict=True):
            if axis is not None:
                symbol.unite(source[axis])
        for axis, symbol in enumerate(source):
            if axis not in axes:
                symbol.find().is_static = True
        return [wanted]


class Same(Rearrangement):
    """`aten::contiguous(%x)` and its like: tensors here are values, so that a copy is the tensor itself; `aten::to` casts it."""

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        return tuple(range(len(b.shapes[op.operands[0]])))

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, result = op.operands[0], op.results[0]
        if b.dtype_of(source) is b.dtype_of(result):
            return [source]
        return super().lower(b, op)
