"""Sparse tensors copied, cut, turned and joined (PyTorch: native/sparse/SparseTensor.cpp, native/TensorShape.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.unstrided.sparse_conversion import (
    compress,
    coo_of_compressed,
    coordinates_of,
)
from torchscript_dialect.ops.unstrided.sparse_coo import (
    coalesced,
    layout_name,
    strided_of,
)
from torchscript_dialect.ops.unstrided.sparse_making import (
    as_chosen,
    check_size,
    empty_coo,
    flat_places,
)
from torchscript_dialect.ops.unstrided.sparse_parts import require_coo
from torchscript_dialect.ops.unstrided.unstrided import FOR_SPARSE, ON_COO, ON_SPARSE
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.tensor.type_promotion import promote_types
from torchscript_dialect.tensor.unstrided import (
    CompressedTensor,
    SparseTensor,
    UnstridedTensor,
    compressed,
    coo,
)


@ON_SPARSE("clone")
def clone(x: Any, _format: int | None) -> Tensor:
    made = x.twin(x.elements.copy())
    made.places = x.places.copy()
    if isinstance(x, CompressedTensor):
        made.bounds = x.bounds.copy()
    return made


ON_SPARSE.implement(
    "detach alias resolve_conj resolve_neg cpu prim::data", lambda x: x.twin(x.elements)
)
ON_SPARSE.implement("conj", lambda x: x.twin(np.conj(x.elements)) if x.dtype.is_complex else x)


@ON_SPARSE("contiguous")
def contiguous(x: Tensor, _format: int) -> Tensor:
    return x


# Of another dtype


def cast(x: Any, wanted: int | None, *, copy: bool = False) -> Tensor:
    """The tensor with elements of the dtype that is asked for."""
    if wanted is None or wanted == x.dtype.scalar_type:
        return clone(x, None) if copy else x
    return x.twin(as_chosen(x.elements, wanted))


ON_SPARSE.implement(
    "to.dtype", lambda x, wanted, non_blocking, copy, format: cast(x, wanted, copy=copy)
)


@ON_SPARSE("to.dtype_layout")
def to_layout(
    x: Any,
    wanted: int | None,
    kind: int | None,
    _device: Any,
    _pin: Any,
    _non_blocking: bool,
    copy: bool,
    _format: Any,
) -> Tensor:
    if kind is None or kind == x.layout:
        return cast(x, wanted, copy=copy)
    return _as_layout(cast(x, wanted), kind)


ON_SPARSE.implement(
    "to.other",
    lambda x, other, non_blocking, copy, format: cast(x, other.dtype.scalar_type, copy=copy),
)
ON_SPARSE.implement(
    "_to_copy",
    lambda x, wanted, kind, device, pin, non_blocking, format: cast(x, wanted, copy=True),
)


def _as_layout(x: Tensor, kind: int) -> Tensor:
    if kind == layout.strided:
        return tensor_of(strided_of(x))
    return compress(x, layout(kind)) if kind != layout.sparse_coo else _coordinates(x)


def _coordinates(x: Tensor) -> SparseTensor:
    if isinstance(x, CompressedTensor):
        return coordinates_of(x)
    assert isinstance(x, SparseTensor)
    return x


# Copied to


@ON_SPARSE("copy_ copy_sparse_to_sparse_")
def copy_to(x: Any, other: Tensor, _non_blocking: bool) -> Tensor:
    if type(x) is not type(other) or x.layout is not other.layout:
        raise RuntimeError(
            f"copy_() between dense and sparse Tensors is not implemented! Found self type = torch.{layout_name(x)} "
            f"and src type = torch.{layout_name(other)}"
        )
    if isinstance(other, CompressedTensor) and other.places.shape != x.places.shape:
        raise RuntimeError(
            "torch.copy_: only sparse compressed tensors with the same number of specified elements are supported."
        )
    if isinstance(other, SparseTensor) and x.sizes != other.sizes:
        resized(
            require_coo(x, "copy_"), other.sizes, len(other.places), other.ndim - len(other.places)
        )
    made: Any = clone(other, None)
    x.become(cast(made, x.dtype.scalar_type))
    return x


@FOR_SPARSE("copy_sparse_to_sparse")
def copied(x: Any, other: Any, _non_blocking: bool) -> Tensor:
    made: Any = clone(require_coo(other, "copy_sparse_to_sparse_"), None)
    return cast(made, require_coo(x, "copy_sparse_to_sparse_").dtype.scalar_type)


def resized(x: SparseTensor, size: Sequence[int], sparse: int, dense: int) -> SparseTensor:
    """The tensor with other sizes, none of them smaller while it keeps elements."""
    if len(size) != sparse + dense:
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, "
            f"sparse_dim = {sparse}, dense_dim = {dense}"
        )
    sizes = check_size(size)
    if x.places.shape[1]:
        if sparse != len(x.places) or dense != x.ndim - len(x.places):
            raise RuntimeError(
                "changing the number of sparse or dense dimensions on a non-empty sparse tensor is not supported."
            )
        if any(new < old for new, old in zip(sizes, x.sizes)):
            raise RuntimeError(
                "shrinking the size of dimensions on a non-empty sparse tensor is not supported."
            )
    if x.places.shape[0] != sparse:
        places = np.zeros((sparse, x.places.shape[1]), np.int64)
    else:
        places = x.places.copy()
    elements = np.zeros((x.places.shape[1], *sizes[sparse:]), x.elements.dtype)
    if x.elements.size:
        elements[tuple(slice(0, n) for n in x.elements.shape)] = x.elements
    return coo(places, elements, sizes, x.is_unique)


@ON_COO("sparse_resize_")
def resize(x: SparseTensor, size: list[int], sparse: int, dense: int) -> Tensor:
    x.become(resized(x, size, sparse, dense))
    return x


@ON_COO("sparse_resize_and_clear_")
def resize_and_clear(x: SparseTensor, size: list[int], sparse: int, dense: int) -> Tensor:
    x.become(empty_coo(size, sparse, dense, x.dtype))
    return x


def _strided_error(name: str) -> Any:
    def run(x: Tensor, *_: Any) -> Tensor:
        raise NotImplementedError(
            f"Could not run 'aten::{name}' with arguments from the 'CPU' backend."
        )

    return run


for _name in (
    "sparse_resize_",
    "sparse_resize_and_clear_",
    "copy_sparse_to_sparse_",
    "resize_as_sparse_",
):
    registry.implement(_name, _strided_error(_name))


@FOR_SPARSE("sparse_resize")
def sparse_resize(x: Tensor, size: list[int], sparse: int, dense: int) -> Tensor:
    return resized(require_coo(x, "sparse_resize"), size, sparse, dense)


@FOR_SPARSE("sparse_resize_and_clear")
def sparse_resize_and_clear(x: Tensor, size: list[int], sparse: int, dense: int) -> Tensor:
    return empty_coo(size, sparse, dense, require_coo(x, "sparse_resize_and_clear").dtype)


def _resized_as(x: Tensor, like: Tensor) -> UnstridedTensor:
    if isinstance(x, CompressedTensor) and isinstance(like, CompressedTensor):
        made: CompressedTensor = clone(like, None)  # type: ignore[assignment]
        made.elements = np.zeros(like.elements.shape, x.elements.dtype)
        return made
    like = require_coo(like, "resize_as_sparse_")
    sparse = len(like.places)
    return resized(require_coo(x, "resize_as_sparse_"), like.sizes, sparse, like.ndim - sparse)


@ON_SPARSE("resize_as_sparse_")
def resize_as(x: UnstridedTensor, like: Tensor) -> Tensor:
    if tuple(x.shape) != tuple(like.shape):
        x.become(_resized_as(x, like))
    return x


ON_SPARSE.implement("resize_as_", lambda x, like, format: resize_as(x, like))


@FOR_SPARSE("resize_as_sparse")
def resize_as_sparse(x: Tensor, like: Tensor) -> Tensor:
    return _resized_as(x, like)


# Turned


def permuted(x: SparseTensor, dims: Sequence[int]) -> SparseTensor:
    """The tensor with its dimensions in another order, sparse ones before dense ones."""
    count = len(x.places)
    if len(dims) != x.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {x.ndim} is not equal to len(dims) = {len(dims)}"
        )
    order = [wrap_dim(dim, x.ndim) for dim in dims]
    if len(set(order)) != x.ndim:
        raise RuntimeError("permute(sparse_coo): duplicate dims are not allowed.")
    if any(dim >= count for dim in order[:count]):
        raise RuntimeError(
            "permute(sparse_coo): transpositions between sparse and dense dimensions are not allowed."
            "Only transpositions within sparse and dense dimensions are supported."
        )
    sizes = [x.sizes[dim] for dim in order]
    places = np.ascontiguousarray(x.places[order[:count]])
    elements = x.elements.transpose(0, *(dim - count + 1 for dim in order[count:]))
    is_same = order[:count] == list(range(count)) or (order[:1] == [0] and x.places.shape[1] < 2)
    return coo(places, elements, sizes, x.is_unique and is_same)


ON_COO("permute")(permuted)


@ON_SPARSE("transpose.int")
def transpose(x: Any, dim: int, other: int) -> Tensor:
    first, second = wrap_dim(dim, x.ndim), wrap_dim(other, x.ndim)
    if isinstance(x, CompressedTensor):
        return _turned(x, first, second)
    count = len(x.places)
    if (first < count) != (second < count):
        raise RuntimeError("sparse transpose: transposed dimensions must be sparse")
    order = list(range(x.ndim))
    order[first], order[second] = second, first
    made = permuted(x, order)
    if not x.places.shape[1]:
        made.is_unique = x.is_unique  # what `permute` forgets
    return made


_TURNED = {
    layout.sparse_csr: layout.sparse_csc,
    layout.sparse_csc: layout.sparse_csr,
    layout.sparse_bsr: layout.sparse_bsc,
    layout.sparse_bsc: layout.sparse_bsr,
}


def _turned(x: CompressedTensor, first: int, second: int) -> Tensor:
    depth = len(x.batch)
    if first == second:
        return x
    if {first, second} != {depth, depth + 1}:
        raise RuntimeError(
            "transpose(): can only transpose the two sparse dimensions of a sparse compressed tensor"
        )
    sizes = list(x.sizes)
    sizes[first], sizes[second] = sizes[second], sizes[first]
    elements = x.elements
    if x.is_blocked:
        elements = elements.swapaxes(depth + 1, depth + 2)
    return compressed(_TURNED[x.kind], x.bounds, x.places, elements, sizes)


@ON_COO("transpose_")
def transpose_in_place(x: SparseTensor, dim: int, other: int) -> Tensor:
    x.become(transpose(x, dim, other))  # type: ignore[arg-type]
    return x


@ON_SPARSE("t numpy_T mT")
def turned(x: Any) -> Tensor:
    if x.ndim > 2:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 sparse and 0 dense dimensions, but self is {x.ndim}D"
        )
    return transpose(x, 0, 1) if x.ndim == 2 else x


ON_SPARSE.implement(
    "matrix_H", lambda x: turned(x.twin(np.conj(x.elements)) if x.dtype.is_complex else x)
)


@ON_COO("unsqueeze")
def unsqueeze(x: SparseTensor, dim: int) -> Tensor:
    dim = wrap_dim(dim, x.ndim + 1)
    sizes = (*x.sizes[:dim], 1, *x.sizes[dim:])
    count = len(x.places)
    if dim <= count:
        places = np.insert(x.places, dim, 0, axis=0)
        return _unordered(places, x.elements, sizes)
    return _unordered(x.places, np.expand_dims(x.elements, dim - count + 1), sizes)


def _unordered(places: Any, elements: Any, sizes: Sequence[int]) -> SparseTensor:
    """A tensor whose places PyTorch does not call coalesced, though they may be, unless there are fewer than two."""
    return coo(places, elements, sizes, places.shape[1] < 2)


# Parts


def _picked(x: SparseTensor, dim: int, low: int, high: int) -> tuple[Any, Any]:
    keep = (x.places[dim] >= low) & (x.places[dim] < high)
    return x.places[:, keep], x.elements[keep]


@ON_SPARSE("select.int select_copy.int")
def select(x: Any, dim: int, index: int) -> Tensor:
    dim = wrap_dim(dim, x.ndim)
    if not -x.sizes[dim] <= index < x.sizes[dim]:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(x.sizes)} at dimension {dim}"
        )
    index %= x.sizes[dim]
    if isinstance(x, CompressedTensor):
        return _selected(x, dim, index)
    sizes = (*x.sizes[:dim], *x.sizes[dim + 1 :])
    count = len(x.places)
    if dim >= count:
        return _unordered(x.places, x.elements.take(index, axis=dim - count + 1), sizes)
    places, elements = _picked(x, dim, index, index + 1)
    if count == 1:
        made = (
            elements.sum(axis=0, dtype=elements.dtype)
            if len(elements)
            else np.zeros(sizes, elements.dtype)
        )
        return tensor_of(np.asarray(made, elements.dtype))
    return _unordered(np.ascontiguousarray(np.delete(places, dim, axis=0)), elements, sizes)


def _selected(x: CompressedTensor, dim: int, index: int) -> Tensor:
    depth = len(x.batch)
    if dim < depth:
        sizes = (*x.sizes[:dim], *x.sizes[dim + 1 :])
        return compressed(
            x.kind,
            x.bounds.take(index, axis=dim),
            x.places.take(index, axis=dim),
            x.elements.take(index, axis=dim),
            sizes,
        )
    if depth:
        raise RuntimeError(
            "select(): selecting rows or columns is not implemented for batched sparse compressed tensors."
        )
    made: Any = select(coo_of_compressed(x), dim, index)
    made.is_unique = True
    return made


@ON_COO("narrow_copy")
def narrow_copy(x: SparseTensor, dim: int, start: int, length: int) -> Tensor:
    dim = wrap_dim(dim, x.ndim)
    if start < 0:
        start += x.sizes[dim]
    if not (start >= 0 and length >= 0 and start + length <= x.sizes[dim]):
        raise RuntimeError(
            "Invalid range to narrow. range(start, start+length) must be a subset of range(0, input.size(dim))."
        )
    sizes = list(x.sizes)
    sizes[dim] = length
    count = len(x.places)
    if dim >= count:
        part = x.elements.take(np.arange(start, start + length), axis=dim - count + 1)
        return coo(x.places.copy(), part, sizes, x.is_unique)
    places, elements = _picked(x, dim, start, start + length)
    places = places.copy()
    places[dim] -= start
    return coo(places, elements, sizes, x.is_unique)


@ON_COO("index_select")
def index_select(x: SparseTensor, dim: int, index: Tensor) -> Tensor:
    dim = wrap_dim(dim, x.ndim)
    wanted = index.array
    if wanted.ndim != 1 or wanted.dtype.kind != "i":
        raise RuntimeError("index_select() argument index must be 1-D long-tensor.")
    size = x.sizes[dim]
    if wanted.size and (wanted.min() < -size or wanted.max() >= size):
        raise IndexError(
            f"index_select(): index contains values that are out of range for tensor of size {list(x.sizes)} at dimension {dim}"
        )
    wanted = wanted % max(size, 1)
    sizes = (*x.sizes[:dim], len(wanted), *x.sizes[dim + 1 :])
    count = len(x.places)
    if dim >= count:
        return _unordered(x.places, x.elements.take(wanted, axis=dim - count + 1), sizes)
    matches = [np.flatnonzero(x.places[dim] == one) for one in wanted]
    order = np.concatenate(matches) if matches else np.zeros(0, np.int64)
    places = x.places[:, order]
    places[dim] = np.repeat(np.arange(len(wanted)), [len(one) for one in matches])
    return _unordered(places, x.elements[order], sizes)


@ON_SPARSE("unbind.int")
def unbind(x: Any, dim: int) -> list[Tensor]:
    dim = wrap_dim(dim, x.ndim)
    return [select(x, dim, index) for index in range(x.sizes[dim])]


# Joined


def _require_sparse(tensors: list[Any]) -> None:
    if not all(isinstance(each, SparseTensor) for each in tensors):
        raise RuntimeError("Concatenating sparse tensors, but a dense tensor was found")


@ON_COO("cat")
def cat(tensors: list[Any], dim: int) -> Tensor:
    first = tensors[0]
    _require_sparse(tensors)
    dim = wrap_dim(dim, first.ndim)
    element = first.dtype
    for place, each in enumerate(tensors):
        if len(each.places) != len(first.places) or each.ndim != first.ndim:
            raise RuntimeError(
                f"All tensors must have the same shape: ({list(each.sizes)}) at position {place}"
            )
        for other, (one, size) in enumerate(zip(each.sizes, first.sizes)):
            if other != dim and one != size:
                raise RuntimeError(
                    "All tensors must have the same shape (except in the concatenating dimension). "
                    f"Expected size {list(first.sizes)} but got {list(each.sizes)} at position {place}"
                )
        element = promote_types(element, each.dtype)
    count, total = len(first.places), sum(each.sizes[dim] for each in tensors)
    sizes = (*first.sizes[:dim], total, *first.sizes[dim + 1 :])
    places = np.concatenate([each.places for each in tensors], axis=1)
    kept = [as_chosen(each.elements, element.scalar_type) for each in tensors]
    starts = np.cumsum([0, *(each.sizes[dim] for each in tensors)])
    if dim < count:
        lengths = [each.places.shape[1] for each in tensors]
        places[dim] += np.repeat(starts[:-1], lengths)
        return coo(places, np.concatenate(kept), sizes, False)
    elements = np.zeros((places.shape[1], *sizes[count:]), element.numpy_dtype)
    begin = 0
    for each, start in zip(kept, starts):
        part = [slice(begin, begin + len(each))] + [slice(None)] * (each.ndim - 1)
        part[dim - count + 1] = slice(start, start + each.shape[dim - count + 1])
        elements[tuple(part)] = each
        begin += len(each)
    return coo(places, elements, sizes, False)


@ON_COO("hstack")
def hstack(tensors: list[Any]) -> Tensor:
    return cat(tensors, min(1, tensors[0].ndim - 1))


@ON_COO("stack")
def stack(tensors: list[Any], dim: int) -> Tensor:
    _require_sparse(tensors)
    return cat([unsqueeze(each, dim) for each in tensors], wrap_dim(dim, tensors[0].ndim + 1))


@ON_COO("_sparse_broadcast_to")
def broadcast(x: SparseTensor, size: list[int]) -> Tensor:
    """The tensor repeated along new dimensions and those of size 1."""
    count, missing = len(x.places), len(size) - x.ndim
    if missing < 0:
        raise RuntimeError(
            f"the number of sizes provided ({len(size)}) must be greater or equal to the number of dimensions in the tensor ({x.ndim})"
        )
    sizes = (1,) * missing + x.sizes
    for one, wanted in zip(sizes, size):
        if one != wanted and one != 1:
            raise RuntimeError(
                f"The expanded size of the tensor ({wanted}) must match the existing size ({one})"
            )
    x = coalesced(x)
    dense = size[missing + count :]
    elements = np.broadcast_to(x.elements, (len(x.elements), *dense))
    repeats = [n if n != old else 1 for old, n in zip(sizes, size[: missing + count])]
    grid = np.indices(repeats).reshape(len(repeats), -1)
    own = np.concatenate((np.zeros((missing, x.places.shape[1]), np.int64), x.places))
    places = (own[:, :, None] + grid[:, None, :]).reshape(len(own), -1)
    repeated = np.repeat(elements, grid.shape[1], axis=0)
    order = np.argsort(flat_places(places, size), kind="stable")
    return coo(np.ascontiguousarray(places[:, order]), repeated[order], size, True)


@registry.kernel("_sparse_broadcast_to _sparse_broadcast_to_copy")
def broadcast_of(x: Tensor, size: list[int]) -> Tensor:
    return broadcast(_kept(x), size)


ON_COO("_sparse_broadcast_to_copy")(broadcast)


def _kept(x: Tensor) -> SparseTensor:
    if not isinstance(x, SparseTensor):
        raise NotImplementedError(
            "Could not run 'aten::_sparse_broadcast_to' with arguments from the 'CPU' backend."
        )
    return x
