"""`torch.cuda.amp.custom_fwd` and its like (PyTorch: torch/cuda/amp/autocast_mode.py)."""

from __future__ import annotations

import warnings
from typing import Any

from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.torch.amp import custom_functions


def custom_fwd(fwd: Any = None, *, cast_inputs: dtype | None = None) -> Any:
    """`torch.amp.custom_fwd` for CUDA, with a warning."""
    _warn("custom_fwd")
    return custom_functions.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd: Any) -> Any:
    """`torch.amp.custom_bwd` for CUDA, with a warning."""
    _warn("custom_bwd")
    return custom_functions.custom_bwd(bwd, device_type="cuda")


def _warn(name: str) -> None:
    warnings.warn(
        f"`torch.cuda.amp.{name}(args...)` is deprecated. "
        f"Please use `torch.amp.{name}(args..., device_type='cuda')` instead.",
        FutureWarning,
        stacklevel=3,
    )
