"""Regions of images as means of interpolated samples: `roi_align`, and `ps_roi_align`, of which each cell reads channels of its own
(torchvision: csrc/ops/cpu/roi_align_kernel.cpp, ps_roi_align_kernel.cpp).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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


class _Samples(NamedTuple):
    """The samples of a region's cells along one side of an image: two taps each, one behind the other."""

    side: Side
    weights: Array
    """(cells, taps)."""
    number: int
    """Samples of a cell, of which some are not inside."""

    def dense(self) -> tuple[slice, Array]:
        """The pixels of the side that there are taps on, and each cell's weights (cells, pixels) of them."""
        places, inside = self.side
        if not inside.any():
            return slice(0, 0), np.zeros((len(places), 0), self.weights.dtype)
        taken = places[inside]
        first, behind = int(taken.min()), int(taken.max()) + 1
        found = np.zeros((len(places), behind - first), self.weights.dtype)
        cells = np.nonzero(inside)[0]
        np.add.at(found, (cells, taken - first), self.weights[inside])
        return slice(first, behind), found


@ignores_float_errors
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
    images, cells = _computed(x), (pooled_height, pooled_width)
    check_images("roi_align", x, rois, cells)
    channels, sizes = images.shape[1], images.shape[2:]
    found = np.zeros((len(rois.array), channels, *cells), images.dtype)
    regions = _regions(rois.array, spatial_scale, cells, sizes, sampling_ratio, aligned)
    for number, (image, rows, columns) in enumerate(regions):
        (up, by_row), (across, by_column) = rows.dense(), columns.dense()
        window = images[image, :, up, across]
        if np.isfinite(window).all():
            total = by_row @ window @ by_column.T
        else:
            at = pixels(rows.side, columns.side, sizes)
            total = _summed(at, images[image], rows, columns, channels)
        found[number] = total / found.dtype.type(max(rows.number * columns.number, 1))
    return found.astype(x.array.dtype, copy=False)


@ignores_float_errors
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
    given, cells, sizes = _computed(grad), (pooled_height, pooled_width), (height, width)
    check_gradient("roi_align", grad, rois, batch_size)
    found = np.zeros((batch_size, channels, *sizes), given.dtype)
    regions = _regions(rois.array, spatial_scale, cells, sizes, sampling_ratio, aligned)
    for number, (image, rows, columns) in enumerate(regions):
        part = given[number] / found.dtype.type(max(rows.number * columns.number, 1))
        if np.isfinite(part).all():
            (up, by_row), (across, by_column) = rows.dense(), columns.dense()
            found[image, :, up, across] += by_row.T @ part @ by_column
        else:
            at = pixels(rows.side, columns.side, sizes)
            every = np.arange(channels)[:, None, None]
            add_to(found[image], at, every, _spread(part, rows, columns))
    return found.astype(grad.array.dtype, copy=False)


@ignores_float_errors
def ps_roi_align(
    x: Tensor,
    rois: Tensor,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    sampling_ratio: int,
) -> tuple[Array, Array]:
    """The same of x (N, channels_out * pooled_height * pooled_width, H, W), in which a cell reads channels of its own; and the numbers
    of these channels. Both are (K, channels_out, pooled_height, pooled_width).
    """
    images, cells = _computed(x), (pooled_height, pooled_width)
    check_images("ps_roi_align", x, rois, cells)
    channels, sizes = images.shape[1], images.shape[2:]
    outputs = channels_out(channels, cells)
    found = np.zeros((len(rois.array), outputs, *cells), images.dtype)
    mapping = channel_mapping(len(found), channels, cells)
    if not images.size:
        return found.astype(x.array.dtype, copy=False), mapping
    regions = _regions(rois.array, spatial_scale, cells, sizes, sampling_ratio, True)
    for number, (image, rows, columns) in enumerate(regions):
        at = pixels(rows.side, columns.side, sizes, True)
        total = _summed(at, images[image], rows, columns, outputs)
        found[number] = total / found.dtype.type(rows.number * columns.number)
    return found.astype(x.array.dtype, copy=False), mapping


@ignores_float_errors
def ps_roi_align_backward(
    grad: Tensor,
    rois: Tensor,
    mapping: Tensor,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    sampling_ratio: int,
    batch_size: int,
    channels: int,
    height: int,
    width: int,
) -> Array:
    """The gradient of the images, of which each cell gives to the channel that it was read from."""
    given, cells, sizes = _computed(grad), (pooled_height, pooled_width), (height, width)
    check_gradient("ps_roi_align", grad, rois, batch_size, mapping)
    found = np.zeros((batch_size, channels, *sizes), given.dtype)
    regions = _regions(rois.array, spatial_scale, cells, sizes, sampling_ratio, True)
    for number, (image, rows, columns) in enumerate(regions):
        part = given[number] / found.dtype.type(rows.number * columns.number)
        at = pixels(rows.side, columns.side, sizes)
        add_to(found[image], at, mapping.array[number], _spread(part, rows, columns))
    return found.astype(grad.array.dtype, copy=False)


def _computed(x: Tensor) -> Array:
    """The array of a tensor, in the dtype that sums are computed in."""
    return x.array.astype(opmath(x.dtype).numpy_dtype, copy=False)


def _summed(at: Pixels, image: Array, rows: _Samples, columns: _Samples, outputs: int) -> Array:
    """The sums (outputs, *cells) of the samples."""
    values = at.read(image, outputs)
    if not at.inside.all():
        values[:, ~at.inside] = 0
    by_row = np.einsum("opqts,qs->opqt", values, columns.weights)
    return np.einsum("opqt,pt->opq", by_row, rows.weights)


def _spread(grad: Array, rows: _Samples, columns: _Samples) -> Array:
    """What each cell (outputs, *cells) gives to its taps: (outputs, *cells, taps, taps)."""
    return grad[..., None, None] * (rows.weights[:, None, :, None] * columns.weights[:, None, :])


def _regions(
    rois: Array,
    spatial_scale: float,
    cells: Sizes,
    sizes: Sizes,
    ratio: int,
    aligned: bool,
) -> Iterator[tuple[int, _Samples, _Samples]]:
    """The image of each region, and the samples of its cells along both sides of it."""
    kind = rois.dtype.type
    boxes: Array = rois[:, 1:] * kind(spatial_scale) - kind(0.5 if aligned else 0.0)
    for image, (left, top, right, bottom) in zip(image_numbers(rois), boxes):
        rows = _samples(top, bottom, cells[0], ratio, sizes[0], aligned)
        yield int(image), rows, _samples(left, right, cells[1], ratio, sizes[1], aligned)


def _samples(start: Any, end: Any, cells: int, ratio: int, size: int, aligned: bool) -> _Samples:
    """The samples of the cells between two places on a side of an image that has `size` pixels."""
    kind = start.dtype.type
    length: Any = end - start if aligned else max(end - start, kind(1))
    cell = length / kind(cells)
    count = ratio if ratio > 0 else int(np.ceil(cell)) if np.isfinite(cell) else 0
    steps: Array = (np.arange(count, dtype=kind) + kind(0.5)) * cell / kind(count)
    at: Array = start + np.arange(cells, dtype=kind)[:, None] * cell + steps
    inside = (at >= -1) & (at <= size) & (size > 0)
    taken = inside.any(0)
    at, inside = np.where(inside, at, kind(0))[:, taken], inside[:, taken]
    at = np.maximum(at, kind(0))
    low: Array = np.minimum(at.astype(np.int64), size - 1)
    part: Array = np.where(low >= size - 1, kind(0), at - low.astype(kind))
    compute = np.float32 if kind is np.float16 else kind
    places = np.concatenate([low, np.minimum(low + 1, size - 1)], 1)
    weights = np.concatenate([kind(1) - part, part], 1).astype(compute)
    return _Samples(Side(places, np.concatenate([inside, inside], 1)), weights, count)
