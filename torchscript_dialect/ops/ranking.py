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


def place_selected(row: Array, rank: int) -> int:
    """Where the element of a rank stands, and of equal ones the one that a quickselect with the median of three comes to, as PyTorch's
    `kthvalue` does.

    A pass of it swaps the t-th element from the left that is not below the pivot with the t-th from the right that is not above, until
    the two meet: which they are is found for all of them at once. Where they meet, what the last swap has left is met first.
    """
    keys = np.unique(row, return_inverse=True)[1] if (row != row).any() else row.copy()
    places = np.arange(len(row))

    def swap(a: Any, b: Any) -> None:
        for array in (keys, places):
            array[a], array[b] = array[b].copy(), array[a].copy()

    left, right = 0, len(row) - 1
    while right > left:
        if right == left + 1:
            if keys[left] > keys[right]:
                swap(left, right)
            break
        swap((left + right) >> 1, left + 1)
        for low, high in ((left + 1, right), (left, right), (left + 1, left)):
            if keys[low] > keys[high]:
                swap(low, high)
        pivot = keys[left]
        ups = left + 2 + np.flatnonzero(keys[left + 2 : right + 1] >= pivot)
        downs = (left + 1 + np.flatnonzero(keys[left + 1 : right] <= pivot))[::-1]
        both = min(len(ups), len(downs))
        met = int(np.count_nonzero(ups[:both] <= downs[:both]))
        swap(ups[:met], downs[:met])
        first, middle = int(ups[met]), int(downs[met])
        if swapped := int(np.count_nonzero(ups[:met] < downs[:met])):
            first = min(first, int(downs[swapped - 1]))
            middle = max(middle, int(ups[swapped - 1]))
        swap(left, middle)
        if middle <= rank:
            left = first
        if middle >= rank:
            right = middle - 1
    return int(places[rank])


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
