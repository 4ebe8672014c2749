"""`torch.amp`: training with numbers of 16 bits."""

from torchscript_dialect.torch.amp.autocast_mode import autocast, is_autocast_available
from torchscript_dialect.torch.amp.grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "is_autocast_available"]
