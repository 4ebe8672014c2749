"""`torch.cpu.amp.GradScaler` (PyTorch: torch/cpu/amp/grad_scaler.py)."""

from torchscript_dialect.torch.amp.grad_scaler import GradScalerOfDevice


class GradScaler(GradScalerOfDevice):
    """`torch.amp.GradScaler("cpu")`, with a warning."""

    DEVICE = "cpu"
