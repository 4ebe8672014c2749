"""Native kernels of `ops/indexing/combine_at.py`: rows of elements, combined with those at places (`combine_ir.py`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from numpy.typing import NDArray

from torchscript_dialect.runtime.kernels.handwritten.combine_ir import COMBINE_IR, FUNCTIONS
from torchscript_dialect.runtime.native.runtime_blob import load_functions
from torchscript_dialect.tensor.storage import data_pointer


def combine_rows(
    operation: str, rows: NDArray[Any], places: NDArray[Any], source: NDArray[Any]
) -> bool:
    """Combine each row of `source` (places, width) with that of `rows` (count, width) at its place; whether there is a function for it.
    All arrays are contiguous, and of one dtype but for the places, which are int64.
    """
    run = _functions().get(f"{operation}_{rows.dtype.name}")
    if run is None:
        return False
    count, width = rows.shape
    into, at, given = map(data_pointer, (rows, places, source))
    run(into, count, at, given, places.size, width)
    return True


@cache
def _functions() -> Mapping[str, Callable[..., None]]:
    """The functions by name, where there is native code."""
    word, pointer = ctypes.c_int64, ctypes.c_void_p
    arguments = [pointer, word, pointer, pointer, word, word]
    return load_functions("combine", COMBINE_IR, FUNCTIONS, arguments)
