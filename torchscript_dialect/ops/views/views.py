"""Operators that look at the same elements in another way: transpositions, reshapes, slices, windows.

Results are NumPy views with exactly the strides that PyTorch gives (aten/src/ATen/native/TensorShape.cpp). Kernels are run on stand-ins
of sizes, too, from which native programs are made: Note [Traced views] in runtime/kernels/traced_views.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import MAY_BE_OPERAND
from torchscript_dialect.ops.large import LARGE
from torchscript_dialect.ops.shapes import by_running
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import storage
from torchscript_dialect.tensor.device import device as Device
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
from torchscript_dialect.tensor.tensor import Tensor, give_array, tensor_of, wrap_dim

Ints = tuple[int, ...]

_ROWS = int(contiguous_format)
"""A number compares sooner than a member of an enumeration."""


def view_op(
    names: str, *, gives_list: bool = False, anywhere: int | None = None, **known: Any
) -> Callable[[registry.KernelFunction], registry.KernelFunction]:
    """Attach a kernel that looks at shapes and strides only; the shape rule is the kernel (`by_running`), unless `shape` is."""

    def attach(function: registry.KernelFunction) -> registry.KernelFunction:
        rule = by_running(function, gives_list=gives_list, anywhere=anywhere)
        return registry.kernel(names, is_view=True, **{"shape": rule, **known})(function)

    return attach


def restride(array: NDArray[Any], shape: Sequence[int], strides: Sequence[int]) -> NDArray[Any]:
    """The view with this shape and these strides in elements, from the same first element."""
    size = array.itemsize
    return storage.restride(array, tuple(shape), tuple([s * size for s in strides]))


def wrap(dim: int, ndim: int) -> int:
    """`dim` counted from the front, where a 0-d tensor counts as one of one dimension."""
    return wrap_dim(dim, ndim or 1)


# Dimensions in another order


@view_op("t", lower="lowering.linalg.matmul:Transposition")
def t(x: Tensor) -> Tensor:
    array = x.array
    if array.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {array.ndim}D")
    return tensor_of(array.T)


@view_op("transpose.int swapaxes swapdims", lower="lowering.linalg.rearrangements:Swap")
def transpose(x: Tensor, dim0: int, dim1: int) -> Tensor:
    array = x.array
    dim0, dim1 = wrap(dim0, array.ndim), wrap(dim1, array.ndim)
    return tensor_of(array.swapaxes(dim0, dim1)) if array.ndim else tensor_of(array[...])


@view_op("permute", lower="lowering.linalg.rearrangements:Permutation")
def permute(x: Tensor, dims: Sequence[int]) -> Tensor:
    array = x.array
    if len(dims) != array.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {array.ndim} is not "
            f"equal to len(dims) = {len(dims)}"
        )
    order = [index(wrap_dim(dim, array.ndim)) for dim in dims]
    if len(set(order)) != len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return tensor_of(array.transpose(order))


@view_op("movedim.intlist moveaxis.intlist")
def movedim(x: Tensor, source: Sequence[int], destination: Sequence[int]) -> Tensor:
    ndim = x.array.ndim
    if len(source) != len(destination):
        raise RuntimeError(
            "movedim: Invalid source or destination dims: source "
            f"({list(source)} dims) should contain the same number of dims as destination "
            f"({list(destination)} dims)"
        )
    sources = [index(wrap(dim, ndim)) for dim in source]
    targets = [index(wrap(dim, ndim)) for dim in destination]
    for name, given, dims in (("source", source, sources), ("destination", destination, targets)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(given)})")
    if not ndim:
        return tensor_of(x.array[...])
    rest = iter([dim for dim in range(ndim) if dim not in sources])
    order = [sources[targets.index(dim)] if dim in targets else next(rest) for dim in range(ndim)]
    return tensor_of(x.array.transpose(order))


@view_op("movedim.int moveaxis.int")
def movedim_int(x: Tensor, source: int, destination: int) -> Tensor:
    return movedim(x, [source], [destination])


@view_op("numpy_T numpy_T.a", lower="lowering.linalg.rearrangements:Reversal")
def reversed_dims(x: Tensor) -> Tensor:
    return tensor_of(x.array.T)


@view_op("mT mT.a", lower="lowering.linalg.rearrangements:MatrixTransposition")
def matrix_transpose(x: Tensor) -> Tensor:
    if not x.array.ndim:
        return tensor_of(x.array[...])
    if x.array.ndim < 2:
        raise RuntimeError(
            "tensor.mT is only supported on matrices or batches of matrices. "
            f"Got {x.array.ndim}-D tensor."
        )
    return tensor_of(x.array.swapaxes(-1, -2))


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


registry.attach("aten::_unsafe_view", aliases=MAY_BE_OPERAND)
registry.declare(
    "t_ transpose_ swapaxes_ swapdims_ squeeze_ unsqueeze_ as_strided_ resize_ resize_as_ resize_as_sparse_ sparse_resize_ "
    "sparse_resize_and_clear_ _mkldnn_transpose_ set_ set_data prims::resize",
    reshapes=True,
)


@view_op("view _unsafe_view", lower="lowering.linalg.reshapes:Reshape")
def view(x: Tensor, size: Sequence[int]) -> Tensor:
    result = reshaped_view(x.array, inferred_shape(size, x.array.size))
    if result is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return tensor_of(result)


@registry.kernel("view.dtype")
def view_dtype(x: Tensor, dtype: int) -> Tensor:
    element = dtypes.from_scalar_type(dtype).numpy_dtype
    array = x.array
    if element.itemsize != array.itemsize:
        _check_fits(x, dtypes.from_scalar_type(dtype))
    return tensor_of(array.view(element))


def _check_fits(x: Tensor, wanted: dtypes.dtype) -> None:
    """RuntimeError where memory is not one of elements of another size."""
    kinds = f"to view {x.dtype.type_name} as {wanted.type_name} (different element sizes)"
    array, ratio = x.array, wanted.itemsize // x.dtype.itemsize
    if not array.ndim:
        raise RuntimeError(f"self.dim() cannot be 0 {kinds}")
    strides = element_strides(array)
    must: list[tuple[str, int]] = []
    if ratio > 1:
        must = [("size(-1)", array.shape[-1]), ("storage_offset()", x.storage_offset())]
        must += [(f"stride({dim})", stride) for dim, stride in enumerate(strides[:-1])]
    for what, number in must:
        if number % ratio:
            raise RuntimeError(
                f"self.{what} must be divisible by {ratio} {kinds}, but got {number}"
            )
    if array.size and strides[-1] != 1:
        raise RuntimeError(f"self.stride(-1) must be 1 {kinds}, but got {strides[-1]}")


@view_op("view_as", lower="lowering.linalg.reshapes:Reshape")
def view_as(x: Tensor, other: Tensor) -> Tensor:
    return view(x, other.array.shape)


def _fake_copy(array: NDArray[Any], shape: Sequence[int]) -> Tensor:
    """What a contiguous copy looks like, for shape rules: the elements must not be read."""
    return tensor_of(restride(array, shape, contiguous_strides(shape)))


def _reshape_looks(x: Tensor, shape: Sequence[int]) -> Tensor:
    full = inferred_shape(shape, x.array.size)
    result = reshaped_view(x.array, full)
    return _fake_copy(x.array, full) if result is None else tensor_of(result)


@registry.kernel(
    "reshape",
    shape=by_running(_reshape_looks),
    is_view=True,
    lower="lowering.linalg.reshapes:Reshape",
)
def reshape(x: Tensor, shape: Sequence[int]) -> Tensor:
    """A view where there can be one, otherwise a contiguous copy."""
    array = x.array
    full = inferred_shape(shape, array.size)
    result = reshaped_view(array, full)
    return tensor_of(array.copy().reshape(full) if result is None else result)


def _reshape_as_looks(x: Tensor, other: Tensor) -> Tensor:
    return _reshape_looks(x, other.array.shape)


@registry.kernel(
    "reshape_as",
    shape=by_running(_reshape_as_looks),
    is_view=True,
    lower="lowering.linalg.reshapes:Reshape",
)
def reshape_as(x: Tensor, other: Tensor) -> Tensor:
    return reshape(x, other.array.shape)


def _ravel_looks(x: Tensor) -> Tensor:
    return _fake_copy(x.array, [x.array.size])


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


@registry.kernel(
    "flatten.using_ints",
    shape=by_running(_flatten_looks),
    is_view=True,
    lower="lowering.linalg.reshapes:Reshape",
)
def flatten(x: Tensor, start_dim: int, end_dim: int) -> Tensor:
    shape = _flat_shape(x.array, start_dim, end_dim)
    return x if shape is None else reshape(x, shape)


@registry.kernel("ravel", shape=by_running(_ravel_looks), lower="lowering.linalg.reshapes:Reshape")
def ravel(x: Tensor) -> Tensor:
    return reshape(contiguous(x, contiguous_format), [x.array.size])


@view_op("unflatten.int", lower="lowering.linalg.reshapes:Reshape")
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


@view_op("expand broadcast_to", lower="lowering.linalg.rearrangements:Expansion")
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
            strides[own] if own >= 0 else (1 if last else new_shape[dim + 1] * new_strides[dim + 1])
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
        if not shape:
            stride = 0  # PyTorch takes a short cut for scalars, which shows where `wanted` is 1
        new_shape[dim], new_strides[dim] = wanted, stride
    return tensor_of(restride(array, new_shape, new_strides))


def _described(x: Tensor) -> str:
    inside = ", ".join(map(str, x.array.shape))
    return f"torch.{x.dtype.type_name}Tensor{{[{inside}]}}"


@view_op("expand_as", lower="lowering.linalg.rearrangements:Expansion")
def expand_as(x: Tensor, other: Tensor) -> Tensor:
    return expand(x, other.array.shape)


@view_op("unsqueeze", lower="lowering.linalg.rearrangements:Unsqueeze")
def unsqueeze(x: Tensor, dim: int) -> Tensor:
    array = x.array
    shape = array.shape
    ndim = len(shape)
    dim = wrap_dim(dim, ndim + 1)
    larger = (*shape[:dim], 1, *shape[dim:])
    if array.flags.c_contiguous and 1 not in shape and 0 not in shape:
        return tensor_of(array.reshape(larger))
    strides = element_strides(array)
    step = 1 if dim >= ndim else shape[dim] * strides[dim]
    return tensor_of(restride(array, larger, (*strides[:dim], step, *strides[dim:])))


def _without(array: NDArray[Any], dims: set[int]) -> Tensor:
    dropped = tuple(dim for dim in dims if array.shape[dim] == 1)
    return tensor_of(array.squeeze(dropped) if dropped else array[...])


@view_op("squeeze", lower="lowering.linalg.rearrangements:Squeeze")
def squeeze(x: Tensor) -> Tensor:
    return _without(x.array, set(range(x.array.ndim)))


@view_op("squeeze.dim", lower="lowering.linalg.rearrangements:Squeeze")
def squeeze_dim(x: Tensor, dim: int) -> Tensor:
    dim = index(wrap(dim, x.array.ndim))
    return _without(x.array, {dim} if x.array.ndim else set())


@view_op("squeeze.dims", lower="lowering.linalg.rearrangements:Squeeze")
def squeeze_dims(x: Tensor, dims: Sequence[int]) -> Tensor:
    ndim = x.array.ndim
    axes = [index(wrap(dim, ndim)) for dim in dims]
    for axis in axes:
        if axes.count(axis) > 1:
            raise RuntimeError(f"dim {axis} appears multiple times in the list of dims")
    return _without(x.array, set(axes) if ndim else set())


# The same, or a copy


@view_op("alias detach lift_fresh prim::data", lower="lowering.linalg.rearrangements:Same")
def alias(x: Tensor) -> Tensor:
    """Another tensor over the same elements."""
    return tensor_of(x.array)


@view_op("positive")
def positive(x: Tensor) -> Tensor:
    if x.array.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return x


@view_op("resolve_conj resolve_neg", lower="lowering.linalg.rearrangements:Same")
def resolved(x: Tensor) -> Tensor:
    """The tensor itself, which holds what it stands for."""
    return x


@registry.kernel("cpu")
def same(x: Tensor, *_: Any) -> Tensor:
    return x


@registry.kernel("cuda")
def cuda(x: Tensor) -> Tensor:
    return x.to(Device("cuda"))


def _contiguous_looks(x: Tensor, format: int) -> Tensor:
    array = x.array
    wanted = memory_format(format)
    if is_contiguous(array.shape, element_strides(array), wanted):
        return x
    return tensor_of(restride(array, array.shape, strides_for_format(array.shape, wanted)))


def _clone_looks(x: Tensor, format: int | None) -> Tensor:
    array = x.array
    if format is not None and format != preserve_format:
        return tensor_of(
            restride(array, array.shape, strides_for_format(array.shape, memory_format(format)))
        )
    strides = dense_strides(array.shape, element_strides(array))
    return tensor_of(restride(array, array.shape, strides))


@registry.kernel(
    "contiguous",
    shape=by_running(_contiguous_looks),
    is_view=True,
    lower="lowering.linalg.rearrangements:Same",
)
def contiguous(x: Tensor, format: int = contiguous_format) -> Tensor:
    """The tensor itself if it has the memory format, otherwise a copy that has."""
    array = x.array
    if format == _ROWS:
        if array.flags.c_contiguous or not array.size:
            return x
        if array.size < LARGE:
            return tensor_of(array.copy())
    wanted = memory_format(index(format))
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
    if result.flags.c_contiguous and _reads_one_set(array):
        for start in range(0, array.shape[-1], _STRIP):
            result[..., start : start + _STRIP] = array[..., start : start + _STRIP]
    else:
        np.copyto(result, array)
    return result


_SET = 4096
"""Addresses so many bytes apart are kept in one set of the first cache."""
_STRIP = 128
"""Elements of a row that are written at a time: their lines stay in the second cache for the next rows."""


def _reads_one_set(array: NDArray[Any]) -> bool:
    """Whether a transposed array is copied in strips, since the elements of its rows would drive each other out of the cache."""
    return (
        array.size >= LARGE
        and array.ndim > 1
        and array.strides[-2] == array.itemsize
        and array.strides[-1] >= _SET
        and array.strides[-1] % _SET == 0
    )


@registry.kernel(
    "clone", shape=by_running(_clone_looks), lower="lowering.linalg.rearrangements:Same"
)
def clone(x: Tensor, format: int | None = None) -> Tensor:
    return tensor_of(copied(x.array, format))


# In place: the tensor itself changes its shape


def _inplace(name: str, function: Callable[..., Tensor]) -> None:
    def kernel(x: Tensor, *arguments: Any) -> Tensor:
        give_array(x, function(x, *arguments).array)
        return x

    registry.implement(name, kernel)


_inplace("t_", t)
_inplace("transpose_ swapaxes_ swapdims_", transpose)
_inplace("squeeze_", squeeze)
_inplace("squeeze_.dim", squeeze_dim)
_inplace("squeeze_.dims", squeeze_dims)
_inplace("unsqueeze_", unsqueeze)


# Complex numbers and their parts


@registry.kernel("real", lower="lowering.linalg.complex_parts:RealPart")
def real(x: Tensor) -> Tensor:
    return tensor_of(np.real(x.array)) if x.array.dtype.kind == "c" else x


@registry.kernel("imag", lower="lowering.linalg.complex_parts:ImaginaryPart")
def imag(x: Tensor) -> Tensor:
    if x.array.dtype.kind != "c":
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return tensor_of(np.imag(x.array))


@registry.kernel("view_as_real")
def view_as_real(x: Tensor) -> Tensor:
    array = x.array
    if array.dtype.kind != "c":
        raise RuntimeError("view_as_real is only supported for complex tensors")
    parts = x.dtype.to_real().numpy_dtype
    strides = (*(2 * stride for stride in element_strides(array)), 1)
    return tensor_of(restride(array[..., None].view(parts)[..., 0], (*array.shape, 2), strides))
