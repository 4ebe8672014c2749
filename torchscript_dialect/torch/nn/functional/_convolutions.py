"""Linear maps, convolutions, and the windows that they see."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
# pyright: reportArgumentType=false, reportInvalidTypeArguments=false
from __future__ import annotations

from torchscript_dialect import torch
from torchscript_dialect.ops.eager.dispatch import function
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn.functional._types import BroadcastingList2, _of_rank

linear = function("linear")
bilinear = function("bilinear")
conv1d = function("conv1d")
conv2d = function("conv2d")
conv3d = function("conv3d")
conv_tbc = function("conv_tbc")
conv_transpose1d = function("conv_transpose1d")
conv_transpose2d = function("conv_transpose2d")
conv_transpose3d = function("conv_transpose3d")


def unfold(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    dilation: BroadcastingList2[int] = 1,
    padding: BroadcastingList2[int] = 0,
    stride: BroadcastingList2[int] = 1,
) -> Tensor:
    """The windows of images as columns."""
    return torch.im2col(
        input,
        _of_rank(kernel_size, 2),
        _of_rank(dilation, 2),
        _of_rank(padding, 2),
        _of_rank(stride, 2),
    )


def fold(
    input: Tensor,
    output_size: BroadcastingList2[int],
    kernel_size: BroadcastingList2[int],
    dilation: BroadcastingList2[int] = 1,
    padding: BroadcastingList2[int] = 0,
    stride: BroadcastingList2[int] = 1,
) -> Tensor:
    """Images of the sums of windows that lie in columns."""
    return torch.col2im(
        input,
        _of_rank(output_size, 2),
        _of_rank(kernel_size, 2),
        _of_rank(dilation, 2),
        _of_rank(padding, 2),
        _of_rank(stride, 2),
    )
