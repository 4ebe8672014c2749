"""Native kernels of `cummax` and `cummin` along a dimension with others behind it (`running_ir.py`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import cache
from math import prod
from typing import Any

from numpy.typing import NDArray

from torchscript_dialect.runtime.kernels.handwritten.running_ir import FUNCTIONS, RUNNING_IR
from torchscript_dialect.runtime.native.runtime_blob import load_functions
from torchscript_dialect.tensor.storage import data_pointer


def run_extremes(
    kind: str, x: NDArray[Any], values: NDArray[Any], places: NDArray[Any], axis: int
) -> bool:
    """Write the extremes along a dimension, `max` or `min`, and their places; whether there is a function for it. The arrays are
    contiguous; of each row along the dimension the first value and place are there.
    """
    run = _functions().get((kind, x.dtype.char))
    if run is None:
        return False
    shape = x.shape
    arrays = map(data_pointer, (x, values, places))
    run(*arrays, prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :]))
    return True


_CHARACTERS = {"float32": "f", "float64": "d", "int32": "i", "int64": "l"}
"""NumPy's characters of dtypes: their own names take longer to find."""


@cache
def _functions() -> Mapping[tuple[str, str], Callable[..., None]]:
    """The functions by kind and dtype, where there is native code."""
    arguments = [*[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 3]
    found = load_functions("running", RUNNING_IR, FUNCTIONS, arguments)
    parts = ((name.split("_"), run) for name, run in found.items())
    return {(kind, _CHARACTERS[dtype]): run for (kind, dtype), run in parts}
