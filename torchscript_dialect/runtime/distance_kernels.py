"""Native kernels of distances between rows (`native/distance_ir.py`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from numpy.typing import NDArray

from torchscript_dialect.runtime.native.distance_ir import DISTANCE_IR, FUNCTIONS
from torchscript_dialect.runtime.native.runtime_blob import load_functions

_NAMES = {"f": "float32", "d": "float64"}
"""Of dtypes, by NumPy's character: their own names take longer to find."""


def write_distances(
    p: float, rows: NDArray[Any], others: NDArray[Any], into: NDArray[Any], *, behind: bool
) -> bool:
    """Write the p-norms of the differences of each of `rows` (count, width) and each of `others` (count, width), or, with `behind`,
    those with higher numbers, one after the other. All arrays are contiguous and of one dtype. Whether there is a function for it.
    """
    run = _functions().get(f"distances_{p:g}_{_NAMES.get(rows.dtype.char)}")
    if run is None:
        return False
    arrays = [one.ctypes.data for one in (rows, others, into)]
    run(*arrays, len(rows), len(others), rows.shape[1], behind)
    return True


@cache
def _functions() -> Mapping[str, Callable[..., None]]:
    """The functions by name, where there is native code."""
    arguments = [*[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 4]
    return load_functions("distances", DISTANCE_IR, FUNCTIONS, arguments)
