"""`torch.cuda.amp`: names of `torch.amp` from before these took a device."""

from torchscript_dialect.torch.cuda.amp.autocast_mode import autocast
from torchscript_dialect.torch.cuda.amp.common import amp_definitely_not_available
from torchscript_dialect.torch.cuda.amp.custom_functions import custom_bwd, custom_fwd
from torchscript_dialect.torch.cuda.amp.grad_scaler import GradScaler

__all__ = ["GradScaler", "amp_definitely_not_available", "autocast", "custom_bwd", "custom_fwd"]
