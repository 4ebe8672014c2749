"""`torch.cpu.amp`: names of `torch.amp` from before these took a device."""

from torchscript_dialect.torch.cpu.amp.autocast_mode import autocast
from torchscript_dialect.torch.cpu.amp.grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast"]
