"""Interpolation to other sizes: the nearest element, or the weighted mean of neighbours (PyTorch: native/UpSample.h).

Dimensions are interpolated one after the other. Positions are computed in float32, in float64 for float64, and 16-bit floats
compute in float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.layouts import laid_out, laid_out_strides
from torchscript_dialect.ops.pointwise import opmath
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]
Ints = Sequence[int]
Scales = Sequence[float | None]


def _check(name: str, rank: int, x: Tensor, output_size: Ints) -> None:
    shape = x.array.shape
    if len(output_size) != rank:
        raise RuntimeError(
            f"It is expected output_size equals to {rank}, but got size {len(output_size)}"
        )
    if len(shape) != rank + 2:
        raise RuntimeError(
            f"It is expected input_size equals to {rank + 2}, but got size {len(shape)}"
        )
    if min(*shape[2:], *output_size) <= 0:
        given, wanted = (_named(sizes) for sizes in (shape[2:], output_size))
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input ({given}) output "
            f"({wanted})"
        )
    if not shape[1]:
        raise RuntimeError(
            f"Non-empty {rank + 2}D data tensor expected but got a tensor with sizes {list(shape)}"
        )
    is_byte = x.dtype is dtypes.uint8 and "nearest" in name
    if not (x.dtype.is_floating_point or is_byte):
        raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")


def _named(sizes: Ints) -> str:
    return ", ".join(f"{axis}: {size}" for axis, size in zip("DHW"[-len(sizes) :], sizes))


def _step(size: int, count: int, scale: float | None, compute: np.dtype[Any]) -> Any:
    """How far apart in the input neighbours of the result are."""
    if scale is not None and scale > 0:
        return compute.type(1.0 / scale)
    return compute.type(size) / compute.type(count)


def _nearest(x: Array, output_size: Ints, scales: Scales) -> Array:
    single = np.dtype(np.float32)
    for axis, (count, scale) in enumerate(zip(output_size, scales), 2):
        size = x.shape[axis]
        places = np.floor(np.arange(count, dtype=single) * _step(size, count, scale, single))
        x = np.take(x, np.minimum(places.astype(np.int64), size - 1), axis)
    return x


@ignores_float_errors
def _linear(x: Array, output_size: Ints, align_corners: bool, scales: Scales) -> Array:
    for axis, (count, scale) in enumerate(zip(output_size, scales), 2):
        size = x.shape[axis]
        if size == count:
            continue
        at = np.arange(count, dtype=x.dtype)
        if align_corners:
            at = at * (x.dtype.type(size - 1) / x.dtype.type(max(count - 1, 1)))
        else:
            half = x.dtype.type(0.5)
            at = np.maximum(_step(size, count, scale, x.dtype) * (at + half) - half, 0)
        before = np.minimum(np.floor(at).astype(np.int64), size - 1)
        after = np.minimum(before + 1, size - 1)
        part = np.clip(at - before.astype(x.dtype), 0, 1).reshape(-1, *(1,) * (x.ndim - 1 - axis))
        x = np.take(x, before, axis) * (1 - part) + np.take(x, after, axis) * part
    return x


def _sizes(sizes: Sequence[Any], output_size: Ints | None, scales: Scales | None) -> list[Any]:
    """The sizes of the result, from one of the two; of a size that is not known nothing follows by scaling.

    Raises:
        RuntimeError: both or none are given, or not one for each dimension.
    """
    if (output_size is None) == (scales is None):
        raise RuntimeError("Must specify exactly one of output_size and scale_factors")
    given: Sequence[Any] | None = scales if output_size is None else output_size
    assert given is not None
    if len(given) != len(sizes) - 2:
        raise RuntimeError(
            f"expected {len(sizes) - 2} sizes or scale factors, but got {len(given)}"
        )
    if output_size is not None:
        return [*output_size]
    return [None if n is None else int(n * factor) for n, factor in zip(sizes[2:], given)]


def _declare(name: str, rank: int, *, linear: bool) -> None:
    """An operator with sizes and, separately, scales; and one with sizes or a list of scales."""

    def interpolated(x: Tensor, output_size: Ints, align_corners: bool, scales: Scales) -> Tensor:
        _check(name, rank, x, output_size)
        if not linear and rank == 2 and list(x.array.shape[2:]) == [*output_size]:
            raw = x.array  # whatever the scales say
        elif not linear:
            raw = _nearest(x.array, output_size, scales)
        else:
            wide = x.array.astype(opmath(x.dtype).numpy_dtype, copy=False)
            raw = _linear(wide, output_size, align_corners, scales)
        return tensor_of(laid_out(raw, x.array))

    def split(arguments: Sequence[Any]) -> tuple[bool, Sequence[Any]]:
        return (arguments[0], arguments[1:]) if linear else (False, arguments)

    def kernel(x: Tensor, output_size: Ints, *arguments: Any) -> Tensor:
        align_corners, scales = split(arguments)
        return interpolated(x, output_size, align_corners, scales)

    def by_list(x: Tensor, output_size: Ints | None, *arguments: Any) -> Tensor:
        align_corners, (scales,) = split(arguments)
        if x.array.ndim != rank + 2:
            raise RuntimeError(
                f"It is expected input_size equals to {rank + 2}, but got size {x.array.ndim}"
            )
        sizes = _sizes(x.array.shape, output_size, scales)
        return interpolated(x, sizes, align_corners, scales or [None] * rank)

    def rule(facts: Sequence[Fact]) -> Fact:
        x, output_size, *arguments = facts
        sizes = rank_known(x)
        if sizes is None or len(sizes) != rank + 2 or not is_known(output_size, arguments):
            return NOTHING
        scales = arguments[-1] if output_size is None else None
        try:
            shape = (*sizes[:2], *_sizes(sizes, output_size, scales))
        except RuntimeError:
            return NOTHING
        return fresh(dtype_of(x), shape, x, strides=laid_out_strides(x, shape))

    registry.implement(name, kernel, shape=rule)
    registry.implement(f"{name}.vec", by_list, shape=rule)


for _rank, _linear_name in enumerate(("linear1d", "bilinear2d", "trilinear3d"), 1):
    _declare(f"upsample_nearest{_rank}d", _rank, linear=False)
    _declare(f"upsample_{_linear_name}", _rank, linear=True)
