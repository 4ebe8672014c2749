"""Native kernels of `ops/indexing/embedding.py`: bags of rows of a table (`bag_ir.py`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from numpy.typing import NDArray

from torchscript_dialect.runtime.kernels.handwritten.bag_ir import BAG_IR, FUNCTIONS, LARGEST, SUM
from torchscript_dialect.runtime.native.runtime_blob import load_functions
from torchscript_dialect.tensor.dtype import from_name
from torchscript_dialect.tensor.storage import data_pointer

Array = NDArray[Any]


def add_rows(table: Array, indices: Array, owner: Array, bags: Array) -> bool:
    """Add the row of each index to its bag; whether there is a function for it. All arrays are contiguous, indices and owners int64."""
    return _run(SUM, table, indices, owner, bags, bags)


def keep_largest(table: Array, indices: Array, owner: Array, bags: Array, places: Array) -> bool:
    """Put the largest elements of the rows of each bag there, and the rows that they are from into `places`, of int64; the same
    holds. The indices of a bag lie together.
    """
    return _run(LARGEST, table, indices, owner, bags, places)


def _run(
    operation: str, table: Array, indices: Array, owner: Array, bags: Array, places: Array
) -> bool:
    run = _functions().get((operation, table.dtype))
    if run is None:
        return False
    given = (table, indices, owner, bags, places)
    data, at, of, into, where = (data_pointer(one) for one in given)
    run(data, *table.shape, at, of, indices.size, into, where, len(bags))
    return True


@cache
def _functions() -> Mapping[tuple[str, Any], Callable[..., None]]:
    """The functions by operation and dtype, where there is native code."""
    word, pointer = ctypes.c_int64, ctypes.c_void_p
    arguments = [pointer, word, word, pointer, pointer, word, pointer, pointer, word]
    found = load_functions("bags", BAG_IR, FUNCTIONS, arguments)
    by_name = {tuple(name.split("_", 1)): run for name, run in found.items()}
    return {(name, from_name(of).numpy_dtype): run for (name, of), run in by_name.items()}
