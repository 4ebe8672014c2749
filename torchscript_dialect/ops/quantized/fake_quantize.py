"""Fake quantization: numbers rounded to the steps of an integer type, and held between its ends, that stay floats (PyTorch:
native/quantized/FakeQuantPerTensorAffine.cpp, FakeQuantPerChannelAffine.cpp).

A mask tells which numbers were between the ends: there the gradient goes through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.quantized.quantization import choose_parameters
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, preserved, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.strides import empty_like
from torchscript_dialect.tensor.tensor import Tensor, give_array, tensor_of, wrap_dim

Array = NDArray[Any]
Both = tuple[Tensor, Tensor]


def _like(facts: Sequence[Fact]) -> Fact:
    return preserved(dtype_of(facts[0]), facts[0]) if rank_known(facts[0]) is not None else NOTHING


def _with_mask(facts: Sequence[Fact]) -> Fact:
    if rank_known(facts[0]) is None:
        return NOTHING, NOTHING
    return _like(facts), preserved(dtypes.bool_, facts[0])


def _check_range(low: int, high: int) -> None:
    if low > high:
        raise RuntimeError(
            "`quant_min` should be less than or equal to `quant_max`, but got "
            f"quant_min={low} and quant_max={high}"
        )


def _check_zero(low: int, high: int, zero_point: Array) -> None:
    if ((zero_point < low) | (zero_point > high)).any():
        raise RuntimeError("`zero_point` must be between `quant_min` and `quant_max`.")


def _check_float(x: Tensor) -> None:
    if not x.dtype.is_floating_point:
        raise NotImplementedError(
            f"\"fake_quantize_tensor_cachemask_kernel_type_handling\" not implemented for '{x.dtype.type_name}'"
        )


@ignores_float_errors
def _quantized(x: Tensor, scale: Array, zero_point: Array, low: int, high: int) -> Both:
    """The numbers by the nearest steps, and which of them were between the ends."""
    inverse = np.float32(1) / scale.astype(np.float32)
    steps = np.rint(x.array.astype(np.float32) * inverse + zero_point.astype(np.float32))
    held = np.where(np.isnan(steps), np.float32(low), np.clip(steps, low, high))
    out, mask = empty_like(x.array), empty_like(x.array, np.dtype(np.bool_))
    out[...] = (held - zero_point.astype(np.float32)) * scale.astype(np.float32)
    mask[...] = (steps >= low) & (steps <= high)
    return tensor_of(out), tensor_of(mask)


# One scale


def _of_tensor(x: Tensor, scale: float, zero_point: int, low: int, high: int) -> Both:
    _check_range(low, high)
    zero = np.asarray(zero_point)
    _check_zero(low, high, zero)
    _check_float(x)
    return _quantized(x, np.asarray(scale), zero, low, high)


def _of_tensors(
    x: Tensor, scale: Tensor, zero_point: Tensor, enabled: Tensor, low: int, high: int
) -> Both:
    _check_range(low, high)
    if not int(enabled.array.reshape(-1)[0]):
        copy = empty_like(x.array)
        copy[...] = x.array
        mask = empty_like(x.array, np.dtype(np.bool_))
        mask.fill(True)
        return tensor_of(copy), tensor_of(mask)
    _check_float(x)
    zero = zero_point.array.reshape(-1)[:1].reshape(())
    return _quantized(x, scale.array.reshape(-1)[:1].reshape(()), zero, low, high)


registry.implement("fake_quantize_per_tensor_affine_cachemask", _of_tensor, shape=_with_mask)
registry.implement(
    "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", _of_tensors, shape=_with_mask
)


@registry.kernel("fake_quantize_per_tensor_affine", shape=_like)
def per_tensor(x: Tensor, scale: float, zero_point: int, low: int, high: int) -> Tensor:
    return _of_tensor(x, scale, zero_point, low, high)[0]


@registry.kernel("fake_quantize_per_tensor_affine.tensor_qparams", shape=_like)
def per_tensor_by_tensors(
    x: Tensor, scale: Tensor, zero_point: Tensor, low: int, high: int
) -> Tensor:
    enabled = tensor_of(np.ones(1, np.int64))
    return _of_tensors(x, scale, zero_point, enabled, low, high)[0]


# A scale for each channel


@registry.kernel("fake_quantize_per_channel_affine_cachemask", shape=_with_mask)
def per_channel_with_mask(
    x: Tensor, scale: Tensor, zero_point: Tensor, axis: int, low: int, high: int
) -> Both:
    if scale.dtype is not dtypes.float32:
        raise RuntimeError(f"Scale must be Float, found {scale.dtype.type_name}")
    if zero_point.dtype not in (dtypes.int32, dtypes.float32, dtypes.float16):
        raise RuntimeError(
            f"Zero-point must be Int32, Float or Half, found {zero_point.dtype.type_name}"
        )
    if scale.array.ndim != 1 or zero_point.array.ndim != 1:
        raise RuntimeError("scale and zero-point should be 1-D tensors")
    if scale.array.shape != zero_point.array.shape:
        raise RuntimeError("scale and zero-point need to have the same dimensions")
    axis = wrap_dim(axis, x.array.ndim)
    if scale.array.size != x.array.shape[axis]:
        raise RuntimeError(
            "dimensions of scale and zero-point are not consistent with input tensor"
        )
    _check_range(low, high)
    if zero_point.dtype is dtypes.int32:
        _check_zero(low, high, zero_point.array)
    _check_float(x)
    shape = (-1, *(1,) * (x.array.ndim - 1 - axis))
    return _quantized(x, scale.array.reshape(shape), zero_point.array.reshape(shape), low, high)


@registry.kernel("fake_quantize_per_channel_affine", shape=_like)
def per_channel(x: Tensor, *settings: Any) -> Tensor:
    return per_channel_with_mask(x, *settings)[0]


# Gradients


@ignores_float_errors
def _masked(grad: Tensor, mask: Tensor) -> Tensor:
    if mask.dtype is not dtypes.bool_:
        raise RuntimeError(
            "Expected mask.scalar_type() == ScalarType::Bool to be true, but got false."
        )
    if mask.array.shape != grad.array.shape:
        raise RuntimeError("`mask` and `dY` are not the same size")
    out = empty_like(grad.array)
    out[...] = grad.array * mask.array.astype(grad.array.dtype)
    return tensor_of(out)


registry.implement(
    "fake_quantize_per_tensor_affine_cachemask_backward "
    "fake_quantize_per_channel_affine_cachemask_backward",
    _masked,
    shape=_like,
)


# Observed: the range follows what comes by


def _ends(array: Array, axis: int, per_row: bool) -> tuple[Array, Array]:
    """The smallest and the largest number, of each channel where `per_row`."""
    if not per_row:
        return np.asarray(array.min()), np.asarray(array.max())
    rows = np.moveaxis(array, axis, 0).reshape(array.shape[axis], -1)
    return rows.min(1), rows.max(1)


def _follow(running: Array, found: Array, constant: float) -> None:
    """Move running ends by a part of the way to those found; the first ones are taken as they are."""
    moved = running + np.float32(constant) * (found - running)
    running[...] = np.where(np.isinf(running), found, moved)


@registry.kernel("_fused_moving_avg_obs_fq_helper")
@ignores_float_errors
def observed_with_mask(
    x: Tensor,
    is_observed: Tensor,
    is_quantized: Tensor,
    low: Tensor,
    high: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    constant: float,
    least: int,
    most: int,
    axis: int,
    per_row: bool,
    symmetric: bool,
) -> Both:
    """Fake quantization by a range that is followed while `is_observed`."""
    if not x.array.size:
        raise RuntimeError("the input of an observer must not be empty")
    axis = wrap_dim(axis, x.array.ndim)
    if is_observed.array.reshape(-1)[0]:
        ends = _ends(x.array, axis, per_row)
        for running, found, start in zip((low, high), ends, (np.inf, -np.inf)):
            if not running.array.size:
                give_array(running, np.full(found.shape, start, np.float32))
            _follow(running.array, found.reshape(running.array.shape), constant)
    if not is_quantized.array.reshape(-1)[0]:
        return _of_tensors(x, scale, zero_point, is_quantized, least, most)
    for parameter in (scale, zero_point):
        if parameter.array.shape != low.array.shape:
            give_array(parameter, np.empty(low.array.shape, parameter.array.dtype))
    for place, ends in enumerate(zip(low.array.flat, high.array.flat)):
        chosen = choose_parameters(float(ends[0]), float(ends[1]), least, most, symmetric)
        scale.array.flat[place], zero_point.array.flat[place] = chosen.scale, chosen.zero_point
    if per_row:
        return per_channel_with_mask(x, scale, zero_point, axis, least, most)
    return _of_tensors(x, scale, zero_point, is_quantized, least, most)


@registry.kernel("fused_moving_avg_obs_fake_quant")
def observed(x: Tensor, *settings: Any) -> Tensor:
    return observed_with_mask(x, *settings)[0] if x.array.size else tensor_of(empty_like(x.array))
