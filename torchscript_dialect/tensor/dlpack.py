"""DLPack in both directions, with the element types that NumPy's own DLPack refuses.

NumPy does the exchange. For bfloat16 and float8 it exchanges integers of the same width, and the
type code in the capsule is rewritten (dlpack.h: `DLManagedTensor`, `DLManagedTensorVersioned`,
`DLDataTypeCode`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.strides import element_strides

CPU_DEVICE = (1, 0)

_UINT = 1
CODES = {
    dtypes.bfloat16: 4,
    dtypes.float8_e4m3fn: 10,
    dtypes.float8_e4m3fnuz: 11,
    dtypes.float8_e5m2: 12,
    dtypes.float8_e5m2fnuz: 13,
    dtypes.float8_e8m0fnu: 14,
}
DTYPES = {code: dtype for dtype, code in CODES.items()}
_UNSIGNED = {1: np.dtype(np.uint8), 2: np.dtype(np.uint16)}


class SupportsDLPack(Protocol):
    """An object whose memory can be shared through DLPack."""

    @property
    def __dlpack__(self) -> Callable[..., Any]: ...
    def __dlpack_device__(self) -> tuple[Any, Any]: ...


class DLTensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    )


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("dl_tensor", DLTensor),
    )


is_capsule = ctypes.pythonapi.PyCapsule_IsValid
is_capsule.argtypes = (ctypes.py_object, ctypes.c_char_p)
is_capsule.restype = ctypes.c_int
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.argtypes = (ctypes.py_object, ctypes.c_char_p)
pointer_of.restype = ctypes.c_void_p


def _description(capsule: object) -> tuple[DLTensor, bool]:
    """The tensor description inside an unconsumed capsule, and whether the capsule is of the
    versioned kind.
    """
    if is_capsule(capsule, b"dltensor_versioned"):
        managed = _Versioned.from_address(pointer_of(capsule, b"dltensor_versioned"))
        return (managed.dl_tensor, True)
    if is_capsule(capsule, b"dltensor"):
        return (DLTensor.from_address(pointer_of(capsule, b"dltensor")), False)
    raise BufferError("__dlpack__ did not return a DLPack capsule, or one that was used before")


def to_capsule(
    array: NDArray[Any],
    max_version: tuple[int, int] | None,
    dl_device: tuple[int, int] | None,
    copy: bool | None,
) -> Any:
    """A capsule that shares the memory of `array` with its consumer; BufferError where that cannot
    be done.
    """
    code = CODES.get(dtypes.of_array(array))
    if code is not None:
        array = array.view(_UNSIGNED[array.itemsize])
    capsule = array.__dlpack__(max_version=max_version, dl_device=dl_device, copy=copy)
    described = _description(capsule)[0]
    if code is not None:
        described.code = code
    if not array.size and described.strides:
        strides = (ctypes.c_int64 * array.ndim).from_address(described.strides)
        strides[:] = element_strides(array)  # NumPy forgets those of what is empty
    return capsule


class Exporter:
    """Hands out one capsule, once: what `np.from_dlpack` asks for."""

    def __init__(self, capsule: object) -> None:
        self.capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU_DEVICE


class _Writable:
    """Keeps a read-only array alive and shows its memory as writable."""

    def __init__(self, array: NDArray[Any]) -> None:
        interface = dict(array.__array_interface__)
        interface["data"] = (interface["data"][0], False)
        self.__array_interface__ = interface
        self.keep = array


def to_array(value: SupportsDLPack) -> NDArray[Any]:
    """A canonical array that shares the memory of `value`, strides included.

    Unversioned capsules do not say whether they may be written to; they are taken as writable.
    TypeError for an element type that no dtype holds, RuntimeError for memory that is not the
    CPU's.
    """
    device = value.__dlpack_device__()
    if int(device[0]) != CPU_DEVICE[0]:
        raise RuntimeError(
            f"can't use memory of DLPack device {tuple(map(int, device))}: it is not the CPU's"
        )
    try:
        capsule = value.__dlpack__(max_version=(1, 0))
    except TypeError:
        capsule = value.__dlpack__()
    tensor, versioned = _description(capsule)
    held = DTYPES.get(tensor.code)
    if held is not None:
        tensor.code = _UINT
    elif tensor.code > 6 or tensor.lanes != 1:
        raise TypeError(f"DLPack type code {tensor.code} is not a supported dtype")
    array = np.from_dlpack(Exporter(capsule))
    if not versioned and not array.flags.writeable:
        array = np.asarray(_Writable(array))
    return dtypes.canonical(array if held is None else array.view(held.numpy_dtype))
