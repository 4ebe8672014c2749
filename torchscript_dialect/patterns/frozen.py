"""Arithmetic with constants that becomes part of the weights before it (PyTorch: passes/frozen_conv_folding.cpp).

Each rule makes new weights, so that a convolution whose result something else uses, or whose weights are not constant, stays. Results
round otherwise.

A batch norm after a linear layer stays. PyTorch folds it, and its result is another one where the input has three dimensions: then the
norm's channels are not the layer's. `torch.nn.utils.fuse_linear_bn_eval` is for those who know that there are two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects import aten
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.edit import NOT_CONSTANT, constant_value
from torchscript_dialect.patterns.values import forward
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types.tensor_type import TENSOR, TensorType

Array = NDArray[Any]

GeneralConvolution = operator_class("aten::_convolution")
"""What traces have for all convolutions; its seventh operand says whether it is transposed."""

_LAYERS: tuple[type[Operation], ...] = (
    aten.Conv1dOp,
    aten.Conv2dOp,
    aten.Conv3dOp,
    GeneralConvolution,
)


@dataclass
class Layer:
    """A convolution with constant weights, whose result is used once."""

    op: Operation
    weight: Array
    bias: Array | None

    @property
    def is_batched(self) -> bool:
        """Whether the result is known to have a dimension of images, and not one image alone."""
        type_ = self.op.results[0].type
        rank = (
            None if not isinstance(type_, TensorType) or type_.sizes is None else len(type_.sizes)
        )
        return rank == self.weight.ndim

    def change(self, weight: Array, bias: Array | None) -> None:
        """Give it other weights."""
        for place, array in ((1, weight), (2, bias)):
            if array is not None:
                tensor = tensor_of(np.ascontiguousarray(array.astype(self.weight.dtype)))
                self.op.operands[place] = edit.insert_constant(self.op, tensor, TENSOR)


def layer_of(value: SSAValue) -> Layer | None:
    """The convolution that gives a value and that may be changed; None where there is none."""
    op = value.owner
    if not isinstance(op, _LAYERS) or not _is_used_once(value):
        return None
    if isinstance(op, GeneralConvolution) and constant_value(op.operands[6]) is not False:
        return None
    weight, bias = array_of(op.operands[1]), constant_value(op.operands[2], NOT_CONSTANT)
    if weight is None or weight.dtype.kind != "f" or bias is NOT_CONSTANT:
        return None
    return Layer(op, weight, None if bias is None else bias.array)


_ASKS_FOR_SHAPE = frozenset(("aten::dim", "aten::size", "aten::len", "aten::numel"))


def _is_used_once(value: SSAValue) -> bool:
    """Whether one node uses the elements of a tensor; others may ask for its shape."""
    kinds = [getattr(use.operation, "KIND", "") for use in value.uses]
    return sum(kind not in _ASKS_FOR_SHAPE for kind in kinds) == 1


def array_of(value: SSAValue) -> Array | None:
    """The elements of a constant tensor; None for anything else."""
    known = constant_value(value)
    return known.array if isinstance(known, Tensor) else None


def by_channel(value: SSAValue, layer: Layer) -> Array | None:
    """A constant number, or a tensor with one number or one for each channel, as numbers of the layer's channels; None for others."""
    known = constant_value(value)
    channels = layer.weight.shape[0]
    if isinstance(known, (int, float)) and not isinstance(known, bool):
        return _filled(layer, known)
    if not isinstance(known, Tensor) or known.array.dtype.kind not in "iuf":
        return None
    array: Array = known.array
    rank = layer.weight.ndim
    if array.dtype.kind == "f" and array.ndim and array.dtype != layer.weight.dtype:
        return None
    if array.size == 1 and (array.ndim < rank or (layer.is_batched and array.ndim == rank)):
        return _filled(layer, array.item())
    shape = (1,) * (rank - 1 - array.ndim) + array.shape
    if layer.is_batched:
        shape = (1,) * (rank - array.ndim) + array.shape
    wanted = (channels, *([1] * (rank - 2)))
    flat: Array = array.reshape(-1)
    return flat if shape in (wanted, (1, *wanted)) else None


def _filled(layer: Layer, number: float) -> Array:
    """One number for each channel of a layer."""
    return np.asarray([number] * layer.weight.shape[0]).astype(layer.weight.dtype)


def scaled(weight: Array, by: Array) -> Array:
    """The weights of each channel times a number."""
    made: Array = weight * by.reshape(-1, *([1] * (weight.ndim - 1)))
    return made


class FoldBatchNorm(RewritePattern):
    """`aten::batch_norm(aten::conv2d(%x, w, b), ...)` with constant statistics -> one convolution."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.BatchNormOp, rewriter: PatternRewriter, /) -> None:
        layer = layer_of(op.input)
        training, eps = constant_value(op.training), constant_value(op.eps)
        mean, var = array_of(op.running_mean), array_of(op.running_var)
        if layer is None or training is not False or eps is None or mean is None or var is None:
            return
        gamma, beta = (constant_value(each, NOT_CONSTANT) for each in (op.weight, op.bias))
        if gamma is NOT_CONSTANT or beta is NOT_CONSTANT:
            return
        dtype = layer.weight.dtype
        scale = (1 / np.sqrt(var + np.asarray(eps, var.dtype))).astype(dtype)
        scale = scale if gamma is None else scale * gamma.array
        shift = np.zeros_like(mean) if layer.bias is None else layer.bias
        bias = (shift - mean) * scale + (0 if beta is None else beta.array)
        layer.change(scaled(layer.weight, scale), bias)
        forward(rewriter, op, op.input)


class FoldShift(RewritePattern):
    """`aten::add(aten::conv2d(%x, w, b), c)` -> one convolution, with `b + c`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: aten.AddTensorOp | aten.AddScalarOp | aten.SubTensorOp | aten.SubScalarOp,
        rewriter: PatternRewriter,
        /,
    ) -> None:
        layer, alpha = layer_of(op.self), constant_value(op.alpha)
        if layer is None or not isinstance(alpha, (int, float)):
            return
        number = by_channel(op.other, layer)
        if number is None:
            return
        sign = -alpha if isinstance(op, aten.SubTensorOp | aten.SubScalarOp) else alpha
        bias = number * np.asarray(sign, layer.weight.dtype)
        layer.change(layer.weight, bias if layer.bias is None else layer.bias + bias)
        forward(rewriter, op, op.self)


class FoldScale(RewritePattern):
    """`aten::mul(aten::conv2d(%x, w, b), c)` -> one convolution, with `w * c` and `b * c`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: aten.MulTensorOp | aten.MulScalarOp | aten.DivTensorOp | aten.DivScalarOp,
        rewriter: PatternRewriter,
        /,
    ) -> None:
        layer = layer_of(op.self)
        number = None if layer is None else by_channel(op.other, layer)
        if layer is None or number is None:
            return
        if isinstance(op, aten.DivTensorOp | aten.DivScalarOp):
            if not number.all():
                return
            number = (1 / number).astype(layer.weight.dtype)
        layer.change(
            scaled(layer.weight, number), None if layer.bias is None else layer.bias * number
        )
        forward(rewriter, op, op.self)
