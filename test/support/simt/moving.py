"""Arrays of tests, moved to the device as they lie in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.tensor.conversion import as_tensor


def on_cuda(array: NDArray[Any]) -> ts.Tensor:
    """A tensor on the device, at the place in a copy of its memory where the array is in that, with its strides."""
    root = array
    while isinstance(root.base, np.ndarray):
        root = root.base
    start = array.ctypes.data - root.ctypes.data
    steps = [start, *array.strides]
    if not array.size or any(step < 0 or step % array.itemsize for step in array.strides):
        return torch.tensor(np.ascontiguousarray(array).reshape(array.shape), device="cuda")
    if root.dtype == array.dtype and root.flags.forc and start % array.itemsize == 0:
        flat = np.ascontiguousarray(root.T if root.flags.f_contiguous else root).reshape(-1)
    else:  # its own part of the memory, elements between its own ones among it
        steps[0] = 0
        reach = sum(
            step * (size - 1) for step, size in zip(array.strides, array.shape, strict=True)
        )
        flat = np.lib.stride_tricks.as_strided(
            array, (reach // array.itemsize + 1,), (array.itemsize,)
        ).copy()
    there = as_tensor(flat).to("cuda")
    offset, *strides = (step // array.itemsize for step in steps)
    return there.as_strided(list(array.shape), strides, offset)
