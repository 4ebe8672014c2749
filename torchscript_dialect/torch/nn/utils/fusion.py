"""Batch normalization in evaluation as part of the layer before it."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

import copy
from typing import Any, TypeVar

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn.parameter import Parameter

_L = TypeVar("_L")


def fuse_conv_bn_weights(
    conv_w: Any,
    conv_b: Any,
    bn_rm: Any,
    bn_rv: Any,
    bn_eps: float,
    bn_w: Any,
    bn_b: Any,
    transpose: bool = False,
) -> tuple[Tensor, Tensor]:
    """Weights and bias of a convolution that normalizes too: its channels scaled and shifted."""
    bias = torch.zeros_like(bn_rm) if conv_b is None else conv_b
    scale = (torch.ones_like(bn_rm) if bn_w is None else bn_w) * torch.rsqrt(bn_rv + bn_eps)
    shift = torch.zeros_like(bn_rm) if bn_b is None else bn_b
    shape = [1] * conv_w.dim()
    shape[1 if transpose else 0] = -1
    weight = (conv_w * scale.reshape(shape)).to(dtype=conv_w.dtype)
    fused = ((bias - bn_rm) * scale + shift).to(dtype=bias.dtype)
    return Parameter(weight, conv_w.requires_grad), Parameter(fused, bias.requires_grad)


def fuse_linear_bn_weights(
    linear_w: Any, linear_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any
) -> tuple[Tensor, Tensor]:
    """Weights and bias of a linear layer that normalizes too."""
    return fuse_conv_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)


def _fused(layer: _L, bn: Any, transpose: bool) -> _L:
    made: Any = copy.deepcopy(layer)
    weight, bias = fuse_conv_bn_weights(
        made.weight,
        made.bias,
        bn.running_mean,
        bn.running_var,
        bn.eps,
        bn.weight,
        bn.bias,
        transpose,
    )
    made.weight, made.bias = weight, bias
    return made


def fuse_conv_bn_eval(conv: _L, bn: Any, transpose: bool = False) -> _L:
    """A convolution that normalizes too; AssertionError for layers in training, or a normalization without statistics."""
    _require_evaluation(conv, bn)
    return _fused(conv, bn, transpose)


def fuse_linear_bn_eval(linear: _L, bn: Any) -> _L:
    """A linear layer that normalizes too; AssertionError as for convolutions, or where sizes do not go together."""
    _require_evaluation(linear, bn)
    features: int = linear.out_features  # type: ignore[attr-defined]
    if features != bn.num_features and bn.num_features != 1:
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1"
        )
    return _fused(linear, bn, False)


def _require_evaluation(layer: Any, bn: Any) -> None:
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("Only support fusion if running statistics are tracked")
