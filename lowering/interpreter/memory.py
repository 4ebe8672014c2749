"""`memref` and `vector`: buffers are NumPy views, and nothing beside them is read or written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from xdsl.dialects.builtin import DYNAMIC_INDEX, VectorType

from lowering.extents import kept_axes
from lowering.interpreter.machine import Machine, NotInterpretable, OutOfBounds, handles
from lowering.interpreter.scalars import extreme, numpy_type

GARBAGE = 0x4D
"""The bytes of fresh memory: who does not write them shows."""


def garbage(shape: Sequence[int], kind: np.dtype[Any]) -> Any:
    """An array that holds anything."""
    count = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
    whole = np.full(count, 1 if kind == np.bool_ else GARBAGE, np.uint8)
    return whole.view(kind).reshape(shape)


def elements(array: Any) -> Any:
    """The memory from the first element of an array to its last."""
    if not array.size:
        return np.empty(0, array.dtype)
    last = sum((size - 1) * stride for size, stride in zip(array.shape, array.strides, strict=True))
    return as_strided(array, (last // array.itemsize + 1,), (array.itemsize,))


def filled(static: Any, values: list[Any]) -> list[int]:
    """Static numbers, and in the place of each dynamic one the next of `values`, which is taken away."""
    return [int(values.pop(0)) if one == DYNAMIC_INDEX else one for one in static.get_values()]


def _place(memory: Any, indices: Sequence[Any]) -> tuple[int, ...]:
    place = tuple(int(index) for index in indices)
    if len(place) != memory.ndim or any(
        not 0 <= i < n for i, n in zip(place, memory.shape, strict=True)
    ):
        raise OutOfBounds(f"element {place} of a buffer of {memory.shape}")
    return place


@handles("memref.load")
def _load(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    memory, *indices = args
    return (memory[_place(memory, indices)],)


@handles("memref.store")
def _store(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    value, memory, *indices = args
    memory[_place(memory, indices)] = value
    return ()


@handles("memref.prefetch")
def _prefetch(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return ()


@handles("memref.dim", "tensor.dim")
def _dim(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return (np.int64(args[0].shape[int(args[1])]),)


@handles("memref.alloca", "memref.alloc", "tensor.empty")
def _allocate(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    type_ = op.results[0].type
    return (garbage(_shape(type_, args), numpy_type(type_)),)


def _shape(type_: Any, sizes: Sequence[Any]) -> list[int]:
    """The sizes of a memref, of which `sizes` are the dynamic ones."""
    rest = iter(sizes)
    return [int(next(rest)) if one == DYNAMIC_INDEX else one for one in type_.get_shape()]


@handles("memref.view")
def _view(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    memory, start, *sizes = args
    kind = numpy_type(op.results[0].type)
    shape = _shape(op.results[0].type, sizes)
    begin, end = int(start), int(start) + int(np.prod(shape, dtype=np.int64)) * kind.itemsize
    if not 0 <= begin <= end <= memory.size:
        raise OutOfBounds(f"bytes {begin} to {end} of a buffer of {memory.size}")
    return (memory[begin:end].view(kind).reshape(shape),)


@handles("memref.cast")
def _cast(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return args


@handles("memref.subview")
def _subview(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    memory, *rest = args
    offsets = filled(op.static_offsets, rest)
    sizes, strides = filled(op.static_sizes, rest), filled(op.static_strides, rest)
    places = list(zip(offsets, sizes, strides, memory.shape, strict=True))
    for offset, size, stride, extent in places:
        if size and not 0 <= offset <= offset + (size - 1) * stride < extent:
            raise OutOfBounds(f"{size} elements from {offset} on of {extent}")
    slices = [slice(o, o + (n - 1) * s + 1 if n else o, s) for o, n, s, _ in places]
    part = memory[tuple(slices)]
    return (part[index_of_kept(op)],)


def index_of_kept(op: Any) -> tuple[Any, ...]:
    """How to index a slice so that the dimensions go that its result type drops; a view, also where none is left."""
    static = op.static_sizes.get_values()
    kept = kept_axes([size == 1 for size in static], op.results[0].type.get_shape())
    return (*(slice(None) if axis in kept else 0 for axis in range(len(static))), ...)


@handles("memref.reinterpret_cast")
def _reinterpret(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    memory, *rest = args
    offsets = filled(op.static_offsets, rest)
    sizes, strides = filled(op.static_sizes, rest), filled(op.static_strides, rest)
    flat = elements(memory)
    if sizes == [0] and 0 <= offsets[0] <= flat.size:
        return (flat[offsets[0] :],)  # a shifted base, of which nobody looks at the size
    steps = [(n - 1) * s for n, s in zip(sizes, strides, strict=True)]
    last = offsets[0] + sum(max(step, 0) for step in steps)
    if 0 not in sizes and not 0 <= offsets[0] <= last < flat.size:
        raise OutOfBounds(f"elements {offsets[0]} to {last} of a buffer of {flat.size}")
    item = flat.itemsize
    start = flat[min(offsets[0], flat.size) :]
    return (as_strided(start, sizes, [stride * item for stride in strides]),)


@handles("memref.extract_aligned_pointer_as_index")
def _pointer(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return (np.int64(args[0].ctypes.data),)


# Vectors.


def _lanes(type_: Any) -> int:
    (count,) = type_.get_shape()
    return count


def _window(memory: Any, indices: Sequence[Any], count: int) -> Any:
    """The elements of a vector, of which none is beside the buffer."""
    *outer, index = (int(one) for one in indices)
    row = memory[tuple(outer)] if outer else memory
    if not (index >= 0 and index + count <= row.shape[0]):
        raise OutOfBounds(f"elements {index} to {index + count} of a buffer of {row.shape[0]}")
    return row[index : index + count]


@handles("vector.load")
def _vector_load(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    memory, *indices = args
    return (_window(memory, indices, _lanes(op.results[0].type)).copy(),)


@handles("vector.store")
def _vector_store(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    value, memory, *indices = args
    _window(memory, indices, len(value))[:] = value
    return ()


def _masked(memory: Any, indices: Sequence[Any], mask: Any) -> tuple[Any, Any]:
    """The numbers of the lanes that are on, and their elements."""
    *outer, index = (int(one) for one in indices)
    row = memory[tuple(outer)] if outer else memory
    lanes = np.flatnonzero(mask)
    places = lanes + index
    if places.size and not (places[0] >= 0 and places[-1] < row.shape[0]):
        raise OutOfBounds(f"elements {places[0]} to {places[-1]} of a buffer of {row.shape[0]}")
    return lanes, (row, places)


@handles("vector.maskedload")
def _masked_load(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    memory, *indices, mask, otherwise = args
    lanes, (row, places) = _masked(memory, indices, mask)
    made = otherwise.copy()
    made[lanes] = row[places]
    return (made,)


@handles("vector.maskedstore")
def _masked_store(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    memory, *indices, mask, value = args
    lanes, (row, places) = _masked(memory, indices, mask)
    row[places] = value[lanes]
    return ()


@handles("vector.create_mask")
def _mask(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return (np.arange(_lanes(op.results[0].type)) < int(args[0]),)


@handles("vector.broadcast")
def _broadcast(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    type_ = op.results[0].type
    return (np.full(type_.get_shape(), args[0], numpy_type(type_)),)


@handles("vector.shuffle")
def _shuffle(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    both = np.concatenate([np.asarray(arg) for arg in args])
    return (both[[int(lane) for lane in op.mask.get_values()]],)


@handles("vector.extract")
def _extract(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    source, *rest = args
    return (source[tuple(filled(op.static_position, rest))],)


@handles("vector.insert")
def _insert(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    value, into, *rest = args
    made = into.copy()
    made[tuple(filled(op.static_position, rest))] = value
    return (made,)


@handles("vector.reduction")
def _reduction(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    """The lanes one by one: with `reassoc` any order is right (Note [Stochastic rounding])."""
    lanes, *start = args
    kind = op.kind.data
    combine = partial(extreme, machine, kind) if kind in _EXTREMES else _COMBINING.get(kind)
    if combine is None:
        raise NotInterpretable(f"'vector.reduction' by {op.kind.data} has no interpreter")
    total = start[0] if start else lanes[0]
    for lane in lanes if start else lanes[1:]:
        total = (
            machine.rounding.arithmetic(combine(total, lane), total, lane)
            if lanes.dtype.kind in "fV"
            else combine(total, lane)
        )
    assert not isinstance(op.results[0].type, VectorType)
    return (lanes.dtype.type(total),)


_EXTREMES = ("minimumf", "maximumf")
_COMBINING: dict[str, Any] = {
    "add": np.add,
    "mul": np.multiply,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "minsi": np.minimum,
    "maxsi": np.maximum,
}
