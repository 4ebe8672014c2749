"""What NumPy says of tensors that no memory can hold, in PyTorch's words."""

from __future__ import annotations

from math import prod
from typing import Any

_TOO_BIG = (
    "array is too big",
    "Maximum allowed dimension exceeded",
    "Maximum allowed size exceeded",
)
"""How NumPy begins where the size of an array does not fit into 64 bits."""


def allocation_failure(error: Exception) -> str | None:
    """Why a tensor, list or string could not be made, if that is what an exception says: it is too large for the memory, or for any."""
    if isinstance(error, MemoryError):
        made: Any = error  # NumPy's tells what was asked for.
        shape, dtype = getattr(made, "shape", None), getattr(made, "dtype", None)
        if shape is None or dtype is None:
            return "not enough memory"
        size = prod(shape) * dtype.itemsize
        return (
            f"DefaultCPUAllocator: can't allocate memory: you tried to allocate {size} bytes."
            " Error code 12 (Cannot allocate memory)"
        )
    if isinstance(error, ValueError) and str(error).startswith(_TOO_BIG):
        return "Storage size calculation overflowed"
    return None
