"""Weights of convolutions in another order in memory."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from typing import Any, TypeVar

from torchscript_dialect.tensor.tensor import give_array
from torchscript_dialect.torch.nn.modules.conv import (
    Conv2d,
    Conv3d,
    ConvTranspose2d,
    ConvTranspose3d,
)
from torchscript_dialect.torch.nn.modules.module import Module

_M = TypeVar("_M", bound=Module)


def _convert(module: Module, memory_format: Any, classes: tuple[type[Module], ...]) -> None:
    for inner in module.modules():
        if isinstance(inner, classes):
            weight: Any = inner.weight
            give_array(weight, weight.contiguous(memory_format=memory_format).array)


def convert_conv2d_weight_memory_format(module: _M, memory_format: Any) -> _M:
    """The module, with the weights of convolutions over images in a memory format."""
    _convert(module, memory_format, (Conv2d, ConvTranspose2d))
    return module


def convert_conv3d_weight_memory_format(module: _M, memory_format: Any) -> _M:
    """The module, with the weights of convolutions over volumes in a memory format."""
    _convert(module, memory_format, (Conv3d, ConvTranspose3d))
    return module
