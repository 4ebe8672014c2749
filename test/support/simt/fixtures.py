"""pycuda over a stand-in of the driver, as fixtures."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from support.simt.driver.device import Device
from support.simt.driver.library import StandIn, build, symbols_of


@cache
def stand_in() -> StandIn:
    """The stand-in of libcuda.so.1, loaded before pycuda's driver module, which looks for the driver's functions in the process."""
    found = find_spec("pycuda")
    if found is None or found.submodule_search_locations is None:
        pytest.skip("pycuda is not installed: tools/install_pycuda.py builds it")
    (extension,) = Path(found.submodule_search_locations[0]).glob("_driver*.so")
    with TemporaryDirectory() as folder:
        return StandIn(build(Path(folder), symbols_of(extension)))


IS_REAL = os.environ.get("TORCHSCRIPT_DIALECT_REAL_DEVICE") == "1"
"""Whether tests run on a device of this machine: `tools/run_tests.py --device cuda`."""


class RealDevice:
    """A device of this machine, which tells the kernels that were launched; tests that ask it for more are left out."""

    def __init__(self) -> None:
        self.launches: list[str] = []
        self.faults: list[str] = []

    def __getattr__(self, name: str) -> Any:
        pytest.skip(f"a real device has no '{name}'")


@contextmanager
def real_device(*, is_native: bool) -> Iterator[RealDevice]:
    """The first device of this machine, whose launches are noted, but for those from native calls, of which there are some if it
    `is_native`.
    """
    from torchscript_dialect.runtime.cuda.executable import CudaKernel
    from torchscript_dialect.runtime.cuda.kernel import Kernel

    made = RealDevice()
    launch = Kernel.launch

    def noted(kernel: Kernel, *arguments: Any) -> None:
        made.launches.append(kernel.name)
        launch(kernel, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "launch", noted)
        if not is_native:
            patch.setattr(CudaKernel, "code", None)
        yield made


@pytest.fixture
def use_device() -> Iterator[Callable[..., Device]]:
    """Makes a device the driver's; what is left of it is looked for at the end."""
    if IS_REAL:
        pytest.skip("a real device is not made for a test")
    made: list[Device] = []
    with ExitStack() as stack:

        def use(**options: Any) -> Device:
            device = stack.enter_context(stand_in().using(Device(**options)))
            made.append(device)
            return device

        yield use
        gc.collect()
        assert not [leak for device in made for leak in device.leaks]


@pytest.fixture
def use_pycuda(use_device: Callable[..., Device]) -> Iterator[Callable[..., tuple[Device, Any]]]:
    """Makes a device the driver's, and its primary context this thread's; gives it, and pycuda's driver module."""
    with ExitStack() as stack:

        def use(**options: Any) -> tuple[Device, Any]:
            device = use_device(**options)
            cuda: Any = import_module("pycuda.driver")
            cuda.init()
            cuda.Device(0).retain_primary_context().push()
            stack.callback(cuda.Context.pop)
            return device, cuda

        yield use
        gc.collect()


@contextmanager
def interpreted_device(**options: Any) -> Iterator[Device]:
    """A device on which programs run; what is left of it is looked for at the end."""
    from torchscript_dialect.runtime.cuda.arrays import memory
    from torchscript_dialect.runtime.cuda.driver import driver
    from torchscript_dialect.runtime.cuda.memory import allocator

    driver.cache_clear()
    with stand_in().using(Device(**options)) as made:
        try:
            yield made
            memory.cache_clear()
            gc.collect()
            allocator().empty_cache()
        finally:  # a device that was lost takes no other tests with it
            memory.cache_clear()
            driver().leave()
            allocator.cache_clear()
            driver.cache_clear()
            gc.collect()
        assert not made.leaks


@pytest.fixture(scope="module")
def device(request: pytest.FixtureRequest) -> Iterator[Device]:
    """A device on which `ts.fuser("ptx")` runs kernels; what is left of it is looked for at the end of the file."""
    if IS_REAL:
        with real_device(is_native=hasattr(request.module, "NATIVE")) as real:
            yield real  # pyright: ignore[reportReturnType]
        return
    with interpreted_device() as made:
        yield made


@pytest.fixture
def on_device(device: Device) -> Device:
    """That device, of which nothing was asked yet."""
    device.launches.clear()
    device.faults.clear()
    if not IS_REAL:
        device.calls.clear()
    return device
