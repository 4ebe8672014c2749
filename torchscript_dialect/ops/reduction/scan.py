"""Running sums and products, sorting and ranking along a dimension."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.native_code import NativeCode
from torchscript_dialect.ops.reduction.ranking import comparable, sorting_order, taken_along
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, preserved, rank_known, wrap
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float8 import refuse_float8
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.strides import empty_like
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.tensor.type_promotion import opmath


def _result_dtype(x: Tensor, wanted: int | None) -> dtype:
    if wanted is not None:
        return dtypes.from_scalar_type(wanted)
    element = x.dtype
    return element if element.is_floating_point or element.is_complex else dtypes.int64


def _scan_shape(facts: Sequence[Fact]) -> Fact:
    element, wanted = dtype_of(facts[0]), facts[2]
    if isinstance(wanted, int):
        element = dtypes.from_scalar_type(wanted)
    elif wanted is not None:
        element = None
    elif element is not None and not (element.is_floating_point or element.is_complex):
        element = dtypes.int64
    return fresh(element, rank_known(facts[0]), facts[0])


_RUNNING = {dtypes.float32: dtypes.float64, dtypes.complex64: dtypes.complex128}
"""In what PyTorch keeps the sum or product that runs on, which it rounds for each element."""


def _scan(name: str, ufunc: np.ufunc) -> None:
    @registry.kernel(name, shape=_scan_shape)
    @ignores_float_errors
    def _(x: Tensor, dim: int, wanted: int | None) -> Tensor:
        array = x.array
        result = _result_dtype(x, wanted)
        refuse_float8(result, f"{name}_out_cpu")
        if result is dtypes.bool_:
            raise NotImplementedError(f"\"{name}_out_cpu\" not implemented for 'Bool'")
        dim = wrap_dim(dim, array.ndim or 1)
        if array.dtype.kind == "c" and not result.is_complex:
            array = np.real(array)
        if not array.ndim:
            return tensor_of(array.astype(result.numpy_dtype))
        running = _RUNNING.get(result) or opmath(result)
        given = array.astype(result.numpy_dtype, copy=False)
        raw = ufunc.accumulate(given, axis=dim, dtype=running.numpy_dtype)
        if ufunc is np.add and raw.dtype.kind in "fc":
            raw += 0  # sums begin with 0, which turns -0.0 into 0.0
        return tensor_of(np.ascontiguousarray(raw, result.numpy_dtype))


_scan("cumsum", np.add)
_scan("cumprod", np.multiply)


def _sorted(x: Tensor, dim: int, descending: bool) -> tuple[Tensor, Tensor]:
    array = x.array
    dim = wrap_dim(dim, array.ndim or 1)
    if not array.ndim:
        return tensor_of(array.copy()), tensor_of(np.zeros((), np.int64))
    order = sorting_order(array, dim, descending)
    if dim == array.ndim - 1 and array.flags.c_contiguous:
        values = taken_along(array, order)
        if values.strides == array.strides:
            return tensor_of(values), tensor_of(np.ascontiguousarray(order))
    values, places = empty_like(array), empty_like(array, order.dtype)
    values[...] = np.take_along_axis(array, order, dim)
    places[...] = order
    return tensor_of(values), tensor_of(places)


def _sort_shape(facts: Sequence[Fact]) -> Fact:
    x = facts[0]
    return (preserved(dtype_of(x), x), preserved(dtypes.int64, x))


registry.implement("sort", _sorted, shape=_sort_shape)
registry.implement(
    "sort.stable", lambda x, _, dim, descending: _sorted(x, dim, descending), shape=_sort_shape
)


def _argsort_shape(facts: Sequence[Fact]) -> Fact:
    return preserved(dtypes.int64, facts[0])


registry.implement(
    "argsort", lambda x, dim, descending: _sorted(x, dim, descending)[1], shape=_argsort_shape
)
registry.implement(
    "argsort.stable",
    lambda x, _, dim, descending: _sorted(x, dim, descending)[1],
    shape=_argsort_shape,
)


_WORTH_CHOOSING = 16
"""From how many elements for each that is chosen on choosing is faster than sorting."""
_FEW = 8
"""So many are chosen one after the other."""


def _chosen(rows: NDArray[Any], k: int, largest: bool) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """The k largest or smallest of each row in order, and their places, the first ones of equals; None where there is a NaN."""
    if rows.dtype.kind == "f" and np.isnan(rows).any():
        return None
    if k <= _FEW and (found := _chosen_one_by_one(rows, k, largest)) is not None:
        return found
    place = rows.shape[-1] - k if largest else k - 1
    last = np.partition(rows, place, -1)[..., place : place + 1]
    is_better = rows > last if largest else rows < last
    is_last = rows == last
    wanted = k - is_better.sum(-1, keepdims=True)
    if (is_last.sum(-1, keepdims=True) > wanted).any():
        is_last &= is_last.cumsum(-1) <= wanted
    shape = (*rows.shape[:-1], k)
    places = np.nonzero(is_better | is_last)[-1].reshape(shape)
    values = taken_along(rows, places)
    order = sorting_order(values, values.ndim - 1, largest)
    return taken_along(values, order), taken_along(places, order)


def _chosen_one_by_one(
    rows: NDArray[Any], k: int, largest: bool
) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """The same by as many searches, each of which leaves the worst of all values where it found one; None where elements are as bad."""
    length = rows.shape[-1]
    left = np.array(rows, order="C").reshape(-1, length)
    if left.dtype.kind == "f":
        worst = -np.inf if largest else np.inf
    else:
        limits = np.iinfo(left.dtype)
        worst = limits.min if largest else limits.max
    every = np.arange(len(left))
    places = np.empty((k, len(left)), np.int64)
    values = np.empty((k, len(left)), left.dtype)
    for found, value in zip(places, values):
        (left.argmax if largest else left.argmin)(-1, found)
        value[...] = left[every, found]
        left[every, found] = worst
    if (values[-1] == worst).any():
        return None
    shape = (*rows.shape[:-1], k)
    return values.T.reshape(shape), places.T.reshape(shape)


def _topk_shape(facts: Sequence[Fact]) -> Fact:
    x, k, dim = facts[:3]
    sizes = rank_known(x)
    if sizes:
        axis = wrap(dim, len(sizes)) if isinstance(dim, int) else None
        count = k if isinstance(k, int) else None
        sizes = tuple(
            (None if axis is None else count) if axis in (None, place) else size
            for place, size in enumerate(sizes)
        )
    return fresh(dtype_of(x), sizes, x), fresh(dtypes.int64, sizes, x)


def _in_order_shape(facts: Sequence[Fact]) -> Fact:
    x = facts[0]
    sizes = rank_known(x)
    return fresh(dtype_of(x), sizes, x), fresh(dtypes.int64, sizes, x)


@registry.kernel("topk", shape=_topk_shape)
def topk(x: Tensor, k: int, dim: int, largest: bool, _sorted_flag: bool) -> tuple[Tensor, Tensor]:
    """The k largest or smallest, in order."""
    array = x.array
    dim = wrap_dim(dim, array.ndim or 1)
    length = array.shape[dim] if array.ndim else 1
    if not 0 <= k <= length:
        raise RuntimeError("selected index k out of range")
    if k and length >= _WORTH_CHOOSING * k and array.dtype.kind in "fiu":
        chosen = _chosen(np.moveaxis(array, dim, -1), k, largest)
        if chosen is not None:
            found = (np.moveaxis(part, -1, dim).copy() for part in chosen)
            return tensor_of(next(found)), tensor_of(next(found))
    if array.ndim and dim == array.ndim - 1:
        order = sorting_order(array, dim, largest)[..., :k].copy()  # strides of sizes of 1, too
        return tensor_of(taken_along(array, order)), tensor_of(order)
    values, order = _sorted(x, dim, largest)
    if not array.ndim:
        return values, order
    head = (slice(None),) * dim + (slice(k),)
    return (
        tensor_of(values.array[head].copy()),
        tensor_of(order.array[head].copy()),
    )


_WORTH_REPEATING = 1 << 11
"""From how many elements on places are repeated: a running maximum of places takes as long as it takes for them."""


def _last_places(reached: NDArray[np.bool_], dim: int) -> NDArray[np.int64]:
    """For each element the place of the last one up to it that is marked, along `dim`; the first ones are marked."""
    length = reached.shape[dim]
    if reached.size < _WORTH_REPEATING:
        shape = [1] * reached.ndim
        shape[dim] = length
        counted = cast("Any", np).arange(length).reshape(shape)
        return np.maximum.accumulate(np.where(reached, counted, 0), axis=dim)
    rows = np.moveaxis(reached, dim, -1)
    marked = np.flatnonzero(rows)
    counts = np.diff(marked, append=rows.size)
    places = np.repeat(marked % length, counts).reshape(rows.shape)
    in_order = np.ascontiguousarray(np.moveaxis(places, -1, dim))
    return in_order.reshape(-1).reshape(reached.shape)  # strides of sizes of 1, too


NATIVE = NativeCode("torchscript_dialect.runtime.kernels.handwritten.running_kernels", 1 << 16)
"""Counts elements, of which extremes are looked for along a dimension with others behind it. Along the last dimension there are kernels
(`runtime/kernels/handwritten/row_kernels.py`).
"""


def _natively(kind: str, x: NDArray[Any], dim: int) -> tuple[Tensor, Tensor] | None:
    """Extremes and their places by native code; None where it does not do it, or not yet."""
    if dim == x.ndim - 1 or not x.size or x.dtype.char not in "fdil":
        return None
    native = NATIVE.for_work(x.size)
    if native is None:
        return None
    x = np.ascontiguousarray(x)
    values, places = np.empty(x.shape, x.dtype), np.empty(x.shape, np.int64)
    first = (slice(None),) * dim + (0,)
    values[first], places[first] = x[first], 0
    if not native.run_extremes(kind, x, values, places, dim):
        return None
    return tensor_of(values), tensor_of(places)


@cache
def _gives_the_last_zero() -> bool:
    """Whether NumPy's extremes of 0.0 and -0.0 are the one that comes last, as PyTorch's: not on AArch64."""
    zeros = np.array([0.0, -0.0], np.float32)
    return bool(np.signbit(np.maximum(*zeros)) and not np.signbit(np.minimum(*zeros[::-1])))


def _running_extreme(name: str, ufunc: np.ufunc) -> None:
    @registry.kernel(name, shape=_in_order_shape)
    @ignores_float_errors
    def _(x: Tensor, dim: int) -> tuple[Tensor, Tensor]:
        array = x.array
        dim = wrap_dim(dim, array.ndim or 1)
        if not array.ndim:
            return tensor_of(array.copy()), tensor_of(np.zeros((), np.int64))
        found = _natively(name.removeprefix("cum"), array, dim)
        if found is not None:
            return found
        values = ufunc.accumulate(array, axis=dim)
        reached = array == values
        if array.dtype.kind not in "iub":
            reached |= array != array  # NaN is an extreme in either direction
        places = _last_places(reached, dim)
        if array.dtype.kind == "f" and not _gives_the_last_zero():
            values = np.take_along_axis(array, places, dim)
        return tensor_of(np.ascontiguousarray(values)), tensor_of(np.ascontiguousarray(places))


_running_extreme("cummax", np.maximum)
_running_extreme("cummin", np.minimum)


@registry.kernel("median")
def median(x: Tensor) -> Tensor:
    """The middle one of all elements, the lower one of two; NaN if there is one."""
    array = x.array.reshape(-1)
    if not array.size:
        return tensor_of(np.asarray(np.nan, x.array.dtype))
    if (array != array).any():
        return tensor_of(array[array != array][:1].reshape(()).copy())
    middle = (array.size - 1) // 2
    found = np.partition(comparable(array), middle)[middle : middle + 1].astype(array.dtype)
    return tensor_of(found.reshape(()))
