"""`torch.cuda` of the stand-in: the first CUDA device of the driver (PyTorch: torch/cuda/__init__.py)."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any, NamedTuple

from torchscript_dialect.runtime.cuda import streams
from torchscript_dialect.runtime.cuda.driver import (
    CudaError,
    driver,
    is_available,
)
from torchscript_dialect.runtime.cuda.driver import (
    CudaOutOfMemoryError as OutOfMemoryError,
)
from torchscript_dialect.runtime.cuda.streams import Event, Stream
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.device_generator import device_generator
from torchscript_dialect.tensor.generator import Generator
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.absent_names import absent
from torchscript_dialect.torch.cuda import memory, nvtx, random
from torchscript_dialect.torch.cuda._device import check_device
from torchscript_dialect.torch.cuda.memory import (
    empty_cache,
    max_memory_allocated,
    max_memory_cached,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_cached,
    memory_reserved,
    memory_stats,
    memory_summary,
    reset_max_memory_allocated,
    reset_max_memory_cached,
    reset_peak_memory_stats,
)
from torchscript_dialect.torch.cuda.random import (
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)

__all__ = [
    "CudaError",
    "Event",
    "OutOfMemoryError",
    "Stream",
    "current_device",
    "current_stream",
    "default_stream",
    "device",
    "device_count",
    "device_of",
    "empty_cache",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "get_rng_state",
    "get_rng_state_all",
    "has_half",
    "has_magma",
    "init",
    "initial_seed",
    "ipc_collect",
    "is_available",
    "is_bf16_supported",
    "is_current_stream_capturing",
    "is_initialized",
    "is_tf32_supported",
    "manual_seed",
    "manual_seed_all",
    "max_memory_allocated",
    "max_memory_cached",
    "max_memory_reserved",
    "mem_get_info",
    "memory",
    "memory_allocated",
    "memory_cached",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "nvtx",
    "random",
    "reset_max_memory_allocated",
    "reset_max_memory_cached",
    "reset_peak_memory_stats",
    "seed",
    "seed_all",
    "set_device",
    "set_rng_state",
    "set_rng_state_all",
    "set_stream",
    "stream",
    "synchronize",
]

has_half = True
has_magma = False
"""Whether MAGMA, a library of linear algebra, is called."""


def init() -> None:
    """Connect to the device; CudaError where there is none."""
    driver()


def is_initialized() -> bool:
    """Whether the process is connected to the device."""
    return bool(driver.cache_info().currsize)


def device_count() -> int:
    """How many devices there are that tensors can be on."""
    return int(is_available())


def current_device() -> int:
    """The index of the device that tensors are made on; CudaError where there is none."""
    driver()
    return 0


def set_device(device: Any) -> None:
    """Make tensors on a device, of which there is one; nothing for a negative index.

    Raises:
        CudaError: there is none.
        RuntimeError: it is another one.
    """
    if not (isinstance(device, int) and device < 0):
        check_device(device)
        driver()


class device:
    """As `set_device`, as long as one is inside; None chooses none."""

    def __init__(self, device: Any) -> None:
        self.idx = -1 if device is None else _index(device)
        self.prev_idx = -1

    def __enter__(self) -> None:
        if self.idx >= 0:
            set_device(self.idx)
            self.prev_idx = 0

    def __exit__(self, *_: object) -> None:
        """There is no other device to go back to."""


class device_of(device):
    """The device that a tensor is on; none for one of the host."""

    def __init__(self, obj: Tensor) -> None:
        super().__init__(obj.device if obj.is_cuda else None)


def _index(device: Any) -> int:
    return device if isinstance(device, int) else Device(device).index or 0


def get_device_name(device: Any = None) -> str:
    """What the driver calls the device."""
    check_device(device)
    return driver().device.name()


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """The compute capability of the device."""
    check_device(device)
    return driver().capability


class DeviceProperties(NamedTuple):
    """What a device is, under PyTorch's names; memory in bytes."""

    name: str
    major: int
    minor: int
    total_memory: int
    multi_processor_count: int
    warp_size: int
    max_threads_per_block: int
    max_threads_per_multi_processor: int
    regs_per_multiprocessor: int
    shared_memory_per_block: int
    L2_cache_size: int


def get_device_properties(device: Any = None) -> DeviceProperties:
    """What the driver says of the device; CudaError where there is none."""
    check_device(device)
    of = driver()
    asked = map(
        of.asked,
        (
            "WARP_SIZE", "MAX_THREADS_PER_BLOCK", "MAX_THREADS_PER_MULTIPROCESSOR", "MAX_REGISTERS_PER_MULTIPROCESSOR",
            "MAX_SHARED_MEMORY_PER_BLOCK", "L2_CACHE_SIZE",
        ),
    )  # fmt: skip
    return DeviceProperties(
        of.device.name(), *of.capability, of.device.total_memory(), of.processors, *asked
    )


def get_arch_list() -> list[str]:
    """The kinds of devices that kernels are made for: that of the device."""
    return ["sm_{}{}".format(*driver().capability)] if is_available() else []


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether the device has tensors of bfloat16, or, without emulation, computes with them."""
    return is_available() and (including_emulation or driver().capability >= (8, 0))


def is_tf32_supported() -> bool:
    """Whether tensor cores of the device take tf32."""
    return is_bf16_supported(including_emulation=False)


def ipc_collect() -> None:
    """Free what other processes were lent, which is nothing; CudaError where there is no device."""
    driver()


def synchronize(device: Any = None) -> None:
    """Wait for all that was launched; CudaError where a kernel failed."""
    check_device(device)
    driver().synchronize()


def stream(stream: Stream | None) -> AbstractContextManager[None]:
    """Put what the thread launches into a stream, as long as it is inside; None changes nothing."""
    return nullcontext() if stream is None else streams.use(stream)


def set_stream(stream: Stream | None) -> None:
    """Put what the thread launches into a stream from here on; None changes nothing."""
    if stream is not None:
        streams.choose(stream)


def default_stream(device: Any = None) -> Stream:
    """The stream of what no other one was chosen for."""
    del device
    return streams.DefaultStream()


def current_stream(device: Any = None) -> Stream:
    """The stream that the thread has chosen, or the default one."""
    check_device(device)
    return streams.current() or streams.DefaultStream()


def is_current_stream_capturing() -> bool:
    """Whether launches become a graph, which they never do."""
    return False


def __getattr__(name: str) -> Any:
    if name == "amp":  # needs the compiler
        return import_module(f"{__name__}.{name}")
    if name == "_initialized":
        return is_initialized()
    if name == "default_generators":
        shared = Generator("cuda")
        shared.on_device = device_generator
        return (shared,) if is_available() else ()
    types = import_module("torchscript_dialect.torch.tensor_types")
    if name in types.NAMES:
        return types.on_devices(name)
    raise absent(__name__, name)
