"""Long lists of numbers as arguments, and as arrays for native loops.

Note [Long lists]
To look at the class and the size of each number takes Python longer than most programs take for them. Once lists of `MANY` items in all
were taken, a native function does both in one pass (`native/list_ir.py`). It says no where anything is not exactly as it has to be: the
items are then looked at one by one, in `arguments.py`, which converts them or says what is wrong.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.runtime.native.abi import interpreter
from torchscript_dialect.runtime.native.list_ir import FUNCTIONS, LIST_IR
from torchscript_dialect.runtime.native.runtime_blob import NativeUnavailable, load_runtime_code
from torchscript_dialect.tensor.storage import data_pointer
from torchscript_dialect.types.core import FLOAT, INT, TorchScriptType

LONG = 32
"""Items of a list for which a call of a native function is worth it."""
MANY = 20_000
"""Items of lists in all, after which that function is loaded, or compiled once for a machine."""
FOUND: Mapping[TorchScriptType, str] = {INT: "read_ints", FLOAT: "read_floats"}


class _Taken:
    items: ClassVar[int] = 0


def exact_copy(values: Sequence[Any], type_: TorchScriptType) -> list[Any] | None:
    """A copy of a list whose items are ints of 64 bits, or floats, as the type of items says; None where they are not, or are few, or
    nobody found out.
    """
    if values.__class__ is not list or len(values) < LONG or type_ not in FOUND:
        return None
    if _Taken.items < MANY:
        _Taken.items += len(values)
        return None
    read = _readers().get(type_)
    return list(values) if read is not None and read(values, None) else None


def as_array(values: list[Any], type_: TorchScriptType) -> NDArray[Any]:
    """The items of a list of a program's, which are numbers of that type, as an array of int64 or float64."""
    dtype = np.int64 if type_ == INT else np.float64
    read = _readers().get(type_) if _Taken.items >= MANY else None
    if read is None:
        return np.array(array("q" if type_ == INT else "d", values), dtype)
    found = np.empty(len(values), dtype)
    if not read(values, data_pointer(found)):
        raise TypeError(f"a list of numbers holds others than {type_.annotation_str}")
    return found


@cache
def _readers() -> Mapping[TorchScriptType, Callable[..., int]]:
    """What reads lists of a type, where there is native code."""
    try:
        interpreter()  # what lists and numbers are in memory
        code = load_runtime_code("lists", lambda: LIST_IR, functions=FUNCTIONS)
    except NativeUnavailable:
        return {}
    kind = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)
    return {type_: kind(code.address(name)) for type_, name in FOUND.items()}
