"""Quantized tensors made, read and given back as numbers (PyTorch: aten/src/ATen/native/quantized/QTensor.cpp).

Note [Kernels for quantized tensors]
Operators that PyTorch has for both kinds of tensors have two kernels: `kernel` for numbers and `quantized`, which takes the same
operands, the first of them a quantized tensor or a list of such (quantized_operators.py). What has no `quantized` kernel either moves
elements without looking at them (views, indexing, copies), or raises, as NumPy does not compute with these elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import Fact, preserved
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.quantizer import (
    PerChannel,
    PerTensor,
    Quantizer,
    dequantized,
    ints,
    of_ints,
    per_channel,
    quantized,
    quantizer_of,
)
from torchscript_dialect.tensor.strides import (
    element_strides,
    strides_for_format,
    suggest_memory_format,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

Array = NDArray[Any]
Scheme = TypeVar("Scheme", PerTensor, PerChannel)


def is_quantized(x: Tensor) -> bool:
    return x.array.dtype.metadata is not None


def require_quantized(x: Tensor, name: str) -> Quantizer:
    """The quantizer of a tensor; NotImplementedError for a tensor of numbers."""
    quantizer = quantizer_of(x.array)
    if quantizer is None:
        raise NotImplementedError(
            f"Could not run 'aten::{name}' with arguments from the 'CPU' backend"
        )
    return quantizer


def _in_order(array: Array) -> Array:
    """A dense copy, channels last where those of the array are."""
    wanted = suggest_memory_format(array.shape, element_strides(array))
    strides = [step * array.itemsize for step in strides_for_format(array.shape, wanted)]
    copy = np.ndarray(array.shape, array.dtype, strides=strides)
    copy[...] = array
    return copy


def _integers_of(element: dtypes.dtype) -> np.dtype[Any]:
    """What holds the elements of a quantized dtype; RuntimeError for a dtype of numbers."""
    if element.integers is None:
        raise RuntimeError(f"ScalarType {element.type_name} is not supported in new_qtensor.")
    return np.dtype(element.integers)


def _checked_input(x: Tensor, element: dtypes.dtype, zero_points: Array, what: str) -> Array:
    if x.dtype is not dtypes.float32:
        raise RuntimeError(f"Quantize only works on Float Tensor, got {x.dtype.type_name}")
    limits = np.iinfo(_integers_of(element))
    for zero_point in zero_points.reshape(-1).tolist():
        if zero_point > limits.max:
            raise RuntimeError(f"{what} zero_point {zero_point} is above upper bound.")
        if zero_point < limits.min:
            raise RuntimeError(f"{what} zero_point {zero_point} is below lower bound.")
    return _in_order(x.array)


def _quantized_shape(facts: Sequence[Fact]) -> Fact:
    wanted = facts[-1]
    element = dtypes.from_scalar_type(wanted) if isinstance(wanted, int) else None
    return preserved(element, facts[0])


@registry.kernel("quantize_per_tensor", shape=_quantized_shape)
def quantize_per_tensor(x: Tensor, scale: float, zero_point: int, wanted: int) -> Tensor:
    element = dtypes.from_scalar_type(wanted)
    name = "quantize_tensor_per_tensor_affine"
    array = _checked_input(x, element, np.asarray(zero_point), name)
    return tensor_of(quantized(array, PerTensor(float(scale), int(zero_point)), element))


@registry.kernel("quantize_per_tensor.tensor_qparams", shape=_quantized_shape)
def quantize_by_tensors(x: Tensor, scale: Tensor, zero_point: Tensor, wanted: int) -> Tensor:
    return quantize_per_tensor(x, float(scale.item().real), int(zero_point), wanted)


@registry.kernel("quantize_per_tensor.tensors")
def quantize_tensors(
    tensors: list[Tensor], scales: Tensor, zero_points: Tensor, wanted: int
) -> list[Tensor]:
    parameters = zip(tensors, scales.array.tolist(), zero_points.array.tolist(), strict=True)
    return [quantize_per_tensor(x, scale, zero, wanted) for x, scale, zero in parameters]


@registry.kernel("quantize_per_channel", shape=_quantized_shape)
def quantize_per_channel(
    x: Tensor, scales: Tensor, zero_points: Tensor, axis: int, wanted: int
) -> Tensor:
    element = dtypes.from_scalar_type(wanted)
    if scales.array.ndim != 1 or zero_points.array.ndim != 1:
        raise RuntimeError("scales and zero_points tensors must be 1-D")
    if scales.array.size != zero_points.array.size:
        raise RuntimeError("number of elements in scales and zero_points must match")
    if not 0 <= axis < x.array.ndim:
        raise RuntimeError(
            f"Channel axis out of range in per channel affine quantization. Got: {axis} Expected: [0, {x.array.ndim})"
        )
    if scales.array.size != x.array.shape[axis]:
        raise RuntimeError(
            f"length of scales must equal to channel, expected {x.array.shape[axis]} got, {scales.array.size}"
        )
    zeros = zero_points.array
    exact = np.zeros(0) if zeros.dtype.kind == "f" else zeros
    array = _checked_input(x, element, exact, "quantize_tensor_per_channel_affine")
    return tensor_of(quantized(array, per_channel(array, scales.array, zeros, axis), element))


_SMALLEST_FLOAT = 2.0**-128
"""What is smaller has no reciprocal in float32."""
_SMALLEST_SCALE = float(np.float32(6.1e-5))


def choose_parameters(
    low: float, high: float, lowest: int, highest: int, symmetric: bool = False
) -> PerTensor:
    """Scale and zero point by which numbers from `low` to `high`, and 0, are integers from `lowest` to `highest` (fbgemm).

    `symmetric` takes the same room below 0 as above it, where there are numbers on both sides.
    """
    is_centered = symmetric and low < 0 < high
    if is_centered:
        half = (highest - lowest) // 2
        step = max(abs(low / (half + 1)), abs(high / half))
        low, high = -step * (half + 1), step * half
    low, high = min(low, 0.0), max(high, 0.0)
    scale = (high - low) / (highest - lowest)
    if scale < _SMALLEST_FLOAT:
        scale = 0.1
    if scale < _SMALLEST_SCALE:
        amplifier, scale = _SMALLEST_SCALE / scale, _SMALLEST_SCALE
        if low == 0.0:
            high = scale * (highest - lowest)
        elif high == 0.0:
            low = -scale * (highest - lowest)
        else:
            low, high = low * amplifier, high * amplifier
    from_low, from_high = lowest - low / scale, highest - high / scale
    error_of_low = abs(lowest) + abs(low / scale)
    error_of_high = abs(highest) + abs(high / scale)
    exact = from_low if error_of_low < error_of_high else from_high
    if is_centered:
        exact = (lowest + highest) / 2
    return PerTensor(scale, int(min(max(np.rint(exact), lowest), highest)))


def dynamic_parameters(array: Array, element: dtypes.dtype, reduce_range: bool) -> PerTensor:
    """Scale and zero point for the numbers of an array, in half of the range of the dtype with `reduce_range`."""
    assert element.integers is not None
    limits = np.iinfo(element.integers)
    lowest, highest = int(limits.min), int(limits.max)
    if reduce_range:
        lowest, highest = (lowest // 2, highest // 2)
    low, high = (float(array.min()), float(array.max())) if array.size else (0.0, 0.0)
    return choose_parameters(low, high, lowest, highest)


@registry.kernel("quantize_per_tensor_dynamic")
def quantize_dynamic(x: Tensor, wanted: int, reduce_range: bool) -> Tensor:
    element = dtypes.from_scalar_type(wanted)
    if element not in (dtypes.quint8, dtypes.qint8, dtypes.float16):
        raise RuntimeError(f"dtype {element} not supported: it must be quint8, qint8 or float16")
    if element is dtypes.float16:
        return tensor_of(x.array.astype(np.float16))
    parameters = dynamic_parameters(x.array, element, reduce_range)
    return quantize_per_tensor(x, parameters.scale, parameters.zero_point, wanted)


@registry.kernel("_choose_qparams_per_tensor")
def choose_qparams(x: Tensor, reduce_range: bool) -> tuple[float, int]:
    chosen = dynamic_parameters(x.array, dtypes.quint8, reduce_range)
    return chosen.scale, chosen.zero_point


# Back to numbers


def _dequantized_shape(facts: Sequence[Fact]) -> Fact:
    return preserved(dtypes.float32, facts[0])


@registry.kernel("dequantize.self dequantize.tensor", shape=_dequantized_shape)
def dequantize(x: Tensor) -> Tensor:
    if is_quantized(x):
        return tensor_of(dequantized(_in_order(x.array)))
    return x if x.dtype is dtypes.float32 else tensor_of(x.array.astype(np.float32))


@registry.kernel("dequantize.tensors dequantize.list")
def dequantize_list(tensors: list[Tensor]) -> list[Tensor]:
    return [dequantize(x) for x in tensors]


@registry.kernel("dequantize.any")
def dequantize_any(value: Any) -> Any:
    """Every tensor of nested lists and tuples."""
    if isinstance(value, Tensor):
        return dequantize(value)
    if isinstance(value, (list, tuple)):
        parts = [dequantize_any(part) for part in value]  # pyright: ignore[reportUnknownVariableType]
        return parts if isinstance(value, list) else tuple(parts)
    return value


def _int_repr_shape(facts: Sequence[Fact]) -> Fact:
    return preserved(None, facts[0])


@registry.kernel("int_repr", shape=_int_repr_shape)
def int_repr(x: Tensor) -> Tensor:
    """A copy of the integers."""
    require_quantized(x, "int_repr")
    return tensor_of(ints(_in_order(x.array)))


# The quantizer


def _one_scale(x: Tensor, name: str) -> PerTensor:
    return _of_scheme(x, name, PerTensor, "kPerTensorAffine")


def _channels(x: Tensor, name: str) -> PerChannel:
    return _of_scheme(x, name, PerChannel, "kPerChannelAffine")


def _of_scheme(x: Tensor, name: str, kind: type[Scheme], scheme: str) -> Scheme:
    quantizer = require_quantized(x, name)
    if not isinstance(quantizer, kind):
        raise RuntimeError(f"Expected quantizer->qscheme() == {scheme} to be true, but got false.")
    return quantizer


registry.implement("q_scale", lambda x: _one_scale(x, "q_scale").scale)
registry.implement("q_zero_point", lambda x: _one_scale(x, "q_zero_point").zero_point)
registry.implement("qscheme", lambda x: require_quantized(x, "qscheme").scheme)
registry.implement(
    "q_per_channel_scales", lambda x: tensor_of(_channels(x, "q_per_channel_scales").scales.copy())
)
registry.implement(
    "q_per_channel_zero_points",
    lambda x: tensor_of(_channels(x, "q_per_channel_zero_points").zero_points.copy()),
)
registry.implement("q_per_channel_axis", lambda x: _channels(x, "q_per_channel_axis").axis)


# Made of integers

_KINDS = {np.dtype(each.integers): each for each in (dtypes.quint8, dtypes.qint8, dtypes.qint32)}


def _kind_of(x: Tensor) -> dtypes.dtype:
    found = _KINDS.get(x.array.dtype)
    if found is None:
        raise RuntimeError(f"ScalarType {x.dtype.type_name} has no quantized dtype")
    return found


@registry.kernel("_make_per_tensor_quantized_tensor")
def make_per_tensor(x: Tensor, scale: float, zero_point: int) -> Tensor:
    return tensor_of(of_ints(_in_order(x.array), PerTensor(scale, zero_point), _kind_of(x)))


@registry.kernel("_make_per_channel_quantized_tensor")
def make_per_channel(x: Tensor, scale: Tensor, zero_point: Tensor, axis: int) -> Tensor:
    integers = _in_order(x.array)
    quantizer = per_channel(integers, scale.array, zero_point.array, wrap_dim(axis, integers.ndim))
    return tensor_of(of_ints(integers, quantizer, _kind_of(x)))


# Tensors whose elements nobody has written


def _zeros(size: list[int], element: dtypes.dtype) -> Array:
    """The integers of such a tensor."""
    return np.zeros(tuple(size), _integers_of(element))


def _wanted(scalar_type: int | None, default: dtypes.dtype = dtypes.quint8) -> dtypes.dtype:
    return default if scalar_type is None else dtypes.from_scalar_type(scalar_type)


@registry.kernel("_empty_affine_quantized")
def empty_affine(
    size: list[int],
    wanted: int | None,
    layout: int | None,
    device: Any,
    pin_memory: bool | None,
    scale: float,
    zero_point: int,
    format: int | None,
) -> Tensor:
    element = _wanted(wanted)
    return tensor_of(of_ints(_zeros(size, element), PerTensor(scale, zero_point), element))


@registry.kernel("_empty_per_channel_affine_quantized")
def empty_per_channel(
    size: list[int],
    scales: Tensor,
    zero_points: Tensor,
    axis: int,
    wanted: int | None,
    _layout: int | None,
    _device: Any,
    _pin_memory: bool | None,
    _format: int | None,
) -> Tensor:
    element = _wanted(wanted)
    integers = _zeros(size, element)
    known = per_channel(integers, scales.array, zero_points.array, wrap_dim(axis, integers.ndim))
    return tensor_of(of_ints(integers, known, element))


@registry.kernel("empty_quantized")
def empty_quantized(
    size: list[int],
    like: Tensor,
    wanted: int | None,
    _layout: int | None,
    _device: Any,
    _pin_memory: bool | None,
    _format: int | None,
) -> Tensor:
    """A tensor with the quantizer of another."""
    known = quantizer_of(like.array)
    if known is None:
        raise NotImplementedError("empty_quantized takes a quantized tensor for its quantizer")
    element = _wanted(wanted, like.dtype)
    integers = _zeros(size, element)
    if isinstance(known, PerChannel):
        known = per_channel(integers, known.scales, known.zero_points, known.axis)
    return tensor_of(of_ints(integers, known, element))
