"""`torch.autograd.function`."""

from torchscript_dialect.autograd.custom_function import Function as Function
from torchscript_dialect.autograd.custom_function import FunctionCtx as FunctionCtx
from torchscript_dialect.autograd.custom_function import once_differentiable as once_differentiable

__all__ = ["Function", "FunctionCtx", "once_differentiable"]
