"""PyTorch's parameters, buffers and modules in a module of ours: it holds them as they are, and counts them among its own."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from typing import Any

from torchscript_dialect.tensor import pytorch_state


def is_pytorch_tensor(value: Any) -> bool:
    """Whether a value is a tensor of PyTorch's."""
    torch = pytorch_state.loaded()
    return torch is not None and isinstance(value, torch.Tensor)


def is_pytorch_parameter(value: Any) -> bool:
    """Whether a value is a parameter of PyTorch's."""
    torch = pytorch_state.loaded()
    return torch is not None and isinstance(value, torch.nn.Parameter)


def is_pytorch_buffer(value: Any) -> bool:
    """Whether a value is what PyTorch's `nn.Buffer` makes."""
    torch = pytorch_state.loaded()
    return is_pytorch_tensor(value) and isinstance(value, torch.nn.Buffer)


def is_pytorch_module(value: Any) -> bool:
    """Whether a value is a module of PyTorch's."""
    torch = pytorch_state.loaded()
    return torch is not None and isinstance(value, torch.nn.Module)
