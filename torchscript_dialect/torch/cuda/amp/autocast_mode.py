"""`torch.cuda.amp.autocast` (PyTorch: torch/cuda/amp/autocast_mode.py)."""

from __future__ import annotations

import warnings
from typing import Any

from torchscript_dialect.tensor.dtype import dtype as _dtype
from torchscript_dialect.tensor.dtype import float16
from torchscript_dialect.torch.amp import autocast_mode
from torchscript_dialect.torch.jit import is_scripting


class autocast(autocast_mode.autocast):
    """`torch.amp.autocast("cuda")`, with a warning."""

    def __init__(self, enabled: bool = True, dtype: _dtype = float16, cache_enabled: bool = True):
        if is_scripting():
            self._enabled = enabled
            self.device = "cuda"
            self.fast_dtype = dtype
            return
        warnings.warn(
            "`torch.cuda.amp.autocast(args...)` is deprecated. "
            "Please use `torch.amp.autocast('cuda', args...)` instead.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__("cuda", dtype, enabled, cache_enabled)

    def __enter__(self):
        if is_scripting():
            return self
        return super().__enter__()

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any):
        if is_scripting():
            return
        super().__exit__(exc_type, exc_val, exc_tb)
