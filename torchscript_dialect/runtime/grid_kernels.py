"""The native way of `ops/grid_sample.py` (`native/grid_ir.py`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from numpy.typing import NDArray

from torchscript_dialect.runtime.native.grid_ir import FUNCTIONS, GRID_IR, TAPS
from torchscript_dialect.runtime.native.runtime_blob import load_functions

_WAYS = tuple(TAPS)

_NAMES = {"f": "float32", "d": "float64"}
"""Of dtypes, by NumPy's character: their own names take longer to find."""


def write_samples(
    pixels: NDArray[Any],
    points: NDArray[Any],
    values: NDArray[Any],
    settings: Sequence[int],
) -> bool:
    """Write to values (images, channels, *outputs) what points (images, *outputs, rank) read of pixels (images, channels, *sizes),
    all contiguous and of one dtype. `settings` are PyTorch's numbers for the interpolation and the padding, and `align_corners`.
    Whether there is a function for it.
    """
    interpolation, padding, align_corners = settings
    if interpolation not in range(len(_WAYS)):
        return False
    rank = points.shape[-1]
    run = _functions().get(f"{_WAYS[interpolation]}_{rank}_{_NAMES.get(pixels.dtype.char)}")
    if run is None:
        return False
    images, channels, *sizes = pixels.shape
    count = points.size // (images * rank) if points.size else 0
    arrays = [one.ctypes.data for one in (pixels, points, values)]
    depth = [1] * (3 - rank)
    run(*arrays, images, channels, count, *depth, *sizes, padding, align_corners)
    return True


@cache
def _functions() -> Mapping[str, Callable[..., None]]:
    """The functions by name, where there is native code."""
    arguments = [*[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 8]
    return load_functions("grid", GRID_IR, FUNCTIONS, arguments)
