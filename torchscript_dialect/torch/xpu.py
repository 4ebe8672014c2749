"""`torch.xpu` where there is no such device, which programs ask before they use one (PyTorch: torch/xpu/__init__.py)."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.torch.absent_names import absent


def is_available() -> bool:
    """Whether there is a device, which there is not."""
    return False


def device_count() -> int:
    """The number of devices."""
    return 0


def __getattr__(name: str) -> Any:
    raise absent(__name__, name)


__all__ = ["device_count", "is_available"]
