"""`torch.cuda` of the stand-in: the first CUDA device of the driver (PyTorch: torch/cuda/__init__.py)."""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any

import numpy as np

from torchscript_dialect.runtime.cuda import streams
from torchscript_dialect.runtime.cuda.driver import (
    CudaOutOfMemoryError as OutOfMemoryError,
)
from torchscript_dialect.runtime.cuda.driver import driver, is_available
from torchscript_dialect.runtime.cuda.memory import allocator
from torchscript_dialect.runtime.cuda.streams import Event, Stream
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.device_generator import device_generator
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

__all__ = [
    "Event",
    "OutOfMemoryError",
    "Stream",
    "current_device",
    "current_stream",
    "default_stream",
    "device_count",
    "empty_cache",
    "get_device_capability",
    "get_device_name",
    "get_rng_state",
    "initial_seed",
    "is_available",
    "manual_seed",
    "manual_seed_all",
    "max_memory_allocated",
    "memory_allocated",
    "memory_reserved",
    "reset_peak_memory_stats",
    "set_rng_state",
    "stream",
    "synchronize",
]


def device_count() -> int:
    """How many devices there are that tensors can be on."""
    return int(is_available())


def current_device() -> int:
    """The index of the device that tensors are made on; CudaError where there is none."""
    driver()
    return 0


def get_device_name(device: Any = None) -> str:
    """What the driver calls the device."""
    _check(device)
    return driver().device.name()


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """The compute capability of the device."""
    _check(device)
    return driver().capability


def synchronize(device: Any = None) -> None:
    """Wait for all that was launched; CudaError where a kernel failed."""
    _check(device)
    driver().synchronize()


def memory_allocated(device: Any = None) -> int:
    """The bytes that tensors hold, those that round them up included."""
    _check(device)
    return allocator().allocated


def max_memory_allocated(device: Any = None) -> int:
    """The most bytes that tensors held at once."""
    _check(device)
    return allocator().peak


def reset_peak_memory_stats(device: Any = None) -> None:
    """Begin anew with `max_memory_allocated`."""
    _check(device)
    allocator().forget_peak()


def memory_reserved(device: Any = None) -> int:
    """The bytes that the driver gave, those of free blocks included."""
    _check(device)
    return allocator().reserved


def empty_cache() -> None:
    """Give free blocks back to the driver."""
    allocator().empty_cache()


def manual_seed(seed: int) -> None:
    """Start the random numbers of the device anew."""
    device_generator.manual_seed(seed)


manual_seed_all = manual_seed


def initial_seed() -> int:
    """The seed of the random numbers of the device."""
    return device_generator.seed


def get_rng_state(device: Any = "cuda") -> Tensor:
    """Where the random numbers of the device are, as bytes that PyTorch reads too."""
    _check(device)
    return tensor_of(np.frombuffer(bytearray(device_generator.get_state()), np.uint8))


def set_rng_state(new_state: Tensor, device: Any = "cuda") -> None:
    """Go on where random numbers of the device were.

    Raises:
        RuntimeError: it is no state.
    """
    _check(device)
    device_generator.set_state(new_state.array.tobytes())


def stream(stream: Stream | None) -> AbstractContextManager[None]:
    """Put what the thread launches into a stream, as long as it is inside."""
    return streams.use(stream)


def default_stream(device: Any = None) -> Stream:
    """The stream of what no other one was chosen for."""
    del device
    return streams.DefaultStream()


def current_stream(device: Any = None) -> Stream:
    """The stream that the thread has chosen, or the default one."""
    _check(device)
    return streams.current() or streams.DefaultStream()


def _check(device: Any) -> None:
    if device is not None and (device if isinstance(device, int) else Device(device).index or 0):
        raise RuntimeError(f"there is no device {device} that can be used: only cuda:0")


def __getattr__(name: str) -> Any:
    if name == "amp":  # needs the compiler
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'torch.cuda' has no attribute '{name}'")
