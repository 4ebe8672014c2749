"""Which device is meant: the first one is the only one that tensors are on."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.tensor.device import device as Device


def check_device(device: Any) -> None:
    """RuntimeError for another device than the first."""
    if device is not None and (device if isinstance(device, int) else Device(device).index or 0):
        raise RuntimeError(f"there is no device {device} that can be used: only cuda:0")
