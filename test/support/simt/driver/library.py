"""Builds the stand-in of libcuda.so.1 and puts it in the driver's place."""

from __future__ import annotations

import ctypes
import gc
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any

from support.simt.driver.device import Device
from support.simt.driver.functions import FUNCTIONS, clear_logs, unsupported

_SOURCE = Path(__file__).with_name("libcuda.c")
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64))


def build(folder: Path, symbols: Iterable[str], without: str = "") -> Path:
    """The library, with all that the driver does, but for one function, and more functions that it should have, which are not supported.

    Raises:
        CalledProcessError: the compiler does not take it.
    """
    library = folder / "libcuda.so.1"
    macro = " ".join(f"F({name})" for name in sorted({*FUNCTIONS, *symbols} - {without}))
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", f"-DSYMBOLS={macro}", "-o", library, _SOURCE], check=True
    )
    return library


def symbols_of(extension: Path) -> list[str]:
    """The functions of the driver that a library calls."""
    listing = subprocess.run(
        ["nm", "-D", "--undefined-only", extension], check=True, capture_output=True, text=True
    )
    return [
        line.split()[-1]
        for line in listing.stdout.splitlines()
        if line.split()[-1].startswith("cu")
    ]


class StandIn:
    """The library in this process, in which pycuda finds the driver."""

    def __init__(self, library: Path) -> None:
        self._library = ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)

    @contextmanager
    def using(self, device: Device) -> Iterator[Device]:
        """Let the driver be one of this device."""

        def call(name: bytes, arguments: Any) -> int:
            if name == b"cuModuleLoadDataEx":
                clear_logs(arguments)
            function = FUNCTIONS.get(name.decode(), unsupported)
            with _undisturbed():
                return device.call(name.decode(), partial(function, device, arguments))

        callback = _CALLBACK(call)
        self._library.stand_in_use(callback)
        try:
            yield device
        finally:
            self._library.stand_in_use(None)


_at_work = RLock()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let nothing be asked of the driver within the body: neither by another thread, nor by what a collection of garbage frees. A kernel
    that is interpreted would run beside what waits for it.
    """
    with _at_work:
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.enable()
