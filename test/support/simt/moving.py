"""Arrays of tests, moved to the device as they lie in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import torchscript_dialect as ts
from torchscript_dialect import torch


def on_cuda(array: NDArray[Any]) -> ts.Tensor:
    """A tensor on the device, at the place in a copy of its memory where the array is in that, with its strides."""
    root = array
    while isinstance(root.base, np.ndarray):
        root = root.base
    start = array.ctypes.data - root.ctypes.data
    steps = [start, *array.strides]
    is_plain = root.dtype == array.dtype and root.flags.forc and array.size
    if not is_plain or any(step < 0 or step % array.itemsize for step in steps):
        return torch.tensor(np.ascontiguousarray(array).reshape(array.shape), device="cuda")
    flat = root.T if root.flags.f_contiguous else root
    there = torch.tensor(np.ascontiguousarray(flat).reshape(-1), device="cuda")
    offset, *strides = (step // array.itemsize for step in steps)
    return there.as_strided(list(array.shape), strides, offset)
