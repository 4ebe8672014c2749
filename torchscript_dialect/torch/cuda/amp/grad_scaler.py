"""`torch.cuda.amp.GradScaler` (PyTorch: torch/cuda/amp/grad_scaler.py)."""

from torchscript_dialect.torch.amp.grad_scaler import GradScalerOfDevice


class GradScaler(GradScalerOfDevice):
    """`torch.amp.GradScaler("cuda")`, with a warning."""

    DEVICE = "cuda"
