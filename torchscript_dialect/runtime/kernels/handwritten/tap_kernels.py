"""Native kernels of `ops/images/taps.py` (`tap_ir.py`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from numpy.typing import NDArray

from torchscript_dialect.runtime.kernels.handwritten.tap_ir import FUNCTIONS, TAP_IR
from torchscript_dialect.runtime.native.runtime_blob import load_functions
from torchscript_dialect.tensor.storage import data_pointer


def add_products(
    target: str,
    values: NDArray[Any],
    pixels: NDArray[Any],
    weights: NDArray[Any],
    places: NDArray[Any],
) -> bool:
    """Add to one of three arrays, which `target` names, the products of the others; whether there is a function for it.
    All arrays are contiguous, and of one dtype but for the places, which are int64.
    """
    run = _functions().get(f"{target}_{values.dtype.name}")
    if run is None:
        return False
    images, channels, points = values.shape
    if not images * channels:
        return True  # there is nothing to add
    arrays = [data_pointer(one) for one in (values, pixels, weights, places)]
    run(*arrays, images * channels, channels, pixels.shape[2], points, len(places))
    return True


@cache
def _functions() -> Mapping[str, Callable[..., None]]:
    """The functions by name, where there is native code."""
    return load_functions(
        "taps", TAP_IR, FUNCTIONS, [*[ctypes.c_void_p] * 4, *[ctypes.c_int64] * 5]
    )
