"""pycuda over a stand-in of the driver."""

from support.simt.fixtures import small_heap, use_device, use_pycuda

__all__ = ["small_heap", "use_device", "use_pycuda"]
