"""The order of elements along a dimension, and what stands at places of it.

Note [Keys]
NumPy sorts ints with vector instructions, but sorts places, and keeps equal elements in order, without. So elements of 32 bits, made
ints that compare alike, and their places are put together into ints of 64 bits, whose order is that of the elements, and for equal ones
that of the places.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor.dtype import bfloat16

Array = NDArray[Any]
_numpy = cast("Any", np)  # whose stubs leave some types open

_WORTH_KEYS = 1 << 10
"""Elements from which on making keys is faster."""
_PLACE = np.int64(0xFFFFFFFF)


def sorting_order(array: Array, dim: int, descending: bool) -> Array:
    """The stable sorting permutation along a dimension; NaN counts as the largest."""
    if array.size >= _WORTH_KEYS and array.dtype.name in ("float32", "int32"):
        ranked = _keys(np.moveaxis(array, dim, -1), descending)
        ranked.sort(-1)
        ranked &= _PLACE
        return np.moveaxis(ranked, -1, dim)
    array = comparable(array)
    if not descending:
        return array.argsort(dim, kind="stable")
    backwards = (slice(None),) * dim + (slice(None, None, -1),)
    flipped = array[backwards].argsort(dim, kind="stable")
    return (array.shape[dim] - 1) - flipped[backwards]


def place_of_rank(array: Array, rank: int, dim: int) -> Array:
    """Where the element stands that is at that place of the stable order, with size 1 in `dim`."""
    if array.dtype.name in ("float32", "int32"):
        keys = np.partition(_keys(np.moveaxis(array, dim, -1), False), rank, -1)
        return np.moveaxis(keys[..., rank : rank + 1] & _PLACE, -1, dim)
    return np.take(sorting_order(array, dim, False), [rank], dim)


def places_selected(rows: Array, rank: int) -> Array:
    """Where the element of a rank stands in each row, and of equal ones the one that a quickselect with the median of three comes to,
    as PyTorch's `kthvalue` does.

    All rows are selected from at once, each between bounds of its own. A pass swaps the t-th element from the left that is not below
    the pivot with the t-th from the right that is not above, until the two meet: which they are is found for all t at once. Where
    they meet, what the last swap has left is met first.
    """
    keys = rows.copy()
    if (rows != rows).any():
        keys = np.unique(comparable(rows), return_inverse=True)[1].reshape(rows.shape)
    count, size = len(rows), rows.shape[1]
    places: Array = np.tile(cast(Any, np).arange(size), (count, 1))

    def swap(row: Array, a: Array, b: Array) -> None:
        for array in (keys, places):
            array[row, a], array[row, b] = array[row, b], array[row, a]

    def order(row: Array, low: Array, high: Array) -> None:
        wrong = keys[row, low] > keys[row, high]
        swap(row[wrong], low[wrong], high[wrong])

    row: Array = cast(Any, np).arange(count)
    left: Array = np.zeros(count, np.int64)
    right: Array = np.full(count, size - 1)
    while row.size:
        last = right <= left + 1
        order(row[last], left[last], right[last])
        row, left, right = row[~last], left[~last], right[~last]
        if not row.size:
            break
        swap(row, (left + right) >> 1, left + 1)
        for low, high in ((left + 1, right), (left, right), (left + 1, left)):
            order(row, low, high)
        ups, downs = _crossings(keys, row, left, right)
        t_row, t = np.nonzero(ups <= downs)
        swap(row[t_row], ups[t_row, t], downs[t_row, t])
        each: Array = cast(Any, np).arange(len(row))
        met, swapped = np.count_nonzero(ups <= downs, 1), np.count_nonzero(ups < downs, 1)
        before = np.maximum(swapped - 1, 0)
        first, middle = ups[each, met], downs[each, met]
        first = np.where(swapped, np.minimum(first, downs[each, before]), first)
        middle = np.where(swapped, np.maximum(middle, ups[each, before]), middle)
        swap(row, left, middle)
        left, right = (
            np.where(middle <= rank, first, left),
            np.where(middle >= rank, middle - 1, right),
        )
    return places[:, rank]


def _crossings(keys: Array, row: Array, left: Array, right: Array) -> tuple[Array, Array]:
    """By row the places right of `left` that are not below the element there, from the left, and those that are not above, from the
    right; behind them places that never meet.
    """
    start, stop = int(left.min()), int(right.max()) + 1
    window = keys[row, start:stop]
    at: Array = cast(Any, np).arange(start, stop)
    pivot = keys[row, left][:, None]
    is_up = (window >= pivot) & (at >= left[:, None] + 2) & (at <= right[:, None])
    is_down = (window <= pivot) & (at >= left[:, None] + 1) & (at < right[:, None])
    ups = np.full((len(row), stop - start + 1), keys.shape[1])
    downs = np.full_like(ups, -1)
    found, place = np.nonzero(is_up)
    ups[found, (np.cumsum(is_up, 1) - 1)[found, place]] = at[place]
    found, place = np.nonzero(is_down)
    downs[found, (np.cumsum(is_down[:, ::-1], 1) - 1)[:, ::-1][found, place]] = at[place]
    return ups, downs


def taken_along(array: Array, places: Array) -> Array:
    """The elements at places along the last dimension: `np.take_along_axis`, with less to find out."""
    length = array.shape[-1]
    if array.ndim == 1 and places.ndim:
        return array.take(places)
    if not length:
        return array.reshape(-1).take(places)
    starts = (_starts if array.size < _WORTH_KEYS else _starts.__wrapped__)(array.shape)
    return array.reshape(-1).take(places + starts)


@lru_cache(maxsize=256)
def _starts(shape: tuple[int, ...]) -> Array:
    """The places at which rows of an array start, with size 1 in the last dimension."""
    *outer, length = shape
    starts: Array = np.arange(0, prod(shape), length).reshape(*outer, 1)
    starts.flags.writeable = False
    return starts


_FEW = 32
"""Numbers that Python compares sooner than NumPy."""


def are_places(numbers: Array, size: int) -> bool:
    """Whether all numbers, which are ints, are places in a dimension of that size, counted from the front."""
    if numbers.size <= _FEW:
        few = numbers.reshape(-1).tolist()
        return not few or (min(few) >= 0 and max(few) < size)
    unsigned = numbers.view(f"u{numbers.itemsize}")
    return bool(np.maximum.reduce(unsigned, None) < size)  # what is negative is large


def extremes(numbers: Array) -> tuple[int, int]:
    """The least and the largest of ints, of which there are some."""
    if numbers.size <= _FEW:
        few = numbers.reshape(-1).tolist()
        return min(few), max(few)
    return int(numbers.min()), int(numbers.max())


def comparable(array: Array) -> Array:
    """The array in a dtype that NumPy can sort."""
    if array.dtype.kind == "V" or array.dtype is bfloat16.numpy_dtype:
        return array.astype(np.float32)
    return array


def _keys(rows: Array, descending: bool) -> Array:
    """See Note [Keys]."""
    if rows.dtype.kind == "f":
        missing = rows != rows
        bits: Any = (rows + np.float32(0)).view(np.int32)  # in which -0.0 is 0.0
        bits ^= (bits >> 31) & 0x7FFFFFFF
        bits[missing] = 0x7FFFFFFF
    else:
        bits = rows
    keys: Array = (~bits if descending else bits).astype(np.int64, order="C")
    keys <<= 32
    keys |= _numpy.arange(rows.shape[-1])
    return keys
