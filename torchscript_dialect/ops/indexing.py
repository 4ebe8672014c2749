"""Reading and writing at places that tensors name: index, gather, scatter, masks, and their in-place forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.ranking import are_places, taken_along
from torchscript_dialect.ops.shapes import (
    Fact,
    broadcast,
    dtype_of,
    fresh,
    is_known,
    preserved,
    rank_known,
)
from torchscript_dialect.ops.shapes import wrap as wrap_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap
from torchscript_dialect.tensor.strides import (
    broadcast_shapes,
    contiguous_strides,
    element_strides,
    empty_like,
    empty_strided,
    pointwise_strides,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.types.tensor_type import TensorProperties

Scalar = complex
_I64, _BOOL = dtypes.int64.numpy_dtype, dtypes.bool_.numpy_dtype


def _first_fact(facts: Sequence[Fact]) -> Fact:
    return facts[0]


# Advanced indexing


def _index_key(x: Tensor, indices: Sequence[Tensor | None]) -> tuple[Any, ...]:
    """NumPy's key for these indices; IndexError where they do not fit."""
    array = x.array
    key: list[Any] = []
    dim = 0
    for index in indices:
        if index is None:
            key.append(slice(None))
            dim += 1
            continue
        places = index.array
        if places.dtype.kind == "b" or places.dtype == np.uint8:
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
        if places.dtype.kind != "i":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if dim < array.ndim and places.size:
            size = array.shape[dim]
            low, high = int(places.min()), int(places.max())
            if low < -size or high >= size:
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


def _check_broadcast(indices: Sequence[Tensor | None]) -> None:
    shapes = [i.array.shape for i in indices if i is not None and i.array.dtype.kind == "i"]
    try:
        broadcast_shapes(*shapes)
    except RuntimeError:
        text = ", ".join(map(str, map(list, shapes)))
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
    if x.array.flags.c_contiguous:
        fresh_copy = np.empty(result.shape, result.dtype)  # strides of dimensions of size 1 too
        fresh_copy[...] = result
        return tensor_of(fresh_copy)
    out = empty_strided(result.shape, _index_strides(x.array, key, result.shape), result.dtype)
    out[...] = result
    return tensor_of(out)


def _by_one_index(array: NDArray[Any], index: Tensor | None) -> NDArray[Any] | None:
    """The elements at places in the first dimension, or where a mask of all dimensions is True; None for other indices."""
    if index is None or not array.ndim:
        return None
    places = index.array
    if places.dtype is _I64 and places.ndim and are_places(places, array.shape[0]):
        return array.take(places, 0)
    if places.dtype is _BOOL and places.shape == array.shape:
        return array[places]
    return None


def _index_strides(
    array: NDArray[Any], key: tuple[Any, ...], shape: tuple[int, ...]
) -> tuple[int, ...]:
    """The strides of the result: its dimensions lie in the order of the source's, indexed ones having none."""
    strides = element_strides(array)
    kept: list[list[int]] = [[], []]
    indexed, dim, gap = 0, 0, False
    for entry in key:
        if isinstance(entry, slice):
            kept[indexed > 0].append(strides[dim])
            dim += 1
            continue
        gap = gap or (indexed > 0 and len(kept[1]) > 0)
        indexed += 1
        dim += entry.ndim if entry.dtype.kind == "b" else 1
    after = [*kept[1], *strides[dim:]]
    before = kept[0]
    if gap:
        before, after = [], [*before, *after]
    width = len(shape) - len(before) - len(after)
    source = (*before, *([0] * width), *after)
    places = shape[len(before) : len(before) + width]
    index = (*([0] * len(before)), *contiguous_strides(places), *([0] * len(after)))
    return pointwise_strides([(shape, source), (shape, index)], shape)


@registry.kernel("index_put_ index_put_.hacked_twin", shape=_first_fact)
def index_put_(
    x: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool
) -> Tensor:
    """Write at the places, or add there so that a place named twice counts twice."""
    if values.dtype is not x.dtype:
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{x.dtype.type_name} for the destination and {values.dtype.type_name} for the source."
        )
    key = _index_key(x, indices)
    try:
        if accumulate:
            np.add.at(x.array, key, values.array)
        else:
            x.array[key] = values.array
    except ValueError:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(values.array.shape)} cannot be broadcast "
            f"to indexing result of shape {list(x.array[key].shape)}"
        ) from None
    return x


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


def _check_places(places: NDArray[Any], size: int) -> None:
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
    _check_places(at, array.shape[dim] if array.ndim else 1)
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


# Gather and scatter


def places_along(array: NDArray[Any], dim: int, places: NDArray[Any]) -> tuple[Any, ...]:
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
    if places.array.ndim != x.array.ndim and places.array.size and x.array.ndim:
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
    return tensor_of(np.ascontiguousarray(array[places_along(array, dim, at)]))


_REDUCE: dict[str, np.ufunc] = {
    "add": np.add,
    "multiply": np.multiply,
    "sum": np.add,
    "prod": np.multiply,
    "amax": np.maximum,
    "amin": np.minimum,
}


def combine_at(combine: np.ufunc, array: NDArray[Any], key: Any, source: NDArray[Any]) -> None:
    """`combine.at`; floats of 16 bits are combined in 32 and rounded once."""
    if array.dtype not in (dtypes.float16.numpy_dtype, dtypes.bfloat16.numpy_dtype):
        combine.at(array, key, source)
        return
    wide = array.astype(np.float32)
    combine.at(wide, key, source.astype(np.float32))
    array[...] = wide.astype(array.dtype)


def _scatter(
    x: Tensor, dim: int, places: Tensor, source: NDArray[Any], reduce: str | None, name: str
) -> Tensor:
    array, at = x.array, places.array
    dim = wrap_dim(dim, array.ndim or 1)
    check_index(name, x, dim, places)
    assert_no_internal_overlap(array)
    if not at.size:
        return x
    if not array.ndim:
        array, at = array.reshape(1), at.reshape(1)
        dim = 0
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
    key = places_along(array, dim, at)
    if reduce is None:
        array[key] = source
        return x
    if reduce not in _REDUCE:
        raise RuntimeError("reduce argument must be either add or multiply.")
    combine_at(_REDUCE[reduce], array, key, source)
    return x


def _same_dtype(x: Tensor, source: Tensor) -> NDArray[Any]:
    if x.dtype is not source.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    return source.array


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
    registry.implement(_name, _kernel, shape=_first_fact)
    functional(_name.replace("_.", ".").removesuffix("_"), _kernel, contiguous=True)


def index_add(x: Tensor, dim: int, places: Tensor, source: Tensor, alpha: Scalar) -> Tensor:
    """x[places[i]] += alpha * source[i] along a dimension. As in PyTorch, matrices and what has more dimensions are scattered without a
    factor along the first and the last one, where floats of 16 bits are rounded once; otherwise each sum is.
    """
    array = x.array
    assert_no_internal_overlap(array)
    dim = wrap_dim(dim, array.ndim or 1)
    if x.dtype is not source.dtype:
        raise RuntimeError(
            f"index_add_(): self ({x.dtype.type_name}) and source ({source.dtype.type_name}) must "
            "have the same scalar type"
        )
    check_fits(x.dtype, alpha)
    size = array.shape[dim] if array.ndim else 1
    _check_places(places.array, size)
    values = source.array if alpha == 1 else (source.array * alpha).astype(array.dtype)
    if array.ndim:
        rest = [shape[:dim] + shape[dim + 1 :] for shape in (array.shape, values.shape)]
        if rest[0] != rest[1]:
            raise RuntimeError(
                "source tensor shape must match self tensor shape, excluding the specified dimension. Got "
                f"self.shape = {list(array.shape)} source.shape = {list(values.shape)}"
            )
    if not array.ndim:
        array[...] += values.reshape(())
        return x
    key: Any = (slice(None),) * dim + (places.array,)
    is_scattered = alpha == 1 and array.ndim > 1 and dim in (0, array.ndim - 1)
    if is_scattered and places.dtype is dtypes.int64:
        combine_at(np.add, array, key, values)
    else:
        np.add.at(array, key, values)
    return x


registry.implement("index_add_", index_add, shape=_first_fact)
functional("index_add", index_add, contiguous=True)


def index_copy(x: Tensor, dim: int, places: Tensor, source: Tensor) -> Tensor:
    assert_no_internal_overlap(x.array)
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
    if source.array.ndim and given.shape != (*array.shape[:dim], at.size, *array.shape[dim + 1 :]):
        raise IndexError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice "
            f"shape: {list(array.shape)} at dimension {dim} and source slice shape: {list(given.shape)}"
        )
    _check_places(at, array.shape[dim])
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
    check_fits(x.dtype, value)
    array[(slice(None),) * dim + (at,)] = np.asarray(value).astype(array.dtype)
    return x


for _name, _kernel in (
    ("index_copy_", index_copy),
    ("index_fill_.int_Scalar index_fill_.int_Tensor", index_fill),
):
    registry.implement(_name, _kernel, shape=_first_fact)
    _contiguous = _kernel is index_copy
    functional(_name.replace("_.", ".").removesuffix("_"), _kernel, contiguous=_contiguous)


# Masks


def _mask_of(name: str, mask: Tensor) -> NDArray[Any]:
    if mask.array.dtype.kind != "b":
        raise RuntimeError(
            f"{name} only supports boolean masks, but got mask with dtype "
            f"{_CPP.get(mask.dtype.name, mask.dtype.name)}"
        )
    return mask.array


_CPP = {"uint8": "unsigned char", "float32": "float", "int64": "long long", "float64": "double"}


@ignores_float_errors
def masked_fill_(x: Tensor, mask: Tensor, value: Scalar | Tensor) -> Tensor:
    array = x.array
    chosen = _mask_of("masked_fill_", mask)
    if broadcast_shapes(array.shape, chosen.shape) != array.shape:
        raise RuntimeError(
            f"output with shape {list(array.shape)} doesn't match the broadcast shape "
            f"{list(broadcast_shapes(array.shape, chosen.shape))}"
        )
    if isinstance(value, Tensor):
        if value.array.ndim:
            raise RuntimeError(
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{value.array.ndim} dimension(s)."
            )
        if value.dtype.is_complex:
            check_fits(x.dtype, value.item())
        filler = value.array
    else:
        check_fits(x.dtype, value)
        filler = np.asarray(value)
    np.copyto(array, filler.astype(array.dtype), where=np.broadcast_to(chosen, array.shape))
    return x


def _masked_fill_shape(facts: Sequence[Fact]) -> Fact:
    sizes = broadcast([rank_known(facts[0]), rank_known(facts[1])])
    return fresh(dtype_of(facts[0]), sizes, facts[0])


registry.attach("aten::masked_fill.Scalar", lower="lowering.linalg.in_place:MaskedFill")
registry.attach("aten::masked_fill_.Scalar", lower="lowering.linalg.in_place:MaskedFillInPlace")


@registry.kernel("masked_fill.Scalar masked_fill.Tensor", shape=_masked_fill_shape)
def masked_fill(x: Tensor, mask: Tensor, value: Scalar | Tensor) -> Tensor:
    shape = broadcast_shapes(x.array.shape, mask.array.shape)
    copy = np.empty(shape, x.array.dtype)
    copy[...] = x.array
    return masked_fill_(tensor_of(copy), mask, value)


registry.implement("masked_fill_.Scalar masked_fill_.Tensor", masked_fill_, shape=_first_fact)


def _one_dim(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[0]), (None,), facts[0])


@registry.kernel("fill_diagonal_", shape=_first_fact)
def fill_diagonal_(x: Tensor, value: Scalar, wrap: bool) -> Tensor:
    """The diagonal of the first two dimensions, or of all where they are more; `wrap` begins it anew below the end of a tall matrix."""
    array = x.array
    if array.ndim < 2:
        raise RuntimeError("dimensions must larger than 1")
    if array.ndim > 2 and len(set(array.shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    check_fits(x.dtype, value)
    if array.size:
        np.fill_diagonal(array, np.asarray(value).astype(array.dtype), wrap)
    return x


@registry.kernel("masked_select", shape=_one_dim, strict_out=True)
def masked_select(x: Tensor, mask: Tensor) -> Tensor:
    if mask.array.dtype.kind != "b" and mask.array.dtype != np.uint8:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    shape = broadcast_shapes(x.array.shape, mask.array.shape)
    chosen = np.broadcast_to(mask.array, shape).astype(np.bool_)
    return tensor_of(np.broadcast_to(x.array, shape)[chosen])


def masked_scatter_(x: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    assert_no_internal_overlap(x.array)
    chosen = np.broadcast_to(_mask_of("masked_scatter_", mask), x.array.shape)
    count = int(chosen.sum())
    if source.dtype is not x.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{x.dtype.type_name} and {source.dtype.type_name}"
        )
    if count > source.array.size:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    x.array[chosen] = source.array.reshape(-1)[:count]
    return x


registry.implement("masked_scatter_", masked_scatter_, shape=_first_fact)


@registry.kernel("masked_scatter")
def masked_scatter(x: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    shape = broadcast_shapes(x.array.shape, mask.array.shape)
    copy = np.broadcast_to(x.array, shape).copy(order="C")
    return masked_scatter_(tensor_of(copy), mask, source)


def _nonzero_shape(facts: Sequence[Fact]) -> Fact:
    sizes = rank_known(facts[0])
    rank = None if sizes is None else len(sizes)
    return fresh(dtypes.int64, (None, rank), facts[0], strides=(None, None))


@registry.kernel("nonzero argwhere", shape=_nonzero_shape)
def nonzero(x: Tensor) -> Tensor:
    """The places of what is not zero, a row each; PyTorch's kernel lays them out by column."""
    array = x.array
    if not array.ndim:
        return tensor_of(np.zeros((int(bool(array)), 0), np.int64))
    return tensor_of(np.array(np.nonzero(array), np.int64).T)


@registry.kernel("where nonzero_numpy")
def where_nonzero(x: Tensor) -> list[Tensor]:
    """The indices of what is not zero, one tensor for each dimension."""
    array = x.array if x.array.ndim else x.array.reshape(1)
    return [tensor_of(places) for places in np.array(np.nonzero(array), np.int64)]


# Parts of a copy, and their gradients


def _part(array: NDArray[Any], dim: int, key: Any) -> tuple[Any, ...]:
    return (slice(None),) * wrap_dim(dim, array.ndim) + (key, ...)


def _copied(array: NDArray[Any]) -> NDArray[Any]:
    """A copy with the same strides, or a contiguous one where elements share memory."""
    if any(n > 1 and not step for n, step in zip(array.shape, array.strides)):
        return array.copy()
    out = empty_strided(array.shape, element_strides(array), array.dtype)
    out[...] = array
    return out


@registry.kernel("select_scatter")
def select_scatter(x: Tensor, source: Tensor, dim: int, place: int) -> Tensor:
    out = _copied(x.array)
    out[_part(out, dim, place)] = source.array
    return tensor_of(out)


@registry.kernel("slice_scatter")
def slice_scatter(
    x: Tensor, source: Tensor, dim: int, start: int | None, end: int | None, step: int
) -> Tensor:
    out = _copied(x.array)
    out[_part(out, dim, slice(start, end, step))] = source.array
    return tensor_of(out)


@registry.kernel("select_backward")
def select_backward(grad: Tensor, sizes: Sequence[int], dim: int, place: int) -> Tensor:
    out = np.zeros(tuple(sizes), grad.array.dtype)
    out[_part(out, dim, place)] = grad.array
    return tensor_of(out)


@registry.kernel("slice_backward")
def slice_backward(
    grad: Tensor, sizes: Sequence[int], dim: int, start: int, end: int, step: int
) -> Tensor:
    out = np.zeros(tuple(sizes), grad.array.dtype)
    out[_part(out, dim, slice(start, end, step))] = grad.array
    return tensor_of(out)
