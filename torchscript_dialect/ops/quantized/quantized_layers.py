"""Quantized linear layers and convolutions, static and dynamic (PyTorch: native/quantized/cpu/qlinear.cpp, qconv.cpp, on fbgemm).

Products of integers are exact: they are computed in floats that hold every sum. On processors without VNNI instructions PyTorch holds
sums of two products in 16 bits, and results differ for large weights unless the range of the input is reduced.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.convolution.convolution import convolve, laid_out
from torchscript_dialect.ops.convolution.convolution_plan import Windows
from torchscript_dialect.ops.quantized.packed_params import (
    ConvPackedParams,
    HalfLinearParams,
    LinearPackedParams,
    PackedParams,
    copy_in_format,
    moved,
)
from torchscript_dialect.ops.quantized.quantization import dynamic_parameters
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.layout import channels_last, channels_last_3d
from torchscript_dialect.tensor.quantizer import (
    PerTensor,
    dequantized,
    ints,
    of_ints,
    quantized,
    quantizer_of,
    rounded,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]

CHANNELS_LAST: Final = -1
CHANNELS_FIRST: Final = 1


def _input(x: Tensor, name: str) -> tuple[Array, np.float32]:
    """The integers of a quint8 tensor less their zero point, and its scale."""
    quantizer = quantizer_of(x.array)
    if x.dtype is not dtypes.quint8 or not isinstance(quantizer, PerTensor):
        raise RuntimeError(
            f"{name} (fbgemm): Expected the input to be quint8 with one scale, found {x.dtype.type_name}"
        )
    return ints(x.array).astype(np.float64) - quantizer.zero_point, np.float32(quantizer.scale)


def _along(values: Array, rank: int, channels: int) -> Array:
    """A number for each channel, to be broadcast over a result of that rank."""
    return values if channels == CHANNELS_LAST else values.reshape(-1, *(1,) * (rank - 2))


@ignores_float_errors
def _requantized(
    sums: Array,
    scale: np.float32,
    params: PackedParams,
    to: PerTensor,
    channels: int,
    *,
    relu: bool,
) -> Array:
    """The integers of the result (fbgemm: ReQuantizeOutput): the bias is added in steps of the sums, which are then rounded."""
    steps = scale * _along(params.scales, sums.ndim, channels)
    numbers = sums.astype(np.float32)
    if params.bias is not None:
        numbers = numbers + _along(params.bias.array, sums.ndim, channels) / steps
    found = np.rint(numbers * (steps / np.float32(to.scale))) + np.float32(to.zero_point)
    return rounded(np.maximum(found, to.zero_point) if relu else found, dtypes.quint8)


@ignores_float_errors
def _as_numbers(
    sums: Array, scale: np.float32, params: PackedParams, channels: int, *, relu: bool
) -> Array:
    """The float32 numbers of the result; product and sum with the bias are rounded once."""
    steps = (scale * _along(params.scales, sums.ndim, channels)).astype(np.float64)
    numbers = sums.astype(np.float32) * steps
    if params.bias is not None:
        numbers = numbers + _along(params.bias.array, sums.ndim, channels)
    return np.maximum(numbers, 0).astype(np.float32) if relu else numbers.astype(np.float32)


# Linear


def _products(numbers: Array, params: PackedParams) -> Array:
    if numbers.ndim < 1 or numbers.shape[-1] != params.integers.shape[1]:
        raise RuntimeError(
            f"The size of the input's last dimension, {numbers.shape[-1:]}, is not the number "
            f"of columns of the weight, {params.integers.shape[1]}"
        )
    return numbers @ params.integers.T


def _linear(relu: bool) -> Callable[..., Tensor]:
    def kernel(x: Tensor, params: LinearPackedParams, scale: float, zero_point: int) -> Tensor:
        numbers, step = _input(x, "quantized::linear")
        to = PerTensor(scale, zero_point)
        sums = _products(numbers, params)
        found = _requantized(sums, step, params, to, CHANNELS_LAST, relu=relu)
        return tensor_of(of_ints(found, to, dtypes.quint8))

    return kernel


def _check_float(x: Tensor) -> None:
    if x.dtype is not dtypes.float32:
        raise RuntimeError(f"Quantize only works on Float Tensor, got {x.dtype.type_name}")


def _dynamic(x: Tensor, reduce_range: bool) -> tuple[Array, np.float32]:
    """The input's integers less their zero point, and their scale, chosen by its smallest and largest number."""
    _check_float(x)
    chosen = dynamic_parameters(x.array, dtypes.quint8, reduce_range)
    integers = ints(quantized(x.array, chosen, dtypes.quint8))
    return integers.astype(np.float64) - chosen.zero_point, np.float32(chosen.scale)


def linear_dynamic(relu: bool) -> Callable[..., Tensor]:
    """The kernel of a linear layer that takes floats: it quantizes them for itself, if its weight is of integers."""

    def kernel(
        x: Tensor, params: LinearPackedParams | HalfLinearParams, reduce_range: bool
    ) -> Tensor:
        if isinstance(params, HalfLinearParams):
            return _half_linear(relu)(x, params)
        numbers, step = _dynamic(x, reduce_range)
        sums = _products(numbers, params)
        return tensor_of(_as_numbers(sums, step, params, CHANNELS_LAST, relu=relu))

    return kernel


def _half_linear(relu: bool) -> Callable[..., Tensor]:
    def kernel(x: Tensor, params: HalfLinearParams) -> Tensor:
        found = x.array @ params.weight.array.T
        if params.bias is not None:
            found = found + params.bias.array
        return tensor_of(np.maximum(found, 0) if relu else found)

    return kernel


registry.implement("quantized::linear _quantized::linear", _linear(relu=False))
registry.implement("quantized::linear_relu", _linear(relu=True))
registry.implement(
    "quantized::linear_dynamic _quantized::linear_dynamic", linear_dynamic(relu=False)
)
registry.implement("quantized::linear_relu_dynamic", linear_dynamic(relu=True))
registry.implement("quantized::linear_dynamic_fp16", _half_linear(relu=False))
registry.implement("quantized::linear_relu_dynamic_fp16", _half_linear(relu=True))
registry.implement("quantized::linear_prepack _quantized::linear_prepack", LinearPackedParams)
registry.implement(
    "quantized::linear_prepack_fp16 _quantized::linear_prepack_fp16", HalfLinearParams
)
registry.implement(
    "quantized::linear_unpack quantized::linear_unpack_fp16", lambda params: params.unpack()
)


# Convolutions


def _convolved(numbers: Array, params: PackedParams) -> Array:
    assert isinstance(params, ConvPackedParams)
    return convolve(tensor_of(numbers), tensor_of(params.integers), None, params.windows).array


def _as_image(x: Tensor, params: ConvPackedParams) -> tuple[Tensor, bool]:
    """A row as an image of one row, where the layer is one over images; whether it is one."""
    is_row = x.array.ndim == params.rank + 1
    if not is_row and x.array.ndim != params.rank + 2:
        raise RuntimeError(
            f"Activations are expected to have {params.rank + 2} dimensions, found {x.array.ndim}"
        )
    return (tensor_of(x.array[:, :, None]) if is_row else x), is_row


def _laid_out(found: Array, rank: int) -> Array:
    """Channels come last in the results of PyTorch's library."""
    wanted = channels_last if rank == 2 else channels_last_3d
    if rank == 2:
        return laid_out(found, found.dtype, wanted)
    return copy_in_format(found, wanted)


def _convolution(relu: bool) -> Callable[..., Tensor]:
    def kernel(x: Tensor, params: ConvPackedParams, *settings: Any) -> Tensor:
        scale, zero_point = settings[-2:]  # the older overload repeats what the object has
        image, is_row = _as_image(x, params)
        numbers, step = _input(image, f"quantized::conv{params.rank}d")
        to = PerTensor(scale, zero_point)
        sums = _convolved(numbers, params)
        found = _requantized(sums, step, params, to, CHANNELS_FIRST, relu=relu)
        array = _laid_out(found, params.rank)
        return tensor_of(of_ints(array[:, :, 0] if is_row else array, to, dtypes.quint8))

    return kernel


def _convolution_dynamic(x: Tensor, params: ConvPackedParams, reduce_range: bool) -> Tensor:
    """The result is quantized by the scale and zero point that the input's numbers chose, and then numbers again, as in PyTorch."""
    _check_float(x)
    chosen = dynamic_parameters(x.array, dtypes.quint8, reduce_range)
    result = _convolution(relu=False)(
        tensor_of(quantized(x.array, chosen, dtypes.quint8)),
        params,
        chosen.scale,
        chosen.zero_point,
    )
    found = dequantized(result.array)
    strides = [step * found.itemsize for step in result.stride()]
    array = np.ndarray(found.shape, found.dtype, strides=strides)
    array[...] = found
    return tensor_of(array)


def _prepacked(rank: int, transposed: bool) -> Callable[..., ConvPackedParams]:
    def kernel(
        weight: Tensor, bias: Tensor | None, stride: list[int], padding: list[int], *rest: Any
    ) -> ConvPackedParams:
        output, dilation, groups = rest if transposed else (None, *rest)
        if rank == 1:
            array = weight.array[:, :, None]
            weight = tensor_of(_of_image(array, weight.array))
            stride, padding, dilation = [1, *stride], [0, *padding], [1, *dilation]
            output = None if output is None else [0, *output]
        windows = Windows(stride, padding, dilation, groups, output)
        return ConvPackedParams(weight, bias, windows, max(rank, 2))

    return kernel


def _of_image(image: Array, row: Array) -> Array:
    """A view with one dimension more or less, with the quantizer of the array that it is a view of."""
    return of_ints(ints(image), moved(quantizer_of(row), image), dtypes.of_array(image))


def _unpacked(rank: int) -> Callable[[ConvPackedParams], Any]:
    def kernel(params: ConvPackedParams) -> Any:
        weight, bias = params.unpack()
        return (tensor_of(_of_row(weight.array)) if rank == 1 else weight), bias

    return kernel


def _of_row(image: Array) -> Array:
    return _of_image(image[:, :, 0], image)


for _rank in (1, 2, 3):
    for _name, _transposed in ((f"conv{_rank}d", False), (f"conv_transpose{_rank}d", True)):
        _is_new = _rank > 1 and not _transposed
        _whole = f"quantized::{_name}"
        registry.implement(f"{_whole}.new {_whole}" if _is_new else _whole, _convolution(False))
        registry.implement(f"{_whole}_dynamic", _convolution_dynamic)
        registry.implement(f"{_whole}_prepack", _prepacked(_rank, _transposed))
        registry.implement(f"{_whole}_unpack", _unpacked(_rank))
        if not _transposed:
            registry.implement(
                f"{_whole}_relu.new {_whole}_relu" if _is_new else f"{_whole}_relu",
                _convolution(True),
            )
        if _rank > 1:
            registry.implement(f"{_whole}_stride", lambda params: list(params.windows.stride))
            registry.implement(f"{_whole}_padding", lambda params: list(params.windows.padding))
            registry.implement(f"{_whole}_dilation", lambda params: list(params.windows.dilation))
            registry.implement(f"{_whole}_output_padding", lambda params: params.output_padding)
            registry.implement(f"{_whole}_groups", lambda params: params.windows.groups)
            registry.implement(f"{_whole}_transpose", lambda params: int(params.transpose))
for _name in ("conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d"):
    registry.implement(f"_quantized::{_name}", _convolution(relu=False))
for _rank in (2, 3):
    registry.implement(f"_quantized::conv{_rank}d_relu", _convolution(relu=True))
    registry.implement(f"_quantized::conv{_rank}d_prepack", _prepacked(_rank, transposed=False))
for _rank in (1, 2, 3):
    _whole = f"_quantized::conv_transpose{_rank}d_prepack"
    registry.implement(_whole, _prepacked(_rank, transposed=True))
registry.implement("quantized::conv_prepack", _prepacked(2, transposed=False))
registry.implement("quantized::conv_unpack", _unpacked(2))
