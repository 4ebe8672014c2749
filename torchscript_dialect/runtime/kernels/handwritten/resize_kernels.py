"""Native kernels of `ops/images/resampling.py`: one dimension, resized (`resize_ir.py`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import cache
from math import prod
from typing import Any

from numpy.typing import NDArray

from torchscript_dialect.runtime.kernels.handwritten.resize_ir import FUNCTIONS, RESIZE_IR
from torchscript_dialect.runtime.native.runtime_blob import load_functions
from torchscript_dialect.tensor.storage import data_pointer


def resize(
    direction: str,
    wide: NDArray[Any],
    narrow: NDArray[Any],
    places: NDArray[Any],
    weights: NDArray[Any],
    axis: int,
) -> bool:
    """Add up along a dimension, in a direction of `resize_ir.py`, by places and weights (count, taps); whether there is a
    function for it. All arrays are contiguous, and of one dtype, float32 or float64, but for the places, which are int64.
    """
    run = _functions().get(f"{direction}_float{8 * wide.itemsize}")
    if run is None:
        return False
    shape = wide.shape
    run(
        data_pointer(wide),
        data_pointer(narrow),
        data_pointer(places),
        data_pointer(weights),
        prod(shape[:axis]),
        shape[axis],
        narrow.shape[axis],
        places.shape[1],
        prod(shape[axis + 1 :]),
    )
    return True


@cache
def _functions() -> Mapping[str, Callable[..., None]]:
    """The functions by name, where there is native code."""
    arguments = [*[ctypes.c_void_p] * 4, *[ctypes.c_int64] * 5]
    return load_functions("resize", RESIZE_IR, FUNCTIONS, arguments)
