"""Kernels of a device: PTX that is loaded, and launches of it."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Any, NamedTuple

from torchscript_dialect.runtime.cuda.driver import Driver
from torchscript_dialect.runtime.cuda.streams import current_handle

ERROR_LOG, ERROR_LOG_SIZE = 5, 6
"""`CU_JIT_ERROR_LOG_BUFFER` and its size."""
LOG_BYTES = 4096
THREADS = 256
"""Of the blocks of kernels that are made of no program: `lowering.gpu.block_size.THREADS`."""
POINTER, SIZE, END = 1, 2, 0
"""What the driver calls a buffer of parameters, its size, and the end of options."""


class Geometry(NamedTuple):
    """How many blocks there are, how many threads each has, and how many bytes of shared memory it gets beside its own."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int = 0


class Kernel:
    """A kernel of a module, PTX or a cubin, loaded on a device in pycuda's context. `function` is the driver's number of it.

    Raises:
        CudaError: the driver does not take the code, or it has no such kernel.
    """

    def __init__(self, driver: Driver, code: str | bytes, name: str) -> None:
        self.driver = driver
        self.name = name
        self._module = ctypes.c_void_p()
        driver.call("", self._load, code)
        function = ctypes.c_void_p()
        get = driver.library.cuModuleGetFunction
        status = driver.call("", get, ctypes.byref(function), self._module, name.encode())
        driver.check(f"finding '{name}'", status)
        self.function = function.value or 0

    def _load(self, code: str | bytes) -> None:
        is_text = isinstance(code, str)
        data = code.encode() + b"\0" if is_text else code
        log = ctypes.create_string_buffer(LOG_BYTES)
        options = (ctypes.c_int * 2)(ERROR_LOG, ERROR_LOG_SIZE)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), LOG_BYTES)
        status = self.driver.library.cuModuleLoadDataEx(
            ctypes.byref(self._module), data, 2, options, values
        )
        what = f"loading the {'PTX' if is_text else 'cubin'} of '{self.name}'"
        self.driver.check(what, status, log.value.decode(errors="replace").strip())

    def launch(self, geometry: Geometry, parameters: bytes) -> None:
        """Launch it and go on; `parameters` are laid out as its text declares them.

        Raises:
            CudaError: the launch is refused, or a kernel before it failed.
        """
        size = ctypes.c_size_t(len(parameters))
        buffer = ctypes.create_string_buffer(parameters, len(parameters) or 1)
        places = map(ctypes.addressof, (buffer, size))
        options = (ctypes.c_void_p * 5)(POINTER, next(places), SIZE, next(places), END)
        stream: Any = current_handle()
        handle = ctypes.c_void_p(None if stream is None else stream.handle)
        function = ctypes.c_void_p(self.function)
        grid, block, shared = geometry
        launch = self.driver.library.cuLaunchKernel
        self.failed(
            self.driver.call("", launch, function, *grid, *block, shared, handle, None, options)
        )

    def failed(self, status: int) -> None:
        """Raise the error of a launch that the driver answered so."""
        self.driver.check(f"launching '{self.name}'", status)

    def __del__(self) -> None:
        if self._module:
            with suppress(Exception), self.driver.as_current():
                self.driver.library.cuModuleUnload(self._module)
