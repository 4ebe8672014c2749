"""Regions of images as the greatest or the mean of the pixels in each cell: `roi_pool`, and `ps_roi_pool`, of which each cell reads
channels of its own (torchvision: csrc/ops/cpu/roi_pool_kernel.cpp, ps_roi_pool_kernel.cpp).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.indexing.combine_at import combine_and_round
from torchscript_dialect.ops.torchvision.torchvision_regions import (
    Pixels,
    Side,
    Sizes,
    add_to,
    channel_mapping,
    channels_out,
    check_gradient,
    check_images,
    image_numbers,
    pixels,
)
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import opmath

Array = NDArray[Any]

_FAR = 1 << 31
"""What coordinates are held to, so that they are integers."""
_LEAST = float(np.finfo(np.float32).min)
"""What the greatest pixel of a cell is compared with first, whatever the dtype."""


@ignores_float_errors
def roi_pool(
    x: Tensor, rois: Tensor, spatial_scale: float, pooled_height: int, pooled_width: int
) -> tuple[Array, Array]:
    """The greatest pixel in each cell of a grid over each region, and its place in the image, -1 where there is none: both (K, C,
    pooled_height, pooled_width), of x (N, C, H, W) and rois (K, 5), each the number of an image and a box.
    """
    images, cells = x.array, (pooled_height, pooled_width)
    check_images("roi_pool", x, rois, cells)
    channels, height, width = images.shape[1:]
    found = np.zeros((len(rois.array), channels, *cells), images.dtype)
    places = np.full(found.shape, -1, np.int32)
    if not images.size:
        return found, places
    least = images.dtype.type(_LEAST)
    bounds = _bounds(rois.array, spatial_scale, cells, (height, width), extra=1)
    for number, (image, at) in enumerate(_regions(rois.array, bounds, (height, width))):
        if not at.places.size:
            continue
        values = at.read(images[image], channels)
        values = np.where(at.inside & (values > least), values, least).reshape(*found.shape[1:], -1)
        best = values.argmax(-1)
        greatest = np.take_along_axis(values, best[..., None], -1)[..., 0]
        flat = at.places.reshape(*cells, -1)
        place = np.take_along_axis(flat[None], best[..., None], -1)[..., 0]
        is_empty = ~at.inside.any((2, 3))
        found[number] = np.where(is_empty, 0, greatest)
        places[number] = np.where(greatest > least, place, -1)
    return found, places


@ignores_float_errors
def roi_pool_backward(
    grad: Tensor,
    rois: Tensor,
    argmax: Tensor,
    _spatial_scale: float,
    _pooled_height: int,
    _pooled_width: int,
    batch_size: int,
    channels: int,
    height: int,
    width: int,
) -> Array:
    """The gradient of the images: each cell gives its own to its greatest pixel."""
    check_gradient("roi_pool", grad, rois, batch_size, argmax)
    given = grad.array
    found = np.zeros((batch_size, channels, height, width), given.dtype)
    planes = image_numbers(rois.array)[:, None] * channels + np.arange(channels)
    places = planes[..., None, None] * (height * width) + argmax.array
    has_one = argmax.array >= 0
    combine_and_round(np.add, found.reshape(-1), places[has_one], given[has_one])
    return found


@ignores_float_errors
def ps_roi_pool(
    x: Tensor, rois: Tensor, spatial_scale: float, pooled_height: int, pooled_width: int
) -> tuple[Array, Array]:
    """The mean of the pixels in each cell of a grid over each region, of x (N, channels_out * pooled_height * pooled_width, H, W), in
    which a cell reads channels of its own; and the numbers of these channels. Both are (K, channels_out, pooled_height, pooled_width).
    Cells end before the last row and column of pixels.
    """
    images, cells = x.array, (pooled_height, pooled_width)
    check_images("ps_roi_pool", x, rois, cells)
    channels, height, width = images.shape[1:]
    outputs = channels_out(channels, cells)
    found = np.zeros((len(rois.array), outputs, *cells), images.dtype)
    mapping = channel_mapping(len(found), channels, cells)
    if not images.size:
        return found, mapping
    compute = opmath(x.dtype).numpy_dtype
    bounds = _bounds(rois.array, spatial_scale, cells, (height - 1, width - 1))
    for number, (image, at) in enumerate(_regions(rois.array, bounds, (height, width), True)):
        values = at.read(images[image], outputs)
        total = np.where(at.inside, values, 0).sum((3, 4), dtype=compute)
        found[number] = total / np.maximum(at.inside.sum((2, 3)), 1).astype(compute)
    return found, mapping


@ignores_float_errors
def ps_roi_pool_backward(
    grad: Tensor,
    rois: Tensor,
    mapping: Tensor,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    batch_size: int,
    channels: int,
    height: int,
    width: int,
) -> Array:
    """The gradient of the images: each cell gives the same to all its pixels of the channel that it was read from. As in torchvision,
    cells end behind the last pixels here, and corners are rounded to float32 first.
    """
    check_gradient("ps_roi_pool", grad, rois, batch_size, mapping)
    compute, cells, sizes = (
        opmath(grad.dtype).numpy_dtype,
        (pooled_height, pooled_width),
        (height, width),
    )
    found = np.zeros((batch_size, channels, *sizes), compute)
    bounds = _bounds(rois.array, spatial_scale, cells, sizes, corners=np.float32)
    for number, (image, at) in enumerate(_regions(rois.array, bounds, sizes)):
        area = np.maximum(at.inside.sum((2, 3)), 1).astype(compute)
        part = (grad.array[number].astype(compute, copy=False) / area)[..., None, None]
        values = np.broadcast_to(part, (len(part), *at.places.shape))
        add_to(found[image], at, mapping.array[number], values)
    return found.astype(grad.array.dtype, copy=False)


class _Bounds(NamedTuple):
    """Where the cells of all regions begin and end along one side of an image: arrays (K, cells) of rows or columns of pixels."""

    first: Array
    behind: Array

    def side(self, region: int, size: int) -> Side:
        """The pixels of one region's cells, in an image of that size."""
        first, behind = self.first[region], self.behind[region]
        lengths: Array = behind - first
        longest = max(int(lengths.max(initial=0)), 0)
        places: Array = first[:, None] + np.arange(longest)
        return Side(np.minimum(places, size - 1), places < behind[:, None])


def _regions(
    rois: Array, bounds: tuple[_Bounds, _Bounds], sizes: Sizes, by_cell: bool = False
) -> Iterator[tuple[int, Pixels]]:
    """The image of each region, and the pixels of its cells."""
    rows, columns = bounds
    height, width = sizes
    for number, image in enumerate(image_numbers(rois)):
        sides = rows.side(number, height), columns.side(number, width)
        yield int(image), pixels(*sides, sizes, by_cell)


def _bounds(
    rois: Array,
    spatial_scale: float,
    cells: Sizes,
    ends: Sizes,
    *,
    extra: int = 0,
    corners: Any = None,
) -> tuple[_Bounds, _Bounds]:
    """The bounds of all cells along both sides of an image, in which pixels before `ends` are taken. Boxes are `extra` pixels longer
    than their corners lie apart; these are rounded to the dtype `corners` first.
    """
    kind = rois.dtype.type
    scaled: Array = rois[:, 1:] * kind(spatial_scale)
    left, top, right, bottom = _rounded(scaled.astype(corners or kind, copy=False)).T
    rows = _cells(top, bottom + extra, cells[0], ends[0], kind)
    return rows, _cells(left, right + extra, cells[1], ends[1], kind)


def _cells(start: Array, end: Array, cells: int, size: int, kind: Any) -> _Bounds:
    """The bounds of cells between two places each, at least one pixel apart; neighbours may share a pixel."""
    lengths: Array = np.maximum(end - start, 1).astype(kind) / kind(cells)
    number = np.arange(cells)
    first: Array = np.floor(number.astype(kind) * lengths[:, None]).astype(np.int64)
    behind: Array = np.ceil((number + 1).astype(kind) * lengths[:, None]).astype(np.int64)
    return _Bounds(
        np.clip(first + start[:, None], 0, size), np.clip(behind + start[:, None], 0, size)
    )


def _rounded(x: Array) -> Array:
    """The nearest integers, halves away from zero."""
    whole: Array = np.trunc(x)
    nearest = whole + np.where(np.abs(x - whole) >= 0.5, np.sign(x), 0)
    held = np.clip(nearest.astype(np.float64), -_FAR, _FAR)
    return np.where(np.isnan(held), -_FAR, held).astype(np.int64)
