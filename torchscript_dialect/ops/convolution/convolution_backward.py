"""The gradients of a convolution: of its input a convolution the other way, of its weights products of windows and gradients
(PyTorch: native/Convolution.cpp).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.convolution.convolution import (
    Array,
    columns_of,
    columns_times,
    known_strides,
    laid_out,
    padded,
    result_format,
    scattered,
)
from torchscript_dialect.ops.convolution.convolution_plan import Ints, Windows, columns_for
from torchscript_dialect.ops.plans import planned
from torchscript_dialect.ops.shapes import UNKNOWN, Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.layout import contiguous_format
from torchscript_dialect.tensor.strides import element_strides
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorProperties

Gradients = tuple[Tensor | None, Tensor | None, Tensor | None]


class _Plan(NamedTuple):
    """What the gradients of a convolution of operands with certain shapes have in common."""

    windows: Windows
    """With a number for each dimension."""
    pads: list[tuple[int, int]]
    around: list[tuple[int, int]] | None
    """What `_pads_of_gradient` gives."""
    shape: tuple[int, ...]
    """Of the gradient."""


@lru_cache(maxsize=2048)
def _plan_for(x: tuple[int, ...], w: tuple[int, ...], windows: Windows) -> _Plan:
    windows = windows.over(len(w) - 2)
    outputs = w[0] if windows.output_padding is None else w[1] * windows.groups
    pads = windows.pads(w[2:])
    shape = (x[0], outputs, *windows.sizes(x[2:], w[2:]))
    return _Plan(windows, pads, _pads_of_gradient(pads, w, windows), shape)


_windows = planned(Windows)


def _of_input(grad: Array, x: Array, w: Array, plan: _Plan) -> Array:
    windows, pads, around, _ = plan
    if windows.output_padding is not None:
        out = np.zeros(x.shape, grad.dtype)
        columns_times(padded(grad, pads), w, out, windows)
        return out
    if grad.size and around is not None:
        out = np.empty(x.shape, grad.dtype)
        columns_times(padded(grad, around), _turned(w, windows.groups), out, windows)
        return out
    sizes = [size + sum(pad) for size, pad in zip(x.shape[2:], pads)]
    whole = np.zeros((*x.shape[:2], *sizes), grad.dtype)
    scattered(grad, w, whole, windows)
    inner = tuple(slice(pad[0], pad[0] + size) for pad, size in zip(pads, x.shape[2:]))
    return whole[(slice(None), slice(None), *inner)]


def _pads_of_gradient(
    pads: Sequence[tuple[int, int]], w: tuple[int, ...], windows: Windows
) -> list[tuple[int, int]] | None:
    """What is put around a gradient for the convolution the other way; None where that would cut some of it off, and where windows move
    by more than one.
    """
    if set(windows.stride) != {1}:
        return None
    reach = [d * (size - 1) for d, size in zip(windows.dilation, w[2:])]
    around = [(r - before, r - after) for r, (before, after) in zip(reach, pads)]
    return around if all(min(pad) >= 0 for pad in around) else None


def _turned(w: Array, groups: int) -> Array:
    """The weights (C, O / groups, kernel) of the convolution the other way, of those (O, C / groups, kernel) of the first."""
    backwards = w[(slice(None), slice(None), *(slice(None, None, -1),) * (w.ndim - 2))]
    by_group = backwards.reshape(groups, -1, *w.shape[1:]).swapaxes(1, 2)
    return by_group.reshape(-1, w.shape[0] // groups, *w.shape[2:])


@ignores_float_errors
def _of_weight(grad: Array, x: Array, w: Array, plan: _Plan) -> Array:
    """`wide` is what windows move over: the input, or of a transposed convolution the gradient."""
    windows = plan.windows
    wide, other = (x, grad) if windows.output_padding is None else (grad, x)
    wide = padded(wide, plan.pads)
    shapes = columns_for(wide.shape, w.shape, other.shape[2:], windows.groups)
    n, groups, rows, at = shapes.matrix
    outputs = shapes.weights[1]
    columns = columns_of(wide, shapes.windows, windows)
    if n == 1:
        flat = columns.reshape(groups, rows, at)
        return np.matmul(other.reshape(groups, outputs, at), flat.swapaxes(1, 2)).reshape(w.shape)
    by_group = columns.reshape(n, groups, wide.shape[1] // groups, *columns.shape[2:]).swapaxes(
        0, 1
    )
    gradients = other.reshape(n, groups, outputs, at).swapaxes(0, 1)
    total = np.zeros(shapes.weights, grad.dtype)
    for first in range(0, n, shapes.at_once):
        images = slice(first, first + shapes.at_once)
        flat = np.moveaxis(by_group[:, images], 1, w.ndim).reshape(groups, rows, -1)
        given = gradients[:, images].swapaxes(1, 2).reshape(groups, outputs, -1)
        total += np.matmul(given, flat.swapaxes(1, 2))
    return total.reshape(w.shape)


def _shapes(facts: Sequence[Fact]) -> Fact:
    grad, x, weight, *_, groups, wanted = facts
    if not is_known(wanted):
        return UNKNOWN, UNKNOWN, UNKNOWN
    channels = rank_known(grad)
    bias = None if channels is None or len(channels) < 2 else channels[1:2]
    found: list[Fact] = []
    for of in (x, weight):
        sizes = rank_known(of)
        strides = None if sizes is None else (None,) * len(sizes)
        if (
            sizes is not None
            and isinstance(x, TensorProperties)
            and isinstance(weight, TensorProperties)
        ):
            is_plain = of is weight and groups != 1
            strides = None if is_plain else known_strides(x, weight, sizes)
        found.append(fresh(dtype_of(of), sizes, of, strides=strides))
    found.append(fresh(dtype_of(grad), bias, grad))
    return tuple(fact if want else None for fact, want in zip(found, wanted))


@registry.kernel(
    "convolution_backward",
    shape=_shapes,
    lower="lowering.linalg.convolution_gradients:ConvolutionGradients",
)
def convolution_backward(
    grad: Tensor,
    x: Tensor,
    weight: Tensor,
    bias_sizes: Ints | None,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
    wanted: Sequence[bool],
) -> Gradients:
    """The gradients of input, weight and bias, as far as they are wanted: zeros where the input has no channels, as then
    the result has none, either."""
    w, array = weight.array, x.array
    if w.ndim < 3 or array.ndim != w.ndim or grad.array.ndim != w.ndim:
        raise RuntimeError(
            f"Expected {w.ndim}-dimensional input and grad_output for {w.ndim}-dimensional weight, but "
            f"got sizes {list(array.shape)} and {list(grad.array.shape)}"
        )
    if not transposed and not array.shape[1]:
        sizes = array.shape, w.shape, w.shape[:1] if bias_sizes is None else tuple(bias_sizes)
        zeros = [tensor_of(np.zeros(of, array.dtype)) for of in sizes]
        of_input, of_weight, of_bias = (z if want else None for z, want in zip(zeros, wanted))
        return of_input, of_weight, of_bias
    windows = _windows(stride, padding, dilation, groups, output_padding if transposed else None)
    plan = _plan_for(array.shape, w.shape, windows)
    if grad.array.shape != plan.shape:
        raise RuntimeError(
            f"Expected grad_output of sizes {list(plan.shape)}, but got {list(grad.array.shape)}"
        )
    element, compute = array.dtype, opmath(x.dtype).numpy_dtype
    format = result_format([(a.shape, element_strides(a)) for a in (array, w)])
    given = grad.array
    if element is not compute or given.dtype is not compute:
        given, array, w = (a.astype(compute, copy=False) for a in (given, array, w))
    results: list[Tensor | None] = [None, None, None]
    if wanted[0]:
        results[0] = tensor_of(laid_out(_of_input(given, array, w, plan), element, format))
    if wanted[1]:
        layout = format if groups == 1 else contiguous_format
        results[1] = tensor_of(laid_out(_of_weight(given, array, w, plan), element, layout))
    if wanted[2]:
        total = _summed(given)
        results[2] = tensor_of(laid_out(total, element, contiguous_format))
    return results[0], results[1], results[2]


@ignores_float_errors
def _summed(grad: Array) -> Array:
    return grad.sum((0, *range(2, grad.ndim)))
