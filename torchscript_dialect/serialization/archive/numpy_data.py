"""NumPy's arrays and scalars in pickles of plain data, where they stand beside tensors: an accuracy, a list of losses.

They are numbers and nothing else: what a pickle says of them is checked here, and the arguments that misfit are a TypeError.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

_KINDS = "biufc"
"""Booleans and numbers; a dtype of objects would be a pickle of its own."""
_ORDERS = ("=", "<", "|", ">")
_ARRAY = "numpy.ndarray"
"""The class of arrays, which is nothing to call."""


class PickledDtype:
    """A dtype, whose byte order a pickle tells after its name."""

    def __init__(self, code: str) -> None:
        self.dtype = np.dtype(code)

    def set_order(self, state: Any) -> None:
        if type(state) is not tuple or len(cast("tuple[Any, ...]", state)) < 2:
            raise TypeError("a dtype has no byte order")
        if state[1] not in _ORDERS:
            raise TypeError("a dtype has no byte order")
        self.dtype = self.dtype.newbyteorder(state[1])


def _dtype(*args: Any) -> PickledDtype:
    match args:
        case (str(code), *_) if code[:1] in _KINDS and code[1:].isdigit():
            return PickledDtype(code)
        case _:
            raise TypeError("NumPy's dtype is none of numbers")


def _scalar(*args: Any) -> Any:
    match args:
        case (PickledDtype() as kind, bytes(data)) if len(data) == kind.dtype.itemsize:
            return np.frombuffer(data, kind.dtype)[0]
        case _:
            raise TypeError("a number of NumPy's is made of a dtype and its bytes")


def _empty_array(*args: Any) -> Any:
    """What becomes an array when its state follows."""
    if len(args) != 3 or args[0] is not _ARRAY:
        raise TypeError("an array of NumPy's is of another class")
    return np.empty(0, np.int8)


def set_state(target: Any, state: Any) -> bool:
    """Give a dtype or an array what a pickle says of it; False where the target is neither.

    Raises:
        TypeError: the state is not that of one.
    """
    if isinstance(target, PickledDtype):
        target.set_order(state)
        return True
    if not isinstance(target, np.ndarray):
        return False
    match state:
        case (1, sizes, PickledDtype() as kind, bool() as is_fortran, bytes() as data):
            counts = cast("tuple[Any, ...]", sizes)
            if type(counts) is tuple and all(type(n) is int and n >= 0 for n in counts):
                size = int(np.prod(counts, dtype=object)) * kind.dtype.itemsize
                if size == len(data) and len(counts) <= 32:
                    cast(Any, target).__setstate__((1, counts, kind.dtype, is_fortran, data))
                    return True
        case _:
            pass
    raise TypeError("an array of NumPy's has not as many bytes as elements")


_CORES = ("numpy.core.multiarray", "numpy._core.multiarray")
NAMES: dict[tuple[str, str], str | Callable[..., Any]] = {
    ("numpy", "dtype"): _dtype,
    ("numpy", "ndarray"): _ARRAY,
    **{(core, "scalar"): _scalar for core in _CORES},
    **{(core, "_reconstruct"): _empty_array for core in _CORES},
}
"""What pickles call them, before and since NumPy 2."""
