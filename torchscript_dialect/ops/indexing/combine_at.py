"""Elements combined with those at places: `numpy.ufunc.at`, in native code where there are many."""

from __future__ import annotations

from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.native_code import NativeCode
from torchscript_dialect.ops.reduction.ranking import are_places
from torchscript_dialect.tensor import dtype as dtypes

Array = NDArray[Any]

WORTH_A_CALL = 64
"""Elements for which a native call is worth it."""
NATIVE = NativeCode("torchscript_dialect.runtime.kernels.handwritten.combine_kernels", 1 << 18)
"""Counts elements that are combined."""

_SHORT = (dtypes.float16.numpy_dtype, dtypes.bfloat16.numpy_dtype)


def combine_at(combine: np.ufunc, array: Array, key: Any, source: Array) -> None:
    """`combine.at(array, key, source)`, one element of `source` after the other.

    Raises:
        IndexError, ValueError: as NumPy does.
    """
    if source.size < WORTH_A_CALL or not _combine_rows(combine, array, key, source):
        combine.at(array, key, source)


def combine_and_round(combine: np.ufunc, array: Array, key: Any, source: Array) -> None:
    """The same, but that floats of 16 bits are combined in 32 and rounded once."""
    if array.dtype not in _SHORT:
        combine_at(combine, array, key, source)
        return
    wide = array.astype(np.float32)
    combine_at(combine, wide, key, source.astype(np.float32))
    array[...] = wide.astype(array.dtype)


def _combine_rows(combine: np.ufunc, array: Array, key: Any, source: Array) -> bool:
    """Do it natively, where that may be done: dimensions that places are given for lie together, behind such as are taken whole."""
    native = NATIVE.for_work(source.size)
    if native is None:
        return False
    if not array.flags.c_contiguous or array.dtype is not source.dtype:
        return False
    parts = cast("tuple[Any, ...]", key) if isinstance(key, tuple) else (key,)
    outer = next((i for i, part in enumerate(parts) if not _is_whole(part)), len(parts))
    given = parts[outer:]
    sizes = array.shape[outer : outer + len(given)]
    places = _flat_places(given, sizes)
    if places is None:
        return False
    before, after = array.shape[:outer], array.shape[outer + len(given) :]
    wanted = (*before, *places.shape, *after)
    count, width = prod(before), prod(after)
    if source.shape != wanted:
        try:
            source = np.broadcast_to(source, wanted)
        except ValueError:
            return False
    if outer:
        steps = np.arange(count, dtype=np.int64) * prod(sizes)
        places = steps[:, None] + places.reshape(-1)
    rows = array.reshape(count * prod(sizes), width)
    contiguous = np.ascontiguousarray
    return native.combine_rows(combine.__name__, rows, contiguous(places), contiguous(source))


def _is_whole(part: Any) -> bool:
    return isinstance(part, slice) and part == slice(None)


def _flat_places(given: tuple[Any, ...], sizes: tuple[int, ...]) -> Array | None:
    """Places in some dimensions, as places in all of them taken together; None where they are no such places."""
    flat: Array | None = None
    if len(given) != len(sizes):
        return None
    for part, size in zip(given, sizes):
        if not isinstance(part, np.ndarray):
            return None
        at = cast(Array, part)
        if at.dtype.kind != "i":
            return None
        at = at.astype(np.int64, copy=False)
        if not are_places(at, size):
            at = np.where(at < 0, at + size, at)
            if not are_places(at, size):
                return None
        flat = at if flat is None else flat * size + at
    return flat
