"""pycuda over a stand-in of the driver."""

from support.simt.fixtures import use_device, use_pycuda

__all__ = ["use_device", "use_pycuda"]
