"""`torch.autograd`."""

from __future__ import annotations

from torchscript_dialect.autograd.functions import backward as backward
from torchscript_dialect.autograd.functions import grad as grad
from torchscript_dialect.torch.autograd import function as function
from torchscript_dialect.torch.autograd.function import Function
from torchscript_dialect.torch.grad_mode import (
    enable_grad,
    inference_mode,
    no_grad,
    set_grad_enabled,
)

grad.__torchscript_op__ = "aten::grad"  # type: ignore[attr-defined]
backward.__torchscript_op__ = "aten::backward"  # type: ignore[attr-defined]

__all__ = [
    "Function",
    "backward",
    "enable_grad",
    "function",
    "grad",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
]
