"""The taps of the points of a grid: which elements of a dimension a point reads, with which weights, and how these change."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.images.resampling import cubic_slopes, cubic_weights

Array = NDArray[Any]
_where: Any = np.where
"""NumPy's, whose stubs leave its type open."""

LINEAR, NEAREST, CUBIC = 0, 1, 2
_ZEROS, _BORDER, _REFLECTION = 0, 1, 2
_OUTSIDE = -(1 << 48)
"""What a place outside of a dimension is: the sum with others is negative."""


class Sampled(NamedTuple):
    """How an image is sampled: PyTorch's numbers for ways of interpolation and padding, and how many dimensions it has."""

    interpolation: int
    padding: int
    align_corners: bool
    rank: int


class AxisTaps:
    """The taps of points along one dimension, whose elements lie `step` apart: lists of arrays (N, points)."""

    def __init__(self, points: Array, size: int, step: int, how: Sampled) -> None:
        number = points.dtype.type
        self.size = size
        self.how = how
        self.at = at = _positions(points, size, how.align_corners)
        if how.interpolation == CUBIC:
            low = np.floor(at)
            self.part, low = at - low, _of_numbers(low)
            around = [
                _held(low + number(tap), size, how.padding, how.align_corners)
                for tap in range(-1, 3)
            ]
            self.weights = list(np.moveaxis(cubic_weights(self.part), -1, 0))
        else:
            held = _held(at, size, how.padding, how.align_corners)
            held = _without_nan(held, size, how.padding, how.rank)
            if how.interpolation == NEAREST:
                around, self.weights = [np.rint(held)], [np.ones_like(at)]
            else:
                low = np.floor(held)
                part, low = held - low, _of_numbers(low)
                around, self.weights = [low, low + number(1)], [number(1) - part, part]
        self.places = [_places(one, size, step) for one in around]
        """Elements, times their step; negative outside."""

    def slopes(self) -> Sequence[Any]:
        """The weights' derivatives with respect to the points."""
        how = self.how
        slope = self.at.dtype.type((self.size - 1 if how.align_corners else self.size) / 2)
        if how.interpolation == CUBIC:
            return list(np.moveaxis(cubic_slopes(self.part) * slope, -1, 0))
        if how.interpolation == NEAREST:
            return [np.zeros_like(self.at)]
        slope = slope * _direction(self.at, self.size, how.padding, how.align_corners)
        return [-slope, slope]


def places_of(axes: Sequence[AxisTaps]) -> Array:
    """The places (taps, N, points) in all dimensions taken together."""
    return np.stack([reduce(np.add, taps) for taps in product(*(axis.places for axis in axes))])


def weights_of(axes: Sequence[AxisTaps]) -> Array:
    """The weights (taps, N, points)."""
    return _products([axis.weights for axis in axes])


def slopes_of(axes: Sequence[AxisTaps], along: int) -> Array:
    """How the weights change with the points along one dimension."""
    return _products(
        [axis.slopes() if place == along else axis.weights for place, axis in enumerate(axes)]
    )


def _products(factors: Sequence[Sequence[Array]]) -> Array:
    return np.stack([reduce(np.multiply, taps) for taps in product(*factors)])


def _positions(points: Array, size: int, align_corners: bool) -> Array:
    """From -1 to 1 to elements of a dimension."""
    number = points.dtype.type
    if align_corners:
        return (points + number(1)) / number(2) * number(size - 1)
    return ((points + number(1)) * number(size) - number(1)) / number(2)


def _of_numbers(at: Array) -> Array:
    """The positions, 0 for what is no number or infinite: there the weights, which are NaN, are multiplied by something."""
    return np.where(np.isfinite(at), at, 0)


def _places(at: Array, size: int, step: int) -> Array:
    """Integral positions as places; a NaN is nowhere."""
    inside = (at >= 0) & (at < size)
    return np.where(inside, at, 0).astype(np.int64) * step + np.where(inside, 0, _OUTSIDE)


def _edges(size: int, align_corners: bool) -> tuple[float, float]:
    """Where positions are reflected, and how far that is: the outer elements' middles, or their edges."""
    return (0.0, size - 1) if align_corners else (-0.5, size)


def _held(at: Array, size: int, padding: int, align_corners: bool) -> Array:
    """The positions, moved inside where the padding says so."""
    if padding == _REFLECTION:
        at = _reflected(at, size, align_corners)
    return at if padding == _ZEROS else np.clip(at, 0, size - 1)


def _reflected(at: Array, size: int, align_corners: bool) -> Array:
    """Back and forth between the edges."""
    low, span = map(at.dtype.type, _edges(size, align_corners))
    if not span:
        return np.zeros_like(at)
    away = np.abs(at - low)
    extra: Array = np.fmod(away, span)
    turned: Array = span - extra
    return np.where(np.floor(away / span) % 2 == 0, extra, turned) + low


def _direction(at: Array, size: int, padding: int, align_corners: bool) -> Any:
    """How positions that are held move with the points: 1, -1 where they are reflected, 0 at the border."""
    number = at.dtype.type
    if padding == _ZEROS:
        return number(1)
    held: Array = at
    direction: Any = number(1)
    if padding == _REFLECTION:
        held = _reflected(at, size, align_corners)
        low, span = map(number, _edges(size, align_corners))
        if not span:
            return number(0)
        turns = np.floor(np.abs(at - low) / span) % 2 != 0
        direction = _where(turns != (at < low), number(-1), number(1))
    return _where((held > 0) & (held < size - 1), direction, number(0))


def _without_nan(at: Array, size: int, padding: int, rank: int) -> Array:
    """Where PyTorch's kernels find what is no number: those of images are for vectors, and clamp it otherwise than those of volumes."""
    if padding != _ZEROS:
        return np.where(np.isnan(at), size - 1 if rank == 3 else 0, at)
    return at if rank == 2 else np.where(np.isfinite(at), at, -2)
