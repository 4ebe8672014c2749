"""Sizes and strides as monomials over the words of `syms`.

Which symbols of a group are one word was decided before (`linalg/symbolic_shapes.py`); here words
are free, and sizes are products of them. Comparing monomials is how the lowering knows that two
operands have the same shape, and that two loops may become one, without a theorem prover.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from xdsl.dialects import arith, memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.dialects.kernel import (
    STATIC_DIM,
    UNIT_STRIDE,
    ZERO_STRIDE,
    LayoutAttr,
    SignatureOp,
)
from lowering.kernel import LoweringError
from lowering.shaped import integer_of, integers_of, is_memref, is_tensor


class Extent(NamedTuple):
    """`factor` times the product of `atoms`; an atom is a word of `syms`, or, negative, a value."""

    factor: int
    atoms: tuple[int, ...] = ()

    def times(self, other: Extent) -> Extent:
        """The product of two extents."""
        if not self.atoms:
            return other if self.factor == 1 else Extent(self.factor * other.factor, other.atoms)
        if not other.atoms:
            return self if other.factor == 1 else Extent(self.factor * other.factor, self.atoms)
        return Extent(self.factor * other.factor, tuple(sorted(self.atoms + other.atoms)))


ONE = Extent(1)
ZERO = Extent(0)

Dims = tuple[Extent, ...]

Slice = tensor.ExtractSliceOp | tensor.InsertSliceOp | memref.SubviewOp
"""What names a part of a tensor or buffer."""


def contiguous_strides(dims: Dims) -> Dims:
    """Element strides of a C-contiguous tensor with the sizes `dims`."""
    strides: list[Extent] = []
    running = ONE
    for size in reversed(dims):
        strides.append(running)
        running = running.times(size)
    return tuple(reversed(strides))


def product(dims: Dims) -> Extent:
    """The number of elements of a tensor with the sizes `dims`."""
    result = ONE
    for size in dims:
        result = result.times(size)
    return result


class Extents:
    """The extents of the index values, tensors and shaped buffers of one kernel."""

    def __init__(self, func: FuncOp, signature: SignatureOp) -> None:
        self.values: list[SSAValue] = []
        """Index values that are not monomials over syms: atom -1 is `values[0]`, and so on."""
        self._indices: dict[SSAValue, Extent] = {}
        self._dims: dict[SSAValue, Dims] = {}
        places = (*signature.arguments, *signature.results_)
        for argument, place in zip(func.args, places, strict=False):
            if isinstance(place, LayoutAttr):
                self._dims[argument] = declared_dims(argument.type, place)
            else:
                self._indices[argument] = Extent(1, (place.data,))

    def index(self, value: SSAValue) -> Extent:
        """The extent that the integer or index `value` holds."""
        extent = self._indices.get(value)
        if extent is None:
            extent = self._indices[value] = self._index_of(value.owner, value)
        return extent

    def _index_of(self, owner: object, value: SSAValue) -> Extent:
        if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
            return Extent(owner.value.value.data)
        if isinstance(owner, tensor.DimOp):
            axis = self.index(owner.index)
            if axis.atoms:
                raise LoweringError("tensor.dim needs a constant dimension")
            return self.dims(owner.source)[axis.factor]
        if isinstance(owner, arith.MuliOp):
            return self.index(owner.lhs).times(self.index(owner.rhs))
        if isinstance(owner, arith.IndexCastOp):
            return self.index(owner.input)
        self.values.append(value)
        return Extent(1, (-len(self.values),))

    def define(self, value: SSAValue, extent: Extent) -> None:
        """Says what an index value that replaces another holds."""
        self._indices[value] = extent

    def dims(self, value: SSAValue) -> Dims:
        """The sizes of the tensor or shaped buffer `value`."""
        dims = self._dims.get(value)
        if dims is None:
            dims = self._dims[value] = self._dims_of(value.owner, value)
        return dims

    def _dims_of(self, owner: object, value: SSAValue) -> Dims:
        if isinstance(owner, tensor.EmptyOp):
            return self.mixed(value.type, owner.dynamic_sizes)
        if isinstance(owner, memref.AllocOp):
            return self.mixed(value.type, owner.dynamic_sizes)
        if isinstance(owner, memref.ViewOp):
            return self.mixed(value.type, owner.sizes)
        if isinstance(owner, tensor.ExtractSliceOp | memref.SubviewOp):
            sizes = self.dynamic_list(owner.static_sizes, owner.sizes)
            return reduce_rank(sizes, value.type)
        if isinstance(owner, memref.ReinterpretCastOp):
            return self.dynamic_list(owner.static_sizes, owner.sizes)
        if isinstance(owner, tensor.InsertSliceOp):
            return self.dims(owner.dest)
        if isinstance(owner, tensor.CollapseShapeOp):
            source = self.dims(owner.src)
            joined = (product(tuple(source[i] for i in dims)) for dims in groups_of(owner))
            return refined(tuple(joined), value.type)
        if isinstance(owner, tensor.ExpandShapeOp):
            return self.dynamic_list(owner.static_output_shape, owner.dynamic_output_shape)
        if isinstance(owner, tensor.CastOp | memref.CastOp):
            return refined(self.dims(owner.source), value.type)
        if isinstance(owner, linalg.TransposeOp):
            source = self.dims(owner.inputs[0])
            return tuple(source[axis] for axis in owner.permutation.get_values())
        if isinstance(owner, Operation) and (outputs := linalg_outputs(owner)):
            return refined(self.dims(outputs[owner.results.index(value)]), value.type)
        name = owner.name if isinstance(owner, Operation) else "block argument"
        raise LoweringError(f"sizes of what {name} makes are not known to the lowering")

    def declare(self, value: SSAValue, dims: Dims) -> None:
        """Sets the sizes of `value`, for results whose sizes the function's attributes give."""
        self._dims[value] = dims

    def mixed(self, type_: Attribute, dynamic: tuple[SSAValue, ...]) -> Dims:
        """Sizes of a tensor type whose dynamic sizes are the values `dynamic`."""
        assert is_tensor(type_) or is_memref(type_)
        rest = iter(dynamic)
        return tuple(
            self.index(next(rest)) if size == DYNAMIC_INDEX else Extent(size)
            for size in type_.get_shape()
        )

    def slice_of(self, op: Slice) -> tuple[Dims, Dims, Dims]:
        """Where a part of a tensor or buffer begins, its sizes, and its steps."""
        return (
            self.dynamic_list(op.static_offsets, op.offsets),
            self.dynamic_list(op.static_sizes, op.sizes),
            self.dynamic_list(op.static_strides, op.strides),
        )

    def dynamic_list(self, static: Attribute, dynamic: tuple[SSAValue, ...]) -> Dims:
        """The entries of a static/dynamic pair of lists, as slices have them."""
        rest = iter(dynamic)
        return tuple(
            self.index(next(rest)) if item == DYNAMIC_INDEX else Extent(item)
            for item in integers_of(static) or ()
        )


def declared_dims(type_: Attribute, layout: LayoutAttr) -> Dims:
    """The sizes of an argument or result, which its type and its layout declare together."""
    assert is_tensor(type_) or is_memref(type_)
    return tuple(
        Extent(size) if word == STATIC_DIM else Extent(1, (word,))
        for word, size in zip(layout.words("sizes"), type_.get_shape(), strict=True)
    )


def declared_strides(dims: Dims, layout: LayoutAttr) -> Dims:
    """The strides of an argument with the sizes `dims`."""
    declared = layout.words("strides")
    if not declared:
        return contiguous_strides(dims)
    constants = {UNIT_STRIDE: ONE, ZERO_STRIDE: ZERO}
    return tuple(constants.get(entry) or Extent(1, (entry,)) for entry in declared)


def groups_of(op: tensor.CollapseShapeOp | tensor.ExpandShapeOp) -> list[tuple[int, ...]]:
    """The neighbouring dimensions of the larger shape that each of the smaller one is."""
    return [tuple(integer_of(dim) or 0 for dim in dims) for dims in op.reassociation]


def refined(dims: Dims, type_: Attribute) -> Dims:
    """`dims` with the static sizes of `type_` in their places."""
    assert is_tensor(type_) or is_memref(type_)
    return tuple(
        size if static == DYNAMIC_INDEX else Extent(static)
        for size, static in zip(dims, type_.get_shape(), strict=True)
    )


def kept_axes(is_unit: Sequence[bool], shape: Sequence[int]) -> tuple[int, ...]:
    """Which of a slice's dimensions its (possibly rank-reduced) result of the static shape `shape` keeps.

    Only dimensions go whose size is known to be 1. Where the shape leaves a choice, elements are the same whichever goes: the
    first ones do.
    """
    axes = range(len(is_unit))
    for kept in reversed(list(combinations(axes, len(shape)))):
        shown = zip(kept, shape, strict=True)
        if all(is_unit[axis] for axis in axes if axis not in kept) and all(
            static == DYNAMIC_INDEX or (static == 1) == is_unit[axis] for axis, static in shown
        ):
            return kept
    raise LoweringError(f"a slice does not have the shape {list(shape)}")


def reduce_rank(sizes: Dims, type_: Attribute) -> Dims:
    """The sizes of a slice without the unit dimensions that its result type drops."""
    return tuple(sizes[axis] for axis in kept_axes(units_of(sizes), shape_of(type_)))


def units_of(sizes: Dims) -> list[bool]:
    """Which sizes are 1, whatever the symbols are."""
    return [size == ONE for size in sizes]


def shape_of(type_: Attribute) -> tuple[int, ...]:
    """The sizes that a tensor or memref type shows."""
    assert is_tensor(type_) or is_memref(type_)
    return type_.get_shape()


def rank_of(type_: Attribute) -> int:
    """The number of dimensions of a tensor or memref type."""
    assert is_tensor(type_) or is_memref(type_)
    return len(type_.get_shape())


def linalg_outputs(op: Operation) -> tuple[SSAValue, ...]:
    """The `outs` operands of a linalg operation with tensor results; empty for others."""
    if isinstance(op, linalg.GenericOp | linalg.FillOp | linalg.MatmulOp):
        return tuple(op.outputs)
    return ()
