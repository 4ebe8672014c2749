"""Where the elements of a shaped buffer are: in which flat buffer, from where on, how far apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowering.extents import ZERO, Dims, Extents, contiguous_strides, kept_axes, shape_of, units_of
from lowering.kernel import LoweringError
from lowering.loops.index_builder import IndexBuilder
from lowering.shaped import element_type, i32_array, i64_array, integers_of, is_memref, memref_of


@dataclass(frozen=True, eq=False)
class View:
    """A strided window into a buffer; an absent offset is 0."""

    base: SSAValue
    offset: SSAValue | None
    dims: Dims
    strides: Dims

    @property
    def element_type(self) -> Attribute:
        """The type of an element."""
        assert is_memref(self.base.type)
        return element_type(self.base.type)


class Views:
    """The views that the shaped buffers of one kernel are."""

    def __init__(self, extents: Extents, builder: IndexBuilder) -> None:
        self.extents = extents
        self.builder = builder
        self._views: dict[SSAValue, View] = {}

    def place(self, value: SSAValue, view: View) -> None:
        """Says where the elements of `value` are."""
        self._views[value] = view

    def of(self, value: SSAValue) -> View:
        """Where the elements of `value` are."""
        found = self._views.get(value)
        if found is None:
            found = self._views[value] = self._make(value)
        return found

    def _make(self, value: SSAValue) -> View:
        owner = value.owner
        if isinstance(owner, memref.AllocOp | memref.ViewOp):
            dims = self.extents.dims(value)
            return View(value, None, dims, contiguous_strides(dims))
        if isinstance(owner, memref.SubviewOp):
            return self._slice(self.of(owner.source), owner)
        if isinstance(owner, memref.CastOp):
            return replace(self.of(owner.source), dims=self.extents.dims(value))
        if isinstance(owner, memref.ReinterpretCastOp):
            strides = self.extents.dynamic_list(owner.static_strides, owner.strides)
            source = self.of(owner.source)
            return View(source.base, self._offset(owner), self.extents.dims(value), strides)
        name = owner.name if isinstance(owner, Operation) else "a block argument"
        raise LoweringError(f"{name} is no buffer of a kernel")

    def _offset(self, op: memref.ReinterpretCastOp) -> SSAValue | None:
        (static,) = integers_of(op.static_offsets) or (0,)
        if static == DYNAMIC_INDEX:
            return op.offsets[0]
        return self.builder.constant(static) if static else None

    def _slice(self, source: View, op: memref.SubviewOp) -> View:
        offsets, sizes, steps = self.extents.slice_of(op)
        offset = source.offset
        for start, stride in zip(offsets, source.strides, strict=True):
            if start != ZERO and stride != ZERO:
                offset = self.builder.sum(offset, self.builder.extent(start.times(stride)))
        kept = kept_axes(units_of(sizes), shape_of(op.result.type))
        dims = tuple(sizes[axis] for axis in kept)
        strides = tuple(source.strides[axis].times(steps[axis]) for axis in kept)
        return View(source.base, offset, dims, strides)


def allocated(dims: Dims, element: Attribute, builder: IndexBuilder) -> memref.AllocOp:
    """A buffer of its own."""
    static, dynamic = builder.mixed(dims)
    return memref.AllocOp.create(
        operands=dynamic,
        result_types=[memref_of(element, static)],
        properties={"operandSegmentSizes": i32_array((len(dynamic), 0))},
    )


def reinterpreted(
    base: SSAValue, offset: SSAValue | None, dims: Dims, strides: Dims, builder: IndexBuilder
) -> memref.ReinterpretCastOp:
    """The buffer of the sizes `dims` that has its elements so far apart in `base`."""
    assert is_memref(base.type)
    static_sizes, sizes = builder.mixed(dims)
    static_strides, steps = builder.mixed(strides)
    distances = tuple(None if one.atoms else one.factor for one in strides)
    start = 0 if offset is None else None
    offsets = [] if offset is None else [offset]
    return memref.ReinterpretCastOp.create(
        operands=[base, *offsets, *sizes, *steps],
        result_types=[memref_of(base.type.element_type, static_sizes, distances, start)],
        properties={
            "static_offsets": i64_array((DYNAMIC_INDEX if offsets else 0,)),
            "static_sizes": i64_array(static_sizes),
            "static_strides": i64_array(static_strides),
            "operandSegmentSizes": i32_array((1, len(offsets), len(sizes), len(steps))),
        },
    )


def sliced(
    source: SSAValue,
    offsets: Dims,
    sizes: Dims,
    steps: Dims,
    reduced: Sequence[int],
    builder: IndexBuilder,
) -> memref.SubviewOp:
    """The part of a buffer that begins at `offsets`, without the sizes of 1 that the static shape `reduced` lacks."""
    assert is_memref(source.type)
    lists = [builder.mixed(dims) for dims in (offsets, sizes, steps)]
    (static_offsets, starts), (static_sizes, counts), (static_steps, strides) = lists
    known = strides_of(source.type)
    distances = [
        None if one is None or step == DYNAMIC_INDEX else one * step
        for one, step in zip(known, static_steps, strict=True)
    ]
    kept = kept_axes(units_of(sizes), reduced)
    shape = tuple(static_sizes[axis] for axis in kept)
    apart = tuple(distances[axis] for axis in kept)
    start = _offset_of(source.type, static_offsets, known)
    return memref.SubviewOp.create(
        operands=[source, *starts, *counts, *strides],
        result_types=[memref_of(source.type.element_type, shape, apart, start)],
        properties={
            "static_offsets": i64_array(static_offsets),
            "static_sizes": i64_array(static_sizes),
            "static_strides": i64_array(static_steps),
            "operandSegmentSizes": i32_array((1, len(starts), len(counts), len(strides))),
        },
    )


def strides_of(type_: MemRefType[Attribute]) -> list[int | None]:
    """The strides that a memref type shows."""
    strides = type_.get_strides()
    assert strides is not None
    return list(strides)


def _offset_of(
    type_: MemRefType[Attribute], starts: tuple[int, ...], strides: list[int | None]
) -> int | None:
    """The offset of a part, if the types show it."""
    offset = type_.get_offset()
    for start, stride in zip(starts, strides, strict=True):
        if start == 0:
            continue
        if offset is None or start == DYNAMIC_INDEX or stride is None:
            return None
        offset += start * stride
    return offset


def filling(value: SSAValue, target: SSAValue) -> linalg.FillOp:
    """`linalg.fill` of a buffer."""
    assert is_memref(target.type)
    return linalg.FillOp.create(
        operands=[value, target],
        properties={"operandSegmentSizes": i32_array((1, 1))},
        regions=[passing(target.type.element_type)],
    )


def passing(element: Attribute) -> Region:
    """The body of an operation that writes its first operand."""
    block = Block(arg_types=[element, element])
    block.add_op(linalg.YieldOp.create(operands=[block.args[0]]))
    return Region(block)
