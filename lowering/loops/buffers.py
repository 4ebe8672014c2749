"""Where each tensor of a kernel lives: a view of an argument, of an output, or of a buffer of its own.

Storage is decided backwards from `func.return`, so that an operation writes straight into the
output, or into the slice of it that `tensor.insert_slice` would copy to. What is left gets a
buffer, for which `ts-plan-memory` finds a place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from xdsl.dialects import arith, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    bf16,
    f16,
    f32,
    f64,
    i1,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.extents import (
    ZERO,
    Dims,
    Extents,
    contiguous_strides,
    kept_axes,
    product,
)
from lowering.kernel import LoweringError
from lowering.loops.index_builder import IndexBuilder, index_op
from lowering.shaped import element_type, i32_array, is_integer, is_memref, is_tensor

ALIGNMENT = 64
"""Scratch pieces start at multiples of this many bytes, as vector stores like them."""


@dataclass(frozen=True, eq=False)
class View:
    """A strided window into a flat buffer."""

    base: SSAValue
    offset: SSAValue | None
    dims: Dims
    strides: Dims

    @property
    def element_type(self) -> Attribute:
        """The type of an element."""
        assert is_memref(self.base.type)
        return element_type(self.base.type)


@lru_cache(maxsize=32)
def flat(element_type: Attribute) -> MemRefType[Attribute]:
    """`memref<?xT>`."""
    return MemRefType(element_type, [DYNAMIC_INDEX])


def byte_size(type_: Attribute) -> int:
    """Bytes of an element in memory; a bool takes one."""
    sizes: dict[Attribute, int] = {f64: 8, f32: 4, f16: 2, bf16: 2}
    if type_ in sizes:
        return sizes[type_]
    if is_integer(type_):
        return 1 if type_ == i1 else type_.width.data // 8
    raise LoweringError(f"tensors of {type_} cannot be lowered")


def computes(op: object) -> bool:
    """Whether `op` writes its tensor results somewhere, unlike a view."""
    return isinstance(op, linalg.GenericOp | linalg.FillOp | linalg.MatmulOp | tensor.InsertSliceOp)


def is_view(op: object) -> bool:
    """Whether the result of `op` lies where its operand does."""
    return isinstance(
        op,
        tensor.ExtractSliceOp
        | tensor.CastOp
        | tensor.CollapseShapeOp
        | tensor.ExpandShapeOp
        | linalg.TransposeOp,
    )


class Buffers:
    """The views of the tensors of one kernel."""

    def __init__(self, extents: Extents, builder: IndexBuilder) -> None:
        self.extents = extents
        self.builder = builder
        self.inserted: set[Operation] = set()
        """The `tensor.insert_slice`s whose source is computed in its place."""
        self._views: dict[SSAValue, View] = {}

    def place(self, value: SSAValue, view: View) -> None:
        """Says where `value` lives."""
        self._views[value] = view

    def placed(self, value: SSAValue) -> bool:
        """Whether `value` has its place already."""
        return value in self._views

    def view(self, value: SSAValue) -> View:
        """Where `value` lives; it gets a buffer of its own where nothing said so before."""
        found = self._views.get(value)
        if found is None:
            found = self._views[value] = self._make(value)
        return found

    def _make(self, value: SSAValue) -> View:
        owner = value.owner
        if isinstance(owner, tensor.ExtractSliceOp):
            return self.slice(self.view(owner.source), owner, owner.result.type)
        if isinstance(owner, tensor.CastOp):
            return replace(self.view(owner.source), dims=self.extents.dims(value))
        if isinstance(owner, linalg.TransposeOp):
            source = self.view(owner.inputs[0])
            axes = owner.permutation.get_values()
            strides = tuple(source.strides[axis] for axis in axes)
            return replace(source, dims=self.extents.dims(value), strides=strides)
        if isinstance(owner, tensor.CollapseShapeOp | tensor.ExpandShapeOp):
            dims = self.extents.dims(value)
            return replace(
                self.view(owner.operands[0]), dims=dims, strides=contiguous_strides(dims)
            )
        assert is_tensor(value.type)
        return self._allocate(self.extents.dims(value), element_type(value.type))

    def _allocate(self, dims: Dims, element_type: Attribute) -> View:
        count = product(dims)
        if any(atom < 0 for atom in count.atoms):
            raise LoweringError("the size of an intermediate tensor must be a product of syms")
        buffer = memref.AllocOp.create(
            operands=[self.builder.extent(count)],
            result_types=[flat(element_type)],
            properties={"operandSegmentSizes": i32_array((1, 0))},
        )
        return View(self.builder.add(buffer), None, dims, contiguous_strides(dims))

    def slice(
        self, source: View, op: tensor.ExtractSliceOp | tensor.InsertSliceOp, type_: Attribute
    ) -> View:
        """The part of `source` that a slice operation names; `type_` is the slice's type."""
        offsets = self.extents.dynamic_list(op.static_offsets, op.offsets)
        sizes = self.extents.dynamic_list(op.static_sizes, op.sizes)
        steps = self.extents.dynamic_list(op.static_strides, op.strides)
        offset = source.offset
        for start, stride in zip(offsets, source.strides, strict=True):
            if start != ZERO and stride != ZERO:
                offset = self.builder.sum(offset, self.builder.extent(start.times(stride)))
        kept = kept_axes(sizes, type_)
        dims = tuple(sizes[axis] for axis in kept)
        strides = tuple(source.strides[axis].times(steps[axis]) for axis in kept)
        return View(source.base, offset, dims, strides)

    def assign(self, op: Operation) -> None:
        """Passes the place of the results of `op` on to the operands it overwrites.

        Called for the operations of a kernel from last to first.
        """
        if isinstance(op, tensor.InsertSliceOp):
            self._pass_on(op.dest, op.result)
            fresh = starts_empty(op) and not self.placed(op.source)
            if fresh and writes_only_to(op, op.source):
                part = self.slice(self.view(op.result), op, op.source.type)
                self.place(op.source, part)
                self.inserted.add(op)
        elif isinstance(op, linalg.GenericOp | linalg.FillOp | linalg.MatmulOp):
            for out, result in zip(op.outputs, op.res, strict=True):
                if isinstance(out.owner, linalg.FillOp) and not isinstance(op, linalg.FillOp):
                    continue  # the initial value of an accumulator, unless others see it
                if result.uses:
                    self._pass_on(out, result)

    def _pass_on(self, operand: SSAValue, result: SSAValue) -> None:
        owner = operand.owner
        if writes_only_to(result.owner, operand) and not self.placed(operand) and computes(owner):
            self.place(operand, self.view(result))


def starts_empty(op: tensor.InsertSliceOp) -> bool:
    """Whether slices are all that the destination of `op` consists of.

    Nothing then writes to the whole of it after a slice has been computed in its place.
    """
    owner = op.dest.owner
    while isinstance(owner, tensor.InsertSliceOp):
        owner = owner.dest.owner
    return isinstance(owner, tensor.EmptyOp)


def writes_only_to(user: object, value: SSAValue) -> bool:
    """Whether `user` is the only one to see `value`, a tensor that some operation computes."""
    return computes(value.owner) and value.get_user_of_unique_use() is user


class RoundedBytes:
    """The bytes of buffers, rounded up to the alignment, each computed once."""

    def __init__(self, builder: IndexBuilder) -> None:
        self.builder = builder
        self._known: dict[tuple[SSAValue, int], SSAValue] = {}

    def of(self, count: SSAValue, size: int) -> SSAValue:
        """The bytes of `count` elements of `size` bytes."""
        found = self._known.get((count, size))
        if found is None:
            builder = self.builder
            raw = builder.add(index_op(arith.MuliOp, count, builder.constant(size)))
            raised = builder.sum(raw, builder.constant(ALIGNMENT - 1))
            operands = [raised, builder.constant(-ALIGNMENT)]
            rounded = arith.AndIOp.create(operands=operands, result_types=[raised.type])
            found = self._known[count, size] = builder.add(rounded)
        return found
