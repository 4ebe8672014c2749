"""Memory of the device (PyTorch: torch/cuda/memory.py). Without a device nothing is held, and nothing to give back."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from typing import Any

from torchscript_dialect.runtime.cuda.driver import driver, is_available
from torchscript_dialect.runtime.cuda.memory import allocator
from torchscript_dialect.torch.cuda._device import check_device

__all__ = [
    "empty_cache",
    "max_memory_allocated",
    "max_memory_cached",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_cached",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "reset_max_memory_allocated",
    "reset_max_memory_cached",
    "reset_peak_memory_stats",
]


def memory_stats(device: Any = None) -> OrderedDict[str, int]:
    """The bytes that tensors hold and that the driver gave, now and at most, under PyTorch's names; empty without a device."""
    if not is_available():
        return OrderedDict()
    check_device(device)
    of = allocator()
    return OrderedDict(
        {
            "allocated_bytes.all.current": of.allocated,
            "allocated_bytes.all.peak": of.peak,
            "reserved_bytes.all.current": of.reserved,
            "reserved_bytes.all.peak": of.reserved_peak,
        }
    )


def memory_allocated(device: Any = None) -> int:
    """The bytes that tensors hold, those that round them up included."""
    return memory_stats(device).get("allocated_bytes.all.current", 0)


def max_memory_allocated(device: Any = None) -> int:
    """The most bytes that tensors held at once."""
    return memory_stats(device).get("allocated_bytes.all.peak", 0)


def memory_reserved(device: Any = None) -> int:
    """The bytes that the driver gave, those of free blocks included."""
    return memory_stats(device).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device: Any = None) -> int:
    """The most bytes that the driver gave at once."""
    return memory_stats(device).get("reserved_bytes.all.peak", 0)


def reset_peak_memory_stats(device: Any = None) -> None:
    """Begin anew with what was held at most."""
    if is_available():
        check_device(device)
        allocator().forget_peak()


def empty_cache() -> None:
    """Give free blocks back to the driver."""
    if is_available():
        allocator().empty_cache()


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """The bytes of the device that are free, and all of them; CudaError without a device."""
    check_device(device)
    free, total = driver().call("asking for free memory", driver().pycuda.mem_get_info)
    return int(free), int(total)


def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
    """`memory_stats` as a table."""
    del abbreviated
    return "\n".join(f"{name:30}{value:>16,}" for name, value in memory_stats(device).items())


def memory_cached(device: Any = None) -> int:
    """`memory_reserved`, with a warning."""
    _renamed("memory_cached", "memory_reserved")
    return memory_reserved(device)


def max_memory_cached(device: Any = None) -> int:
    """`max_memory_reserved`, with a warning."""
    _renamed("max_memory_cached", "max_memory_reserved")
    return max_memory_reserved(device)


def _renamed(name: str, now: str) -> None:
    message = f"`torch.cuda.{name}` has been renamed to `torch.cuda.{now}`"
    warnings.warn(message, FutureWarning, stacklevel=3)


def reset_max_memory_allocated(device: Any = None) -> None:
    """`reset_peak_memory_stats`, with a warning."""
    _resets("allocated")
    reset_peak_memory_stats(device)


def reset_max_memory_cached(device: Any = None) -> None:
    """`reset_peak_memory_stats`, with a warning."""
    _resets("cached")
    reset_peak_memory_stats(device)


def _resets(what: str) -> None:
    warnings.warn(
        f"torch.cuda.reset_max_memory_{what} now calls torch.cuda.reset_peak_memory_stats, "
        "which resets /all/ peak memory stats.",
        FutureWarning,
        stacklevel=3,
    )
