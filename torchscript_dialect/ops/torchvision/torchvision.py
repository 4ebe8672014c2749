"""The operators of torchvision that models for detection call (torchvision: csrc/ops/cpu), which their archives do not bring along.

What they compute is in the modules beside this one, which is imported when the first of them is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.custom import register_operator
from torchscript_dialect.ops.torchvision.torchvision_align import (
    ps_roi_align,
    ps_roi_align_backward,
    roi_align,
    roi_align_backward,
)
from torchscript_dialect.ops.torchvision.torchvision_deformable import (
    deform_conv2d,
    deform_conv2d_backward,
)
from torchscript_dialect.ops.torchvision.torchvision_pool import (
    ps_roi_pool,
    ps_roi_pool_backward,
    roi_pool,
    roi_pool_backward,
)
from torchscript_dialect.ops.torchvision.torchvision_rotated import box_iou_rotated
from torchscript_dialect.tensor.tensor import Tensor

Array = NDArray[Any]


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Array:
    """Non-maximum suppression: the numbers of the boxes that stay, the best first. A box (x1, y1, x2, y2) goes where a better one that
    stays covers more than `iou_threshold` of their union.
    """
    x1, y1, x2, y2 = np.moveaxis(boxes.array, -1, 0)
    areas = (x2 - x1) * (y2 - y1)
    left = np.argsort(-scores.array, kind="stable")
    kept: list[int] = []
    while left.size:
        best, left = left[0], left[1:]
        kept.append(int(best))
        width = np.minimum(x2[best], x2[left]) - np.maximum(x1[best], x1[left])
        height = np.minimum(y2[best], y2[left]) - np.maximum(y1[best], y1[left])
        common = np.maximum(width, 0) * np.maximum(height, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            left = left[~(common / (areas[best] + areas[left] - common) > iou_threshold)]
    return np.array(kept, np.int64)


def _new_empty_tensor_op(input: Tensor, shape: Sequence[int]) -> Array:
    """A tensor without elements, or of any; models of torchvision 0.5 to 0.8 make one where no box is left."""
    return np.zeros(shape, input.array.dtype)


_POOLED = "float spatial_scale, int pooled_height, int pooled_width"

_SIZES = "int batch_size, int channels, int height, int width"

_SIZES_OF_INPUT = "input.size(0), input.size(1), input.size(2), input.size(3)"

_TWO = "(Tensor, Tensor)"
"""The second are numbers, of pixels or channels, which go to the gradient."""

_DEFORMABLE = "Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias"

_SETTINGS = (
    "int stride_h, int stride_w, int pad_h, int pad_w, int dilation_h, int dilation_w, int groups, int offset_groups, "
    "bool use_mask"
)

register_operator(
    "torchvision::nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    nms,
    grad="result: not_differentiable",
)
register_operator(
    "torchvision::box_iou_rotated(Tensor boxes1, Tensor boxes2) -> Tensor",
    box_iou_rotated,
    grad="result: not_differentiable",
)
register_operator(
    "torchvision::_new_empty_tensor_op(Tensor input, int[] shape) -> Tensor",
    _new_empty_tensor_op,
    grad="input: torch.zeros_like(input)",
)
register_operator(
    f"torchvision::roi_align(Tensor input, Tensor rois, {_POOLED}, int sampling_ratio, bool aligned=False) -> Tensor",
    roi_align,
    grad=f"""
input: torch.ops.torchvision._roi_align_backward(grad, rois, spatial_scale, pooled_height, pooled_width, {_SIZES_OF_INPUT},
    sampling_ratio, aligned)
rois: not_differentiable
""",
)
register_operator(
    f"torchvision::_roi_align_backward(Tensor grad, Tensor rois, {_POOLED}, {_SIZES}, int sampling_ratio, bool aligned) -> Tensor",
    roi_align_backward,
)
register_operator(
    f"torchvision::roi_pool(Tensor input, Tensor rois, {_POOLED}) -> {_TWO}",
    roi_pool,
    grad=f"""
input: torch.ops.torchvision._roi_pool_backward(grad, rois, result1, spatial_scale, pooled_height, pooled_width, {_SIZES_OF_INPUT})
rois: not_differentiable
result1: not_differentiable
""",
)
register_operator(
    f"torchvision::_roi_pool_backward(Tensor grad, Tensor rois, Tensor argmax, {_POOLED}, {_SIZES}) -> Tensor",
    roi_pool_backward,
)
register_operator(
    f"torchvision::ps_roi_align(Tensor input, Tensor rois, {_POOLED}, int sampling_ratio) -> {_TWO}",
    ps_roi_align,
    grad=f"""
input: torch.ops.torchvision._ps_roi_align_backward(grad, rois, result1, spatial_scale, pooled_height, pooled_width, sampling_ratio,
    {_SIZES_OF_INPUT})
rois: not_differentiable
result1: not_differentiable
""",
)
register_operator(
    f"torchvision::_ps_roi_align_backward(Tensor grad, Tensor rois, Tensor channel_mapping, {_POOLED}, int sampling_ratio, {_SIZES}) "
    "-> Tensor",
    ps_roi_align_backward,
)
register_operator(
    f"torchvision::ps_roi_pool(Tensor input, Tensor rois, {_POOLED}) -> {_TWO}",
    ps_roi_pool,
    grad=f"""
input: torch.ops.torchvision._ps_roi_pool_backward(grad, rois, result1, spatial_scale, pooled_height, pooled_width, {_SIZES_OF_INPUT})
rois: not_differentiable
result1: not_differentiable
""",
)
register_operator(
    f"torchvision::_ps_roi_pool_backward(Tensor grad, Tensor rois, Tensor channel_mapping, {_POOLED}, {_SIZES}) -> Tensor",
    ps_roi_pool_backward,
)
register_operator(
    f"torchvision::deform_conv2d({_DEFORMABLE}, {_SETTINGS}) -> Tensor",
    deform_conv2d,
    grad="""
input, weight, offset, mask, bias: torch.ops.torchvision._deform_conv2d_backward(grad, input, weight, offset, mask, bias, stride_h,
    stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups, use_mask)
""",
)
register_operator(
    f"torchvision::_deform_conv2d_backward(Tensor grad, {_DEFORMABLE}, {_SETTINGS}) -> (Tensor, Tensor, Tensor, Tensor, Tensor)",
    deform_conv2d_backward,
)
