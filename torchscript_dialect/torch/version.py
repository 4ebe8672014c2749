"""`torch.version`: the release of PyTorch whose names and results the stand-in has; it is built for no device."""

__version__ = "2.13.0"
debug = False
cuda = hip = xpu = rocm = None
