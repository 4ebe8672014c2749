"""Images that are sampled at the points of a grid, on the device, and the gradients: what points read, with which weights, is computed
as on the host (`ops/images/grid_taps.py`), and they read, or add up, one tap after another.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from math import prod
from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.images.grid_sample import check_sampled
from torchscript_dialect.ops.images.grid_taps import (
    AxisTaps,
    Sampled,
    places_of,
    slopes_of,
    weights_of,
)
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.fused_functions import fused
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.numpy_functions import Elements
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import opmath

Ints = Sequence[int]


@fused
def _taps(*points: Tensor, sizes: Ints, how: Sampled) -> list[Tensor]:
    """For each tap of points (images, points) which pixel it is, below 0 where it is none; then which one is read, be it that; and then
    the weights.
    """
    axes = _axes(points, sizes, how)
    places = _each(places_of(axes))
    return [*places, *(one.clamp_min(0) for one in places), *_each(weights_of(axes))]


@fused
def _slopes(*points: Tensor, sizes: Ints, how: Sampled) -> list[Tensor]:
    """How the weights of taps change with the points, along the last dimension first."""
    axes = _axes(points, sizes, how)
    return [one for along in reversed(range(how.rank)) for one in _each(slopes_of(axes, along))]


def _axes(points: Sequence[Tensor], sizes: Ints, how: Sampled) -> list[AxisTaps]:
    """Along each dimension, the first one first."""
    coordinates: list[Any] = [Elements(one) for one in reversed(points)]
    steps = [prod(sizes[place + 1 :]) for place in range(how.rank)]
    return [AxisTaps(*one, how) for one in zip(coordinates, sizes, steps, strict=True)]


def _each(found: Any) -> list[Tensor]:
    return [one.tensor for one in found]


@fused
def _added(total: Tensor, pixels: Tensor, place: Tensor, weight: Tensor) -> list[Tensor]:
    """What points have read so far and one tap more."""
    return [total.add(_there(pixels, place).mul(weight))]


@fused
def _weighted(values: Tensor, place: Tensor, weight: Tensor) -> list[Tensor]:
    return [_there(values.mul(weight), place)]


@fused
def _products(values: Tensor, pixels: Tensor, place: Tensor) -> list[Tensor]:
    return [values.mul(_there(pixels, place))]


@fused
def _sum_of_products(*factors: Tensor) -> list[Tensor]:
    """Of the first and second half of factors."""
    parts = map(operator.mul, factors, factors[len(factors) // 2 :])
    return [reduce(operator.add, parts)]


def _there(values: Tensor, place: Tensor) -> Tensor:
    """What belongs to pixels, 0 where there is none."""
    return values.masked_fill(place.lt(0), 0)


class _Sampling:
    """Pixels (images, channels, pixels), and of all taps, (images, 1, points), what `_taps` gives."""

    def __init__(
        self, x: Tensor, grid: Tensor, interpolation: int, padding: int, align_corners: bool
    ) -> None:
        images, channels, *sizes = x.array.shape
        rank = len(sizes)
        wide = opmath(x.dtype)
        self.pixels = transfers.of_dtype(x, wide).reshape([images, channels, prod(sizes)])
        self.shape = [images, channels, *grid.array.shape[1:-1]]
        self.values = [images, channels, prod(self.shape[2:])]
        points = transfers.of_dtype(grid, wide).reshape([images, 1, self.values[2], rank])
        self.points = [points.select(-1, dim) for dim in range(rank)]
        self.options: dict[str, Any] = {
            "sizes": tuple(sizes),
            "how": Sampled(interpolation, padding, align_corners, rank),
        }
        found = _taps(*self.points, **self.options)
        count = len(found) // 3
        places, read, weights = (found[count * part : count * (part + 1)] for part in range(3))
        self.places = places
        self.read = [one.expand(self.values) for one in read]
        self.weights = weights

    def pixels_of(self, tap: int) -> Tensor:
        """What points read (images, channels, points)."""
        return call("aten::gather", (self.pixels, 2, self.read[tap]))

    def slopes(self) -> list[list[Tensor]]:
        """How the weights change with the points, for each of their coordinates."""
        found = _slopes(*self.points, **self.options)
        count = len(self.places)
        return [found[start : start + count] for start in range(0, len(found), count)]


def _sampled(rank: int | None) -> Callable[..., Any]:
    """`aten::grid_sampler_2d` and its like."""

    def run(x: Tensor, grid: Tensor, interpolation: int, *settings: Any) -> Tensor:
        check_sampled(x, grid, rank, interpolation)
        at = _Sampling(x, grid, interpolation, *settings)
        total = at.pixels.new_zeros(at.values)
        for tap, (place, weight) in enumerate(zip(at.places, at.weights, strict=True)):
            (total,) = _added(total, at.pixels_of(tap), place, weight)
        return transfers.of_dtype(total.view(at.shape), x.dtype)

    return run


def _sampled_backward(rank: int) -> Callable[..., Any]:
    """`aten::grid_sampler_2d_backward` and its like: the gradients of the image, and of the grid, which is computed in any case."""

    def run(
        grad: Tensor,
        x: Tensor,
        grid: Tensor,
        interpolation: int,
        padding: int,
        align_corners: bool,
        mask: Sequence[bool] = (True, True),
    ) -> tuple[Tensor | None, Tensor]:
        check_sampled(x, grid, rank, interpolation)
        at = _Sampling(x, grid, interpolation, padding, align_corners)
        values = transfers.of_dtype(grad, opmath(x.dtype)).reshape(at.values)
        of_image = None
        if mask[0]:
            found = _of_image(at, values).view(list(x.array.shape))
            of_image = transfers.of_dtype(found, x.dtype)
        products = [
            _products(values, at.pixels_of(tap), place)[0].sum([1], True)
            for tap, place in enumerate(at.places)
        ]
        slopes = [_sum_of_products(*each, *products)[0] for each in at.slopes()]
        of_grid = call("aten::stack", (slopes, -1)).view(list(grid.array.shape))
        return of_image, transfers.of_dtype(of_grid, grid.dtype)

    return run


def _of_image(at: _Sampling, values: Tensor) -> Tensor:
    """To each pixel the values of the points that read it."""
    pixels = call("aten::zeros_like", (at.pixels,))
    for place, read, weight in zip(at.places, at.read, at.weights, strict=True):
        (parts,) = _weighted(values, place, weight)
        pixels.scatter_add_(2, read, parts)
    return pixels


SAMPLING: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::grid_sampler": own(_sampled(None)),
    "aten::grid_sampler_2d": own(_sampled(2)),
    "aten::_grid_sampler_2d_cpu_fallback": own(_sampled(2)),
    "aten::grid_sampler_3d": own(_sampled(3)),
    "aten::grid_sampler_2d_backward": own(_sampled_backward(2)),
    "aten::_grid_sampler_2d_cpu_fallback_backward": own(_sampled_backward(2)),
    "aten::grid_sampler_3d_backward": own(_sampled_backward(3)),
}
"""What runs operators, by their names."""
