"""A device that is interpreted."""

from support.simt.fixtures import device, on_device, small_heap

__all__ = ["device", "on_device", "small_heap"]
