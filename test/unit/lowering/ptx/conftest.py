"""A device that is interpreted."""

from support.simt.fixtures import device, on_device

__all__ = ["device", "on_device"]
