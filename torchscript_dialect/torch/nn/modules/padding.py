"""Layers that add to the edges."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

from typing import Any

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn import functional as F
from torchscript_dialect.torch.nn.modules.module import Module
from torchscript_dialect.torch.nn.modules.utils import of_rank


class _PadNd(Module):
    """How many elements come to each side, the last dimension first."""

    __constants__ = ("padding",)
    sides = 0

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = of_rank(padding, self.sides)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPadNd(_PadNd):
    __constants__ = ("padding", "value")

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class _ZeroPadNd(_ConstantPadNd):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ReflectionPadNd(_PadNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "reflect")


class _ReplicationPadNd(_PadNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "replicate")


class _CircularPadNd(_PadNd):
    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        return F.pad(input, self.padding, "circular")

    def _check_input_dim(self, input: Tensor) -> None:
        rank = len(self.padding) // 2
        if input.dim() != rank + 1 and input.dim() != rank + 2:
            raise ValueError(
                f"expected {rank + 1}D or {rank + 2}D input (got {input.dim()}D input)"
            )


class ConstantPad1d(_ConstantPadNd):
    """At the edges of 1 dimension, a constant."""

    sides = 2


class ConstantPad2d(_ConstantPadNd):
    """At the edges of 2 dimensions, a constant."""

    sides = 4


class ConstantPad3d(_ConstantPadNd):
    """At the edges of 3 dimensions, a constant."""

    sides = 6


class ZeroPad1d(_ZeroPadNd):
    """At the edges of 1 dimension, zeros."""

    sides = 2


class ZeroPad2d(_ZeroPadNd):
    """At the edges of 2 dimensions, zeros."""

    sides = 4


class ZeroPad3d(_ZeroPadNd):
    """At the edges of 3 dimensions, zeros."""

    sides = 6


class ReflectionPad1d(_ReflectionPadNd):
    """At the edges of 1 dimension, the mirror image."""

    sides = 2


class ReflectionPad2d(_ReflectionPadNd):
    """At the edges of 2 dimensions, the mirror image."""

    sides = 4


class ReflectionPad3d(_ReflectionPadNd):
    """At the edges of 3 dimensions, the mirror image."""

    sides = 6


class ReplicationPad1d(_ReplicationPadNd):
    """At the edges of 1 dimension, the last element again."""

    sides = 2


class ReplicationPad2d(_ReplicationPadNd):
    """At the edges of 2 dimensions, the last element again."""

    sides = 4


class ReplicationPad3d(_ReplicationPadNd):
    """At the edges of 3 dimensions, the last element again."""

    sides = 6


class CircularPad1d(_CircularPadNd):
    """At the edges of 1 dimension, what is at the other side."""

    sides = 2


class CircularPad2d(_CircularPadNd):
    """At the edges of 2 dimensions, what is at the other side."""

    sides = 4


class CircularPad3d(_CircularPadNd):
    """At the edges of 3 dimensions, what is at the other side."""

    sides = 6
