"""`torch.amp`: training with numbers of 16 bits."""

from torchscript_dialect.torch.amp.autocast_mode import autocast
from torchscript_dialect.torch.amp.autocast_state import is_autocast_available
from torchscript_dialect.torch.amp.custom_functions import custom_bwd, custom_fwd
from torchscript_dialect.torch.amp.grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]
