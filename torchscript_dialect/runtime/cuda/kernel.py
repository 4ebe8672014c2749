"""Kernels of a device: PTX that is loaded, and launches of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from torchscript_dialect.runtime.cuda.driver import Driver
from torchscript_dialect.runtime.cuda.streams import current_handle


class Geometry(NamedTuple):
    """How many blocks there are, how many threads each has, and how many bytes of shared memory it gets beside its own."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int = 0


class Kernel:
    """A kernel of a module, PTX or a cubin, loaded on a device.

    Raises:
        CudaError: the driver does not take the code, or it has no such kernel.
    """

    def __init__(self, driver: Driver, code: str | bytes, name: str) -> None:
        self.driver = driver
        self.name = name
        load = driver.pycuda.module_from_buffer
        is_text = isinstance(code, str)
        what = f"loading the {'PTX' if is_text else 'cubin'} of '{name}'"
        data = code.encode() + b"\0" if is_text else code
        self._module: Any = driver.call(what, load, data)
        function: Any = driver.call(f"finding '{name}'", self._module.get_function, name)
        self._launch = function._launch_kernel

    def launch(self, geometry: Geometry, parameters: bytes) -> None:
        """Launch it and go on; `parameters` are laid out as its text declares them.

        Raises:
            CudaError: the launch is refused, or a kernel before it failed.
        """
        grid, block, shared = geometry
        self.driver.call(
            f"launching '{self.name}'",
            self._launch,
            grid,
            block,
            parameters,
            shared,
            current_handle(),
        )
