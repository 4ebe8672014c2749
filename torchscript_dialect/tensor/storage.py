"""The memory behind an array: addresses, extents, views at an offset, and copies that keep strides
and sharing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray


def data_pointer(array: NDArray[Any], /) -> int:
    """The address of the first element."""
    return array.__array_interface__["data"][0]


def root(array: NDArray[Any], /) -> NDArray[Any]:
    """The array at the end of the chain of bases: the one that holds, or wrapped, the memory."""
    last: Any = array
    base: Any = array.base
    while base is not None:
        last = base if type(base) is np.ndarray else last
        base = getattr(base, "base", None)
    return last


def root_pointer(array: NDArray[Any], /) -> int:
    """The lowest address of the memory block that `array` is a view of."""
    return data_pointer(root(array))


def byte_extent(array: NDArray[Any], /) -> tuple[int, int]:
    """First address and end address (exclusive) of the bytes that the elements reach; equal for an
    empty array.
    """
    start = data_pointer(array)
    return (start, start + _span(array.shape, array.strides, array.itemsize))


def _span(shape: Sequence[int], strides: Sequence[int], itemsize: int) -> int:
    if 0 in shape:
        return 0
    return itemsize + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))


def window(array: NDArray[Any], /) -> tuple[NDArray[Any], int]:
    """The smallest flat view that holds every element, and the offset in bytes at which `array`
    starts in it (0).
    """
    count = _span(array.shape, array.strides, array.itemsize) // array.itemsize
    return (as_strided(array, (count,), (array.itemsize,), writeable=array.flags.writeable), 0)


def view_of(
    block: NDArray[Any], offset: int, shape: Sequence[int], strides: Sequence[int]
) -> NDArray[Any]:
    """The view of a flat array that starts `offset` bytes in, with `strides` in bytes."""
    start = block[offset // block.itemsize :]
    return as_strided(start, tuple(shape), tuple(strides), writeable=block.flags.writeable)


def deep_copy(array: NDArray[Any], memo: dict[int, Any], /) -> NDArray[Any]:
    """A view of the same strides over copied memory; arrays of one root that share a `memo` share
    the copy.

    Only the bytes that `array` reaches are copied where its root does not cover them in order.
    """
    base = root(array)
    low, high = byte_extent(base)
    start, end = byte_extent(array)
    if not base.flags.c_contiguous or start < low or end > high:
        block, offset = window(array)
        return view_of(block.copy(), offset, array.shape, array.strides)
    key = id(base)
    if key not in memo:
        memo[key] = base.reshape(-1).view(np.uint8).copy()
        memo.setdefault(id(memo), []).append(base)  # keeps `base`, and with it the key, alive
    copied = memo[key]
    return np.ndarray(array.shape, array.dtype, copied, start - low, array.strides)
