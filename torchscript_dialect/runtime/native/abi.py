"""Where CPython and NumPy keep what native code reads, checked on the running interpreter."""

from __future__ import annotations

import ctypes
import importlib
import sys
import warnings
from functools import cache, lru_cache
from typing import Any, NamedTuple, cast

import numpy as np

from torchscript_dialect.runtime.native.loader import address_of
from torchscript_dialect.runtime.native.runtime_blob import NativeUnavailable

OB_REFCNT, OB_TYPE = 0, 8
VAR_SIZE = 16
TUPLE_ITEMS = tuple.__basicsize__  # 24; 32 since CPython 3.14, where tuples keep their hashes
LIST_ITEMS = 24
FLOAT_VALUE = 16
TYPE_FLAGS, TYPE_ALLOC = 168, 304
MEMBER_DEFINITION, DEFINITION_OFFSET = 40, 16
ARRAY_DATA, ARRAY_ND, ARRAY_DIMS, ARRAY_STRIDES = 16, 24, 32, 40
ARRAY_BASE, ARRAY_DESCR, ARRAY_FLAGS = 48, 56, 64

HAVE_VECTORCALL = 1 << 11
C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400

NUMPY_FUNCTIONS = {"PyArray_NewFromDescr": 94, "PyArray_SetBaseObject": 282}
NUMPY_ABI_VERSIONS = (0x1000009, 0x2000000)


class Interpreter(NamedTuple):
    """This interpreter's ways: reference counts written inline or not, NumPy's functions."""

    inline_refcounts: bool
    numpy_functions: dict[str, int]


def interpreter() -> Interpreter:
    """Checks every offset of this module, once; NativeUnavailable where one is not as expected, and a warning, since calls are then
    many times slower.
    """
    found = _interpreter()
    if isinstance(found, str):
        raise NativeUnavailable(found)
    return found


@cache
def _interpreter() -> Interpreter | str:
    try:
        return _checked_interpreter()
    except NativeUnavailable as unknown:
        warnings.warn(f"{unknown}; calls go through Python", RuntimeWarning, stacklevel=2)
        return str(unknown)


def _checked_interpreter() -> Interpreter:
    _expect(sys.implementation.name == "cpython", "it is not CPython")
    _expect(not sys.abiflags, f"it is built with the ABI flags {sys.abiflags!r}")
    _check_objects()
    _check_arrays()
    return Interpreter(sys.version_info < (3, 14), _numpy_functions())


def slot_offset(owner: type, name: str) -> int:
    """The offset of the slot `name` in an `owner`; NativeUnavailable where there is none."""
    descriptor = owner.__dict__.get(name)
    if type(descriptor).__name__ != "member_descriptor":
        raise NativeUnavailable(f"{owner.__name__}.{name} is not a slot")
    offset = _word(_word(id(descriptor) + MEMBER_DEFINITION) + DEFINITION_OFFSET)
    _expect(16 <= offset <= owner.__basicsize__ - 8, f"{owner.__name__}.{name} is not found")
    return offset


def check_tensor_type(tensor_type: type) -> int:
    """The offset of a tensor's ndarray; NativeUnavailable where none can be made natively."""
    interpreter()
    offset = slot_offset(tensor_type, "array")
    probe = cast(Any, object.__new__(tensor_type))
    probe.array = content = np.zeros(1)
    _expect(_word(id(probe) + offset) == id(content), f"the slot of {tensor_type.__name__}.array")
    alloc = _word(id(tensor_type) + TYPE_ALLOC)
    _expect(alloc == address_of("PyType_GenericAlloc"), f"{tensor_type.__name__}'s allocator")
    return offset


def descriptors(dtype: str) -> tuple[int, int, int]:
    """The addresses of the one or two descriptors of `dtype`, and its item size in bytes.

    They live as long as the process. NativeUnavailable where NumPy does not know the name.
    """
    return _descriptors(dtype)[:3]


@lru_cache(maxsize=64)
def _descriptors(dtype: str) -> tuple[int, int, int, object]:
    try:
        first = np.dtype(dtype)
    except TypeError:
        first = _extended_dtype(dtype)
    same = [np.dtype(code) for code in "lqLQ"]
    others = [one for one in same if one is not first and one.isnative and one == first]
    second = others[0] if others else first
    return id(first), id(second), first.itemsize, (first, second)


def _extended_dtype(name: str) -> np.dtype[Any]:
    try:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))
    except (ImportError, AttributeError, TypeError):
        raise NativeUnavailable(f"NumPy has no element type {name!r}") from None


def _check_objects() -> None:
    _expect(object.__basicsize__ == 16, "the size of an object's head")
    _expect(_word(id(1.5) + OB_TYPE) == id(float), "the place of an object's type")
    _expect(ctypes.c_double.from_address(id(1.5) + FLOAT_VALUE).value == 1.5, "a float's value")
    several = (None, int, float)
    _expect(_word(id(several) + VAR_SIZE) == 3, "a tuple's size")
    for i, item in enumerate(several):
        _expect(_word(id(several) + TUPLE_ITEMS + 8 * i) == id(item), "a tuple's items")
    listed = [None, int]
    _expect(_word(id(listed) + VAR_SIZE) == 2, "a list's size")
    for i, item in enumerate(listed):
        _expect(_word(_word(id(listed) + LIST_ITEMS) + 8 * i) == id(item), "a list's items")
    before = _word(id(several) + OB_REFCNT)
    more = [several, several]
    _expect(_word(id(several) + OB_REFCNT) == before + len(more), "a reference count")
    _expect(_word(id(int) + TYPE_FLAGS) == int.__flags__, "a type's flags")


def _check_arrays() -> None:
    whole = np.zeros((2, 3, 10), np.float32)
    part = whole[:, 1:, ::2]
    start = id(part)
    _expect(_word(start + ARRAY_DATA) == part.__array_interface__["data"][0], "an array's data")
    _expect(ctypes.c_int32.from_address(start + ARRAY_ND).value == 3, "an array's rank")
    for offset, numbers in ((ARRAY_DIMS, part.shape), (ARRAY_STRIDES, part.strides)):
        words = [_word(_word(start + offset) + 8 * i) for i in range(3)]
        _expect(words == list(numbers), "an array's sizes and strides")
    _expect(_word(start + ARRAY_BASE) == id(whole), "an array's base")
    _expect(_word(start + ARRAY_DESCR) == id(whole.dtype), "an array's element type")
    for one in (whole, part):
        flags = ctypes.c_int32.from_address(id(one) + ARRAY_FLAGS).value
        _expect(flags == one.flags.num, "an array's flags")


def _numpy_functions() -> dict[str, int]:
    capsule = importlib.import_module("numpy._core._multiarray_umath")._ARRAY_API
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype = ctypes.c_void_p
    get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    table: int = get_pointer(capsule, None)
    _expect(_word(table + 8 * 2) == id(np.ndarray), "NumPy's table of functions")
    version = ctypes.CFUNCTYPE(ctypes.c_uint)(_word(table))()
    _expect(version in NUMPY_ABI_VERSIONS, f"NumPy's ABI version {version:#x}")
    return {name: _word(table + 8 * index) for name, index in NUMPY_FUNCTIONS.items()}


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


def _expect(holds: bool, what: str) -> None:
    if not holds:
        version = ".".join(map(str, sys.version_info[:3]))
        raise NativeUnavailable(
            f"native calls do not know this interpreter, {sys.implementation.name} {version} with NumPy {np.__version__}: {what}"
        )
