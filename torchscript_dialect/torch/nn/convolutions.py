"""Convolutions of one, two and three dimensions, and those that undo their strides."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

import math
from typing import Any, Tuple  # noqa: UP035

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn.module import Module
from torchscript_dialect.torch.nn.parameter import Parameter


def _of_rank(value: Any, rank: int) -> Tuple[int, ...]:  # noqa: UP006
    """One number for each dimension."""
    return (value,) * rank if isinstance(value, int) else tuple(value)


class _Convolution(Module):
    """Weights (out, in / groups, *kernel_size), or with in and out exchanged where the convolution is transposed."""

    __constants__ = ("stride", "padding", "dilation", "groups", "output_padding")
    rank = 0
    is_transposed = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        output_padding: Any = 0,
    ) -> None:
        super().__init__()
        rank = self.rank
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = _of_rank(kernel_size, rank)
        self.stride = _of_rank(stride, rank)
        self.padding = _of_rank(padding, rank)
        self.dilation = _of_rank(dilation, rank)
        self.output_padding = _of_rank(output_padding, rank)
        self.groups = groups
        outer, inner = (
            (in_channels, out_channels) if self.is_transposed else (out_channels, in_channels)
        )
        shape = [outer, inner // groups, *self.kernel_size]
        bound = 1 / math.sqrt(max(math.prod(shape[1:]), 1))
        self.weight = Parameter(torch.empty(shape).uniform_(-bound, bound))
        if bias:
            self.bias = Parameter(torch.empty([out_channels]).uniform_(-bound, bound))
        else:
            self.register_parameter("bias", None)

    def extra_repr(self) -> str:
        return f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"


class Conv1d(_Convolution):
    """(N, C, L) to (N, out_channels, L')."""

    rank = 1

    def forward(self, input: Tensor) -> Tensor:
        return torch.conv1d(
            input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )


class Conv2d(_Convolution):
    """(N, C, H, W) to (N, out_channels, H', W')."""

    rank = 2

    def forward(self, input: Tensor) -> Tensor:
        return torch.conv2d(
            input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )


class Conv3d(_Convolution):
    """(N, C, D, H, W) to (N, out_channels, D', H', W')."""

    rank = 3

    def forward(self, input: Tensor) -> Tensor:
        return torch.conv3d(
            input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )


class _Transposed(_Convolution):
    """As `_Convolution`, with PyTorch's order of parameters."""

    is_transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            bias,
            output_padding,
        )


class ConvTranspose1d(_Transposed):
    """(N, C, L) to (N, out_channels, L')."""

    rank = 1

    def forward(self, input: Tensor) -> Tensor:
        return torch.conv_transpose1d(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            self.output_padding,
            self.groups,
            self.dilation,
        )


class ConvTranspose2d(_Transposed):
    """(N, C, H, W) to (N, out_channels, H', W')."""

    rank = 2

    def forward(self, input: Tensor) -> Tensor:
        return torch.conv_transpose2d(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            self.output_padding,
            self.groups,
            self.dilation,
        )
