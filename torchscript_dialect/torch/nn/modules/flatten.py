"""Layers that join dimensions, and that split one."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

from typing import Any

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn.modules._text import named
from torchscript_dialect.torch.nn.modules.module import Module


class Flatten(Module):
    """Dimensions from one to another joined."""

    __constants__ = ("start_dim", "end_dim")

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return named(self, "start_dim", "end_dim")


class Unflatten(Module):
    """A dimension split into several."""

    __constants__ = ("dim", "unflattened_size")

    def __init__(self, dim: Any, unflattened_size: Any) -> None:
        super().__init__()
        if not isinstance(dim, int):
            raise TypeError(f"unflattened dim is an int here, but found type {type(dim).__name__}")
        for position, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                raise TypeError(
                    "unflattened_size must be tuple of ints, but found element of type"
                    f" {type(size).__name__} at pos {position}"
                )
        self.dim = dim
        self.unflattened_size = tuple(unflattened_size)

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return named(self, "dim", "unflattened_size")
