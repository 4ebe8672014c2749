"""`torch.cpu`: what programs for any device ask, of the CPU (PyTorch: torch/cpu/__init__.py)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from torchscript_dialect.torch.absent_names import absent

__all__ = [
    "current_device",
    "device_count",
    "is_available",
    "is_initialized",
    "set_device",
    "synchronize",
]


def is_available() -> bool:
    """Whether there is a CPU."""
    return True


def is_initialized() -> bool:
    """Whether the CPU has begun."""
    return True


def device_count() -> int:
    """How many CPUs there are, each of many cores."""
    return 1


def current_device() -> str:
    """Where tensors are made."""
    return "cpu"


def set_device(device: Any) -> None:
    """There is no other device to choose."""


def synchronize(device: Any = None) -> None:
    """Wait for nothing: operators have ended when they return."""


def __getattr__(name: str) -> Any:
    if name == "amp":  # needs the compiler
        return import_module(f"{__name__}.{name}")
    raise absent(__name__, name)
