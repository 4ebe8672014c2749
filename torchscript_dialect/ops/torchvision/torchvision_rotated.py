"""How much rotated boxes cover of each other (torchvision: csrc/ops/cpu/box_iou_rotated_kernel.cpp)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor

Array = NDArray[Any]
_SMALLEST = 1e-14
"""The area of a box, and the angle of two edges, that count as none."""
_SLACK = 1e-5
"""How far beyond a box, as a part of an edge, a corner still is inside."""


def box_iou_rotated(boxes1: Tensor, boxes2: Tensor) -> Array:
    """Of each pair of boxes (x, y of the center, width, height, degrees), the area that they share by that of their union."""
    for name, boxes in (("boxes1", boxes1), ("boxes2", boxes2)):
        shape = list(boxes.array.shape)
        if len(shape) != 2 or shape[1] != 5:
            raise RuntimeError(f"{name} should have shape (N, 5), got {shape}")
    if boxes1.dtype != boxes2.dtype:
        raise RuntimeError("boxes1 and boxes2 must have the same dtype")
    if boxes1.dtype not in (dtypes.float32, dtypes.float64):
        raise NotImplementedError(
            f"\"box_iou_rotated_cpu\" not implemented for '{boxes1.dtype.type_name}'"
        )
    first, second = (boxes.array.astype(np.float64) for boxes in (boxes1, boxes2))
    shape = (len(first), len(second))
    rows, columns = (part.reshape(-1) for part in np.indices(shape))
    areas1, areas2 = first[rows, 2] * first[rows, 3], second[columns, 2] * second[columns, 3]
    found = np.zeros(rows.size, np.float32)
    finite = np.isfinite(first[rows].sum(1) + second[columns].sum(1))
    pairs = np.flatnonzero(finite & (areas1 >= _SMALLEST) & (areas2 >= _SMALLEST))
    if pairs.size:
        shared = _shared(first[rows[pairs]], second[columns[pairs]])
        found[pairs] = shared / (areas1[pairs] + areas2[pairs] - shared)
    return found.reshape(shape)


def _corners(boxes: Array, centers: Array) -> Array:
    """The four corners of each box around a point, along a circle."""
    angles = np.radians(boxes[:, 4])
    along = np.stack([np.cos(angles), -np.sin(angles)], 1) * (boxes[:, 2] / 2)[:, None]
    across = np.stack([np.sin(angles), np.cos(angles)], 1) * (boxes[:, 3] / 2)[:, None]
    corners = np.stack([across + along, along - across, -across - along, across - along], 1)
    return corners + (boxes[:, :2] - centers)[:, None]


def _cross(one: Array, other: Array) -> Array:
    return one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]


def _shared(first: Array, second: Array) -> Array:
    """The areas that boxes share with the boxes beside them: of the hull of the corners inside, and of the points where edges meet."""
    centers = (first[:, :2] + second[:, :2]) / 2
    one, other = _corners(first, centers), _corners(second, centers)
    edges1, edges2 = np.roll(one, -1, 1) - one, np.roll(other, -1, 1) - other
    start, step = one[:, :, None], edges1[:, :, None]
    between = other[:, None] - start
    turn = _cross(step, edges2[:, None])
    with np.errstate(divide="ignore", invalid="ignore"):
        along1 = _cross(between, edges2[:, None]) / turn
        along2 = _cross(between, step) / turn
        meet = (np.abs(turn) > _SMALLEST) & _within(along1) & _within(along2)
        crossings = np.where(meet[..., None], start + along1[..., None] * step, 0.0)
    points = np.concatenate([crossings.reshape(len(one), 16, 2), one, other], 1)
    inside = [meet.reshape(len(one), 16), _inside(one, other), _inside(other, one)]
    return _area_of_hull(points, np.concatenate(inside, 1))


def _within(part: Array) -> Array:
    return (part > -_SLACK) & (part < 1 + _SLACK)


def _inside(points: Array, corners: Array) -> Array:
    """Which points are inside of the box with these corners."""
    from_corner = points - corners[:, :1]
    is_inside = np.ones(points.shape[:2], np.bool_)
    for side in (corners[:, 1:2] - corners[:, :1], corners[:, 3:] - corners[:, :1]):
        part = (from_corner * side).sum(-1) / (side * side).sum(-1)
        is_inside &= _within(part)
    return is_inside


def _area_of_hull(points: Array, counts: Array) -> Array:
    """The area of the points that count, which are corners of something convex: around their middle, by their angles."""
    number = counts.sum(1)
    middle = (points * counts[..., None]).sum(1) / np.maximum(number, 1)[:, None]
    around = (points - middle[:, None]) * counts[..., None]
    angles = np.where(counts, np.arctan2(around[..., 1], around[..., 0]), np.inf)
    order = np.argsort(angles, 1)[..., None]
    around = np.take_along_axis(around, order, 1)
    kept = np.take_along_axis(counts[..., None], order, 1)
    around = np.where(kept, around, around[:, :1])
    area = _cross(around, np.roll(around, -1, 1)).sum(1) / 2
    return np.where(number > 2, area, 0.0)
