"""Elements along a dimension by their places: gather, scatter, index_add, index_copy, index_fill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.indexing.combine_at import combine_and_round, combine_at
from torchscript_dialect.ops.indexing.indexing import Scalar, check_places, first_fact, functional
from torchscript_dialect.ops.reduction.ranking import are_places, taken_along
from torchscript_dialect.ops.shapes import (
    Fact,
    dtype_of,
    fresh,
    rank_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap, assert_no_overlap
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

_I64 = dtypes.int64.numpy_dtype


def places_along(dim: int, places: NDArray[Any]) -> tuple[Any, ...]:
    """The key that reads or writes, for each place, at that place along `dim` and else at its own position."""
    grid: list[Any] = [places] * places.ndim
    for axis, size in enumerate(places.shape):
        if axis != dim:
            shape = [1] * places.ndim
            shape[axis] = size
            grid[axis] = np.arange(size, dtype=np.int64).reshape(shape)
    return tuple(grid)


def check_index(name: str, x: Tensor, dim: int, places: Tensor) -> None:
    if places.array.size and places.dtype not in (dtypes.int64, dtypes.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if max(places.array.ndim, 1) != max(x.array.ndim, 1) and places.array.size:
        raise RuntimeError(
            "Index tensor must have the same number of dimensions as "
            + ("input tensor" if name == "gather" else "self tensor")
        )
    size = x.array.shape[dim] if x.array.ndim else 1
    at = places.array
    if at.size and not are_places(at, size):
        wrong = int(at.min()) if at.min() < 0 else int(at.max())
        raise RuntimeError(f"index {wrong} is out of bounds for dimension {dim} with size {size}")


def _gather_shape(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[0]), rank_known(facts[2]), facts[0])


@registry.kernel("gather", shape=_gather_shape, strict_out=True)
def gather(x: Tensor, dim: int, places: Tensor, _sparse: bool) -> Tensor:
    """result[i][j] = x[places[i][j]][j] for dim 0, and likewise for the others."""
    array, at = x.array, places.array
    dim = wrap_dim(dim, array.ndim or 1)
    is_along_rows = dim == array.ndim - 1 == at.ndim - 1 and array.shape[:-1] == at.shape[:-1]
    if is_along_rows and at.size and at.dtype is _I64 and are_places(at, array.shape[dim]):
        return tensor_of(taken_along(array, at))
    check_index("gather", x, dim, places)
    for axis in range(array.ndim):
        if axis != dim and at.size and at.shape[axis] > array.shape[axis]:
            raise RuntimeError(
                f"Size does not match at dimension {axis} expected index {list(at.shape)} to be no "
                f"larger than self {list(array.shape)} apart from dimension {dim}"
            )
    if not array.ndim or not at.size:
        return tensor_of(
            np.broadcast_to(array, at.shape).copy() if at.size else np.empty(at.shape, array.dtype)
        )
    found = array[places_along(dim, at.reshape(at.shape or (1,)))]
    return tensor_of(np.ascontiguousarray(found).reshape(at.shape))


_REDUCE: dict[str, np.ufunc] = {
    "add": np.add,
    "multiply": np.multiply,
    "sum": np.add,
    "prod": np.multiply,
    "amax": np.maximum,
    "amin": np.minimum,
}


def _scatter(
    x: Tensor, dim: int, places: Tensor, source: NDArray[Any], reduce: str | None, name: str
) -> Tensor:
    array, at = x.array, places.array
    dim = wrap_dim(dim, array.ndim or 1)
    check_index(name, x, dim, places)
    assert_no_internal_overlap(array)
    assert_no_overlap(array, source)
    assert_no_overlap(array, at)
    if not at.size:
        return x
    array, at = (one.reshape(one.shape or (1,)) for one in (array, at))
    for axis in range(array.ndim):
        if axis != dim and at.shape[axis] > array.shape[axis]:
            raise RuntimeError(
                f"Expected index {list(at.shape)} to be no larger than self {list(array.shape)} "
                f"apart from dimension {dim}"
            )
    if source.ndim:
        source = source[tuple(slice(size) for size in at.shape)]
        if source.shape != at.shape:
            raise RuntimeError(
                f"Expected index {list(at.shape)} to be no larger than src {list(source.shape)}"
            )
    key = places_along(dim, at)
    if reduce is None:
        array[key] = source
        return x
    if reduce not in _REDUCE:
        raise RuntimeError("reduce argument must be either add or multiply.")
    combine_and_round(_REDUCE[reduce], array, key, source)
    return x


def _same_dtype(x: Tensor, source: Tensor) -> NDArray[Any]:
    if x.dtype is not source.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    return source.array.reshape(source.array.shape or (1,))


def scatter_src(
    x: Tensor, dim: int, places: Tensor, source: Tensor, reduce: str | None = None
) -> Tensor:
    return _scatter(x, dim, places, _same_dtype(x, source), reduce, "scatter")


def scatter_value(
    x: Tensor, dim: int, places: Tensor, value: Scalar, reduce: str | None = None
) -> Tensor:
    check_fits(x.dtype, value)
    return _scatter(x, dim, places, np.asarray(value).astype(x.array.dtype), reduce, "scatter")


def scatter_add(x: Tensor, dim: int, places: Tensor, source: Tensor) -> Tensor:
    return _scatter(x, dim, places, _same_dtype(x, source), "add", "scatter_add")


for _name, _kernel in (
    ("scatter_.src scatter_.reduce", scatter_src),
    ("scatter_.value scatter_.value_reduce", scatter_value),
    ("scatter_add_", scatter_add),
):
    registry.implement(_name, _kernel, shape=first_fact)
    functional(_name.replace("_.", ".").removesuffix("_"), _kernel, contiguous=True)


def check_rows(name: str, x: Tensor, dim: int, places: Tensor, source: Tensor) -> None:
    """That a source has a row for each place, of the shape of rows of `x`."""
    if places.array.ndim > 1:
        raise IndexError(
            f"{name}_(): Index is supposed to be a vector, but got dim: {places.array.ndim} with type: "
            f"{places.dtype.type_name} and size: {list(places.array.shape)}"
        )
    shape, given = x.array.shape, source.array.shape
    if dim >= max(len(given), 1):
        raise RuntimeError(
            f"{name}_(): Indexing dim {dim} is out of bounds of the source tensor with dim {len(given)}"
        )
    count = given[dim] if given else 1
    if places.array.size != count:
        raise RuntimeError(
            f"{name}_(): Number of indices ({places.array.size}) should be equal to source.size(dim): ({count}), "
            f"for dim: {dim}"
        )
    if len(shape) != len(given) or shape[:dim] + shape[dim + 1 :] != given[:dim] + given[dim + 1 :]:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got "
            f"self.shape = {list(shape)} source.shape = {list(given)}"
        )


def index_add(x: Tensor, dim: int, places: Tensor, source: Tensor, alpha: Scalar) -> Tensor:
    """x[places[i]] += alpha * source[i] along a dimension. As in PyTorch, matrices and what has more dimensions are scattered without a
    factor along the first and the last one, where floats of 16 bits are rounded once; otherwise each sum is. A factor of integers is
    one of theirs.
    """
    array = x.array
    assert_no_internal_overlap(array)
    assert_no_overlap(array, source.array)
    assert_no_overlap(array, places.array)
    dim = wrap_dim(dim, array.ndim or 1)
    if x.dtype is not source.dtype:
        raise RuntimeError(
            f"index_add_(): self ({x.dtype.type_name}) and source ({source.dtype.type_name}) must "
            "have the same scalar type"
        )
    check_rows("index_add", x, dim, places, source)
    check_fits(x.dtype, alpha)
    if array.dtype.kind in "iu" and not isinstance(alpha, complex):
        alpha = np.int64(alpha).astype(array.dtype)
    size = array.shape[dim] if array.ndim else 1
    check_places(places.array, size)
    values = source.array if alpha == 1 else (source.array * alpha).astype(array.dtype)
    if not array.ndim:
        array[...] += values.reshape(())
        return x
    key: Any = (slice(None),) * dim + (places.array.reshape(-1),)
    is_scattered = alpha == 1 and array.ndim > 1 and dim in (0, array.ndim - 1)
    if is_scattered and places.dtype is dtypes.int64:
        combine_and_round(np.add, array, key, values)
    else:
        combine_at(np.add, array, key, values)
    return x


registry.implement("index_add_", index_add, shape=first_fact)
functional("index_add", index_add, contiguous=True)


def index_copy(x: Tensor, dim: int, places: Tensor, source: Tensor) -> Tensor:
    assert_no_internal_overlap(x.array)
    assert_no_overlap(x.array, source.array)
    assert_no_overlap(x.array, places.array)
    array, given = (a if a.ndim else a.reshape(1) for a in (x.array, source.array))
    dim = wrap_dim(dim, array.ndim)
    if places.array.ndim > 1:
        raise IndexError(
            f"index_copy_(): Index should have dimension 1 or 0 (got {places.array.ndim})"
        )
    if x.array.ndim and source.array.ndim and array.ndim != given.ndim:
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must "
            f"match. Source dimensionality ({given.ndim}), destination dimensionality ({array.ndim})"
        )
    if source.dtype is not x.dtype:
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{x.dtype.type_name} and (source) {source.dtype.type_name}"
        )
    if places.array.dtype != np.int64:
        raise RuntimeError(
            f"index_copy_(): Expected a long tensor for index, but got {places.dtype.type_name}"
        )
    at = places.array.reshape(-1)
    if not source.array.ndim and at.size != 1:
        raise IndexError(
            f"index_copy_(): When source is scalar, index should have one element (got {at.size})"
        )
    if given.shape != (*array.shape[:dim], at.size, *array.shape[dim + 1 :]):
        raise IndexError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice "
            f"shape: {list(array.shape)} at dimension {dim} and source slice shape: {list(given.shape)}"
        )
    check_places(at, array.shape[dim])
    array[(slice(None),) * dim + (at,)] = given
    return x


def index_fill(x: Tensor, dim: int, places: Tensor, value: Scalar | Tensor) -> Tensor:
    if isinstance(value, Tensor):
        if value.array.ndim:
            raise RuntimeError(
                "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{value.array.ndim} dimension(s)."
            )
        value = value.item()
    if places.array.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    if places.array.ndim > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    if isinstance(value, complex) and not x.dtype.is_complex:
        raise RuntimeError(
            "index_fill_(): Converting complex Scalar to non-complex type is not supported"
        )
    array = x.array if x.array.ndim else x.array.reshape(1)
    dim = wrap_dim(dim, array.ndim)
    size = array.shape[dim]
    at = places.array
    if at.size and (at.min() < -size or at.max() >= size):
        raise IndexError("index out of range in self")
    assert_no_overlap(x.array, at)
    check_fits(x.dtype, value)
    array[(slice(None),) * dim + (at,)] = np.asarray(value).astype(array.dtype)
    return x


for _name, _kernel in (
    ("index_copy_", index_copy),
    ("index_fill_.int_Scalar index_fill_.int_Tensor", index_fill),
):
    registry.implement(_name, _kernel, shape=first_fact)
    _contiguous = _kernel is index_copy
    functional(_name.replace("_.", ".").removesuffix("_"), _kernel, contiguous=_contiguous)
