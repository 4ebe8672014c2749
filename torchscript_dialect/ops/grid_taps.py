"""The taps of the points of a grid: which elements of a dimension a point reads, with which weights, and how these change."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.resampling import cubic_slopes, cubic_weights

Array = NDArray[Any]
_where: Any = np.where
"""NumPy's, whose stubs leave its type open."""

LINEAR, NEAREST, CUBIC = 0, 1, 2
_ZEROS, _BORDER, _REFLECTION = 0, 1, 2
_OUTSIDE = -(1 << 48)
"""What a place outside of a dimension is: the sum with others is negative."""


class AxisTaps(NamedTuple):
    """The taps along one dimension, each (N, points)."""

    places: Sequence[Array]
    """Elements, times their step; negative outside."""
    weights: Sequence[Array]
    slopes: Sequence[Array]
    """The weights' derivatives with respect to the point."""


def taps_of(
    points: Array,
    size: int,
    step: int,
    interpolation: int,
    padding: int,
    align_corners: bool,
    rank: int,
) -> AxisTaps:
    """The taps of points along a dimension of elements that lie `step` apart, one of `rank`."""
    number = points.dtype.type
    at = _positions(points, size, align_corners)
    slope = number((size - 1 if align_corners else size) / 2)
    if interpolation == CUBIC:
        low = np.floor(at)
        part, low = at - low, _of_numbers(low)
        around = [_held(low + number(tap), size, padding, align_corners) for tap in range(-1, 3)]
        weights, slopes = cubic_weights(part), cubic_slopes(part) * slope
        return AxisTaps(
            [_places(one, size, step) for one in around],
            list(np.moveaxis(weights, -1, 0)),
            list(np.moveaxis(slopes, -1, 0)),
        )
    held = _without_nan(_held(at, size, padding, align_corners), size, padding, rank)
    if interpolation == NEAREST:
        ones = np.ones_like(at)
        return AxisTaps([_places(np.rint(held), size, step)], [ones], [np.zeros_like(at)])
    low = np.floor(held)
    part, low = held - low, _of_numbers(low)
    slopes = slope * _direction(at, size, padding, align_corners)
    return AxisTaps(
        [_places(low, size, step), _places(low + number(1), size, step)],
        [number(1) - part, part],
        [-slopes, slopes],
    )


def places_of(axes: Sequence[AxisTaps]) -> Array:
    """The places (taps, N, points) in all dimensions taken together."""
    return np.stack([reduce(np.add, taps) for taps in product(*(axis.places for axis in axes))])


def weights_of(axes: Sequence[AxisTaps]) -> Array:
    """The weights (taps, N, points)."""
    return _products([axis.weights for axis in axes])


def slopes_of(axes: Sequence[AxisTaps], along: int) -> Array:
    """How the weights change with the points along one dimension."""
    return _products(
        [axis.slopes if place == along else axis.weights for place, axis in enumerate(axes)]
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
