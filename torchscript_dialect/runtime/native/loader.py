"""Maps blobs of machine code into the process, writable first and then executable, without LLVM.

Mappings are never removed: another thread may be inside the code, and a sleeping worker thread of
the pool outlives the interpreter. They are small.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from torchscript_dialect.runtime.native.blob import EM_AARCH64, EM_X86_64, Blob, LinkError

MACHINES = {"x86_64": EM_X86_64, "amd64": EM_X86_64, "aarch64": EM_AARCH64, "arm64": EM_AARCH64}
MAP_FAILED = ctypes.c_void_p(-1).value


class LoadedCode(NamedTuple):
    """A mapped blob: the address of its first byte, and of each of its global symbols."""

    base: int
    symbols: dict[str, int]

    def address(self, name: str) -> int:
        """The address of the global symbol `name`; LinkError where there is none."""
        if name not in self.symbols:
            raise LinkError(f"the code does not define {name}")
        return self.symbols[name]


def load_blob(blob: Blob, symbols: Mapping[str, int] | None = None) -> LoadedCode:
    """Maps `blob`; external names are looked up in `symbols`, then in libc and CPython.

    LinkError where a name is unknown, the code is for another machine, or the system refuses
    executable memory.
    """
    if blob.machine != host_machine():
        raise LinkError(f"code for ELF machine {blob.machine} on {os.uname().machine}")
    size = len(blob.image)
    if blob.protected != size and blob.protected % mmap.PAGESIZE:
        raise LinkError(f"data at {blob.protected}, inside a page of {mmap.PAGESIZE} bytes")
    given = symbols or {}
    words = [
        (offset, given[name] if name in given else address_of(name))
        for name, offset in blob.imports
    ]
    base = _map_memory(size)
    words += [(offset, base + target) for offset, target in blob.rebases]
    ctypes.memmove(base, blob.image, size)
    for offset, value in words:
        ctypes.c_uint64.from_address(base + offset).value = value
    _protect(base, blob.protected)
    return LoadedCode(base, {name: base + offset for name, offset in blob.symbols.items()})


def map_code(code: bytes) -> int:
    """Maps bare position-independent instructions; returns their address."""
    base = _map_memory(len(code))
    ctypes.memmove(base, code, len(code))
    _protect(base, len(code))
    return base


def address_of(name: str) -> int:
    """The address of a symbol of the C library or CPython; LinkError where there is none."""
    try:
        return ctypes.addressof(ctypes.c_char.in_dll(_process(), name))
    except ValueError:
        raise LinkError(f"external symbol {name}: nobody gives its address") from None


def host_machine() -> int:
    """The ELF machine of this process, 0 where this module cannot load code on it."""
    if sys.platform != "linux" or sys.maxsize != (1 << 63) - 1:
        return 0
    return MACHINES.get(os.uname().machine.lower(), 0)


@cache
def _process() -> ctypes.CDLL:
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    library.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return library


def _map_memory(size: int) -> int:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    access = mmap.PROT_READ | mmap.PROT_WRITE
    base = _process().mmap(None, max(size, 1), access, flags, -1, 0)
    if base == MAP_FAILED:
        raise LinkError(f"no memory for code: {os.strerror(ctypes.get_errno())}")
    return base


def _protect(base: int, size: int) -> None:
    if _process().mprotect(base, max(size, 1), mmap.PROT_READ | mmap.PROT_EXEC) != 0:
        raise LinkError(f"executable memory refused: {os.strerror(ctypes.get_errno())}")
