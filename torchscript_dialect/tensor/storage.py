"""The memory behind an array: addresses, extents, views with other strides, and copies that keep
strides and sharing.

Note [Bases of views]
The base of a NumPy view is the array that owns the memory, however many views it came through; but
each `as_strided` puts an object of its own and the array that it was given in between, so that views
of views keep a growing chain alive. `restride` makes an array on the owner's memory instead. It has
to go another way only where no NumPy array lies on the whole memory in order: part of somebody
else's memory, or shapes of shape rules, which stand on less memory than they say.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from ctypes import c_size_t
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor.device_array import DeviceArray

_PLAIN, _HEAD, _word_at = np.ndarray, object.__basicsize__, c_size_t.from_address


def _of_interface(array: Any, /) -> int:
    return array.__array_interface__["data"][0]


def _of_object(array: Any, /) -> int:
    """NumPy takes 1.5 microseconds to tell; the word behind the head of an array's object says the same in a tenth."""
    if array.__class__ is _PLAIN:
        return _word_at(id(array) + _HEAD).value
    return _of_interface(array)


def chosen_pointer() -> Callable[[Any], int]:
    """What tells addresses here: NumPy, or the object itself, where that is laid out as in CPython."""
    if sys.implementation.name != "cpython":
        return _of_interface
    probe = np.zeros(3, np.uint8)[1:]
    return _of_object if _of_object(probe) == _of_interface(probe) else _of_interface


data_pointer = chosen_pointer()
"""The address of the first element of an array."""


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
    return (restride(array, (count,), (array.itemsize,)), 0)


def view_of(
    block: NDArray[Any],
    offset: int,
    shape: Sequence[int],
    strides: Sequence[int],
    like: NDArray[Any],
) -> NDArray[Any]:
    """The view that starts `offset` bytes into the contiguous array `block`, with `strides` in bytes, with elements as those of
    `like`, and writable where that is; ValueError where it would reach outside.
    """
    if like.__class__ is DeviceArray:
        behind = offset + data_pointer(block) - data_pointer(like)
        return like.restrided(shape, strides, behind)  # type: ignore[attr-defined]
    made = np.ndarray(tuple(shape), like.dtype, block, offset, tuple(strides))
    if not like.flags.writeable:
        made.flags.writeable = False
    return made


def restride(array: NDArray[Any], shape: tuple[int, ...], strides: tuple[int, ...]) -> NDArray[Any]:
    """The view from the same first element with this shape and these strides in bytes; see Note [Bases of views].

    Where it would reach outside of the memory, as in shape rules, its elements must not be read.
    """
    if array.__class__ is not np.ndarray:  # Notes [Traced views], [Arrays on devices]
        return array.restrided(shape, strides)  # type: ignore[attr-defined]
    base = array.base
    try:
        if array.flags.forc:
            return np.ndarray(shape, array.dtype, array, 0, strides)
        if type(base) is np.ndarray:
            return view_of(base, data_pointer(array) - data_pointer(base), shape, strides, array)
    except ValueError:
        pass
    return restride_unchecked(array, shape, strides)


def restride_unchecked(
    array: NDArray[Any], shape: tuple[int, ...], strides: tuple[int, ...]
) -> NDArray[Any]:
    """The same on memory that is not looked at."""
    interface = {**array.__array_interface__, "shape": shape, "strides": strides}
    made = np.asarray(_Memory(interface, root(array)))
    return made if made.dtype is array.dtype else made.view(array.dtype)


class _Memory:
    """What NumPy makes an array on that reaches anywhere; keeps the owner of the memory alive."""

    __slots__ = ("__array_interface__", "base")

    def __init__(self, interface: dict[str, Any], owner: NDArray[Any]) -> None:
        self.__array_interface__ = interface
        self.base = owner


def deep_copy(array: NDArray[Any], memo: dict[int, Any], /) -> NDArray[Any]:
    """A view of the same strides over copied memory; arrays of one root that share a `memo` share
    the copy.

    Only the bytes that `array` reaches are copied where its root does not cover them in order.
    """
    if array.__class__ is DeviceArray:
        return _deep_copy_on_device(array, memo)  # type: ignore[arg-type]
    base = root(array)
    low, high = byte_extent(base)
    start, end = byte_extent(array)
    if not base.flags.c_contiguous or start < low or end > high:
        block, offset = window(array)
        copied = block.copy()
        return view_of(copied, offset, array.shape, array.strides, copied)
    key = id(base)
    if key not in memo:
        memo[key] = base.reshape(-1).view(np.uint8).copy()
        memo.setdefault(id(memo), []).append(base)  # keeps `base`, and with it the key, alive
    copied = memo[key]
    return np.ndarray(array.shape, array.dtype, copied, start - low, array.strides)


def _deep_copy_on_device(array: DeviceArray, memo: dict[int, Any]) -> DeviceArray:
    """`deep_copy` of an array on a device, whose root is an array on all of its block."""
    base = root(array)
    key = id(base)
    if key not in memo:
        count = base.nbytes // array.itemsize
        flat = array.restrided(
            (count,), (array.itemsize,), data_pointer(base) - data_pointer(array)
        )
        memo[key] = flat.copy()
        memo.setdefault(id(memo), []).append(base)
    offset = data_pointer(array) - data_pointer(base)
    return memo[key].restrided(array.shape, array.strides, offset)
