"""Elements among others: places in sorted sequences, membership, unique elements (PyTorch: native/Bucketization.cpp, Unique.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.reduction.reduction import stored
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.tensor.type_promotion import result_type

Array = NDArray[Any]
_numpy = cast("Any", np)  # whose stubs leave some types open

# Sorted sequences


def _side(right: bool, side: str | None) -> Any:
    if side is not None and side not in ("left", "right"):
        raise RuntimeError(
            f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}"
        )
    if side == "left" and right:
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right "
            "was True"
        )
    return "right" if right or side == "right" else "left"


def _rows(x: Array) -> Array:
    wide = x.astype(np.float32) if x.dtype.name in ("bfloat16", "float16") else x
    return wide.reshape(prod(x.shape[:-1]), x.shape[-1]) if x.ndim else wide.reshape(1, 1)


def _searched(row: Array, wished: Array, side: Any) -> Array:
    """`np.searchsorted`; in a row that is not sorted, as one with a NaN is not, the places at which PyTorch's bisection arrives."""
    if (row[:-1] <= row[1:]).all() and not (row[-1:] != row[-1:]).any():
        return _numpy.searchsorted(row, wished, side)
    low, high = np.zeros(wished.shape, np.int64), np.full(wished.shape, row.size)
    while (is_open := low < high).any():
        middle = np.minimum((low + high) >> 1, row.size - 1)
        found = row[middle]
        is_left = found > wished if side == "right" else found >= wished
        high = np.where(is_open & is_left, middle, high)
        low = np.where(is_open & ~is_left, middle + 1, low)
    return low


def _found(sequence: Array, values: Array, side: Any, sorter: Array | None, wanted: Any) -> Tensor:
    if sorter is not None:
        sequence = np.take_along_axis(sequence, sorter, -1)
    if sequence.ndim == 1:
        flat = _rows(values.reshape(1, -1))[0]
        raw = _searched(_rows(sequence)[0], flat, side)
    else:
        rows = zip(_rows(sequence), _rows(values))
        found = [_searched(row, wished, side) for row, wished in rows]
        raw = np.stack(found) if found else np.zeros(values.shape)
    return tensor_of(np.ascontiguousarray(raw, wanted).reshape(values.shape))


def _check_sequence(sequence: Tensor, values: Tensor, sorter: Tensor | None) -> None:
    shape, wished = sequence.array.shape, values.array.shape
    if not shape:
        raise RuntimeError(
            "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but "
            f"we got boundaries tensor dim({len(shape)}) and input value's dim({len(wished)}) numel({values.array.size})"
        )
    if len(shape) != 1 and shape[:-1] != wished[:-1]:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries "
            f"tensor and input value tensor must match, but we got boundaries tensor {list(shape)} and input "
            f"value tensor {list(wished)}"
        )
    if sorter is not None:
        if sorter.array.shape != shape:
            raise RuntimeError("torch.searchsorted(): boundary and sorter must have the same size")
        if sorter.dtype is not dtypes.int64:
            raise RuntimeError(
                "torch.searchsorted(): sorter must be a tensor of long dtype but got dtype "
                f"{sorter.dtype.type_name}"
            )


@ignores_float_errors
def _alike(sequence: Tensor, values: Any) -> tuple[Array, Array]:
    """Both, in the dtype that they are compared in."""
    common = result_type([sequence, values]).numpy_dtype
    given = values.array if isinstance(values, Tensor) else np.asarray(values)
    return sequence.array.astype(common, copy=False), given.astype(common, copy=False)


def _index_dtype(out_int32: bool) -> Any:
    return np.int32 if out_int32 else np.int64


def _places_shape(values: int, out_int32: int) -> registry.ShapeRule:
    """The sizes of the operand `values`, and whether int32 is asked for."""

    def rule(facts: Sequence[Fact]) -> Fact:
        small = facts[out_int32]
        element = (dtypes.int32 if small else dtypes.int64) if isinstance(small, bool) else None
        x = facts[values]
        sizes = rank_known(x) if hasattr(x, "sizes") else ()
        return fresh(element, sizes, *facts)

    return rule


@registry.kernel("searchsorted.Tensor", shape=_places_shape(1, 2))
def searchsorted(
    sequence: Tensor,
    values: Tensor,
    out_int32: bool,
    right: bool,
    side: str | None,
    sorter: Tensor | None,
) -> Tensor:
    """Where the values would stand in the sorted rows of `sequence`."""
    where = _side(right, side)
    _check_sequence(sequence, values, sorter)
    order = None if sorter is None else sorter.array
    among, wished = _alike(sequence, values)
    return _found(among, wished, where, order, _index_dtype(out_int32))


@registry.kernel("searchsorted.Scalar", shape=_places_shape(1, 2))
def searchsorted_number(
    sequence: Tensor,
    value: Any,
    out_int32: bool,
    right: bool,
    side: str | None,
    sorter: Tensor | None,
) -> Tensor:
    among, wished = map(tensor_of, _alike(sequence, value))
    if sequence.array.ndim != 1:
        _check_sequence(tensor_of(sequence.array.reshape(())[...]), wished, None)
    return searchsorted(among, wished, out_int32, right, side, sorter)


def _check_boundaries(boundaries: Tensor) -> None:
    if boundaries.array.ndim != 1:
        raise RuntimeError(
            f"boundaries tensor must be 1 dimension, but got dim({boundaries.array.ndim})"
        )


@registry.kernel("bucketize.Tensor", shape=_places_shape(0, 2))
def bucketize(x: Tensor, boundaries: Tensor, out_int32: bool, right: bool) -> Tensor:
    """Between which boundaries the elements lie."""
    _check_boundaries(boundaries)
    _check_sequence(boundaries, x, None)
    side = "right" if right else "left"
    among, wished = _alike(boundaries, x)
    return _found(among, wished, side, None, _index_dtype(out_int32))


@registry.kernel("bucketize.Scalar", shape=_places_shape(0, 2))
def bucketize_number(x: Any, boundaries: Tensor, out_int32: bool, right: bool) -> Tensor:
    among, wished = map(tensor_of, _alike(boundaries, x))
    return bucketize(wished, among, out_int32, right)


# Membership

_ISIN = """
    found = (x.flatten().unsqueeze(-1) == y.flatten()).any(-1).view(x.size())
    return torch.logical_not(found) if invert else found
"""
composite(
    "aten::isin.Tensor_Tensor",
    """
def isin(elements: Tensor, test_elements: Tensor, assume_unique: bool, invert: bool) -> Tensor:
    x, y = elements, test_elements
    if x.dtype == torch.bool or y.dtype == torch.bool:
        raise RuntimeError("Unsupported input type encountered for isin(): Bool")
"""
    + _ISIN,
)
composite(
    "aten::isin.Tensor_Scalar",
    """
def isin(elements: Tensor, test_element: number, assume_unique: bool, invert: bool) -> Tensor:
    if elements.dtype == torch.bool or torch.result_type(test_element, test_element) == torch.bool:
        raise RuntimeError("Unsupported input type encountered for isin(): Bool")
    return elements != test_element if invert else elements == test_element
""",
)
composite(
    "aten::isin.Scalar_Tensor",
    """
def isin(element: number, test_elements: Tensor, assume_unique: bool, invert: bool) -> Tensor:
    if test_elements.dtype == torch.bool or torch.result_type(element, element) == torch.bool:
        raise RuntimeError("Unsupported input type encountered for isin(): Bool")
    found = (test_elements == element).any()
    return torch.logical_not(found) if invert else found
""",
)

# Unique elements

Unique = tuple[Tensor, Tensor, Tensor]


def _three(
    values: Array, inverse: Any, counts: Any, with_inverse: bool, with_counts: bool
) -> Unique:
    nothing = np.zeros(0, np.int64)
    return (
        tensor_of(np.ascontiguousarray(values)),
        stored(inverse if with_inverse else nothing, dtypes.int64),
        stored(counts if with_counts else nothing.copy(), dtypes.int64),
    )


def _unique_shapes(facts: Sequence[Fact]) -> Fact:
    x = facts[0]
    return fresh(dtype_of(x), None, x), fresh(dtypes.int64, None, x), fresh(dtypes.int64, None, x)


@registry.kernel("_unique2", shape=_unique_shapes)
def unique(x: Tensor, _sorted: bool, with_inverse: bool, with_counts: bool) -> Unique:
    """The unique elements in order, which of them each element is, and how often each is there."""
    if x.dtype.is_complex:
        raise NotImplementedError(f"\"unique\" not implemented for '{x.dtype.type_name}'")
    array = x.array.reshape(-1)
    order = np.argsort(array.astype(np.float32) if _is_half(array) else array, kind="stable")
    ranked = array[order]
    values, places, counts = _runs(ranked, ranked[1:] != ranked[:-1])
    inverse = np.empty(array.size, np.int64)
    inverse[order] = places
    return _three(values, inverse.reshape(x.array.shape), counts, with_inverse, with_counts)


registry.implement(
    "_unique",
    lambda x, is_sorted, with_inverse: unique(x, is_sorted, with_inverse, False)[:2],
    shape=lambda facts: _unique_shapes(facts)[:2],
)


def _is_half(array: Array) -> bool:
    return array.dtype.name in ("bfloat16", "float16")


def _runs(rows: Array, differs: Array) -> tuple[Array, Array, Array]:
    """The first row of each run of equal ones, the number of its run for each row, and the lengths of the runs."""
    if not len(rows):
        return rows, np.zeros(0, np.int64), np.zeros(0, np.int64)
    starts = np.concatenate([[True], differs])
    places = np.cumsum(starts) - 1
    return rows[starts], places, np.bincount(places)


def _row_differs(rows: Array) -> Array:
    return (rows[1:] != rows[:-1]).any(axis=tuple(range(1, rows.ndim)))


@registry.kernel("unique_consecutive", shape=_unique_shapes)
def unique_consecutive(x: Tensor, with_inverse: bool, with_counts: bool, dim: int | None) -> Unique:
    """Runs of equal elements as one, or of equal slices along a dimension."""
    if dim is not None and (dim != 0 or x.array.ndim != 1):
        return _unique_slices(x, dim, is_sorted=False)
    array = x.array.reshape(-1)
    values, places, counts = _runs(array, array[1:] != array[:-1])
    return _three(values, places.reshape(x.array.shape), counts, with_inverse, with_counts)


def _unique_slices(x: Tensor, dim: int, *, is_sorted: bool) -> Unique:
    """What PyTorch gives with and without asking for inverse and counts."""
    dim = wrap_dim(dim, x.array.ndim or 1)
    if not x.array.ndim:
        one = np.ones(1, np.int64)
        return _three(x.array.reshape(1), one * 0, one, True, True)
    rows = np.moveaxis(x.array, dim, 0)
    if not rows.size and rows.shape[0] == 0 and any(size == 0 for size in rows.shape[1:]):
        raise RuntimeError(
            "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
        )
    order = np.arange(len(rows))
    if is_sorted and rows[:1].size:
        flat = rows.reshape(len(rows), -1)
        keys = flat.astype(np.float32) if _is_half(flat) else flat
        order = np.lexsort(keys.T[::-1])
    values, places, counts = _runs(rows[order], _row_differs(rows[order]))
    inverse = np.empty(len(rows), np.int64)
    inverse[order] = places
    found = tensor_of(np.moveaxis(stored(values, x.dtype).array, 0, dim))
    return found, *_three(values, inverse, counts, True, True)[1:]


@registry.kernel("unique_dim", shape=_unique_shapes)
def unique_dim(x: Tensor, dim: int, _sorted: bool, _inverse: bool, _counts: bool) -> Unique:
    return _unique_slices(x, dim, is_sorted=True)


registry.implement(
    "unique_dim_consecutive",
    lambda x, dim, _inverse, _counts: _unique_slices(x, dim, is_sorted=False),
    shape=_unique_shapes,
)
