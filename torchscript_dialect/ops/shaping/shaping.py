"""Operators that gather elements into fresh tensors of another shape: triangles, flips, repetitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.layouts import laid_out, laid_out_strides
from torchscript_dialect.ops.reduction.reduction import stored
from torchscript_dialect.ops.shapes import (
    UNKNOWN,
    Fact,
    broadcast,
    dtype_of,
    fresh,
    is_known,
    preserved,
    rank_known,
    view,
)
from torchscript_dialect.ops.views.slices import diagonal
from torchscript_dialect.ops.views.views import copied
from torchscript_dialect.ops.views.views import expand as expand_view
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.strides import (
    broadcast_shapes,
    check_size,
    empty_like,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.types.tensor_type import TensorProperties


def _same_shape(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[0]), rank_known(facts[0]), facts[0])


def _triangle(name: str) -> None:
    cut = np.tril if name == "tril" else np.triu

    def triangle(x: Tensor, diagonal: int) -> NDArray[Any]:
        if x.array.ndim < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        return cut(x.array, diagonal)

    @registry.kernel(name, shape=_same_shape)
    def _(x: Tensor, diagonal: int) -> Tensor:
        return tensor_of(np.ascontiguousarray(triangle(x, diagonal)))

    @registry.kernel(f"{name}_", shape=lambda facts: facts[0])
    def _(x: Tensor, diagonal: int) -> Tensor:
        x.array[...] = triangle(x, diagonal)
        return x


_triangle("tril")
_triangle("triu")


def _preserved(facts: Sequence[Fact]) -> Fact:
    return preserved(dtype_of(facts[0]), facts[0])


@registry.kernel("flip", shape=_preserved)
def flip(x: Tensor, dims: Sequence[int]) -> Tensor:
    array = x.array
    axes = [wrap_dim(dim, array.ndim or 1) for dim in dims]
    for axis in axes:
        if axes.count(axis) > 1:
            raise RuntimeError(f"dim {axis} appears multiple times in the list of dims")
    out = empty_like(array)
    out[...] = np.flip(array, tuple(axes)) if array.ndim else array
    return tensor_of(out)


@registry.kernel("fliplr")
def fliplr(x: Tensor) -> Tensor:
    if x.array.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(x, [1])


@registry.kernel("flipud")
def flipud(x: Tensor) -> Tensor:
    if x.array.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(x, [0])


def _rolled_shape(facts: Sequence[Fact]) -> Fact:
    x, _, dims = facts
    sizes = rank_known(x)
    if sizes is None or not isinstance(x, TensorProperties) or dims == []:
        return _same_shape(facts)
    strides = laid_out_strides(x, sizes) if is_known(dims) else (None,) * len(sizes)
    return fresh(dtype_of(x), sizes, x, strides=strides)


@registry.kernel("roll", shape=_rolled_shape)
def roll(x: Tensor, shifts: Sequence[int], dims: Sequence[int]) -> Tensor:
    array = x.array
    if not dims and len(shifts) == 1:
        return tensor_of(np.roll(array.reshape(-1), shifts[0]).reshape(array.shape))
    if len(shifts) != len(dims) or not shifts:
        if not shifts:
            raise RuntimeError("`shifts` required")
        raise RuntimeError(
            f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}"
        )
    axes = [wrap_dim(dim, array.ndim) for dim in dims]
    return tensor_of(laid_out(np.roll(array, tuple(shifts), tuple(axes)), array))


def _repeat_shape(facts: Sequence[Fact]) -> Fact:
    sizes, repeats = rank_known(facts[0]), facts[1]
    if sizes is None or not is_known(repeats) or len(repeats) < len(sizes):
        return fresh(dtype_of(facts[0]), None, facts[0])
    padded = (1,) * (len(repeats) - len(sizes)) + sizes
    result = tuple(None if n is None else n * r for n, r in zip(padded, repeats))
    return fresh(dtype_of(facts[0]), result, facts[0])


@registry.kernel("repeat", shape=_repeat_shape)
def repeat(x: Tensor, repeats: Sequence[int]) -> Tensor:
    if len(repeats) < x.array.ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
            "tensor"
        )
    if any(count < 0 for count in repeats):
        raise RuntimeError("Trying to create tensor with negative dimension")
    array = x.array
    check_size([max(count, 1) for count in repeats], max(array.nbytes, 1))
    tiled = np.asarray(np.tile(array, tuple(repeats)), order="C")
    return tensor_of(tiled if tiled.size else tiled.copy())  # NumPy gives out a view of nothing


@registry.kernel("tile")
def tile(x: Tensor, dims: Sequence[int]) -> Tensor:
    missing = x.array.ndim - len(dims)
    return repeat(x, [1] * max(missing, 0) + list(dims))


@registry.kernel("repeat_interleave.self_int")
def repeat_interleave(x: Tensor, repeats: int, dim: int | None, output_size: int | None) -> Tensor:
    """Each slice so many times in a row."""
    array = x.array
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    check_size((repeats,), max(array.nbytes, 1))
    array = array.reshape(-1) if dim is None else array
    if dim is not None and not array.ndim:
        wrap_dim(1, 1)  # which raises, as PyTorch does with a dimension that it puts behind
    axis = 0 if dim is None else wrap_dim(dim, array.ndim)
    size = repeats * array.shape[axis]
    if output_size is not None and output_size != size:
        raise RuntimeError(
            f"repeat_interleave: Invalid output_size, expected {size} but got {output_size}"
        )
    return tensor_of(np.ascontiguousarray(np.repeat(array, repeats, axis)))


@registry.kernel("repeat_interleave.self_Tensor")
def repeat_interleave_each(
    x: Tensor, repeats: Tensor, dim: int | None, output_size: int | None
) -> Tensor:
    array = x.array.reshape(-1) if dim is None else x.array
    axis = 0 if dim is None else wrap_dim(dim, array.ndim or 1)
    counts = repeats.array
    if counts.dtype.kind != "i" or counts.itemsize < 4:
        raise NotImplementedError(
            f"\"repeat_interleave_cpu\" not implemented for '{repeats.dtype.type_name}'"
        )
    if counts.size not in (1, array.shape[axis]):
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got "
            f"repeats.size(0) = {counts.size} and input.size({axis}) = {array.shape[axis]}"
        )
    if (counts < 0).any():
        raise RuntimeError("repeats can not be negative")
    size = int(counts.sum(dtype=np.float64))
    if counts.size == 1 and array.ndim:
        size *= array.shape[axis]
    if output_size is not None and output_size != size:
        raise RuntimeError("allocated size does not match required size")
    check_size((size,), max(array.nbytes, 1))
    return tensor_of(np.ascontiguousarray(np.repeat(array, counts, axis)))


@registry.kernel("diag")
def diag(x: Tensor, offset: int) -> Tensor:
    """The diagonal of a matrix, or the matrix with this diagonal."""
    array = x.array
    if array.ndim == 1:
        return tensor_of(np.ascontiguousarray(np.diag(array, offset)))
    if array.ndim != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {array.ndim}D")
    return tensor_of(np.array(diagonal(x, offset, 0, 1).array))


@registry.kernel("diag_embed")
def diag_embed(x: Tensor, offset: int, dim1: int, dim2: int) -> Tensor:
    """Matrices with these diagonals along two new dimensions."""
    array = x.array
    rank = array.ndim + 1
    dim1, dim2 = wrap_dim(dim1, rank), wrap_dim(dim2, rank)
    if dim1 == dim2:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    length = array.shape[-1] + abs(offset)
    shape = list(array.shape[:-1])
    for dim in sorted((dim1, dim2)):
        shape.insert(dim, length)
    out = tensor_of(np.zeros(shape, array.dtype))
    diagonal(out, offset, dim1, dim2).array[...] = array
    return out


@registry.kernel("trace")
def trace(x: Tensor) -> Tensor:
    if x.array.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {x.array.ndim}")
    if x.array.dtype.kind in "iub":
        return tensor_of(np.asarray(np.trace(x.array, dtype=np.int64)))
    wide = np.float64 if x.dtype.is_floating_point else np.complex128
    return stored(np.asarray(np.trace(x.array, dtype=wide)), x.dtype)


def _meshed(tensors: Sequence[Tensor], indexing: str = "ij") -> list[Tensor]:
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if indexing not in ("ij", "xy"):
        raise RuntimeError(
            'torch.meshgrid: indexing must be one of "xy" or "ij", but received: ' + indexing
        )
    for tensor in tensors:
        if tensor.array.ndim > 1:
            raise RuntimeError(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {tensor}"
            )
        if tensor.dtype is not tensors[0].dtype:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    order = list(range(len(tensors)))
    if indexing == "xy":  # The first two change places.
        order[:2] = order[1::-1]
    tensors = [tensors[place] for place in order]
    shape = [tensor.array.size for tensor in tensors]
    result: list[Tensor] = []
    for axis, tensor in enumerate(tensors):
        view = [1] * len(tensors)
        view[axis] = shape[axis]
        result.append(expand_view(tensor_of(tensor.array.reshape(view)), shape))
    return [result[place] for place in order]


registry.implement("meshgrid meshgrid.indexing", _meshed)


def _broadcast_facts(facts: Sequence[Fact]) -> Fact:
    """What is known of tensors of one shape, which are themselves where that is theirs."""
    tensors = facts[0]
    if not isinstance(tensors, list):
        return UNKNOWN
    given = cast("list[Fact]", tensors)
    sizes = broadcast([rank_known(one) for one in given])

    def fact(one: Fact) -> Fact:
        if not isinstance(one, TensorProperties):
            return UNKNOWN
        is_same = sizes is not None and None not in sizes and one.sizes == sizes
        return view(one, sizes, one.strides if is_same else None)

    return [fact(one) for one in given]


@registry.kernel("broadcast_tensors", shape=_broadcast_facts)
def broadcast_tensors(tensors: Sequence[Tensor]) -> list[Tensor]:
    shape = broadcast_shapes(*[tensor.array.shape for tensor in tensors])
    return [expand_view(tensor, shape) for tensor in tensors]


@registry.kernel("rot90")
def rot90(x: Tensor, k: int, dims: Sequence[int]) -> Tensor:
    """A copy turned by k quarter turns in the plane of two dimensions."""
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if x.array.ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {x.array.ndim}")
    first, second = (wrap_dim(dim, x.array.ndim) for dim in dims)
    if first == second:
        raise RuntimeError(
            f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}"
        )
    match k % 4:
        case 1:
            return tensor_of(flip(x, [second]).array.swapaxes(first, second))
        case 2:
            return flip(x, [first, second])
        case 3:
            return tensor_of(flip(x, [first]).array.swapaxes(first, second))
        case _:
            return tensor_of(copied(x.array, 0))


@registry.kernel("one_hot")
def one_hot(x: Tensor, classes: int) -> Tensor:
    """int64 vectors with a 1 at the place that the element names."""
    array = x.array
    if array.dtype != dtypes.int64.numpy_dtype:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if classes == -1:
        if not array.size:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        classes = int(array.max()) + 1
    if array.size and array.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if array.size and array.max() >= classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return tensor_of((array[..., None] == np.arange(classes)).astype(np.int64, order="C"))


@registry.kernel("_shape_as_tensor")
def shape_as_tensor(x: Tensor) -> Tensor:
    return tensor_of(np.array(x.array.shape, np.int64))
