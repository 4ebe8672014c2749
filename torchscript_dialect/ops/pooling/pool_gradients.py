"""Unpooling, pooling by windows of random size, and the gradients of pooling (PyTorch: native/MaxUnpooling.cpp,
FractionalMaxPool2d.cpp, AveragePool2d.cpp, AdaptiveAveragePooling.cpp).

Where the largest elements come from is told by their places in the flat plane: values and gradients go back there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.indexing.combine_at import combine_at
from torchscript_dialect.ops.layouts import laid_out, laid_out_strides
from torchscript_dialect.ops.plans import planned
from torchscript_dialect.ops.pooling import native_windows
from torchscript_dialect.ops.pooling.native_windows import Windows
from torchscript_dialect.ops.pooling.pool_windows import (
    Pool,
    average_windows,
    even_windows,
    spans,
    suits_even_windows,
    window_sizes,
)
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath

Array = NDArray[Any]
Ints = Sequence[int]


def _like_second(facts: Sequence[Fact]) -> Fact:
    grad, x = facts[:2]
    sizes = rank_known(x)
    if sizes is None:
        return NOTHING
    return fresh(dtype_of(grad), sizes, grad, strides=laid_out_strides(x, sizes))


def _planes(x: Array, rank: int) -> Array:
    return x.reshape(-1, prod(x.shape[-rank:]))


def _check_float(name: str, x: Tensor) -> None:
    if not x.dtype.is_floating_point:
        raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")


# Back to where the largest elements come from


@ignores_float_errors
def _returned(name: str, rank: int, grad: Tensor, x: Tensor, places: Tensor) -> Tensor:
    """The gradients at the places of the elements that they belong to, those of one element added."""
    _check_float(name, grad)
    if places.array.shape != grad.array.shape:
        raise RuntimeError(
            f"expected sizes {list(grad.array.shape)} of grad_output, but got indices of sizes "
            f"{list(places.array.shape)}"
        )
    if places.dtype is not dtypes.int64:
        raise RuntimeError(f"expected scalar type Long but found {places.dtype.type_name}")
    if native_windows.are_native(x):
        found = native_windows.returned(grad, x, places, rank)
        if found is not None:
            return found
    values, at = _planes(grad.array, rank), _planes(places.array, rank)
    size = prod(x.array.shape[-rank:])
    if at.size and (at.min() < 0 or at.max() >= size):
        raise RuntimeError(f"{name}: found an invalid max index")
    total: Array = np.zeros((len(values), size), opmath(grad.dtype).numpy_dtype)
    combine_at(np.add, total, (np.arange(len(values))[:, None], at), values.astype(total.dtype))
    return tensor_of(laid_out(total.reshape(x.array.shape), x.array, grad.array.dtype))


def _declare_return(rank: int) -> None:
    pooled = f"max_pool{rank}d_with_indices_backward"
    adaptive = f"adaptive_max_pool{rank}d_backward"
    fractional = f"fractional_max_pool{rank}d_backward"

    def of_windows(grad: Tensor, x: Tensor, *windows: Any) -> Tensor:
        return _returned(pooled, rank, grad, x, windows[-1])

    def of_adaptive(grad: Tensor, x: Tensor, places: Tensor) -> Tensor:
        return _returned(adaptive, rank, grad, x, places)

    def of_fractional(
        grad: Tensor, x: Tensor, _kernel: Ints, _size: Ints, places: Tensor
    ) -> Tensor:
        return _returned(fractional, rank, grad, x, places)

    registry.implement(pooled, of_windows, shape=_like_second)
    registry.implement(adaptive, of_adaptive, shape=_like_second)
    registry.implement(fractional, of_fractional, shape=_like_second)


def _unpooled(name: str, rank: int, x: Tensor, places: Tensor, output_size: Ints) -> Tensor:
    """Zeros but for the elements of `x` at their places in the plane."""
    if places.dtype is not dtypes.int64:
        raise RuntimeError(
            f"elements in indices should be type int64 but got: {places.dtype.type_name}"
        )
    if len(output_size) != rank:
        raise RuntimeError(
            f"There should be exactly {rank} elements in output_size, but got {len(output_size)} elements."
        )
    array = x.array
    if array.ndim not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"Input to {name} should be a {rank + 1}d or {rank + 2}d Tensor, but got a tensor with "
            f"{array.ndim} dimensions."
        )
    if array.shape != places.array.shape:
        raise RuntimeError(
            "Expected shape of indices to be same as that of the input tensor "
            f"({list(array.shape)}) but got indices tensor with shape: {list(places.array.shape)}"
        )
    if not all(array.shape[array.ndim - rank - 1 :]):
        raise RuntimeError(
            f"{name}(): Expected input to have non-zero size for non-batch dimensions, but got "
            f"{list(array.shape)}"
        )
    _check_float(name.replace("ing", ""), x)
    values, at = _planes(array, rank), _planes(places.array, rank)
    size = prod(output_size)
    wrong = at[(at < 0) | (at >= size)]
    if wrong.size:
        raise RuntimeError(
            f"Found an invalid max index: {wrong[0]} (output volumes are of size "
            f"{'x'.join(map(str, output_size))})"
        )
    out = np.zeros((len(values), size), array.dtype)
    np.put_along_axis(out, at, values, 1)
    whole = out.reshape(*array.shape[: array.ndim - rank], *output_size)
    return tensor_of(laid_out(whole, array) if rank == 2 else whole)


def _unpooled_shape(rank: int) -> registry.ShapeRule:
    def rule(facts: Sequence[Fact]) -> Fact:
        x, _, size, *_ = facts
        sizes = rank_known(x)
        if sizes is None or not is_known(size) or len(sizes) <= rank or len(size) != rank:
            return NOTHING
        shape = (*sizes[:-rank], *size)
        strides = laid_out_strides(x, shape) if rank == 2 else None
        return fresh(dtype_of(x), shape, x, strides=strides)

    return rule


@registry.kernel("max_unpool2d", shape=_unpooled_shape(2))
def max_unpool2d(x: Tensor, places: Tensor, output_size: Ints) -> Tensor:
    return _unpooled("max_unpooling2d", 2, x, places, output_size)


@registry.kernel("max_unpool3d", shape=_unpooled_shape(3))
def max_unpool3d(
    x: Tensor, places: Tensor, output_size: Ints, stride: Ints, padding: Ints
) -> Tensor:
    for name, numbers in (("stride", stride), ("padding", padding)):
        if len(numbers) != 3:
            raise RuntimeError(
                f"There should be exactly 3 elements in {name}, but got: {len(numbers)} elements."
            )
    if min(stride) <= 0:
        raise RuntimeError(f"strides should be greater than zero, but got stride: {list(stride)}")
    return _unpooled("max_unpooling3d", 3, x, places, output_size)


# Windows of random size


def _starts(sample: Any, size: int, count: int, kernel: int) -> NDArray[np.int64]:
    """Where `count` windows of `kernel` elements begin; `sample`, a random number, shifts them."""
    if not count:
        return np.zeros(0, np.int64)
    alpha = sample.dtype.type((size - kernel) / max(count - 1, 1))
    at = np.arange(count - 1, dtype=sample.dtype)
    first = ((at + sample) * alpha).astype(np.int64) - int(sample * alpha)
    return np.append(first, size - kernel)


def fractional_windows(
    rank: int, x: Tensor, kernel: Ints, output_size: Ints, samples: Tensor
) -> tuple[Ints, Ints]:
    """The sizes of windows, and how many there are along each dimension.

    Raises:
        RuntimeError: operands of fractional pooling do not fit.
    """
    name, array = f"fractional_max_pool{rank}d", x.array
    if len(kernel) not in (1, rank) or len(output_size) not in (1, rank):
        raise RuntimeError(f"{name}: kernel_size and output_size must be one or {rank} ints")
    kernel, output_size = ([*n] * (rank if len(n) == 1 else 1) for n in (kernel, output_size))
    if array.ndim not in (rank + 1, rank + 2) or not all(array.shape[array.ndim - rank - 1 :]):
        raise RuntimeError(
            f"{name}(): Expected {rank + 1}D or {rank + 2}D tensor with non-zero sizes, but got: "
            f"{list(array.shape)}"
        )
    _check_float(name, x)
    if samples.dtype is not x.dtype:
        raise RuntimeError("Expect _random_samples to have the same dtype as input")
    sizes = array.shape[-rank:]
    for size, count, width in zip(sizes, output_size, kernel):
        if count + width - 1 > size:
            raise RuntimeError(
                f"{name}(): pool size {width} too large relative to input size {size}"
            )
    shape = samples.array.shape
    if len(shape) != 3 or shape[0] * shape[1] < array.size // prod(sizes):
        raise RuntimeError(
            "Expect _random_samples to have 3 dimensions: batch, channels, dimensions"
        )
    return kernel, output_size


@ignores_float_errors
def _fractional(
    rank: int, x: Tensor, kernel: Ints, output_size: Ints, samples: Tensor
) -> tuple[Tensor, Tensor]:
    kernel, output_size = fractional_windows(rank, x, kernel, output_size, samples)
    array = x.array
    sizes = array.shape[-rank:]
    planes = array.reshape(-1, *sizes)
    chances = samples.array.reshape(-1, rank)
    if rank == 2:
        chances = chances[:, ::-1]  # of the width first
    values = np.empty((len(planes), *output_size), array.dtype)
    places = np.empty(values.shape, np.int64)
    for row, plane in enumerate(planes):
        flat: Array = np.zeros((), np.int64)
        for axis, (size, count, width) in enumerate(zip(sizes, output_size, kernel)):
            starts = _starts(chances[row, axis], size, count, width)
            at = starts[:, None] + np.arange(width)
            flat = flat[..., None, None] * size + at
        order = [*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)]
        flat = flat.transpose(order).reshape(*output_size, -1)
        window = plane.reshape(-1)[flat]
        best = np.argmax(window, -1)[..., None]
        is_nan = np.isnan(window)
        if is_nan.any():  # The last one is taken.
            last = is_nan.shape[-1] - 1 - np.argmax(is_nan[..., ::-1], -1)[..., None]
            np.copyto(best, last, where=is_nan.any(-1, keepdims=True))
        values[row] = np.take_along_axis(window, best, -1)[..., 0]
        places[row] = np.take_along_axis(flat, best, -1)[..., 0]
    shape = (*array.shape[:-rank], *output_size)
    return tensor_of(values.reshape(shape)), tensor_of(places.reshape(shape))


def _declare_fractional(rank: int) -> None:
    def pool(x: Tensor, kernel: Ints, output_size: Ints, samples: Tensor) -> tuple[Tensor, Tensor]:
        return _fractional(rank, x, kernel, output_size, samples)

    def rule(facts: Sequence[Fact]) -> Fact:
        x, _, output_size, _ = facts
        sizes = rank_known(x)
        if sizes is None or not is_known(output_size) or len(output_size) != rank:
            return NOTHING, NOTHING
        shape = (*sizes[:-rank], *output_size)
        return fresh(dtype_of(x), shape, x), fresh(dtypes.int64, shape, x)

    registry.implement(f"fractional_max_pool{rank}d", pool, shape=rule)


# Means


@ignores_float_errors
def _spread_windows(grad: Array, pool: Pool, sizes: Ints) -> Array:
    """To each element the gradients of the windows that hold it."""
    rank = len(sizes)
    for place in range(rank):
        stride, kernel, padding = pool.stride[place], pool.kernel[place], pool.padding[place]
        count, axis = grad.shape[place - rank], place - rank
        length = max(sizes[place] + 2 * padding, (count - 1) * stride + kernel)
        moved = np.moveaxis(grad, axis, 0)
        whole = np.zeros((length, *moved.shape[1:]), grad.dtype)
        for i in range(kernel):
            whole[i : i + (count - 1) * stride + 1 : stride] += moved
        grad = np.moveaxis(whole[padding : padding + sizes[place]], 0, axis)
    return grad


def _declare_average(rank: int) -> None:
    name = f"avg_pool{rank}d_backward"

    @planned
    def windows(shape: tuple[int, ...], *arguments: Any) -> Windows:
        return average_windows(rank, shape, *arguments)

    @ignores_float_errors
    def backward(
        grad: Tensor,
        x: Tensor,
        kernel: Ints,
        stride: Ints,
        padding: Ints,
        ceil_mode: bool,
        count_include_pad: bool,
        divisor: int | None,
    ) -> Tensor:
        if grad.dtype is not dtypes.int64:
            _check_float(name, grad)
        if divisor == 0:
            raise RuntimeError("divisor must be not zero")
        if native_windows.are_native(x):
            arguments = kernel, stride, padding, ceil_mode, count_include_pad, divisor
            at = windows(x.array.shape, *arguments)
            found = native_windows.spread("mean_back_fixed", grad, x, at, rank)
            if found is not None:
                return found
        pool = Pool.of(f"avg_pool{rank}d", rank, kernel, stride, padding, [1], ceil_mode)
        sizes = x.array.shape[-rank:]
        counts = [pool.size(place, size) for place, size in enumerate(sizes)]
        expected = (*x.array.shape[:-rank], *counts)
        if grad.array.shape != expected:
            raise RuntimeError(
                f"Expected grad_output of sizes {list(expected)}, but got {list(grad.array.shape)}"
            )
        number = divisor or window_sizes(sizes, pool, counts, count_include_pad)
        raw = grad.array.astype(opmath(grad.dtype).numpy_dtype, copy=False)
        part = raw / np.asarray(number, raw.dtype)
        if raw.dtype.kind == "i":
            part = np.trunc(part).astype(raw.dtype)
        raw = _spread_windows(part, pool, sizes)
        return tensor_of(laid_out(raw, x.array, grad.array.dtype))

    registry.kernel(name, shape=_like_second)(backward)


def _declare_adaptive(rank: int) -> None:
    name = f"_adaptive_avg_pool{rank}d_backward"

    @ignores_float_errors
    def backward(grad: Tensor, x: Tensor) -> Tensor:
        _check_float(name, grad)
        fits = x.array.ndim in (rank + 1, rank + 2) or grad.array.shape[-rank:] == (1,) * rank
        if grad.array.ndim != x.array.ndim or not fits:
            raise RuntimeError(
                f"{name}(): Expected {rank + 1}D or {rank + 2}D tensors, but got grad_output of size "
                f"{list(grad.array.shape)}"
            )
        if suits_even_windows(x, grad.array.shape[-rank:]):
            at = even_windows(x.array.shape, grad.array.shape[-rank:])
            found = native_windows.spread("mean_back_even", grad, x, at, rank)
            if found is not None:
                return found
        raw = grad.array.astype(opmath(grad.dtype).numpy_dtype, copy=False)
        for axis, size in enumerate(x.array.shape[-rank:], -rank):
            count = raw.shape[axis]
            if count and size % count == 0:  # each element is in one window
                length = size // count
                raw = np.repeat(raw / raw.dtype.type(length) + raw.dtype.type(0), length, axis)
                continue
            moved = np.moveaxis(raw, axis, 0)
            whole = np.zeros((size, *moved.shape[1:]), raw.dtype)
            for part, start, end in zip(moved, *spans(size, len(moved))):
                whole[start:end] += part / raw.dtype.type(end - start)
            raw = np.moveaxis(whole, 0, axis)
        return tensor_of(laid_out(raw, x.array, grad.array.dtype))

    registry.implement(name, backward, shape=_like_second)


for _rank in (2, 3):
    _declare_return(_rank)
    _declare_fractional(_rank)
    _declare_average(_rank)
    _declare_adaptive(_rank)
