"""The operators of torchvision that models for detection call (torchvision: csrc/ops/cpu), which their archives do not bring along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.custom import register_operator
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


def roi_align(
    x: Tensor,
    rois: Tensor,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    sampling_ratio: int,
    aligned: bool,
) -> Array:
    """The mean of interpolated samples in each cell of a grid over each region: (K, C, pooled_height, pooled_width) of x (N, C, H, W)
    and rois (K, 5), each the number of an image and a box. Without a positive `sampling_ratio` there are as many samples as pixels.
    """
    images, cells = x.array, (pooled_height, pooled_width)
    found = np.zeros((len(rois.array), images.shape[1], *cells), images.dtype)
    regions = _regions(rois.array, spatial_scale, cells, images.shape[2:], sampling_ratio, aligned)
    for number, (image, rows, columns) in enumerate(regions):
        found[number] = rows @ images[image] @ columns.T
    return found


def roi_align_backward(
    grad: Tensor,
    rois: Tensor,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    batch_size: int,
    channels: int,
    height: int,
    width: int,
    sampling_ratio: int,
    aligned: bool,
) -> Array:
    """The gradient of the images: each cell gives its own to the pixels that it has samples of."""
    cells, sizes = (pooled_height, pooled_width), (height, width)
    found = np.zeros((batch_size, channels, *sizes), grad.array.dtype)
    regions = _regions(rois.array, spatial_scale, cells, sizes, sampling_ratio, aligned)
    for number, (image, rows, columns) in enumerate(regions):
        found[image] += rows.T @ grad.array[number] @ columns
    return found


def _regions(
    rois: Array,
    spatial_scale: float,
    cells: tuple[int, ...],
    sizes: tuple[int, ...],
    ratio: int,
    aligned: bool,
) -> Iterator[tuple[int, Array, Array]]:
    """The image of each region, and the weights of its rows and columns of pixels in the cells."""
    kind = rois.dtype.type
    shift = kind(0.5 if aligned else 0.0)
    for image, *box in rois:
        left, top, right, bottom = (side * kind(spatial_scale) - shift for side in box)
        rows = _samples(top, bottom, cells[0], ratio, sizes[0], aligned)
        yield int(image), rows, _samples(left, right, cells[1], ratio, sizes[1], aligned)


def _samples(start: Any, end: Any, cells: int, ratio: int, size: int, aligned: bool) -> Array:
    """The weights (cells, size) that take the mean over the samples of each cell along one side of an image."""
    kind = start.dtype.type
    length: Any = end - start if aligned else max(end - start, kind(1))
    cell = length / kind(cells)
    count = ratio if ratio > 0 else int(np.ceil(cell))
    weights: Array = np.zeros((cells, size), kind)
    if count <= 0:
        return weights
    steps: Array = (np.arange(count, dtype=kind) + kind(0.5)) * cell / kind(count)
    at: Array = start + np.arange(cells, dtype=kind)[:, None] * cell + steps
    inside = (at >= -1) & (at <= size)
    at = np.maximum(at, kind(0))
    low: Array = np.minimum(at.astype(np.int64), size - 1)
    high: Array = np.minimum(low + 1, size - 1)
    part: Array = np.where(low >= size - 1, kind(0), at - low)
    row = np.broadcast_to(np.arange(cells)[:, None], low.shape)
    np.add.at(weights, (row, low), np.where(inside, 1 - part, kind(0)))
    np.add.at(weights, (row, high), np.where(inside, part, kind(0)))
    return weights / kind(count)


_ROI = "Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width"

_SIZES = "int batch_size, int channels, int height, int width"

register_operator(
    "torchvision::nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    nms,
    grad="result: not_differentiable",
)
register_operator(
    f"torchvision::roi_align({_ROI}, int sampling_ratio, bool aligned) -> Tensor",
    roi_align,
    grad="""
input: torch.ops.torchvision._roi_align_backward(grad, rois, spatial_scale, pooled_height, pooled_width, input.size(0), input.size(1),
    input.size(2), input.size(3), sampling_ratio, aligned)
rois: not_differentiable
""",
)
register_operator(
    f"torchvision::_roi_align_backward({_ROI.replace('input', 'grad')}, {_SIZES}, int sampling_ratio, bool aligned) -> Tensor",
    roi_align_backward,
)
