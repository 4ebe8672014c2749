"""Elements combined with others at places that tensors name (PyTorch: native/TensorAdvancedIndexing.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.indexing.combine_at import combine_and_round, combine_at
from torchscript_dialect.ops.indexing.indexing import functional
from torchscript_dialect.ops.indexing.scatter import (
    check_index,
    check_rows,
    index_add,
    places_along,
)
from torchscript_dialect.ops.shapes import Fact, fresh
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap, assert_no_overlap
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

Array = NDArray[Any]

_COMBINE: dict[str, np.ufunc] = {
    "sum": np.add,
    "mean": np.add,
    "prod": np.multiply,
    "amax": np.maximum,
    "amin": np.minimum,
}


def _start(reduce: str, array: Array) -> Any:
    """What combined with a number is that number."""
    if reduce in ("sum", "mean", "prod"):
        return int(reduce == "prod")
    lowest = reduce == "amax"
    if array.dtype.kind == "b":
        return not lowest
    if array.dtype.kind in "iu":
        limits = np.iinfo(array.dtype)
        return limits.min if lowest else limits.max
    return -np.inf if lowest else np.inf


def _include(array: Array, key: Any, reduce: str, include_self: bool) -> None:
    if not include_self:
        array[key] = _start(reduce, array)


def _divide(array: Array, counts: Array) -> None:
    """Make means of sums."""
    counts = np.maximum(counts, 1)
    if array.dtype.kind in "iub":
        array[...] = array // counts.astype(array.dtype)
    else:
        array[...] = array / counts.astype(array.dtype)


def _first_fact(facts: Sequence[Fact]) -> Fact:
    return facts[0]


@ignores_float_errors
def scatter_reduce(
    x: Tensor, dim: int, places: Tensor, source: Tensor, reduce: str, include_self: bool
) -> Tensor:
    """x[places[i][j]][j] is combined with source[i][j] for dim 0, and likewise for the others."""
    if reduce not in _COMBINE:
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}."
        )
    array, at = x.array, places.array
    dim = wrap_dim(dim, array.ndim or 1)
    check_index("scatter", x, dim, places)
    if x.dtype is not source.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    assert_no_internal_overlap(array)
    assert_no_overlap(array, source.array)
    assert_no_overlap(array, places.array)
    if not at.size:
        return x
    array, at, values = (one.reshape(one.shape or (1,)) for one in (array, at, source.array))
    for axis, size in enumerate(at.shape):
        if size > values.shape[axis] or (axis != dim and size > array.shape[axis]):
            raise RuntimeError(
                f"Expected index {list(at.shape)} to be no larger than self {list(array.shape)} apart from "
                f"dimension {dim} and to be no larger than src {list(values.shape)}"
            )
    values = values[tuple(slice(size) for size in at.shape)]
    key = places_along(dim, at)
    _include(array, key, reduce, include_self)
    combine_and_round(_COMBINE[reduce], array, key, values)
    if reduce == "mean":
        counts = np.full(array.shape, int(include_self))
        combine_at(np.add, counts, key, np.ones_like(at))
        _divide(array, counts)
    return x


registry.implement("scatter_reduce_.two", scatter_reduce, shape=_first_fact)
functional("scatter_reduce.two", scatter_reduce, contiguous=True)


@ignores_float_errors
def index_reduce(
    x: Tensor, dim: int, places: Tensor, source: Tensor, reduce: str, include_self: bool
) -> Tensor:
    """x[places[i]] is combined with source[i] along a dimension. Means divide by what `index_add` counts, in the elements of x: that is
    how many floats of 16 bits count to, too.
    """
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(
            f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}."
        )
    if x.dtype is not source.dtype:
        raise RuntimeError("index_reduce(): self and source expected to have the same dtype")
    if places.dtype not in (dtypes.int32, dtypes.int64):
        raise RuntimeError("index_reduce(): Expected dtype int32/int64 for index")
    array, at, values = x.array, places.array.reshape(-1), source.array
    dim = wrap_dim(dim, array.ndim or 1)
    check_rows("index_reduce", x, dim, places, source)
    array, values = (one.reshape(one.shape or (1,)) for one in (array, values))
    if at.size and (at.min() < 0 or at.max() >= array.shape[dim]):
        raise IndexError("index out of range in self")
    assert_no_internal_overlap(array)
    assert_no_overlap(array, source.array)
    assert_no_overlap(array, places.array)
    if not at.size:
        return x
    key: Any = (slice(None),) * dim + (at,)
    _include(array, key, reduce, include_self)
    combine_at(_COMBINE[reduce], array, key, values)
    if reduce == "mean":
        counts = tensor_of(np.full(array.shape, include_self, array.dtype))
        ones = tensor_of(np.ones(values.shape, array.dtype))
        _divide(array, index_add(counts, dim, tensor_of(at), ones, 1).array)
    return x


registry.implement("index_reduce_", index_reduce, shape=_first_fact)
functional("index_reduce", index_reduce, contiguous=True)


def put(x: Tensor, places: Tensor, source: Tensor, accumulate: bool) -> Tensor:
    """Write to places that are counted through the whole tensor."""
    array, at = x.array, places.array.reshape(-1)
    if places.dtype is not dtypes.int64:
        raise RuntimeError(
            f"put_(): Expected a long tensor for index, but got {places.dtype.type_name}"
        )
    if x.dtype is not source.dtype:
        raise RuntimeError(
            f"put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{x.dtype.type_name} and source.dtype = {source.dtype.type_name}"
        )
    if at.size != source.array.size:
        raise RuntimeError(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = "
            f"{source.array.size}, index.numel() = {at.size}"
        )
    if at.size and (at.min() < -array.size or at.max() >= array.size):
        raise IndexError(
            f"out of range: tried to access index {int(at[0])} on a tensor of {array.size} elements."
        )
    assert_no_internal_overlap(array)
    assert_no_overlap(array, source.array)
    assert_no_overlap(array, places.array)
    if not at.size:
        return x
    key: Any = np.unravel_index(at % array.size, array.shape) if array.ndim else ()
    values = source.array.reshape(-1)
    if not array.ndim:
        array[()] = array + values.sum(dtype=array.dtype) if accumulate else values[-1]
    elif accumulate:
        combine_at(np.add, array, key, values)
    else:
        array[key] = values
    return x


registry.implement("put_", put, shape=_first_fact)
functional("put", put)


@registry.kernel("nonzero_static", shape=lambda facts: fresh(dtypes.int64, (None, None), facts[0]))
def nonzero_static(x: Tensor, size: int, fill_value: int) -> Tensor:
    """The first `size` places of what is not zero, filled up where there are fewer."""
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    found = np.argwhere(x.array) if x.array.ndim else np.zeros((int(bool(x.array)), 0))
    result = np.full((size, x.array.ndim), fill_value, np.int64)
    result[: len(found)] = found[:size]
    return tensor_of(result)
