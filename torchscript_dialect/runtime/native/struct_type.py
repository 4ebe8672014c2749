"""The C structure behind native callables: a vectorcall heap type made without a C compiler.

Note [Native callables]
The type made here holds no object references, so it needs no traverse, clear or dealloc of its own.
A Python class on top of it adds the slow path as a slot, a dictionary and weak references, with
CPython's own garbage collection support. CPython 3.11 does not hand the vectorcall flag down to
such classes; `allow_vectorcall` sets it. Until a specialization is added the vectorcall pointer
leads to a few instructions, written out below, that jump to the slow path.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from typing import Any

from torchscript_dialect.runtime.native.abi import HAVE_VECTORCALL, TYPE_FLAGS
from torchscript_dialect.runtime.native.blob import EM_X86_64, LinkError
from torchscript_dialect.runtime.native.entry_ir import (
    ACTIVE,
    NATIVE_CALLS,
    STRUCT_SIZE,
    TABLE,
    VECTORCALL,
)
from torchscript_dialect.runtime.native.loader import address_of, host_machine, map_code
from torchscript_dialect.utils.llvm import is_installed

BASETYPE = 1 << 10
PY_TP_CALL, PY_TP_MEMBERS = 50, 72
T_PYSSIZET, READONLY = 19, 1


class _Member(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Slot(ctypes.Structure):
    _fields_ = (("slot", ctypes.c_int), ("function", ctypes.c_void_p))


class _Spec(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("basicsize", ctypes.c_int),
        ("itemsize", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.POINTER(_Slot)),
    )


_alive: list[object] = []
"""What CPython may read as long as the type lives."""


def make_struct_type(name: str) -> type | None:
    """A base class with the fields of `entry_ir`; None where native calls are not known, or there is nothing to call."""
    if not host_machine() or sys.implementation.name != "cpython" or sys.abiflags:
        return None
    if not is_installed():
        return None  # what the disk has was made by a compiler of a version, which the keys name
    try:
        map_code(bytes(1))  # a system may refuse executable memory
    except LinkError:
        return None
    fields = (
        (b"__vectorcalloffset__", VECTORCALL, READONLY),
        (b"_vectorcall", VECTORCALL, 0),
        (b"_table", TABLE, 0),
        (b"native_calls", NATIVE_CALLS, READONLY),
        (b"_active", ACTIVE, READONLY),
    )
    members = (_Member * (len(fields) + 1))(
        *(_Member(name, T_PYSSIZET, offset, flags, None) for name, offset, flags in fields)
    )
    slots = (_Slot * 3)(
        _Slot(PY_TP_CALL, address_of("PyVectorcall_Call")),
        _Slot(PY_TP_MEMBERS, ctypes.addressof(members)),
    )
    spec = _Spec(name.encode(), STRUCT_SIZE, 0, BASETYPE | HAVE_VECTORCALL, slots)
    make: Any = ctypes.pythonapi.PyType_FromSpec
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p]
    _alive.extend((members, slots, spec))
    return make(ctypes.addressof(spec))


def allow_vectorcall(cls: type) -> None:
    """Lets calls of `cls`'s instances go through the vectorcall pointer, as the base class's do.

    Without it they take the way of `tp_call`, which ends at the same pointer.
    """
    flags = ctypes.c_ulong.from_address(id(cls) + TYPE_FLAGS)
    if flags.value == cls.__flags__ and not flags.value & HAVE_VECTORCALL:
        flags.value |= HAVE_VECTORCALL
        modified: Any = ctypes.pythonapi.PyType_Modified
        modified.argtypes = [ctypes.py_object]
        modified(cls)


def make_forwarder(slow_path: int, default: object) -> int:
    """The address of a vectorcall function that calls the object at offset `slow_path`.

    Where that is NULL it calls `default`, which is kept alive.
    """
    _alive.append(default)
    literals = struct.pack("<QQ", id(default), address_of("PyObject_Vectorcall"))
    if host_machine() == EM_X86_64:
        code = b"".join(
            (
                b"\x48\x8b\x47" + struct.pack("b", slow_path),  # mov rax, [rdi + slow_path]
                b"\x48\x85\xc0",  # test rax, rax
                b"\x75\x07",  # jnz over the next instruction
                b"\x48\x8b\x05" + struct.pack("<i", 32 - 16),  # mov rax, [default]
                b"\x48\x89\xc7",  # mov rdi, rax
                b"\xff\x25" + struct.pack("<i", 40 - 25),  # jmp [PyObject_Vectorcall]
            )
        )
    else:
        words = (
            0xF9400004 | slow_path // 8 << 10,  # ldr x4, [x0, #slow_path]
            0xB5000044,  # cbnz x4, over the next instruction
            0x58000000 | (32 - 8) // 4 << 5 | 4,  # ldr x4, default
            0xAA0403E0,  # mov x0, x4
            0x58000000 | (40 - 16) // 4 << 5 | 4,  # ldr x4, PyObject_Vectorcall
            0xD61F0080,  # br x4
        )
        code = struct.pack("<6I", *words)
    return map_code(code.ljust(32, b"\0") + literals)
