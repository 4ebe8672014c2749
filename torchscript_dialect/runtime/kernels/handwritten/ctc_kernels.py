"""Native kernels of the recursions of `ops/losses/ctc_loss.py` (`ctc_ir.py`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.runtime.kernels.handwritten.ctc_ir import CTC_IR, FUNCTIONS
from torchscript_dialect.runtime.native.runtime_blob import load_functions
from torchscript_dialect.tensor.storage import data_pointer

_NAMES = {"f": "float32", "d": "float64"}
"""Of dtypes, by NumPy's character: their own names take longer to find."""


def states_of(
    way: str,
    log_probs: NDArray[Any],
    labels: NDArray[np.int64],
    skips: NDArray[np.bool_],
    used: Sequence[int],
    lengths: Sequence[int],
) -> NDArray[Any] | None:
    """The logarithms (batch, steps, width) of a recursion, `forward` or `backward`, over log_probs (steps, batch, classes); None where
    there is no function for it. Labels (batch, width) are classes, and numbers of used steps and lengths (batch) fit.
    """
    run = _functions().get(f"{way}_{_NAMES.get(log_probs.dtype.char)}")
    if run is None:
        return None
    steps, batch, classes = log_probs.shape
    width = labels.shape[1]
    states = np.full((batch, steps, width), -np.inf, log_probs.dtype)
    counts = np.array([used, lengths], np.int64)
    arrays = [np.ascontiguousarray(log_probs), labels, skips, *counts, states]
    run(*[data_pointer(one) for one in arrays], steps, batch, classes, width)
    return states


@cache
def _functions() -> Mapping[str, Callable[..., None]]:
    """The functions by name, where there is native code."""
    arguments = [*[ctypes.c_void_p] * 6, *[ctypes.c_int64] * 4]
    return load_functions("ctc", CTC_IR, FUNCTIONS, arguments)
