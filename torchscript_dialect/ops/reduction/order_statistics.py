"""Medians, quantiles, modes: what stands at a place of the sorted elements, or there most often (PyTorch: native/Sorting.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.pooling.native_windows import are_native
from torchscript_dialect.ops.reduction.ranking import place_of_rank, places_selected, sorting_order
from torchscript_dialect.ops.reduction.reduction import reduced_sizes, stored
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

Array = NDArray[Any]


def _shapes(dim: int) -> registry.ShapeRule:
    """Values and their places, from the place of `dim`, which `keepdim` follows."""

    def rule(facts: Sequence[Fact]) -> Fact:
        x = facts[0]
        sizes = reduced_sizes(rank_known(x), facts[dim], facts[dim + 1])
        return fresh(dtype_of(x), sizes, x), fresh(dtypes.int64, sizes, x)

    return rule


def _taken(x: Tensor, places: Array, dim: int, keepdim: bool) -> tuple[Tensor, Tensor]:
    """The elements at `places`, which have size 1 in `dim`, and these places."""
    values = np.take_along_axis(x.array, places, dim)
    if not keepdim:
        values, places = values.squeeze(dim), places.squeeze(dim)
    return stored(values, x.dtype), stored(places, dtypes.int64)


def _itself(x: Tensor) -> tuple[Tensor, Tensor]:
    return tensor_of(x.array.copy()), tensor_of(np.zeros((), np.int64))


def _check_size(name: str, x: Tensor, dim: int) -> None:
    if not x.array.shape[dim]:
        raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")


FEW = 48
"""Elements of a row up to which native code puts them in order."""


@cache
def _native() -> Any:
    return import_module("torchscript_dialect.runtime.kernels.handwritten.row_kernels")


def _sorted_rows(x: Tensor, dim: int) -> tuple[Tensor, Tensor] | None:
    """Few elements of the last dimension in order, the first of equals first, and where they stood; None where NumPy is to do it."""
    array = x.array
    if dim != array.ndim - 1 or array.shape[dim] > FEW or not are_native(x):
        return None
    return _native().sorted_rows(x)


def _at_rank(ranked: tuple[Tensor, Tensor], rank: int, keepdim: bool) -> tuple[Tensor, Tensor]:
    """What stands at a place of each row."""
    places = slice(rank, rank + 1) if keepdim else rank
    first, second = (np.array(one.array[..., places], order="C") for one in ranked)
    return tensor_of(first), tensor_of(second)


_WIDE_UNSIGNED = (dtypes.uint16, dtypes.uint32, dtypes.uint64)


@registry.kernel("kthvalue", shape=_shapes(2), strict_out=True)
def kthvalue(x: Tensor, k: int, dim: int, keepdim: bool) -> tuple[Tensor, Tensor]:
    """The k-th smallest elements, counted from 1; NaN counts as the largest. Of equal ones PyTorch's place."""
    dim = wrap_dim(dim, x.array.ndim or 1)
    size = x.array.shape[dim] if x.array.ndim else 1
    if not size:
        raise IndexError(f"kthvalue(): Expected reduction dim {dim} to have non-zero size.")
    if not 1 <= k <= size:
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
    if not x.array.ndim:
        return _itself(x)
    if x.array.dtype.kind in "cb" or x.dtype.is_float8 or x.dtype in _WIDE_UNSIGNED:
        raise NotImplementedError(f"\"kthvalue_cpu\" not implemented for '{x.dtype.type_name}'")
    ranked = _sorted_rows(x, dim)
    if ranked is not None and _is_alone(ranked[0].array, k - 1):
        return _at_rank(ranked, k - 1, keepdim)
    places = place_of_rank(x.array, k - 1, dim)
    rows, found = np.moveaxis(x.array, dim, -1), np.moveaxis(places, dim, -1)
    chosen = np.take_along_axis(rows, found, -1)
    are_equal = (rows == chosen) | ((rows != rows) & (chosen != chosen))
    several = np.count_nonzero(are_equal, -1) > 1
    if several.any():
        found[several, 0] = places_selected(rows[several], k - 1)
    return _taken(x, places, dim, keepdim)


def _is_alone(ranked: Array, rank: int) -> bool:
    """Whether the elements at a place of rows in order are numbers that stand there once."""
    around = ranked[..., max(rank - 1, 0) : rank + 2]
    is_larger = around[..., 1:] > around[..., :-1]
    return bool(np.logical_and.reduce(is_larger, axis=None)) and ranked.shape[-1] > 1


def _middle(
    x: Tensor, dim: int, keepdim: bool, name: str, skips_nan: bool
) -> tuple[Tensor, Tensor]:
    """The lower middle elements; where there is a NaN, it, unless they are left out."""
    if x.dtype.is_complex or x.dtype is dtypes.bool_:
        raise NotImplementedError(f"\"median_out\" not implemented for '{x.dtype.type_name}'")
    dim = wrap_dim(dim, x.array.ndim or 1)
    if not x.array.ndim:
        return _itself(x)
    _check_size(name, x, dim)
    array = x.array
    ranked = _sorted_rows(x, dim)
    if ranked is not None and not np.isnan(ranked[0].array[..., -1]).any():
        return _at_rank(ranked, (array.shape[dim] - 1) // 2, keepdim)
    missing = array != array
    if not missing.any():
        return _taken(x, place_of_rank(array, (array.shape[dim] - 1) // 2, dim), dim, keepdim)
    order = sorting_order(array, dim, False)
    counts = array.shape[dim] - missing.sum(axis=dim, keepdims=True)
    middle = np.maximum(counts - 1, 0) // 2
    places = np.take_along_axis(order, middle, dim)
    if not skips_nan:
        first = np.argmax(missing, axis=dim, keepdims=True)
        places = np.where(counts < array.shape[dim], first, places)
    return _taken(x, places, dim, keepdim)


@registry.kernel("median.dim", shape=_shapes(1))
def median(x: Tensor, dim: int, keepdim: bool) -> tuple[Tensor, Tensor]:
    return _middle(x, dim, keepdim, "median", False)


@registry.kernel("nanmedian.dim", shape=_shapes(1))
def nanmedian(x: Tensor, dim: int, keepdim: bool) -> tuple[Tensor, Tensor]:
    return _middle(x, dim, keepdim, "nanmedian", True)


@registry.kernel("nanmedian", shape=lambda facts: fresh(dtype_of(facts[0]), (), facts[0]))
def nanmedian_of_all(x: Tensor) -> Tensor:
    if not x.array.size:
        return tensor_of(np.asarray(np.nan).astype(x.array.dtype))
    return _middle(tensor_of(x.array.reshape(-1)), 0, False, "nanmedian", True)[0]


@registry.kernel("mode", shape=_shapes(1))
def mode(x: Tensor, dim: int, keepdim: bool) -> tuple[Tensor, Tensor]:
    """The elements that are there most often, the smallest of several, and the last places at which they stand."""
    if x.dtype.is_complex:
        raise NotImplementedError(f"\"mode\" not implemented for '{x.dtype.type_name}'")
    dim = wrap_dim(dim, x.array.ndim or 1)
    if not x.array.ndim:
        return _itself(x)
    _check_size("mode", x, dim)
    ordered = _sorted_rows(x, dim)
    found = None if ordered is None else _native().longest_runs(*ordered)
    if found is not None:
        if not keepdim:
            return found
        first, second = (tensor_of(one.array.reshape(*one.array.shape, 1)) for one in found)
        return first, second
    order = np.moveaxis(sorting_order(x.array, dim, False), dim, -1)
    ranked = np.take_along_axis(np.moveaxis(x.array, dim, -1), order, -1)
    starts = np.ones(ranked.shape, np.bool_)
    starts[..., 1:] = ranked[..., 1:] != ranked[..., :-1]
    counted: Any = cast("Any", np).arange(ranked.shape[-1])
    run: Any = counted - np.maximum.accumulate(np.where(starts, counted, 0), axis=-1)
    ends = np.argmax(run, axis=-1, keepdims=True)
    places = np.moveaxis(np.take_along_axis(order, ends, -1), -1, dim)
    return _taken(x, places, dim, keepdim)


# Quantiles

_MODES = ("linear", "lower", "higher", "midpoint", "nearest")


def _check_quantile(name: str, x: Tensor, q: Tensor, interpolation: str) -> None:
    if not x.array.size:
        raise RuntimeError(f"{name}() input tensor must be non-empty")
    if q.array.ndim > 1:
        raise RuntimeError(f"{name}() q must be a scalar or 1D tensor")
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise RuntimeError(f"{name}() input tensor must be either float or double dtype")
    if x.dtype is not q.dtype:
        raise RuntimeError(f"{name}() q tensor must be same dtype as the input tensor")
    if interpolation not in _MODES:
        raise RuntimeError(
            f"{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got "
            f"{interpolation}"
        )
    if not ((q.array >= 0) & (q.array <= 1)).all():
        raise RuntimeError(f"{name}() q values must be in the range [0, 1]")


@ignores_float_errors
def _quantiles(
    name: str, x: Tensor, q: Tensor, dim: int | None, keepdim: bool, interpolation: str
) -> Tensor:
    _check_quantile(name, x, q, interpolation)
    array = x.array
    axis = wrap_dim(0 if dim is None else dim, array.ndim or 1)
    if dim is None or not array.ndim:
        kept = (1,) * array.ndim
        ranked = np.sort(array.reshape(-1))
    else:
        kept = (*array.shape[:axis], 1, *array.shape[axis + 1 :])
        ranked = np.sort(np.moveaxis(array, axis, -1), axis=-1)
    last = ranked.shape[-1] - 1
    missing = (ranked != ranked).sum(axis=-1, keepdims=True)
    ranks: Any
    if name == "nanquantile":
        ranks = np.maximum(q.array.reshape(-1) * (last - missing).astype(array.dtype), 0)
    else:
        ranks = cast("Any", np).where(
            missing > 0, array.dtype.type(last), q.array.reshape(-1) * array.dtype.type(last)
        )
    result = _interpolated(ranked, ranks, interpolation)
    shape = (*(kept if keepdim else _without(kept, dim, axis)), q.array.size)
    result = np.ascontiguousarray(result).reshape(shape)
    return tensor_of(result[..., 0] if not q.array.ndim else np.moveaxis(result, -1, 0))


def _without(kept: tuple[int, ...], dim: int | None, axis: int) -> tuple[int, ...]:
    return () if dim is None else (*kept[:axis], *kept[axis + 1 :])


def _interpolated(ranked: Array, ranks: Array, interpolation: str) -> Array:
    """What stands at these ranks, or between two of them."""
    if interpolation == "nearest":
        ranks = np.rint(ranks)
    below = np.ceil(ranks) if interpolation == "higher" else np.floor(ranks)
    low = np.take_along_axis(ranked, below.astype(np.int64), -1)
    if interpolation not in ("linear", "midpoint"):
        return low
    high = np.take_along_axis(ranked, np.ceil(ranks).astype(np.int64), -1)
    weight = np.full_like(ranks, 0.5) if interpolation == "midpoint" else ranks - below
    gap = high - low
    return np.where(weight < 0.5, low + weight * gap, high - gap * (1 - weight))


def _quantile_shape(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[0]), None, facts[0])


def _declare_quantile(name: str) -> None:
    def of_tensor(x: Tensor, q: Tensor, dim: int | None, keepdim: bool, mode: str) -> Tensor:
        return _quantiles(name, x, q, dim, keepdim, mode)

    def of_number(x: Tensor, q: float, dim: int | None, keepdim: bool, mode: str) -> Tensor:
        if not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        return of_tensor(x, tensor_of(np.asarray(q, x.array.dtype)), dim, keepdim, mode)

    registry.implement(name, of_tensor, shape=_quantile_shape)
    registry.implement(f"{name}.scalar", of_number, shape=_quantile_shape)


_declare_quantile("quantile")
_declare_quantile("nanquantile")
