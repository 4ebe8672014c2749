"""Images sampled at the points of a grid, and the grids of affine maps (PyTorch: native/GridSampler.cpp, AffineGridGenerator.cpp).

Points are (x, y) or (x, y, z) between -1 and 1. What lies outside is 0, the border, or a reflection.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.images import taps
from torchscript_dialect.ops.images.grid_taps import (
    CUBIC,
    NEAREST,
    AxisTaps,
    Sampled,
    places_of,
    slopes_of,
    weights_of,
)
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath

Array = NDArray[Any]


def check_sampled(x: Tensor, grid: Tensor, rank: int | None, interpolation: int) -> int:
    """How many dimensions images have.

    Raises:
        RuntimeError: operands do not fit.
    """
    array, points = x.array, grid.array
    found = array.ndim - 2
    if array.ndim not in (4, 5) or array.ndim != points.ndim or rank not in (None, found):
        raise RuntimeError(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got "
            f"input with sizes {list(array.shape)} and grid with sizes {list(points.shape)}"
        )
    if len(array) != len(points):
        raise RuntimeError(
            "grid_sampler(): expected grid and input to have same batch size, but got input with sizes "
            f"{list(array.shape)} and grid with sizes {list(points.shape)}"
        )
    if points.shape[-1] != found:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {found} in last dimension, but got grid with "
            f"sizes {list(points.shape)}"
        )
    if not all(array.shape[2:]):
        raise RuntimeError(
            "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes "
            f"{list(array.shape)}"
        )
    if found == 3 and interpolation == CUBIC:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    if not x.dtype.is_floating_point:
        raise NotImplementedError(f"\"grid_sampler\" not implemented for '{x.dtype.type_name}'")
    if grid.dtype is not x.dtype:
        raise RuntimeError(
            f"expected scalar type {x.dtype.type_name} but found {grid.dtype.type_name}"
        )
    return found


class _Sampling:
    """Where an image is sampled: the taps of all points along each dimension, the first one first."""

    def __init__(
        self,
        x: Tensor,
        grid: Tensor,
        interpolation: int,
        padding: int,
        align_corners: bool,
        rank: int | None,
    ) -> None:
        rank = check_sampled(x, grid, rank, interpolation)
        how = Sampled(interpolation, padding, align_corners, rank)
        self.compute = opmath(x.dtype).numpy_dtype
        batch, channels, *sizes = x.array.shape
        self.pixels = x.array.astype(self.compute, copy=False).reshape(batch, channels, prod(sizes))
        self.shape = (batch, channels, *grid.array.shape[1:-1])
        self.count = prod(self.shape[2:])
        points = grid.array.astype(self.compute, copy=False).reshape(batch, self.count, rank)
        steps = [prod(sizes[place + 1 :]) for place in range(rank)]
        self.axes = [
            AxisTaps(points[..., rank - 1 - place], size, step, how)
            for place, (size, step) in enumerate(zip(sizes, steps, strict=True))
        ]
        self.places = places_of(self.axes)


NATIVE = "torchscript_dialect.runtime.kernels.handwritten.grid_kernels"
_LARGEST = 1 << 24
"""Sizes below it are exact in float32."""
_MOST_PIXELS = 1 << 31
"""Places in images with less pixels have 32 bits."""


@cache
def _kernels() -> Any:
    return import_module(NATIVE)


def _natively(tensors: Sequence[Tensor], settings: Sequence[int]) -> Any:
    """What points read of images, the last two of these, or, after a gradient of that, the gradients of both, if many points read
    before; None where there is no kernel for it.
    """
    image = tensors[-2].array
    if not image.size or taps.NATIVE.for_work(0) is None:
        return None
    if max(image.shape[2:]) >= _LARGEST or prod(image.shape[2:]) >= _MOST_PIXELS:
        return None
    kernels = _kernels()
    return (kernels.sampled if len(tensors) == 2 else kernels.sampled_back)(*tensors, settings)


def _computed_in(tensors: Sequence[Tensor]) -> list[Tensor]:
    """The same, contiguous and of the dtype that is computed in."""
    compute = opmath(tensors[-2].dtype).numpy_dtype
    return [tensor_of(np.ascontiguousarray(one.array, compute)) for one in tensors]


def _stored(raw: Tensor, like: Tensor) -> Tensor:
    return raw if raw.dtype is like.dtype else tensor_of(raw.array.astype(like.array.dtype))


@ignores_float_errors
def _sampled(
    x: Tensor, grid: Tensor, interpolation: int, padding: int, align_corners: bool, rank: int | None
) -> Tensor:
    settings = interpolation, padding, align_corners
    if rank in (None, x.array.ndim - 2):
        found = _natively((x, grid), settings)
        if found is not None:
            return found
    check_sampled(x, grid, rank, interpolation)
    found = _natively(_computed_in((x, grid)), settings)
    if found is not None:
        return _stored(found, x)
    at = _Sampling(x, grid, interpolation, padding, align_corners, rank)
    raw = taps.values_of(at.pixels, weights_of(at.axes), at.places)
    return tensor_of(raw.reshape(at.shape).astype(x.array.dtype, copy=False))


@ignores_float_errors
def _sampled_backward(
    grad: Tensor,
    x: Tensor,
    grid: Tensor,
    interpolation: int,
    padding: int,
    align_corners: bool,
    mask: Sequence[bool] = (True, True),
    *,
    rank: int,
) -> tuple[Tensor | None, Tensor]:
    """The gradients of the image, and of the grid, which is computed in any case."""
    settings = interpolation, padding, align_corners
    found = _natively((grad, x, grid), settings) if x.array.ndim == rank + 2 else None
    if found is None:
        check_sampled(x, grid, rank, interpolation)
        found = _natively(_computed_in((grad, x, grid)), settings)
    if found is not None:
        return _stored(found[0], x) if mask[0] else None, _stored(found[1], grid)
    at = _Sampling(x, grid, interpolation, padding, align_corners, rank)
    values = grad.array.astype(at.compute, copy=False).reshape(*at.shape[:2], at.count)
    of_image = None
    if mask[0]:
        raw = taps.pixels_of(values, weights_of(at.axes), at.places, at.pixels.shape[2])
        of_image = tensor_of(raw.reshape(x.array.shape).astype(x.array.dtype, copy=False))
    products = taps.weights_of(values, at.pixels, at.places)
    slopes = [(slopes_of(at.axes, place) * products).sum(0) for place in reversed(range(rank))]
    of_grid = np.stack(slopes, -1).reshape(grid.array.shape)
    if interpolation == NEAREST:
        of_grid = np.zeros_like(of_grid)
    return of_image, tensor_of(of_grid.astype(grid.array.dtype, copy=False))


def _shape(facts: Sequence[Fact]) -> Fact:
    x, grid, *_ = facts
    sizes, points = rank_known(x), rank_known(grid)
    if sizes is None or points is None or len(sizes) != len(points):
        return NOTHING
    shape = (*sizes[:2], *points[1:-1])
    return fresh(dtype_of(x), shape, x)


def _declare(name: str, rank: int | None) -> None:
    def kernel(
        x: Tensor, grid: Tensor, interpolation: int, padding: int, align_corners: bool
    ) -> Tensor:
        return _sampled(x, grid, interpolation, padding, align_corners, rank)

    registry.implement(name, kernel, shape=_shape)


_declare("grid_sampler", None)
_declare("grid_sampler_2d", 2)
_declare("grid_sampler_3d", 3)
registry.implement(
    "grid_sampler_2d_backward _grid_sampler_2d_cpu_fallback_backward",
    partial(_sampled_backward, rank=2),
)
registry.implement("grid_sampler_3d_backward", partial(_sampled_backward, rank=3))

_BASE = """
    rank = len(size) - 2
    if rank != 2 and rank != 3:
        raise RuntimeError(
            "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.")
    ones = torch.ones(size[2:], dtype={like}.dtype, device={like}.device)
    parts: List[Tensor] = []
    for place in range(rank):
        count = size[len(size) - 1 - place]
        line = torch.linspace(-1, 1, count, dtype={like}.dtype, device={like}.device)
        if count <= 1:
            line = torch.zeros([count], dtype={like}.dtype, device={like}.device)
        if not align_corners:
            line = line * (count - 1) / count
        parts.append(ones * line.to(ones.dtype).reshape([count] + [1] * place))
    parts.append(ones)
    base = torch.stack(parts, -1).reshape([1, -1, rank + 1])
"""
composite(
    "aten::affine_grid_generator",
    """
def affine_grid_generator(theta: Tensor, size: List[int], align_corners: bool) -> Tensor:
"""
    + _BASE.format(like="theta")
    + """
    grid = base.expand([size[0], -1, rank + 1]).bmm(theta.transpose(1, 2))
    return grid.reshape([size[0]] + size[2:] + [rank])
""",
)
composite(
    "aten::affine_grid_generator_backward",
    """
def affine_grid_generator_backward(grad: Tensor, size: List[int], align_corners: bool) -> Tensor:
"""
    + _BASE.format(like="grad")
    + """
    points = grad.reshape([size[0], -1, rank])
    product = base.expand([size[0], -1, rank + 1]).transpose(1, 2).bmm(points)
    return product.transpose(1, 2)
""",
)
