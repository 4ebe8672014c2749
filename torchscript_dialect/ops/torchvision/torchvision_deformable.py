"""Convolution of pixels that offsets move: `deform_conv2d` (torchvision: csrc/ops/cpu/deform_conv2d_kernel.cpp).

What the windows read is put into columns, as in a convolution; the columns of a few images are made at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.images import taps
from torchscript_dialect.ops.torchvision.torchvision_points import Pair, Points, Settings, points_of
from torchscript_dialect.ops.torchvision.torchvision_regions import DTYPES
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import opmath

Array = NDArray[Any]
Gradients = tuple[Array, Array, Array, Array, Array]

_AT_ONCE = 1 << 22
"""Elements of the columns that are made at once, if those of one image are not more."""


class _Operands(NamedTuple):
    """The tensors in the dtype that sums are computed in, but for offset, in whose dtype points are found."""

    x: Array
    """(N, C, H, W)."""
    weight: Array
    """(groups, O / groups, C / groups * kernel)."""
    offset: Array
    """(N, offset groups * kernel * 2, outputs)."""
    mask: Array | None
    """(N, offset groups * kernel, outputs)."""
    kernel: Pair
    settings: Settings


class _Block(NamedTuple):
    """Some of the images; rows are as in ops/torchvision/torchvision_points.py."""

    images: slice
    pixels: Array
    """(rows, channels of an offset group, H * W)."""
    mask: Array | None
    """(rows, 1, points)."""
    points: Points

    def columns(self, weight: Array) -> Array:
        """What the points read, times the mask: (N, groups, C / groups * kernel, outputs)."""
        values = taps.values_of(self.pixels, self.points.weights, self.points.read)
        if self.mask is not None:
            values *= self.mask
        groups, _, elements = weight.shape
        return values.reshape(self.images.stop - self.images.start, groups, elements, -1)


@ignores_float_errors
def deform_conv2d(
    x: Tensor, weight: Tensor, offset: Tensor, mask: Tensor, bias: Tensor, *numbers: int
) -> Array:
    """The convolution (N, O, outputs) of x (N, C, H, W) with weight (O, C / groups, kernel). In offset (N, offset groups * kernel * 2,
    outputs) are the moves of all elements of all windows, down and to the right; in mask (N, offset groups * kernel, outputs) factors.
    """
    settings = _settings(*numbers)
    outputs = _check(x, weight, offset, mask, settings)
    operands = _operands(x, weight, offset, mask, settings)
    images, filters = len(x.array), len(weight.array)
    if bias.array.size != filters:
        raise RuntimeError(
            f"shape '[1, {filters}, 1, 1]' is invalid for input of size {bias.array.size}"
        )
    found = np.zeros(
        (images, settings.groups, filters // settings.groups, prod(outputs)), x.array.dtype
    )
    for block in _blocks(operands):
        found[block.images] = np.matmul(operands.weight, block.columns(operands.weight))
    return found.reshape(images, filters, *outputs) + bias.array.reshape(1, filters, 1, 1)


@ignores_float_errors
def deform_conv2d_backward(
    grad: Tensor,
    x: Tensor,
    weight: Tensor,
    offset: Tensor,
    mask: Tensor,
    bias: Tensor,
    *numbers: int,
) -> Gradients:
    """The gradients of x, weight, offset, mask and bias; that of a mask which is not used is 0."""
    settings = _settings(*numbers)
    outputs = _check(x, weight, offset, mask, settings)
    if grad.array.shape != (len(x.array), len(weight.array), *outputs):
        raise RuntimeError(f"the gradient of results {outputs} has sizes {grad.array.shape}")
    operands = _operands(x, weight, offset, mask, settings)
    w, compute = operands.weight, operands.weight.dtype
    given = grad.array.astype(compute, copy=False).reshape(
        len(x.array), *w.shape[:2], prod(outputs)
    )
    of_weight = np.zeros(w.shape, compute)
    of_x, of_offset, of_mask = (
        np.zeros(each.array.shape, each.array.dtype) for each in (x, offset, mask)
    )
    for block in _blocks(operands):
        part, points, size = given[block.images], block.points, block.pixels.shape[2]
        of_weight += np.matmul(part, block.columns(w).swapaxes(2, 3)).sum(0)
        values = np.matmul(w.swapaxes(1, 2), part).reshape(*block.pixels.shape[:2], -1)
        products = taps.weights_of(values, block.pixels, points.places)
        moves = np.stack([(slope * products).sum(0) for slope in points.slopes], 1)
        if block.mask is not None:
            factors = np.where(points.inside, (points.weights * products).sum(0), 0)
            _put(of_mask, block.images, factors)
            moves *= block.mask
            values *= block.mask
        by_element = moves.reshape(len(moves), 2, prod(operands.kernel), -1).swapaxes(1, 2)
        _put(of_offset, block.images, by_element)
        _put(of_x, block.images, taps.pixels_of(values, points.weights, points.read, size))
    of_bias = np.ones_like(bias.array) * given.sum((0, 3)).reshape(-1).astype(grad.array.dtype)
    as_weight = of_weight.reshape(weight.array.shape).astype(weight.array.dtype, copy=False)
    return of_x, as_weight, of_offset, of_mask, of_bias


def _put(into: Array, images: slice, values: Array) -> None:
    part = into[images]
    part[...] = values.reshape(part.shape)


def _settings(*numbers: int) -> Settings:
    down, right, above, left, by_row, by_column, groups, offset_groups, use_mask = numbers
    pairs = (down, right), (above, left), (by_row, by_column)
    return Settings(*pairs, groups, offset_groups, bool(use_mask))


def _operands(
    x: Tensor, weight: Tensor, offset: Tensor, mask: Tensor, settings: Settings
) -> _Operands:
    compute = opmath(x.dtype).numpy_dtype
    filters, channels, *kernel = weight.array.shape
    matrices = settings.groups, filters // settings.groups, channels * prod(kernel)
    return _Operands(
        x.array.astype(compute, copy=False),
        weight.array.astype(compute, copy=False).reshape(matrices),
        offset.array,
        mask.array.astype(compute, copy=False) if settings.use_mask else None,
        (kernel[0], kernel[1]),
        settings,
    )


def _blocks(operands: _Operands) -> Iterator[_Block]:
    """The images, a few at a time."""
    x, _, offset, mask, kernel, settings = operands
    images, channels, height, width = x.shape
    groups = settings.offset_groups
    elements = channels * prod(kernel) * prod(offset.shape[2:])
    at_once = max(1, _AT_ONCE // max(1, elements))
    for first in range(0, images, at_once):
        some = slice(first, min(first + at_once, images))
        rows = (some.stop - first) * groups
        pixels = x[some].reshape(rows, channels // groups, height * width)
        factors = None if mask is None else mask[some].reshape(rows, 1, -1)
        points = points_of(offset[some], (height, width), kernel, settings, x.dtype)
        yield _Block(some, pixels, factors, points)


def _check(x: Tensor, weight: Tensor, offset: Tensor, mask: Tensor, settings: Settings) -> Pair:
    """The height and width of the results.

    Raises:
        NotImplementedError: there is no kernel for the dtype.
        RuntimeError: the operands do not go together.
    """
    stride, padding, dilation, groups, offset_groups, use_mask = settings
    _check_that(x.array.ndim == 4, "input_c.ndimension() == 4")
    _check_that(offset.array.ndim == 4, "offset_c.ndimension() == 4")
    _check_that(not use_mask or mask.array.ndim == 4, "!use_mask || mask_c.ndimension() == 4")
    _check_that(weight.array.ndim == 4, "weight_c.ndimension() == 4")
    filters, by_group, *kernel = weight.array.shape
    for name, numbers, least in (
        ("weight", kernel, 1),
        ("stride", stride, 1),
        ("pad", padding, 0),
        ("dilation", dilation, 1),
    ):
        if min(numbers) < least:
            raise RuntimeError(f"{name}_h: {numbers[0]} {name}_w: {numbers[1]}")
    channels = x.array.shape[1]
    _check_that(
        groups > 0 and by_group * groups == channels,
        "weight_c.size(1) * n_weight_grps == input_c.size(1)",
    )
    _check_that(filters % groups == 0, "weight_c.size(0) % n_weight_grps == 0")
    elements = offset_groups * prod(kernel)
    _check_channels("offset", offset, 2 * elements)
    if use_mask:
        _check_channels("mask", mask, elements)
    _check_that(
        offset_groups > 0 and channels % offset_groups == 0, "input_c.size(1) % n_offset_grps == 0"
    )
    height, width = (
        # Divisions are towards 0.
        int((size + 2 * pad - step * (length - 1) - 1) / move) + 1
        for size, pad, step, length, move in zip(
            x.array.shape[2:], padding, dilation, kernel, stride
        )
    )
    _check_sizes("offset", offset, len(x.array), (height, width))
    _check_sizes("mask", mask, len(x.array), (height, width) if use_mask else None)
    if height <= 0 or width <= 0:
        raise RuntimeError(f"Calculated output size too small - out_h: {height} out_w: {width}")
    _check_dtypes(x, weight, offset, mask)
    return height, width


def _check_that(condition: bool, what: str) -> None:
    if not condition:
        raise RuntimeError(
            f"Expected {what} to be true, but got false.  (Could this error message be improved?  If so, please report an "
            "enhancement request to PyTorch.)"
        )


def _check_channels(name: str, x: Tensor, channels: int) -> None:
    if x.array.shape[1] != channels:
        raise RuntimeError(
            f"{name}.shape[1] is not valid: got: {x.array.shape[1]} expected: {channels}"
        )


def _check_sizes(name: str, x: Tensor, images: int, outputs: Pair | None) -> None:
    if x.array.shape[:1] != (images,):
        raise RuntimeError(f"invalid batch size of {name}")
    if outputs is not None and x.array.shape[2:] != outputs:
        height, width = x.array.shape[2:]
        raise RuntimeError(
            f"{name} output dims: ({height}, {width}) - computed output dims: ({outputs[0]}, {outputs[1]})"
        )


def _check_dtypes(x: Tensor, weight: Tensor, offset: Tensor, mask: Tensor) -> None:
    if x.dtype not in DTYPES:
        raise NotImplementedError(
            f"\"deformable_im2col\" not implemented for '{x.dtype.type_name}'"
        )
    for other in (offset, mask):
        if other.dtype is not x.dtype:
            raise RuntimeError(
                f"expected scalar type {x.dtype.type_name} but found {other.dtype.type_name}"
            )
    if weight.dtype is not x.dtype:
        names = weight.dtype.type_name, x.dtype.type_name
        raise RuntimeError(
            f"mat1 and mat2 must have the same dtype, but got {names[0]} and {names[1]}"
        )
