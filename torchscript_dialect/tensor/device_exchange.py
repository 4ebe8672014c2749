"""Memory of CUDA devices shared with others: DLPack (dlpack.h) and `__cuda_array_interface__` (version 3), both ways.

Whoever asks for memory tells the stream in which it will be used; what was put into ours is done by then.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, cast

import numpy as np

from torchscript_dialect.tensor import dlpack
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray, array_on, use_device
from torchscript_dialect.tensor.storage import data_pointer

CUDA: Final = 2
"""kDLCUDA"""
_KINDS = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
_KIND_OF_CODE = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}


class _Managed(ctypes.Structure):
    _fields_ = (
        ("dl_tensor", dlpack.DLTensor),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    )


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, _Destructor)
_new_capsule.restype = ctypes.py_object
_set_name = ctypes.pythonapi.PyCapsule_SetName
_set_name.argtypes = (ctypes.py_object, ctypes.c_char_p)
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
)
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_NAME, _USED = b"dltensor", b"used_dltensor"

_lent: dict[int, tuple[_Managed, Any, Any, DeviceArray]] = {}
"""What consumers of capsules hold, by the addresses of descriptions: these, shapes, strides, and the memory."""


@_Deleter
def _give_back(address: int) -> None:
    _lent.pop(address, None)


@_Destructor
def _destroy(capsule: int) -> None:
    if _is_valid(capsule, _NAME):
        _give_back(_pointer(capsule, _NAME))


def _runtime() -> Any:
    use_device()
    return import_module("torchscript_dialect.runtime.cuda.arrays").memory()


def to_capsule(
    array: DeviceArray, stream: object, dl_device: tuple[int, int] | None, copy: bool | None
) -> Any:
    """A DLPack capsule that shares the memory of an array.

    Raises:
        BufferError: a copy is asked for, or another device.
    """
    memory = cast("Any", array.memory)
    if copy or dl_device not in (None, (CUDA, memory.device.index)):
        raise BufferError("memory of a CUDA device is shared as it is: copy it before")
    if stream != -1:
        memory.wait_for(stream)
    element = dtypes.of_array(array)
    code = dlpack.CODES.get(element, _KINDS.get(array.dtype.kind))
    if code is None:
        raise BufferError(f"DLPack has no elements of {element}")
    shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    strides = (ctypes.c_int64 * array.ndim)(*[one // array.itemsize for one in array.strides])
    managed = _Managed()
    tensor = managed.dl_tensor
    tensor.data = data_pointer(array) if array.size else None
    tensor.device_type, tensor.device_id = CUDA, memory.device.index
    tensor.ndim, tensor.code, tensor.bits, tensor.lanes = array.ndim, code, 8 * array.itemsize, 1
    tensor.shape, tensor.strides = ctypes.addressof(shape), ctypes.addressof(strides)
    managed.deleter = ctypes.cast(_give_back, ctypes.c_void_p).value
    address = ctypes.addressof(managed)
    _lent[address] = (managed, shape, strides, array)
    return _new_capsule(address, _NAME, _destroy)


class _Borrowed:
    """Memory that a producer of capsules lends until nobody holds this."""

    def __init__(self, capsule: object, address: int) -> None:
        _set_name(capsule, _USED)
        self.address = address

    def __del__(self) -> None:
        deleter = _Managed.from_address(self.address).deleter
        if deleter:
            _Deleter(deleter)(self.address)


def _array_at(
    owner: object,
    address: int,
    shape: Sequence[int],
    element: np.dtype[Any],
    strides: Sequence[int] | None,
) -> DeviceArray:
    """An array on memory that `owner` lends, with strides in bytes.

    Raises:
        TypeError, ValueError: see `canonical`; or elements are at no multiples of their size.
    """
    layout = np.lib.stride_tricks.as_strided(np.empty(1, element), tuple(shape), strides)
    element = dtypes.canonical(layout).dtype
    if address % element.itemsize:
        raise ValueError(f"there are no elements of {element} at {address:#x}")
    return array_on(_runtime(), owner, address, shape, element, strides)


def from_dlpack(value: Any) -> DeviceArray:
    """An array that shares the memory of an object that speaks DLPack, on a CUDA device.

    Raises:
        BufferError: there is no capsule, or it is of another device.
        TypeError: no dtype holds its elements.
        ValueError: no tensor lies in memory as they do.
    """
    memory = _runtime()
    capsule = value.__dlpack__(stream=memory.stream)
    if not dlpack.is_capsule(capsule, _NAME):
        raise BufferError("__dlpack__ did not return a DLPack capsule, or one that was used before")
    address = dlpack.pointer_of(capsule, _NAME)
    tensor = _Managed.from_address(address).dl_tensor
    shape = [ctypes.c_int64.from_address(tensor.shape + 8 * n).value for n in range(tensor.ndim)]
    if (tensor.device_type, tensor.device_id) != (CUDA, memory.device.index):
        raise BufferError(f"tensors are on {memory.device} alone, not on {tensor.device_id}")
    found = dlpack.DTYPES.get(tensor.code)
    if found is not None and tensor.lanes == 1:
        element = found.numpy_dtype
    elif tensor.code in _KIND_OF_CODE and tensor.lanes == 1:
        kind = _KIND_OF_CODE[tensor.code]
        element = dtypes.from_numpy(
            np.dtype(np.bool_ if kind == "b" else f"{kind}{tensor.bits // 8}")
        ).numpy_dtype
    else:
        raise TypeError(f"DLPack type code {tensor.code} is not a supported dtype")
    strides = None
    if tensor.strides:
        strides = [
            ctypes.c_int64.from_address(tensor.strides + 8 * n).value * element.itemsize
            for n in range(tensor.ndim)
        ]
    start = (tensor.data or 0) + tensor.byte_offset
    return _array_at(_Borrowed(capsule, address), start, shape, element, strides)


def cuda_interface(array: DeviceArray) -> dict[str, Any]:
    """The `__cuda_array_interface__` of an array: TypeError for elements that it has no name for."""
    if array.dtype.kind not in _KINDS:
        raise TypeError(f"__cuda_array_interface__ has no elements of {dtypes.of_array(array)}")
    return {
        "shape": array.shape,
        "typestr": array.dtype.str,
        "data": (data_pointer(array) if array.size else 0, False),
        "strides": None if array.flags.c_contiguous else array.strides,
        "version": 3,
        "stream": cast("Any", array.memory).stream,
    }


def from_interface(value: Any) -> DeviceArray:
    """An array that shares the memory of an object with a `__cuda_array_interface__`.

    Raises:
        TypeError: no dtype holds its elements, some are masked, or nobody may write to them.
        ValueError: no tensor lies in memory as they do.
    """
    found = value.__cuda_array_interface__
    address, is_read_only = found["data"]
    if is_read_only:
        raise TypeError("the read only flag is not supported, should always be False")
    if found.get("mask") is not None:
        raise TypeError("tensors have no masks, as this __cuda_array_interface__ has")
    _runtime().wait_for_stream(found.get("stream"))
    element = np.dtype(found["typestr"])
    return _array_at(value, address, found["shape"], element, found.get("strides"))
