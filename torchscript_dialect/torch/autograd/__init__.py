"""`torch.autograd`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from torchscript_dialect.autograd.functions import backward as backward
from torchscript_dialect.autograd.functions import grad as grad
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch import grad_mode as grad_mode
from torchscript_dialect.torch.absent_names import absent
from torchscript_dialect.torch.autograd import function as function
from torchscript_dialect.torch.autograd.anomaly_mode import (
    detect_anomaly as detect_anomaly,
)
from torchscript_dialect.torch.autograd.anomaly_mode import (
    set_detect_anomaly as set_detect_anomaly,
)
from torchscript_dialect.torch.autograd.function import Function
from torchscript_dialect.torch.autograd.gradcheck import gradcheck as gradcheck
from torchscript_dialect.torch.autograd.gradcheck import gradgradcheck as gradgradcheck
from torchscript_dialect.torch.grad_mode import (
    enable_grad,
    inference_mode,
    no_grad,
    set_grad_enabled,
)

grad.__torchscript_op__ = "aten::grad"  # type: ignore[attr-defined]
backward.__torchscript_op__ = "aten::backward"  # type: ignore[attr-defined]

_SUBMODULES = ("anomaly_mode", "forward_ad", "functional", "graph", "profiler")


class _Variable(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)


class Variable(metaclass=_Variable):
    """`Variable(data)` is a tensor over the same memory: what required gradients before tensors did."""

    def __new__(cls, data: Tensor, requires_grad: bool = False, volatile: bool = False) -> Tensor:  # pyright: ignore[reportInconsistentConstructor]
        return data.detach().requires_grad_(requires_grad)


__all__ = [
    "Function",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "function",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    raise absent(__name__, name)
