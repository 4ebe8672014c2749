"""Views of parts of a tensor: one index, a range, pieces, windows, diagonals.

Follows aten/src/ATen/native/TensorShape.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import Aliasing
from torchscript_dialect.ops.shapes import Fact, Unknown, by_running
from torchscript_dialect.ops.views.views import restride, view_op, wrap
from torchscript_dialect.tensor import storage
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.strides import element_strides
from torchscript_dialect.tensor.tensor import Tensor, give_array, tensor_of, wrap_dim


@view_op("select.int", anywhere=2, lower="lowering.linalg.slices:Selection")
def select(x: Tensor, dim: int, index: int) -> Tensor:
    array = x.array
    if not array.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, array.ndim)
    size = array.shape[dim]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(array.shape)} at "
            f"dimension {dim}"
        )
    if dim == 0:
        return tensor_of(array[index, ...])
    return tensor_of(array[(slice(None),) * dim + (index, ...)])


def _range(
    array: NDArray[Any], dim: int, start: int | None, end: int | None, step: int
) -> NDArray[Any]:
    """Elements along a dimension. An empty range begins where a longer one would, which NumPy's does not."""
    lead = (slice(None),) * dim
    part = array[(*lead, slice(start, end, step))]
    if part.size or not array.size:
        return part
    size, (first, _, _) = array.shape[dim], slice(start, end, step).indices(array.shape[dim])
    strides = list(array.strides)
    strides[dim] *= step
    last = array[(*lead, slice(min(first, size - 1), None))]
    block, beyond = storage.root(array), array.strides[dim] * (first == size)
    offset = storage.data_pointer(last) - storage.data_pointer(block) + beyond
    if block.flags.c_contiguous and 0 <= offset <= block.nbytes:
        return storage.view_of(block, offset, part.shape, strides, array)
    return part


def _sliced(facts: Sequence[Fact]) -> Fact:
    """Where an end is unknown, one size is, too."""
    x, dim, *ends, step = facts
    found = _whole([x, dim, *(None if isinstance(end, Unknown) else end for end in ends), step])
    if not any(isinstance(end, Unknown) for end in ends) or found.sizes is None:
        return found
    axis = wrap(dim, len(found.sizes))
    sizes = [None if place == axis else size for place, size in enumerate(found.sizes)]
    return replace(found, sizes=tuple(sizes))


@view_op("slice.Tensor", shape=_sliced, lower="lowering.linalg.slices:Slice")
def slice_(x: Tensor, dim: int, start: int | None, end: int | None, step: int) -> Tensor:
    array = x.array
    if not array.ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, array.ndim)
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    return tensor_of(_range(array, dim, start, end, step))


_whole = by_running(slice_)


@view_op("narrow", anywhere=2, lower="lowering.linalg.slices:Narrowed")
def narrow(x: Tensor, dim: int, start: int, length: int) -> Tensor:
    array = x.array
    if not array.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    dim = wrap_dim(dim, array.ndim)
    size = array.shape[dim]
    if not -size <= start <= size:
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    if start < 0:
        start += size
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return tensor_of(_range(array, dim, start, start + length, 1))


@registry.kernel("narrow.Tensor")
def narrow_tensor(x: Tensor, dim: int, start: Tensor, length: int) -> Tensor:
    if start.array.ndim or start.array.dtype.kind not in "iu":
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    return narrow(x, dim, int(start.array.item()), length)


def _pieces(array: NDArray[Any], dim: int, bounds: Sequence[int]) -> list[Tensor]:
    """The slices between neighbouring bounds."""
    lead = (slice(None),) * dim
    return [tensor_of(array[(*lead, slice(low, high))]) for low, high in pairwise(bounds)]


for _name in ("unsafe_split.Tensor", "unsafe_chunk", "unsafe_split_with_sizes"):
    registry.attach(f"aten::{_name}", aliases=Aliasing(keeps=(0,)))


registry.attach("aten::split.Tensor", lower="lowering.linalg.pieces:Split")
registry.attach("aten::unbind.int", lower="lowering.linalg.pieces:Unbinding")
for _name in ("split_with_sizes", "split.sizes", "split"):
    registry.attach(f"aten::{_name}", lower="lowering.linalg.pieces:SplitBySizes")


@view_op("split.Tensor unsafe_split.Tensor", gives_list=True)
def split(x: Tensor, size: int, dim: int) -> list[Tensor]:
    array = x.array
    if not array.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={size}")
    dim = wrap_dim(dim, array.ndim)
    length = array.shape[dim]
    if size == 0:
        if length:
            raise RuntimeError(
                "split_size can only be 0 if dimension size is 0, but got dimension size of "
                f"{length}"
            )
        return [tensor_of(array[...])]
    bounds = [*range(0, max(length, 1), size), length]
    return _pieces(array, dim, bounds)


@view_op("chunk unsafe_chunk", gives_list=True)
def chunk(x: Tensor, chunks: int, dim: int) -> list[Tensor]:
    array = x.array
    if not array.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    dim = wrap_dim(dim, array.ndim)
    length = array.shape[dim]
    size = -(-length // chunks)
    if size == 0:
        return split_with_sizes(x, [0] * chunks, dim)
    return split(x, size, dim)


@view_op("split_with_sizes split.sizes split unsafe_split_with_sizes", gives_list=True)
def split_with_sizes(x: Tensor, sizes: Sequence[int], dim: int) -> list[Tensor]:
    array = x.array
    if not array.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    dim = wrap_dim(dim, array.ndim)
    bounds = [0]
    for size in sizes:
        if size < 0:
            raise RuntimeError(
                "split_with_sizes expects split_sizes have only non-negative entries, but got "
                f"split_sizes={list(sizes)}"
            )
        bounds.append(bounds[-1] + size)
    if bounds[-1] != array.shape[dim]:
        raise RuntimeError(
            "split_with_sizes expects split_sizes to sum exactly to "
            f"{array.shape[dim]} (input tensor's size at dimension {dim}), but got "
            f"split_sizes={list(sizes)}"
        )
    return _pieces(array, dim, bounds)


_MOST_PIECES = 1 << 32


@view_op("tensor_split.sections", gives_list=True)
def tensor_split(x: Tensor, sections: int, dim: int) -> list[Tensor]:
    array = x.array
    if not array.ndim:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    if sections <= 0:
        raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
    if sections > _MOST_PIECES:
        raise RuntimeError(f"tensor_split: no memory holds a list of {sections} tensors")
    dim = wrap_dim(dim, array.ndim)
    least, larger = divmod(array.shape[dim], sections)
    bounds = [0]
    for number in range(sections):
        bounds.append(bounds[-1] + least + (number < larger))
    return _pieces(array, dim, bounds)


@view_op("tensor_split.indices", gives_list=True)
def tensor_split_at(x: Tensor, indices: Sequence[int], dim: int) -> list[Tensor]:
    array = x.array
    if not array.ndim:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    dim = wrap_dim(dim, array.ndim)
    return _pieces(array, dim, [0, *indices, array.shape[dim]])


@view_op("unbind.int", gives_list=True)
def unbind(x: Tensor, dim: int) -> list[Tensor]:
    array = x.array
    if not array.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    dim = wrap_dim(dim, array.ndim)
    if array.ndim == 1:
        return [tensor_of(array[index, ...]) for index in range(len(array))]
    return [tensor_of(part) for part in (np.moveaxis(array, dim, 0) if dim else array)]


@view_op("unfold")
def unfold(x: Tensor, dim: int, size: int, step: int) -> Tensor:
    """Windows of `size` elements, `step` apart, as a last dimension."""
    array = x.array
    dim = wrap(dim, array.ndim)
    shape, strides = array.shape, element_strides(array)
    length = shape[dim] if shape else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > length:
        raise RuntimeError(
            f"maximum size for tensor at dimension {dim} is {length} but size is {size}"
        )
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    if not shape:
        return tensor_of(restride(array, [size], [1]))
    count = (length - size) // step + 1
    return tensor_of(
        restride(
            array,
            (*shape[:dim], count, *shape[dim + 1 :], size),
            (*strides[:dim], strides[dim] * step, *strides[dim + 1 :], strides[dim]),
        )
    )


@view_op("diagonal")
def diagonal(x: Tensor, offset: int, dim1: int, dim2: int) -> Tensor:
    array = x.array
    dim1, dim2 = wrap_dim(dim1, array.ndim), wrap_dim(dim2, array.ndim)
    if dim1 == dim2:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    strides = element_strides(array)
    rows, columns = array.shape[dim1], array.shape[dim2]
    if offset >= 0:
        count = max(min(rows, columns - offset), 0)
        start = (dim2, offset)
    else:
        count = max(min(rows + offset, columns), 0)
        start = (dim1, -offset)
    if count:
        array = array[(slice(None),) * start[0] + (slice(start[1], None),)]
    kept = [dim for dim in range(array.ndim) if dim not in (dim1, dim2)]
    return tensor_of(
        restride(
            array,
            [*(array.shape[dim] for dim in kept), count],
            [*(strides[dim] for dim in kept), strides[dim1] + strides[dim2]],
        )
    )


@registry.kernel("as_strided")
def as_strided_(
    x: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None
) -> Tensor:
    """A view of the storage; RuntimeError where it would reach outside."""
    array = x.array
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(step < 0 for step in stride):
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, got strides:"
            f" {list(stride)}"
        )
    start = x.storage_offset() if storage_offset is None else storage_offset
    root = storage.root(array)
    item = array.itemsize
    reach = start + 1 + sum((n - 1) * s for n, s in zip(size, stride))
    if 0 not in size and (start < 0 or reach * item > root.nbytes):
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {start}, and "
            f"itemsize {item} requiring a storage size of {reach * item} are out of bounds for "
            f"storage of size {root.nbytes}"
        )
    if not root.flags.forc:
        root, _ = storage.window(root)  # as of a permuted result
        if root.nbytes != storage.root(array).nbytes:
            raise RuntimeError("as_strided: the memory behind this tensor is not one block")
    steps = [s * item for s in stride]
    if 0 in size and isinstance(array, DeviceArray):
        return tensor_of(array.restrided(size, steps))
    if 0 in size:
        return tensor_of(np.empty(tuple(size), array.dtype))
    return tensor_of(storage.view_of(root, start * item, size, steps, array))


def _reshape_alias_looks(x: Tensor, size: Sequence[int], stride: Sequence[int]) -> Tensor:
    return tensor_of(restride(x.array, size, stride))


@registry.kernel("_reshape_alias", shape=by_running(_reshape_alias_looks))
def reshape_alias(x: Tensor, size: Sequence[int], stride: Sequence[int]) -> Tensor:
    return as_strided_(x, size, stride, None)


@registry.kernel("as_strided_")
def as_strided_in_place(
    x: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None
) -> Tensor:
    give_array(x, as_strided_(x, size, stride, storage_offset).array)
    return x
