"""`torch.cuda.amp.GradScaler` (PyTorch: torch/cuda/amp/grad_scaler.py)."""

from __future__ import annotations

import warnings

from torchscript_dialect.torch.amp import grad_scaler


class GradScaler(grad_scaler.GradScaler):
    """`torch.amp.GradScaler("cuda")`, with a warning."""

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        warnings.warn(
            "`torch.cuda.amp.GradScaler(args...)` is deprecated. "
            "Please use `torch.amp.GradScaler('cuda', args...)` instead.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__(
            "cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled
        )
