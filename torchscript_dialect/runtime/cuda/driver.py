"""The CUDA driver, through pycuda, which is imported when a device is first asked for.

The primary context is used, as PyTorch and others do, so that their pointers are ours too.
"""

from __future__ import annotations

import atexit
import ctypes
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import import_module
from threading import current_thread, get_ident, main_thread
from typing import Any, Final, TypeVar

from torchscript_dialect.runtime.native.device_state import STATE, THREAD, reset_lists
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.properties import cached_property

OUT_OF_MEMORY: Final = 2
"""The driver's `CUDA_ERROR_OUT_OF_MEMORY`."""
LOST: Final = frozenset((214, 700, 702, *range(714, 720)))
"""What the driver answers to all that is asked after a kernel that did what it may not, or did not end: `CUDA_ERROR_ILLEGAL_ADDRESS` to
`CUDA_ERROR_LAUNCH_FAILED`, and errors of memory that were not corrected."""
NOT_TAKEN: Final = frozenset((209, 218, 221, 222, 223))
"""What it answers to code that it does not take."""
OLDEST_DRIVER: Final = 11000
"""The driver's version that the PTX is for which is made here: CUDA 11.0, the first that knows sm_80."""
OLDEST_CAPABILITY: Final = (7, 5)
"""The oldest devices that code is made for."""

_T = TypeVar("_T")


class CudaError(TorchScriptError):
    """There is no device to run on, or it failed; the message says what to do."""


class CudaOutOfMemoryError(CudaError):
    """A device has no room for an allocation (PyTorch: `torch.cuda.OutOfMemoryError`)."""


class Driver:
    """A device and its primary context, current where it is used.

    Raises:
        CudaError: pycuda, a driver or a device is missing, or too old.
    """

    def __init__(self) -> None:
        # pycuda may be linked without the driver, whose functions it then looks for among those that the process has.
        with suppress(OSError):
            ctypes.CDLL("libcuda.so.1", ctypes.RTLD_GLOBAL)
        try:
            with warnings.catch_warnings():  # of what the error says, too
                warnings.simplefilter("ignore")
                pycuda: Any = import_module("pycuda.driver")
        except ImportError as error:
            raise CudaError(_missing(error)) from error
        self.pycuda = pycuda
        try:
            pycuda.init()
            version, count = pycuda.get_driver_version(), pycuda.Device.count()
        except pycuda.Error as error:
            raise CudaError(f"no CUDA device can be used: the driver says '{error}'") from error
        if count == 0:
            raise CudaError(
                "no CUDA device can be used: the driver finds none; see CUDA_VISIBLE_DEVICES"
            )
        if version < OLDEST_DRIVER:
            raise CudaError(
                f"the driver is of CUDA {_text(version)}, and {_text(OLDEST_DRIVER)} is wanted: install a newer one"
            )
        self.device: Any = pycuda.Device(0)
        self.capability: tuple[int, int] = self.device.compute_capability()
        if self.capability < OLDEST_CAPABILITY:
            raise CudaError(
                f"{self.device.name()} is of compute capability {self.capability}, and {OLDEST_CAPABILITY} is wanted"
            )
        self.processors: int = self.asked("MULTIPROCESSOR_COUNT")
        self._context: Any = self.device.retain_primary_context()
        self._is_entered = False

    def asked(self, attribute: str) -> int:
        """What the device says of itself, by the driver's name for it."""
        return self.device.get_attribute(getattr(self.pycuda.device_attribute, attribute))

    def enter(self) -> None:
        """Make the context the main thread's until the process ends."""
        if not self._is_entered:
            self._context.push()
            self._is_entered = True
            STATE[THREAD] = get_ident()
            atexit.register(self.leave)

    def leave(self) -> None:
        """Undo `enter`: pycuda ends the process where a context is still a thread's when that ends."""
        if self._is_entered:
            self._is_entered = False
            STATE[THREAD] = 0
            reset_lists()
            atexit.unregister(self.leave)
            self.pycuda.Context.pop()

    @contextmanager
    def as_current(self) -> Generator[None]:
        """Make the context that of this thread for a time; the main one has it anyway."""
        self._context.push()
        try:
            yield
        finally:
            self.pycuda.Context.pop()

    def call(self, what: str, function: Callable[..., _T], *arguments: Any) -> _T:
        """Call a function of pycuda's; `what` says in an error what was tried.

        Raises:
            CudaOutOfMemoryError: there is no room on the device.
            CudaError: the driver refuses.
        """
        if current_thread() is main_thread():
            self.enter()
            return self._told(what, function, *arguments)
        with self.as_current():
            return self._told(what, function, *arguments)

    def _told(self, what: str, function: Callable[..., _T], *arguments: Any) -> _T:
        try:
            return function(*arguments)
        except self.pycuda.MemoryError as error:
            raise _out_of_memory(what) from error
        except self.pycuda.Error as error:
            advice = _advice(self.library.cuCtxSynchronize())
            raise CudaError(f"{what} failed on the device: {error}{advice}") from error

    # The driver's own functions, of which pycuda does not tell the numbers of modules and kernels

    @cached_property
    def library(self) -> Any:
        """The driver, which the process has loaded for pycuda."""
        return ctypes.CDLL(None)

    @property
    def launch_address(self) -> int:
        """Where `cuLaunchKernel` is."""
        return ctypes.cast(self.library.cuLaunchKernel, ctypes.c_void_p).value or 0

    def check(self, what: str, status: int, told: str = "") -> None:
        """Raise for what the driver answers; `told` is what it says beside that.

        Raises:
            CudaOutOfMemoryError: there is no room on the device.
            CudaError: the driver refuses.
        """
        if not status:
            return
        text = ctypes.c_char_p()
        self.library.cuGetErrorString(status, ctypes.byref(text))
        reason = (text.value or f"error {status}".encode()).decode()
        if status == OUT_OF_MEMORY:
            raise _out_of_memory(what)
        raise CudaError(
            f"{what} failed on the device: {reason}{told and ': '}{told}{_advice(status)}"
        )

    def synchronize(self) -> None:
        """Wait for all that was launched.

        Raises:
            CudaError: a kernel failed.
        """
        self.call("what was launched before", self.pycuda.Context.synchronize)


@lru_cache(maxsize=1)
def driver() -> Driver:
    """The driver, with its first device.

    Raises:
        CudaError: there is none.
    """
    return Driver()


def is_available() -> bool:
    """Whether there is a device to run on."""
    try:
        driver()
    except CudaError:
        return False
    return True


def _out_of_memory(what: str) -> CudaOutOfMemoryError:
    return CudaOutOfMemoryError(
        f"CUDA out of memory: {what}; let go of tensors, or take fewer rows at once"
    )


def _advice(status: int) -> str:
    """What to do about an answer of the driver, where there is something."""
    if status in LOST:
        return "; what was on the device is lost, and this process can use it no more: begin another one"
    return "; a newer driver may take it" if status in NOT_TAKEN else ""


def _text(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"


def _missing(error: ImportError) -> str:
    if error.name in ("pycuda", "pycuda.driver"):
        return "pycuda is not installed: `pip install torchscript_dialect[gpu]`"
    if "undefined symbol" in str(error) and hasattr(ctypes.CDLL(None), "cuInit"):
        return f"the driver lacks what pycuda asks of it: install a newer one, or pycuda for this one ({error})"
    return f"the CUDA driver is not installed, or pycuda does not fit it: {error}"
