"""Layers that make columns of windows, and images of columns."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

from typing import Any

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn import functional as F
from torchscript_dialect.torch.nn.modules._text import named
from torchscript_dialect.torch.nn.modules.module import Module


class Fold(Module):
    """Images of the sums of windows that lie in columns."""

    __constants__ = ("output_size", "kernel_size", "dilation", "padding", "stride")

    def __init__(
        self,
        output_size: Any,
        kernel_size: Any,
        dilation: Any = 1,
        padding: Any = 0,
        stride: Any = 1,
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )

    def extra_repr(self) -> str:
        return named(self, *self.__constants__)


class Unfold(Module):
    """The windows of images as columns."""

    __constants__ = ("kernel_size", "dilation", "padding", "stride")

    def __init__(
        self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return named(self, *self.__constants__)
