"""The points that a deformable convolution reads images at: those of its windows' elements, moved by offsets.

Points lie between four pixels. The channels of an offset group share theirs, so arrays have a row for each group of each image, and in
it all elements of a window for all outputs: (rows, kernel * outputs). The four pixels are the first dimension, where there is one more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Pair = tuple[int, int]

_NOWHERE = -1
"""A place that is no pixel's."""


class Settings(NamedTuple):
    """The arguments of a deformable convolution that are no tensors; pairs are for rows and columns."""

    stride: Pair
    padding: Pair
    dilation: Pair
    groups: int
    offset_groups: int
    use_mask: bool


class Points(NamedTuple):
    """Points, and the pixels around them."""

    inside: Array
    """(rows, points): whether the point reads anything; one that is no number does."""
    places: Array
    """(4, rows, points) of pixels, flat; negative where there is none."""
    weights: Array
    """(4, rows, points)."""
    slopes: tuple[Array, Array]
    """How the weights change where the point moves down, and where it moves to the right."""

    @property
    def read(self) -> Array:
        """The places of those that read anything."""
        return np.where(self.inside, self.places, _NOWHERE)


def points_of(offset: Array, sizes: Pair, kernel: Pair, settings: Settings, dtype: Any) -> Points:
    """The points in images of given height and width, of offsets (N, offset groups * kernel * 2, outputs); weights are of a dtype."""
    height, width = sizes
    y, x = (_coordinates(offset, axis, kernel, settings).astype(dtype) for axis in (0, 1))
    up, below = _before(y, height)
    left, behind = _before(x, width)
    above, before = 1 - below, 1 - behind
    corners = [(row, column) for row in (up, up + 1) for column in (left, left + 1)]
    return Points(
        ~((y <= -1) | (y >= height) | (x <= -1) | (x >= width)),
        np.stack([_places(row, column, sizes) for row, column in corners]),
        np.stack([above * before, above * behind, below * before, below * behind]),
        (
            np.stack([-before, -behind, before, behind]),
            np.stack([-above, above, -below, below]),
        ),
    )


def _coordinates(offset: Array, axis: int, kernel: Pair, settings: Settings) -> Array:
    """The row or the column of each point; those at infinity are moved to where nothing is."""
    images, _, *outputs = offset.shape
    moves = offset.reshape(images * settings.offset_groups, -1, 2, *outputs)[:, :, axis]
    element = np.indices(kernel)[axis].reshape(-1, 1, 1) * settings.dilation[axis]
    output = np.indices(outputs)[axis] * settings.stride[axis] - settings.padding[axis]
    at: Array = (element + output).astype(offset.dtype) + moves
    held: Array = np.where(np.isinf(at), offset.dtype.type(-2), at)
    return held.reshape(len(held), -1)


def _before(at: Array, size: int) -> tuple[Array, Array]:
    """The last row or column of pixels before a point, and how far the point is from it. Before what is no number it is the first: some
    pixel has to be multiplied by the weight.
    """
    low = np.floor(at)
    number = np.nan_to_num(np.clip(low, -2, size), nan=0).astype(np.int64)
    return number, at - low


def _places(row: Array, column: Array, sizes: Pair) -> Array:
    height, width = sizes
    there = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    return np.where(there, row * width + column, _NOWHERE)
