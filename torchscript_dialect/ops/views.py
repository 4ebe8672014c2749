"""Operators that look at the same elements in another way: transpositions, reshapes, slices, windows.

Results are NumPy views with exactly the strides that PyTorch gives (aten/src/ATen/native/TensorShape.cpp).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import by_running
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import storage
from torchscript_dialect.tensor.layout import contiguous_format, memory_format, preserve_format
from torchscript_dialect.tensor.strides import (
    contiguous_strides,
    dense_strides,
    element_strides,
    empty_like,
    empty_strided,
    is_contiguous,
    strides_for_format,
)
from torchscript_dialect.tensor.tensor import Tensor, wrap_dim

Ints = tuple[int, ...]


def view_op(names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Attach a kernel that looks at shapes and strides only; the shape rule is the kernel."""

    def attach(function: Callable[..., Any]) -> Callable[..., Any]:
        return registry.kernel(names, shape=by_running(function))(function)

    return attach


def restride(array: NDArray[Any], shape: Sequence[int], strides: Sequence[int]) -> NDArray[Any]:
    """The view with this shape and these strides in elements, from the same first element."""
    size = array.itemsize
    return as_strided(
        array, tuple(shape), tuple([s * size for s in strides]), writeable=array.flags.writeable
    )


def wrap(dim: int, ndim: int) -> int:
    """`dim` counted from the front, where a 0-d tensor counts as one of one dimension."""
    return wrap_dim(dim, ndim or 1)


# Dimensions in another order


@view_op("t")
def t(x: Tensor) -> Tensor:
    array = x.array
    if array.ndim > 2:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 dimensions, but self is {array.ndim}D"
        )
    return Tensor(array.T)


@view_op("transpose.int swapaxes swapdims")
def transpose(x: Tensor, dim0: int, dim1: int) -> Tensor:
    array = x.array
    dim0, dim1 = wrap(dim0, array.ndim), wrap(dim1, array.ndim)
    return Tensor(array.swapaxes(dim0, dim1)) if array.ndim else Tensor(array[...])


@view_op("permute")
def permute(x: Tensor, dims: Sequence[int]) -> Tensor:
    array = x.array
    if len(dims) != array.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {array.ndim} is not "
            f"equal to len(dims) = {len(dims)}"
        )
    order = [wrap_dim(dim, array.ndim) for dim in dims]
    if len(set(order)) != len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return Tensor(array.transpose(order))


@view_op("movedim.intlist moveaxis.intlist")
def movedim(x: Tensor, source: Sequence[int], destination: Sequence[int]) -> Tensor:
    ndim = x.array.ndim
    if len(source) != len(destination):
        raise RuntimeError(
            "movedim: Invalid source or destination dims: source "
            f"({list(source)} dims) should contain the same number of dims as destination "
            f"({list(destination)} dims)"
        )
    sources = [wrap(dim, ndim) for dim in source]
    targets = [wrap(dim, ndim) for dim in destination]
    if not ndim:
        return Tensor(x.array[...])
    rest = iter([dim for dim in range(ndim) if dim not in sources])
    order = [
        sources[targets.index(dim)] if dim in targets else next(rest) for dim in range(ndim)
    ]
    return Tensor(x.array.transpose(order))


@view_op("movedim.int moveaxis.int")
def movedim_int(x: Tensor, source: int, destination: int) -> Tensor:
    return movedim(x, [source], [destination])


@view_op("numpy_T numpy_T.a")
def reversed_dims(x: Tensor) -> Tensor:
    return Tensor(x.array.T)


@view_op("mT mT.a")
def matrix_transpose(x: Tensor) -> Tensor:
    if not x.array.ndim:
        return Tensor(x.array[...])
    if x.array.ndim < 2:
        raise RuntimeError(
            "tensor.mT is only supported on matrices or batches of matrices. "
            f"Got {x.array.ndim}-D tensor."
        )
    return Tensor(x.array.swapaxes(-1, -2))


# Other shapes


def view_strides(shape: Ints, strides: Ints, new_shape: Sequence[int]) -> list[int] | None:
    """The strides of the elements in another shape of as many elements; None where only a copy could have it.

    Follows computeStride_impl in aten/src/ATen/TensorUtils.cpp.
    """
    if not shape:
        return [1] * len(new_shape)
    if 0 in shape:
        if tuple(new_shape) == shape:
            return list(strides)
        result = [0] * len(new_shape)
        for dim in range(len(new_shape) - 1, -1, -1):
            last = dim == len(new_shape) - 1
            result[dim] = 1 if last else max(new_shape[dim + 1], 1) * result[dim + 1]
        return result
    result = [0] * len(new_shape)
    place = len(new_shape) - 1
    step, old_count, new_count = strides[-1], 1, 1
    for dim in range(len(shape) - 1, -1, -1):
        old_count *= shape[dim]
        joined = dim > 0 and (shape[dim - 1] == 1 or strides[dim - 1] == old_count * step)
        if joined:
            continue
        while place >= 0 and (new_count < old_count or new_shape[place] == 1):
            result[place] = new_count * step
            new_count *= new_shape[place]
            place -= 1
        if new_count != old_count:
            return None
        if dim > 0:
            step, old_count, new_count = strides[dim - 1], 1, 1
    return result if place == -1 else None


def inferred_shape(shape: Sequence[int], count: int) -> list[int]:
    """The shape with its -1 replaced by what is left of `count` elements.

    Raises:
        RuntimeError: more than one -1, or a number of elements that does not fit.
    """
    known, unknown = 1, None
    for dim, size in enumerate(shape):
        if size == -1:
            if unknown is not None:
                raise RuntimeError("only one dimension can be inferred")
            unknown = dim
        elif size < 0:
            raise RuntimeError(f"invalid shape dimension {size}")
        else:
            known *= size
    result = list(shape)
    if unknown is None:
        if known == count:
            return result
    elif known > 0 and count % known == 0:
        result[unknown] = count // known
        return result
    elif known == 0 and count == 0:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified "
            "dimension size -1 can be any value and is ambiguous"
        )
    raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")


def reshaped_view(array: NDArray[Any], shape: Sequence[int]) -> NDArray[Any] | None:
    """The view with this shape (every size given), or None where only a copy could have it."""
    if array.size and array.flags.c_contiguous:
        return array.reshape(shape)
    strides = view_strides(array.shape, element_strides(array), shape)
    return None if strides is None else restride(array, shape, strides)


@view_op("view _unsafe_view")
def view(x: Tensor, size: Sequence[int]) -> Tensor:
    result = reshaped_view(x.array, inferred_shape(size, x.array.size))
    if result is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return Tensor(result)


@registry.kernel("view.dtype")
def view_dtype(x: Tensor, dtype: int) -> Tensor:
    element = dtypes.from_scalar_type(dtype).numpy_dtype
    array = x.array
    if element.itemsize != array.itemsize:
        if not array.ndim:
            raise RuntimeError(
                f"self.dim() cannot be 0 to view {x.dtype.type_name} as "
                f"{dtypes.from_scalar_type(dtype).type_name} (different element sizes)"
            )
        if array.shape[-1] and array.strides[-1] != array.itemsize:
            raise RuntimeError(
                f"self.stride(-1) must be 1 to view {x.dtype.type_name} as "
                f"{dtypes.from_scalar_type(dtype).type_name} (different element sizes), but got "
                f"{array.strides[-1] // array.itemsize}"
            )
    return Tensor(array.view(element))


@view_op("view_as")
def view_as(x: Tensor, other: Tensor) -> Tensor:
    return view(x, other.array.shape)


@view_op("_reshape_alias")
def reshape_alias(x: Tensor, size: Sequence[int], stride: Sequence[int]) -> Tensor:
    return Tensor(restride(x.array, size, stride))


def _fake_copy(array: NDArray[Any], shape: Sequence[int]) -> Tensor:
    """What a contiguous copy looks like, for shape rules: the elements must not be read."""
    return Tensor(restride(array, shape, contiguous_strides(shape)))


def _reshape_looks(x: Tensor, shape: Sequence[int]) -> Tensor:
    full = inferred_shape(shape, x.array.size)
    result = reshaped_view(x.array, full)
    return _fake_copy(x.array, full) if result is None else Tensor(result)


@registry.kernel("reshape", shape=by_running(_reshape_looks))
def reshape(x: Tensor, shape: Sequence[int]) -> Tensor:
    """A view where there can be one, otherwise a contiguous copy."""
    array = x.array
    full = inferred_shape(shape, array.size)
    result = reshaped_view(array, full)
    return Tensor(np.ascontiguousarray(array).reshape(full) if result is None else result)


@registry.kernel("reshape_as", shape=by_running(lambda x, y: _reshape_looks(x, y.array.shape)))
def reshape_as(x: Tensor, other: Tensor) -> Tensor:
    return reshape(x, other.array.shape)


def _flat_shape(array: NDArray[Any], start_dim: int, end_dim: int) -> list[int] | None:
    """The shape after joining the dimensions from start to end; None where nothing changes."""
    start, end = wrap(start_dim, array.ndim), wrap(end_dim, array.ndim)
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not array.ndim:
        return [1]
    if start == end:
        return None
    count = prod(array.shape[start : end + 1])
    return [*array.shape[:start], count, *array.shape[end + 1 :]]


def _flatten_looks(x: Tensor, start_dim: int, end_dim: int) -> Tensor:
    shape = _flat_shape(x.array, start_dim, end_dim)
    return x if shape is None else _reshape_looks(x, shape)


@registry.kernel("flatten.using_ints", shape=by_running(_flatten_looks))
def flatten(x: Tensor, start_dim: int, end_dim: int) -> Tensor:
    shape = _flat_shape(x.array, start_dim, end_dim)
    return x if shape is None else reshape(x, shape)


@registry.kernel("ravel", shape=by_running(lambda x: _fake_copy(x.array, [x.array.size])))
def ravel(x: Tensor) -> Tensor:
    return reshape(contiguous(x, contiguous_format), [x.array.size])


@view_op("unflatten.int")
def unflatten(x: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    array = x.array
    dim = wrap(dim, array.ndim)
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    try:
        full = inferred_shape(sizes, array.shape[dim])
    except RuntimeError:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} "
            f"({array.shape[dim]}) in the input tensor"
        ) from None
    return view(x, [*array.shape[:dim], *full, *array.shape[dim + 1 :]])


@view_op("expand broadcast_to")
def expand(x: Tensor, size: Sequence[int], implicit: bool = False) -> Tensor:
    array = x.array
    shape, strides = array.shape, element_strides(array)
    lead = len(size) - len(shape)
    if lead < 0:
        raise RuntimeError(
            f"expand({_described(x)}, size={list(size)}): the number of sizes provided "
            f"({len(size)}) must be greater or equal to the number of dimensions in the tensor "
            f"({len(shape)})"
        )
    new_shape, new_strides = list(size), [0] * len(size)
    for dim in range(len(size) - 1, -1, -1):
        own = dim - lead
        have = shape[own] if own >= 0 else 1
        last = dim == len(size) - 1
        stride = (
            strides[own]
            if own >= 0
            else (1 if last else new_shape[dim + 1] * new_strides[dim + 1])
        )
        wanted = size[dim]
        if wanted == -1:
            if own < 0:
                raise RuntimeError(
                    f"The expanded size of the tensor ({wanted}) isn't allowed in a leading, non-existing dimension {dim}"
                )
            wanted = have
        if have != wanted:
            if have != 1:
                raise RuntimeError(
                    f"The expanded size of the tensor ({wanted}) must match the existing size "
                    f"({have}) at non-singleton dimension {dim}.  Target sizes: {list(size)}.  "
                    f"Tensor sizes: {list(shape)}"
                )
            stride = 0
        new_shape[dim], new_strides[dim] = wanted, stride
    return Tensor(restride(array, new_shape, new_strides))


def _described(x: Tensor) -> str:
    inside = ", ".join(map(str, x.array.shape))
    return f"torch.{x.dtype.type_name}Tensor{{[{inside}]}}"


@view_op("expand_as")
def expand_as(x: Tensor, other: Tensor) -> Tensor:
    return expand(x, other.array.shape)


@view_op("unsqueeze")
def unsqueeze(x: Tensor, dim: int) -> Tensor:
    array = x.array
    ndim = array.ndim
    dim = wrap_dim(dim, ndim + 1)
    shape, strides = array.shape, element_strides(array)
    step = 1 if dim >= ndim else shape[dim] * strides[dim]
    return Tensor(
        restride(array, (*shape[:dim], 1, *shape[dim:]), (*strides[:dim], step, *strides[dim:]))
    )


def _without(array: NDArray[Any], dims: set[int]) -> Tensor:
    dropped = tuple(dim for dim in dims if array.shape[dim] == 1)
    return Tensor(array.squeeze(dropped) if dropped else array[...])


@view_op("squeeze")
def squeeze(x: Tensor) -> Tensor:
    return _without(x.array, set(range(x.array.ndim)))


@view_op("squeeze.dim")
def squeeze_dim(x: Tensor, dim: int) -> Tensor:
    dim = wrap(dim, x.array.ndim)
    return _without(x.array, {dim} if x.array.ndim else set())


@view_op("squeeze.dims")
def squeeze_dims(x: Tensor, dims: Sequence[int]) -> Tensor:
    ndim = x.array.ndim
    axes = [wrap(dim, ndim) for dim in dims]
    for axis in axes:
        if axes.count(axis) > 1:
            raise RuntimeError(f"dim {axis} appears multiple times in the list of dims")
    return _without(x.array, set(axes) if ndim else set())


# Parts


@view_op("select.int")
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
        return Tensor(array[index, ...])
    return Tensor(array[(slice(None),) * dim + (index, ...)])


@view_op("slice.Tensor")
def slice_(x: Tensor, dim: int, start: int | None, end: int | None, step: int) -> Tensor:
    array = x.array
    if not array.ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, array.ndim)
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    return Tensor(array[(slice(None),) * dim + (slice(start, end, step),)])


@view_op("narrow")
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
    return Tensor(array[(slice(None),) * dim + (slice(start, start + length),)])


@registry.kernel("narrow.Tensor")
def narrow_tensor(x: Tensor, dim: int, start: Tensor, length: int) -> Tensor:
    if start.array.ndim or start.array.dtype.kind not in "iu":
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    return narrow(x, dim, int(start.array.item()), length)


def _pieces(array: NDArray[Any], dim: int, bounds: Sequence[int]) -> list[Tensor]:
    """The slices between neighbouring bounds."""
    lead = (slice(None),) * dim
    return [
        Tensor(array[(*lead, slice(low, high))]) for low, high in zip(bounds[:-1], bounds[1:])
    ]


@view_op("split.Tensor unsafe_split.Tensor")
def split(x: Tensor, size: int, dim: int) -> list[Tensor]:
    array = x.array
    if not array.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if size < 0:
        raise RuntimeError(
            f"split expects split_size be non-negative, but got split_size={size}"
        )
    dim = wrap_dim(dim, array.ndim)
    length = array.shape[dim]
    if size == 0:
        if length:
            raise RuntimeError(
                "split_size can only be 0 if dimension size is 0, but got dimension size of "
                f"{length}"
            )
        return [Tensor(array[...])]
    bounds = [*range(0, max(length, 1), size), length]
    return _pieces(array, dim, bounds)


@view_op("chunk unsafe_chunk")
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


@view_op("split_with_sizes split.sizes split unsafe_split_with_sizes")
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


@view_op("tensor_split.sections")
def tensor_split(x: Tensor, sections: int, dim: int) -> list[Tensor]:
    array = x.array
    if not array.ndim:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    if sections <= 0:
        raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
    dim = wrap_dim(dim, array.ndim)
    least, larger = divmod(array.shape[dim], sections)
    bounds = [0]
    for number in range(sections):
        bounds.append(bounds[-1] + least + (number < larger))
    return _pieces(array, dim, bounds)


@view_op("tensor_split.indices")
def tensor_split_at(x: Tensor, indices: Sequence[int], dim: int) -> list[Tensor]:
    array = x.array
    if not array.ndim:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    dim = wrap_dim(dim, array.ndim)
    return _pieces(array, dim, [0, *indices, array.shape[dim]])


@view_op("unbind.int")
def unbind(x: Tensor, dim: int) -> list[Tensor]:
    array = x.array
    if not array.ndim:
        raise IndexError(
            f"Dimension specified as {dim} but tensor has no dimensions"
        )
    dim = wrap_dim(dim, array.ndim)
    lead = (slice(None),) * dim
    return [Tensor(array[(*lead, index, ...)]) for index in range(array.shape[dim])]


@view_op("unfold")
def unfold(x: Tensor, dim: int, size: int, step: int) -> Tensor:
    """Windows of `size` elements, `step` apart, as a last dimension."""
    array = x.array
    dim = wrap(dim, array.ndim)
    shape, strides = array.shape, element_strides(array)
    length = shape[dim] if shape else 1
    if size > length:
        raise RuntimeError(
            f"maximum size for tensor at dimension {dim} is {length} but size is {size}"
        )
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    if not shape:
        return Tensor(restride(array, [size], [1]))
    count = (length - size) // step + 1
    return Tensor(
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
    return Tensor(
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
    if not root.flags.c_contiguous:
        raise RuntimeError("as_strided: the memory behind this tensor is not one block")
    block = root.reshape(-1).view(np.uint8)[start * item :]
    if 0 in size:
        return Tensor(np.empty(tuple(size), array.dtype))
    steps = tuple([s * item for s in stride])
    head = block[: (reach - start) * item].view(array.dtype)
    return Tensor(as_strided(head, tuple(size), steps, writeable=array.flags.writeable))


# The same, or a copy


@view_op("alias detach lift_fresh resolve_conj resolve_neg positive prim::data")
def alias(x: Tensor) -> Tensor:
    """Another tensor over the same elements."""
    return Tensor(x.array)


@registry.kernel("detach_ requires_grad_ cpu")
def same(x: Tensor, *_: Any) -> Tensor:
    return x


@registry.kernel("cuda")
def cuda(x: Tensor) -> Tensor:
    raise RuntimeError("aten::cuda: tensors live on the cpu only")


def _contiguous_looks(x: Tensor, format: int) -> Tensor:
    array = x.array
    wanted = memory_format(format)
    if is_contiguous(array.shape, element_strides(array), wanted):
        return x
    return Tensor(restride(array, array.shape, strides_for_format(array.shape, wanted)))


def _clone_looks(x: Tensor, format: int | None) -> Tensor:
    array = x.array
    if format is not None and format != preserve_format:
        return Tensor(
            restride(array, array.shape, strides_for_format(array.shape, memory_format(format)))
        )
    strides = dense_strides(array.shape, element_strides(array))
    return Tensor(restride(array, array.shape, strides))


@registry.kernel("contiguous", shape=by_running(_contiguous_looks))
def contiguous(x: Tensor, format: int = contiguous_format) -> Tensor:
    """The tensor itself if it has the memory format, otherwise a copy that has."""
    array = x.array
    wanted = memory_format(format)
    if wanted == contiguous_format and (array.flags.c_contiguous or not array.size):
        return x
    if is_contiguous(array.shape, element_strides(array), wanted):
        return x
    return clone(x, wanted)


def copied(array: NDArray[Any], format: int | None) -> NDArray[Any]:
    """A copy in a memory format; None and `preserve_format` keep the strides of dense tensors."""
    if format is None or format == preserve_format:
        result = empty_like(array)
    else:
        strides = strides_for_format(array.shape, memory_format(format))
        result = empty_strided(array.shape, strides, array.dtype)
    np.copyto(result, array)
    return result


@registry.kernel("clone", shape=by_running(_clone_looks))
def clone(x: Tensor, format: int | None = None) -> Tensor:
    return Tensor(copied(x.array, format))


# In place: the tensor itself changes its shape


def _inplace(name: str, function: Callable[..., Tensor]) -> None:
    def kernel(x: Tensor, *arguments: Any) -> Tensor:
        x.array = function(x, *arguments).array
        return x

    registry.kernel(name)(kernel)


_inplace("t_", t)
_inplace("transpose_ swapaxes_ swapdims_", transpose)
_inplace("squeeze_", squeeze)
_inplace("squeeze_.dim", squeeze_dim)
_inplace("squeeze_.dims", squeeze_dims)
_inplace("unsqueeze_", unsqueeze)
_inplace("as_strided_", as_strided_)


# Complex numbers and their parts


@registry.kernel("real")
def real(x: Tensor) -> Tensor:
    return Tensor(x.array.real) if x.array.dtype.kind == "c" else x


@registry.kernel("imag")
def imag(x: Tensor) -> Tensor:
    if x.array.dtype.kind != "c":
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return Tensor(x.array.imag)


@registry.kernel("view_as_real")
def view_as_real(x: Tensor) -> Tensor:
    array = x.array
    if array.dtype.kind != "c":
        raise RuntimeError("view_as_real is only supported for complex tensors")
    parts = x.dtype.to_real().numpy_dtype
    strides = (*(2 * stride for stride in element_strides(array)), 1)
    return Tensor(restride(array[..., None].view(parts)[..., 0], (*array.shape, 2), strides))
