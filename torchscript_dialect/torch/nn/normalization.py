"""Layers that give their inputs mean 0 and variance 1: over a batch, over the last dimensions, over groups of channels."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn import functional as F
from torchscript_dialect.torch.nn.module import Module
from torchscript_dialect.torch.nn.parameter import Parameter


class _BatchNorm(Module):
    """Statistics of the batch in training, which running ones follow; those in evaluation."""

    __constants__ = ("momentum", "eps")

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        for name, start in (("weight", torch.ones), ("bias", torch.zeros)):
            self.register_parameter(name, Parameter(start(num_features)) if affine else None)
        for name, start in (("running_mean", torch.zeros), ("running_var", torch.ones)):
            self.register_buffer(name, start(num_features) if track_running_stats else None)

    def forward(self, input: Tensor) -> Tensor:
        return torch.batch_norm(
            input,
            self.weight,
            self.bias,
            self.running_mean,
            self.running_var,
            self.training or self.running_mean is None,
            self.momentum,
            self.eps,
            True,
        )

    def extra_repr(self) -> str:
        return f"{self.num_features}, eps={self.eps}, momentum={self.momentum}"


class BatchNorm1d(_BatchNorm):
    """Channels of (N, C) or (N, C, L)."""


class BatchNorm2d(_BatchNorm):
    """Channels of (N, C, H, W)."""


class BatchNorm3d(_BatchNorm):
    """Channels of (N, C, D, H, W)."""


class LayerNorm(Module):
    """Over the last dimensions, which have the sizes `normalized_shape`."""

    __constants__ = ("normalized_shape", "eps")

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
    ) -> None:
        super().__init__()
        is_number = isinstance(normalized_shape, int)
        self.normalized_shape = (normalized_shape,) if is_number else tuple(normalized_shape)
        self.eps = eps
        shape = list(self.normalized_shape)
        self.register_parameter(
            "weight", Parameter(torch.ones(shape)) if elementwise_affine else None
        )
        has_bias = elementwise_affine and bias
        self.register_parameter("bias", Parameter(torch.zeros(shape)) if has_bias else None)

    def forward(self, input: Tensor) -> Tensor:
        shape = self.normalized_shape
        return F.layer_norm(input, shape, self.weight, self.bias, self.eps)  # pyright: ignore[reportArgumentType]

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}"


class GroupNorm(Module):
    """Over groups of the channels of (N, C, *)."""

    __constants__ = ("num_groups", "eps")

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True
    ) -> None:
        super().__init__()
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.register_parameter("weight", Parameter(torch.ones(num_channels)) if affine else None)
        self.register_parameter("bias", Parameter(torch.zeros(num_channels)) if affine else None)

    def forward(self, input: Tensor) -> Tensor:
        return torch.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}"
