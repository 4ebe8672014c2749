"""Reading and writing at places that tensors name: index, index_put, index_select, take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.indexing.combine_at import combine_at
from torchscript_dialect.ops.reduction.ranking import are_places, extremes
from torchscript_dialect.ops.shapes import (
    Fact,
    dtype_of,
    fresh,
    is_known,
    preserved,
    rank_known,
)
from torchscript_dialect.ops.shapes import wrap as wrap_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.overlap import assert_no_overlap
from torchscript_dialect.tensor.strides import (
    broadcast_shapes,
    contiguous_strides,
    empty_like,
    empty_strided,
    expanded_strides,
    in_elements,
    pointwise_strides,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.types.tensor_type import TensorProperties

Scalar = complex
_I64, _BOOL = dtypes.int64.numpy_dtype, dtypes.bool_.numpy_dtype


def first_fact(facts: Sequence[Fact]) -> Fact:
    """The shape rule of what writes to its first argument and returns it."""
    return facts[0]


def _index_key(x: Tensor, indices: Sequence[Tensor | None]) -> tuple[Any, ...]:
    """NumPy's key for these indices; IndexError where they do not fit."""
    array = x.array
    key: list[Any] = []
    dim = 0
    are_others = any(one is not None and not _stands_for_none(one) for one in indices)
    for index in indices:
        if index is None:
            key.append(slice(None))
            dim += 1
            continue
        places = index.array
        if places.dtype.kind == "b" or places.dtype == np.uint8:
            if not places.ndim and are_others:
                continue
            for offset, size in enumerate(places.shape):
                if dim + offset >= array.ndim or array.shape[dim + offset] != size:
                    raise IndexError(
                        f"The shape of the mask {list(places.shape)} at index {offset} does not "
                        f"match the shape of the indexed tensor {list(array.shape)} at index "
                        f"{dim + offset}"
                    )
            key.append(places if places.dtype.kind == "b" else places != 0)
            dim += places.ndim
            continue
        if places.dtype.kind != "i" or places.dtype.itemsize < 4:
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if dim < array.ndim and places.size:
            size = array.shape[dim]
            low, high = extremes(places)
            if low < -size or high >= size:
                if size and (not array.size or _choose_nothing(indices)):
                    key.append(np.zeros_like(places))  # nothing is read
                    dim += 1
                    continue
                wrong = low if low < -size else high
                raise IndexError(
                    f"index {wrong} is out of bounds for dimension {dim} with size {size}"
                )
        key.append(places)
        dim += 1
    if dim > array.ndim:
        raise IndexError(
            f"too many indices for tensor of dimension {array.ndim} (got {len(indices)})"
        )
    _check_broadcast(indices)
    return tuple(key)


def _choose_nothing(indices: Sequence[Tensor | None]) -> bool:
    """Whether one of the indices has no places, or is a mask without a True."""
    arrays = [index.array for index in indices if index is not None]
    return any(not (one.any() if one.dtype.kind == "b" else one.size) for one in arrays if one.ndim)


def _stands_for_none(index: Tensor) -> bool:
    """Whether an index is a mask without dimensions, which PyTorch leaves out beside others."""
    return not index.array.ndim and (index.array.dtype.kind == "b" or index.array.dtype == np.uint8)


def _check_broadcast(indices: Sequence[Tensor | None]) -> None:
    shapes = {i.array.shape for i in indices if i is not None and i.array.dtype.kind == "i"}
    if len(shapes) < 2:
        return
    try:
        broadcast_shapes(*shapes)
    except RuntimeError:
        given = [i.array.shape for i in indices if i is not None and i.array.dtype.kind == "i"]
        text = ", ".join(map(str, map(list, given)))
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {text}"
        ) from None


def _index_shape(facts: Sequence[Fact]) -> Fact:
    """Known for one index, where the dimensions that it stands for come first."""
    x, indices = facts
    element, sizes = dtype_of(x), rank_known(x)
    known = cast("list[Fact]", indices) if isinstance(indices, list) else []
    places = known[0] if len(known) == 1 else None
    if not sizes or not isinstance(places, TensorProperties):
        return fresh(element, None, x)
    chosen = places.sizes
    if chosen is None or len(chosen) > len(sizes):
        return fresh(element, None, x)
    if places.dtype in ("Long", "Int"):
        result = (*chosen, *sizes[1:])
    elif places.dtype in ("Bool", "Byte") and chosen:
        result = (None, *sizes[len(chosen) :])
    else:
        return fresh(element, None, x)
    made = fresh(element, result, x)
    return made if len(sizes) == 1 else replace(made, strides=None)


@registry.kernel("index.Tensor index.Tensor_hacked_twin _unsafe_index.Tensor", shape=_index_shape)
def index(x: Tensor, indices: Sequence[Tensor | None]) -> Tensor:
    """The elements at these places, as NumPy's indexing with arrays gives them."""
    array = x.array
    if len(indices) == 1 and (array.flags.c_contiguous or array.ndim == 1):
        found = _by_one_index(array, indices[0])
        if found is not None:
            return tensor_of(found)
    key = _index_key(x, indices)
    result = np.asarray(x.array[key])
    if x.array.flags.c_contiguous and all(map(_is_in_rows, key)):
        if result.base is None and result.flags.c_contiguous and 1 not in result.shape:
            return tensor_of(result)
        fresh_copy = np.empty(result.shape, result.dtype)  # strides of dimensions of size 1 too
        fresh_copy[...] = result
        return tensor_of(fresh_copy)
    entries = tuple([None if isinstance(entry, slice) else _Indices.of(entry) for entry in key])
    source = array.shape, array.strides, array.itemsize
    out = empty_strided(result.shape, _index_strides(source, entries, result.shape), result.dtype)
    out[...] = result
    return tensor_of(out)


def _by_one_index(array: NDArray[Any], index: Tensor | None) -> NDArray[Any] | None:
    """The elements at places in the first dimension, or where a mask of all dimensions is True; None for other indices."""
    if index is None or not array.ndim:
        return None
    places = index.array
    if not _is_in_rows(places):
        return None
    if places.dtype is _I64 and places.ndim and are_places(places, array.shape[0]):
        return array.take(places, 0)
    if places.dtype is _BOOL and places.shape == array.shape:
        return array[places]
    return None


def _is_in_rows(entry: Any) -> bool:
    """Whether an entry of a key gives its dimensions the order of rows: masks are made places, which stand one after another."""
    return isinstance(entry, slice) or entry.dtype.kind == "b" or entry.flags.c_contiguous


class _Indices(NamedTuple):
    """What strides of results depend on of an entry of a key."""

    is_mask: bool
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """In bytes."""
    itemsize: int

    @staticmethod
    def of(entry: NDArray[Any]) -> _Indices:
        return _Indices(entry.dtype.kind == "b", entry.shape, entry.strides, entry.itemsize)


@lru_cache(maxsize=1 << 10)
def _index_strides(
    source: tuple[tuple[int, ...], tuple[int, ...], int],
    key: tuple[_Indices | None, ...],
    shape: tuple[int, ...],
) -> tuple[int, ...]:
    """The strides of the result: its dimensions lie in the order of the source's, indexed ones in that of the indices. `source` has its
    shape, its strides in bytes, and the size of its elements; an entry of the key is None for a slice.
    """
    strides = in_elements(*source)
    kept: list[list[int]] = [[], []]
    indexed, dim, gap = 0, 0, False
    for entry in key:
        if entry is None:
            kept[indexed > 0].append(strides[dim])
            dim += 1
            continue
        gap = gap or (indexed > 0 and len(kept[1]) > 0)
        indexed += 1
        dim += len(entry.shape) if entry.is_mask else 1
    after = [*kept[1], *strides[dim:]]
    before = kept[0]
    if gap:
        before, after = [], [*before, *after]
    width = len(shape) - len(before) - len(after)
    operands = [(shape, (*before, *([0] * width), *after))]
    places = shape[len(before) : len(before) + width]
    for entry in key:
        if entry is None:
            continue
        own = contiguous_strides(places)
        if not entry.is_mask:
            own = in_elements(entry.shape, entry.strides, entry.itemsize)
            own = expanded_strides(entry.shape, own, places)
        operands.append((shape, (*([0] * len(before)), *own, *([0] * len(after)))))
    return pointwise_strides(operands, shape)


def _is_fill(indices: Sequence[Tensor | None], values: Tensor) -> bool:
    """Whether one element, of any shape and dtype, is written where a mask says so, which is read before."""
    masks = [one for one in indices if one is not None]
    return values.array.size == 1 and len(masks) == 1 and masks[0].array.dtype.kind == "b"


def _filler(values: Tensor, x: Tensor) -> Tensor:
    """The one element, as an element of what it is written to."""
    if x.dtype not in (values.dtype, dtypes.bool_):
        check_fits(x.dtype, values.item())
    return tensor_of(values.array.reshape(()).astype(x.array.dtype))


@registry.kernel("index_put_ index_put_.hacked_twin", shape=first_fact)
def index_put_(
    x: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool
) -> Tensor:
    """Write at the places, or add there so that a place named twice counts twice."""
    if not accumulate and _is_fill(indices, values):
        values = _filler(values, x)
    elif values.dtype is not x.dtype:
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{x.dtype.type_name} for the destination and {values.dtype.type_name} for the source."
        )
    else:
        assert_no_overlap(x.array, values.array)
    for index in indices:
        if index is not None and index.dtype is dtypes.int64:
            assert_no_overlap(x.array, index.array)
    key = _index_key(x, indices)
    try:
        if accumulate:
            combine_at(np.add, x.array, key, values.array)
        elif _has_leading_ones(values) and values.array.ndim > x.array[key].ndim:
            raise ValueError  # NumPy leaves them out
        else:
            x.array[key] = values.array
    except ValueError:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(values.array.shape)} cannot be broadcast "
            f"to indexing result of shape {list(x.array[key].shape)}"
        ) from None
    return x


def _has_leading_ones(values: Tensor) -> bool:
    return values.array.shape[:1] == (1,)


def functional(name: str, inplace: Callable[..., Tensor], *, contiguous: bool = False) -> None:
    """The functional form of an in-place operator: it works on a copy, which is contiguous or keeps the layout."""

    def kernel(x: Tensor, *arguments: Any) -> Tensor:
        copy = np.empty(x.array.shape, x.array.dtype) if contiguous else empty_like(x.array)
        copy[...] = x.array
        return inplace(tensor_of(copy), *arguments)

    def rule(facts: Sequence[Fact]) -> Fact:
        x = facts[0]
        return fresh(dtype_of(x), rank_known(x), x) if contiguous else _copy_of(x)

    registry.implement(name, kernel, shape=rule)


def _copy_of(fact: Fact) -> Fact:
    return preserved(dtype_of(fact), fact)


functional("index_put index_put.hacked_twin", index_put_)


def _index_select_shape(facts: Sequence[Fact]) -> Fact:
    sizes, places = rank_known(facts[0]), rank_known(facts[2])
    dim = wrap_known(facts[1], len(sizes)) if sizes and is_known(facts[1]) else None
    if sizes is None or dim is None:
        return fresh(dtype_of(facts[0]), sizes if sizes == () else None, facts[0])
    count = 1 if places == () else (places[0] if places is not None else None)
    return fresh(dtype_of(facts[0]), (*sizes[:dim], count, *sizes[dim + 1 :]), facts[0])


def check_places(places: NDArray[Any], size: int) -> None:
    """IndexError for places beyond the ends."""
    if not are_places(places, size):
        raise IndexError("index out of range in self")


@registry.kernel("index_select", shape=_index_select_shape, strict_out=True)
def index_select(x: Tensor, dim: int, places: Tensor) -> Tensor:
    array, at = x.array, places.array
    dim = wrap_dim(dim, array.ndim or 1)
    if at.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if at.dtype.kind != "i" or at.dtype.itemsize < 4:
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if not array.ndim and at.size != 1:
        raise RuntimeError(
            f"index_select(): Index to scalar can have only 1 value, got {at.size} value(s)"
        )
    check_places(at, array.shape[dim] if array.ndim else 1)
    if not array.ndim:
        return tensor_of(array.copy())
    return tensor_of(array.take(at if at.ndim else at.reshape(-1), dim))


@registry.kernel("take", strict_out=True)
def take(x: Tensor, places: Tensor) -> Tensor:
    array, at = x.array, places.array
    if at.dtype != np.int64:
        raise RuntimeError(
            f"take(): Expected a long tensor for index, but got {places.dtype.type_name}"
        )
    if at.size and (at.min() < -array.size or at.max() >= array.size):
        raise IndexError("out of range: tried to access index out of range on a tensor")
    return tensor_of(np.ascontiguousarray(array.reshape(-1)[at]).reshape(at.shape))
