"""Views whose elements are read elsewhere: dimensions in another order, without those of size 1, repeated; and copies."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import SSAValue

from lowering.linalg.operands import has_elements, is_dense, is_known, is_made_here
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.sizes import are_in_kernel, is_list_of_sizes, listed_sizes
from lowering.linalg.symbolic_shapes import Shape, Symbol, fixed
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder

Axes = tuple[int | None, ...]
"""Which dimension of the operand each dimension of the result is; None for one that repeats."""


class Rearrangement(OperatorLowering):
    """A view becomes a `linalg.generic` that copies, and that fuses into its users; in kernels, `linalg.transpose` and
    `tensor.extract_slice`, where these can tell it.
    """

    is_view = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        tensor, *others = op.operands
        return is_known(tensor) and all(is_known(one) or is_list_of_sizes(one) for one in others)

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        have_elements = has_elements(op.operands[0]) and has_elements(op.results[0])
        return have_elements and all(map(are_in_kernel, op.operands[1:]))

    @abstractmethod
    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        """Where the dimensions of the result come from."""

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        source = b.shapes[op.operands[0]]
        return [
            tuple(Symbol(1, True) if axis is None else source[axis] for axis in self.axes(b, op))
        ]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        return [b.rearranged(op.operands[0], self.axes(b, op), b.shapes[op.results[0]], op)]


class Permutation(Rearrangement):
    """`aten::permute(%x, [2, 0, 1])`."""

    turns = True

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        rank = len(b.shapes[op.operands[0]])
        return tuple(dim % rank for dim in b.constant(op.operands[1]))


class Swap(Rearrangement):
    """`aten::transpose(%x, 0, 1)`."""

    turns = True

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        order = list(range(len(b.shapes[op.operands[0]])))
        if order:
            first, second = (b.constant(dim) % len(order) for dim in op.operands[1:])
            order[first], order[second] = second, first
        return tuple(order)


class Reversal(Rearrangement):
    """`aten::numpy_T(%x)`: the dimensions in the opposite order."""

    turns = True

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        return tuple(reversed(range(len(b.shapes[op.operands[0]]))))


class MatrixTransposition(Rearrangement):
    """`aten::mT(%x)`: the last two dimensions exchanged; a tensor without dimensions is its own."""

    turns = True

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        if not b.shapes[op.operands[0]]:
            return ()
        *batch, rows, columns = range(len(b.shapes[op.operands[0]]))
        return (*batch, columns, rows)


class Squeeze(Rearrangement):
    """`aten::squeeze(%x, %dim)`: without the dimensions of size 1, or those of them that are named."""

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        source = b.shapes[op.operands[0]]
        named: Any = b.constant(op.operands[1]) if len(op.operands) > 1 else range(len(source))
        if not source:  # a number keeps its shape, whichever dimension is named
            return ()
        dims = {dim % len(source) for dim in ([named] if isinstance(named, int) else named)}
        for dim in dims:
            if source[dim].size == 1:
                source[dim].find().is_static = True
            else:
                b.require(source[dim], 2)
        return tuple(axis for axis, one in enumerate(source) if one.size != 1 or axis not in dims)


class Unsqueeze(Rearrangement):
    """`aten::unsqueeze(%x, %dim)`: a new dimension of size 1, which broadcasts."""

    repeats = True

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        rank = len(b.shapes[op.operands[0]])
        place: int = b.constant(op.operands[1]) % (rank + 1)
        return (*range(place), None, *range(place, rank))


class Expansion(Rearrangement):
    """`aten::expand(%x, [4, -1])`: dimensions of size 1, and new ones in front, repeated."""

    repeats = True

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
                for one, axis, size in zip(listed_sizes(b, other, known), axes, known, strict=True)
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

    @classmethod
    def gives_views(cls, op: OperatorOp) -> bool:
        """Whether the result is the operand, or may be: a kernel makes what is a copy for all sizes that it serves."""
        if op.KIND in ("aten::clone", "aten::_to_copy"):
            return False
        if op.KIND == "aten::contiguous":
            return is_dense(op.operands[0]) or not is_made_here(op.operands[0])
        types = (op.operands[0].type, op.results[0].type)
        given, gives = (type_.dtype if isinstance(type_, TensorType) else None for type_ in types)
        return given == gives

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        if not super().suits_kernel(op) or cls.gives_views(op):
            return super().suits_kernel(op)
        is_larger = op.KIND != "aten::contiguous" or cls.are_copied(op.results[0])
        return is_larger and is_dense(op.results[0])

    @staticmethod
    def are_copied(value: SSAValue) -> bool:
        """Whether the sizes of a tensor tell that another layout is another place: dimensions of size 1 may lie anywhere."""
        type_ = value.type
        sizes = type_.sizes if isinstance(type_, TensorType) else None
        return bool(sizes) and all(size is not None and size > 1 for size in sizes)

    @classmethod
    def weight(cls, op: OperatorOp) -> int:
        return 0 if cls.gives_views(op) else 1

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        (shape,) = super().shapes(b, op)
        if op.KIND == "aten::contiguous" and not self.gives_views(op):
            for symbol in shape:
                b.require(symbol, 2)
        return [shape]

    def axes(self, b: LinalgBuilder, op: OperatorOp) -> Axes:
        return tuple(range(len(b.shapes[op.operands[0]])))

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, result = op.operands[0], op.results[0]
        if b.dtype_of(source) is b.dtype_of(result):
            return [source]
        return [b.copied(source, self.axes(b, op), b.shapes[result], op)]
