"""`torch.signal`: windows."""

from torchscript_dialect.torch.signal import windows as windows

__all__ = ["windows"]
