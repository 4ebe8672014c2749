"""The operators of torchvision that models for detection call (torchvision: csrc/ops/cpu), which their archives do not bring along."""

from __future__ import annotations

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
    images, regions = x.array, rois.array
    channels, height, width = images.shape[1:]
    found = np.zeros((len(regions), channels, pooled_height, pooled_width), images.dtype)
    shift = images.dtype.type(0.5 if aligned else 0.0)
    scale = images.dtype.type(spatial_scale)
    for number, region in enumerate(regions):
        left, top, right, bottom = region[1:] * scale - shift
        rows = _samples(top, bottom, pooled_height, sampling_ratio, height, aligned)
        columns = _samples(left, right, pooled_width, sampling_ratio, width, aligned)
        image = images[int(region[0])]
        found[number] = rows @ image @ columns.T
    return found


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

register_operator(
    "torchvision::nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor", nms
)
register_operator(
    f"torchvision::roi_align({_ROI}, int sampling_ratio, bool aligned) -> Tensor", roi_align
)
