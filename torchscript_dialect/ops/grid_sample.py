"""Images sampled at the points of a grid, and the grids of affine maps (PyTorch: native/GridSampler.cpp, AffineGridGenerator.cpp).

Points are (x, y) or (x, y, z) between -1 and 1. What lies outside is 0, the border, or a reflection.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.resampling import cubic_weights
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath

Array = NDArray[Any]

_BILINEAR, _NEAREST, _BICUBIC = 0, 1, 2
_ZEROS, _BORDER, _REFLECTION = 0, 1, 2


def _positions(grid: Array, size: int, align_corners: bool) -> Array:
    """From -1 to 1 to elements of a dimension."""
    number = grid.dtype.type
    if align_corners:
        return (grid + number(1)) / number(2) * number(size - 1)
    return ((grid + number(1)) * number(size) - number(1)) / number(2)


def _reflected(at: Array, size: int, align_corners: bool) -> Array:
    """Back and forth between the outer elements' middles, or their edges."""
    number = at.dtype.type
    low, high = (0, 2 * (size - 1)) if align_corners else (-1, 2 * size - 1)
    if low == high:
        return np.zeros_like(at)
    least, span = number(low / 2), number((high - low) / 2)
    at = np.abs(at - least)
    extra: Array = np.fmod(at, span)
    flips: Array = np.floor(at / span)
    turned: Array = span - extra
    return np.where(flips % 2 == 0, extra, turned) + least


def _held(at: Array, size: int, padding: int, align_corners: bool) -> Array:
    """The positions, moved inside where the padding says so."""
    if padding == _REFLECTION:
        at = _reflected(at, size, align_corners)
    return at if padding == _ZEROS else np.clip(at, 0, size - 1)


def _without_nan(at: Array, size: int, padding: int, rank: int) -> Array:
    """Where PyTorch's kernels find what is no number: those of images are for vectors, and clamp it otherwise than those of volumes."""
    if padding != _ZEROS:
        return np.where(np.isnan(at), size - 1 if rank == 3 else 0, at)
    return at if rank == 2 else np.where(np.isfinite(at), at, -2)


def _read(x: Array, places: Sequence[Array]) -> Array:
    """The elements (N, C, ...) at integral places, which are (N, ...) for each dimension; 0 outside."""
    inside = np.ones(places[0].shape, bool)
    flat: Array = np.zeros(places[0].shape, np.int64)
    for place, size in zip(places, x.shape[2:]):
        within = (place >= 0) & (place < size)
        inside &= within
        flat = flat * size + np.where(within, place, 0).astype(np.int64)
    batch, channels = x.shape[:2]
    found = np.empty((batch, channels, prod(flat.shape[1:])), x.dtype)
    for planes, at, taken in zip(x.reshape(batch, channels, prod(x.shape[2:])), flat, found):
        np.take(planes, at.reshape(-1), 1, taken, "clip")
    found = found.reshape(batch, channels, *flat.shape[1:])
    return found if inside.all() else np.where(inside[:, None], found, x.dtype.type(0))


def _bicubic(x: Array, points: Sequence[Array], padding: int, align_corners: bool) -> Array:
    floors = [np.floor(at) for at in points]
    weights = [cubic_weights(at - low) for at, low in zip(points, floors)]
    total: Any = 0
    for taps in product(range(4), repeat=2):
        places = [
            _held(low + low.dtype.type(tap - 1), size, padding, align_corners)
            for low, tap, size in zip(floors, taps, x.shape[2:])
        ]
        weight = weights[0][..., taps[0]] * weights[1][..., taps[1]]
        total = total + _read(x, places) * weight[:, None]
    return total


def _bilinear(x: Array, points: Sequence[Array]) -> Array:
    lows = [np.floor(at) for at in points]
    total: Any = 0
    for corner in product((0, 1), repeat=len(points)):
        weight: Any = 1
        for at, low, up in zip(points, lows, corner):
            weight = weight * ((at - low) if up else (low + 1 - at))
        places = [low + low.dtype.type(up) for low, up in zip(lows, corner)]
        total = total + _read(x, places) * weight[:, None]
    return total


def _check(x: Tensor, grid: Tensor, rank: int | None, interpolation: int) -> int:
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
    if found == 3 and interpolation == _BICUBIC:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    if not x.dtype.is_floating_point:
        raise NotImplementedError(f"\"grid_sampler\" not implemented for '{x.dtype.type_name}'")
    if grid.dtype is not x.dtype:
        raise RuntimeError(
            f"expected scalar type {x.dtype.type_name} but found {grid.dtype.type_name}"
        )
    return found


@ignores_float_errors
def _sampled(
    x: Tensor, grid: Tensor, interpolation: int, padding: int, align_corners: bool, rank: int | None
) -> Tensor:
    rank = _check(x, grid, rank, interpolation)
    compute = opmath(x.dtype).numpy_dtype
    array, points = x.array.astype(compute, copy=False), grid.array.astype(compute, copy=False)
    sizes = array.shape[2:]
    at = [
        _positions(points[..., rank - 1 - place], size, align_corners)
        for place, size in enumerate(sizes)
    ]
    if interpolation == _BICUBIC:
        raw = _bicubic(array, at, padding, align_corners)
    else:
        at = [
            _without_nan(_held(one, size, padding, align_corners), size, padding, rank)
            for one, size in zip(at, sizes)
        ]
        raw = _read(array, [np.rint(one) for one in at]) if interpolation else _bilinear(array, at)
    return tensor_of(np.ascontiguousarray(raw, x.array.dtype))


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

_BASE = """
    rank = len(size) - 2
    if rank != 2 and rank != 3:
        raise RuntimeError(
            "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.")
    ones = torch.ones(size[2:], dtype={like}.dtype)
    parts: List[Tensor] = []
    for place in range(rank):
        count = size[len(size) - 1 - place]
        line = torch.linspace(-1, 1, count, dtype={like}.dtype)
        if count <= 1:
            line = torch.zeros([count], dtype={like}.dtype)
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
