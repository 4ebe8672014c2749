"""Sums, products, activations and pooling of quantized tensors (PyTorch: native/quantized/cpu/qadd.cpp and its neighbours).

Integers become numbers, and numbers integers, as PyTorch's vector code does it: one rounding for scale and zero point on the way
in, and the zero point added after rounding on the way out. Its scalar code, which runs the last elements of a tensor and of what
a thread computes, rounds otherwise: there a number in the middle between two integers may differ by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.convolution.convolution import laid_out
from torchscript_dialect.ops.quantized.packed_params import copy_in_format
from torchscript_dialect.ops.quantized.quantization import is_quantized
from torchscript_dialect.ops.registry import Kernel
from torchscript_dialect.ops.variant_names import arguments_text
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

KERNELS: dict[str, Kernel] = {}
"""The kernels for quantized tensors of `aten`, by the names in quantized_operators.py."""


def quantized_kernel(names: str) -> Callable[[registry.KernelFunction], registry.KernelFunction]:
    """Enter a function as the kernel of operators of `aten` for quantized tensors."""

    def enter(function: registry.KernelFunction) -> registry.KernelFunction:
        KERNELS.update(dict.fromkeys(names.split(), function))
        return function

    return enter


def quantizer(x: Tensor, name: str) -> PerTensor:
    """The one scale and zero point of a quantized tensor."""
    found = quantizer_of(x.array)
    if not isinstance(found, PerTensor):
        raise RuntimeError(f"{name}: Only per tensor quantization is supported")
    return found


@ignores_float_errors
def numbers(x: Tensor, name: str) -> Array:
    """What a tensor stands for, in one rounding: `scale * integer - scale * zero_point`."""
    known = quantizer(x, name)
    scale = np.float32(known.scale)
    offset = scale * np.float32(-known.zero_point)
    exact = ints(x.array) * np.float64(scale) + np.float64(offset)
    return exact.astype(np.float32)


@ignores_float_errors
def steps(values: Array, to: PerTensor, element: dtypes.dtype) -> Tensor:
    """The nearest integers; the zero point is added to what is rounded already."""
    inverse = np.float32(1) / np.float32(to.scale)
    found = np.rint(values.astype(np.float32) * inverse).astype(np.float64) + to.zero_point
    return tensor_of(of_ints(rounded(found, element), to, element))


# Sums and products


def _check_pair(a: Tensor, b: Tensor, name: str) -> None:
    if a.dtype is not b.dtype:
        raise RuntimeError(f"{name}: both tensors should have same dtype")


def _add(*, relu: bool) -> Kernel:
    def kernel(a: Tensor, b: Tensor, scale: float, zero_point: int) -> Tensor:
        _check_pair(a, b, "Add")
        found = numbers(a, "Add") + numbers(b, "Add")
        return steps(np.maximum(found, 0) if relu else found, PerTensor(scale, zero_point), a.dtype)

    return kernel


def _mul(*, relu: bool) -> Kernel:
    def kernel(a: Tensor, b: Tensor, scale: float, zero_point: int) -> Tensor:
        _check_pair(a, b, "Mul")
        to, (x, y) = PerTensor(scale, zero_point), (quantizer(each, "Mul") for each in (a, b))
        products = (ints(a.array).astype(np.int64) - x.zero_point) * (
            ints(b.array).astype(np.int64) - y.zero_point
        )
        factor = np.float32(x.scale) * np.float32(y.scale) * (np.float32(1) / np.float32(scale))
        found = np.rint(products.astype(np.float32) * factor) + np.float64(zero_point)
        held = rounded(np.maximum(found, zero_point) if relu else found, a.dtype)
        return tensor_of(of_ints(held, to, a.dtype))

    return kernel


def _number(value: Any) -> float:
    number: Any = value.item() if isinstance(value, Tensor) else value
    return float(number)


def _limits(element: dtypes.dtype) -> tuple[int, int]:
    assert element.integers is not None
    limits = np.iinfo(element.integers)
    return int(limits.min), int(limits.max)


def _add_number(*, relu: bool) -> Kernel:
    def kernel(a: Any, b: Any) -> Tensor:
        """The zero point moves; where it would leave the range, the scale grows (`_add_scalar_out`)."""
        if not isinstance(a, Tensor) or not is_quantized(a):
            a, b = b, a
        known, (low, high) = quantizer(a, "Add"), _limits(a.dtype)
        shift = _nearest(_number(b) / known.scale)
        wanted = known.zero_point - shift
        to = known
        if low <= wanted <= high:
            to = PerTensor(known.scale, wanted)
            found = ints(a.array).copy()
            if relu:
                found = np.maximum(found, found.dtype.type(wanted))
            return tensor_of(of_ints(found, to, a.dtype))
        smallest, largest = low - known.zero_point + shift, high - known.zero_point + shift
        if wanted < low:
            to = PerTensor(largest / (high - low) * known.scale, low)
        else:
            to = PerTensor(-smallest / (high - low) * known.scale, high)
        values = (ints(a.array).astype(np.int64) - known.zero_point + shift).astype(np.float32)
        factor = np.float32(known.scale) * (np.float32(1) / np.float32(to.scale))
        found = np.rint(values * factor) + np.float64(to.zero_point)
        held = rounded(np.maximum(found, to.zero_point) if relu else found, a.dtype)
        return tensor_of(of_ints(held, to, a.dtype))

    return kernel


def _nearest(value: float) -> int:
    """The nearest integer, ties to even."""
    return int(np.rint(value))


def _mul_number(*, relu: bool) -> Kernel:
    def kernel(a: Any, b: Any) -> Tensor:
        """The scale is multiplied; a negative factor turns the range around."""
        if not isinstance(a, Tensor) or not is_quantized(a):
            a, b = b, a
        known, (low, high) = quantizer(a, "Mul"), _limits(a.dtype)
        factor, integers = _number(b), ints(a.array)
        if factor > 0:
            to, found = PerTensor(factor * known.scale, known.zero_point), integers.copy()
        elif factor == 0:
            to, found = PerTensor(1.0, 0), np.zeros_like(integers)
        else:
            to = PerTensor(-factor * known.scale, high - (known.zero_point - low))
            found = (low + high - integers.astype(np.int64)).astype(integers.dtype)
        if relu:
            found = np.maximum(found, found.dtype.type(to.zero_point))
        return tensor_of(of_ints(found, to, a.dtype))

    return kernel


for _name, _tensors, _with_number in (("add", _add, _add_number), ("mul", _mul, _mul_number)):
    for _suffix, _relu in (("", False), ("_relu", True)):
        registry.implement(f"quantized::{_name}{_suffix}", _tensors(relu=_relu))
        registry.implement(
            f"quantized::{_name}{_suffix}.Scalar quantized::{_name}{_suffix}.Scalar2 "
            f"quantized::{_name}_scalar{_suffix}",
            _with_number(relu=_relu),
        )
        # PyTorch forgets `relu` where the number that is added is a tensor.
        _with_tensor = _with_number(relu=_relu and _name == "mul")
        registry.implement(f"quantized::{_name}_scalar{_suffix}.Tensor", _with_tensor)
registry.implement("_quantized::add", _add(relu=False))


def _cat(*, relu: bool) -> Kernel:
    def kernel(
        tensors: list[Tensor], dim: int, scale: float | None, zero_point: int | None
    ) -> Tensor:
        first = quantizer(tensors[0], "cat")
        for x in tensors:
            if x.dtype is not tensors[0].dtype:
                raise RuntimeError("All dtypes must be the same.")
            quantizer(x, "cat")
        to = PerTensor(
            first.scale if scale is None else scale,
            first.zero_point if zero_point is None else zero_point,
        )
        whole = np.concatenate([dequantized(x.array) for x in tensors], dim)
        found = quantized(np.maximum(whole, 0) if relu else whole, to, tensors[0].dtype)
        return tensor_of(found)

    return kernel


registry.implement("quantized::cat", _cat(relu=False))
registry.implement("quantized::cat_relu", _cat(relu=True))


@quantized_kernel("cat")
def cat(tensors: list[Tensor], dim: int) -> Tensor:
    return _cat(relu=False)(tensors, dim, None, None)


# Activations that are a comparison of integers


def _clamped(x: Tensor, low: float | None, high: float | None, name: str) -> Tensor:
    known, found = quantizer(x, name), ints(x.array)
    ends = [None if end is None else _step(end, known, x.dtype) for end in (low, high)]
    if ends[0] is not None:
        found = np.maximum(found, ends[0])
    if ends[1] is not None:
        found = np.minimum(found, ends[1])
    return tensor_of(of_ints(found, known, x.dtype))


def _step(value: float, known: PerTensor, element: dtypes.dtype) -> Any:
    return ints(quantized(np.asarray(value, np.float32), known, element))[()]


@quantized_kernel("relu")
def relu(x: Tensor) -> Tensor:
    return _clamped(x, 0.0, None, "relu")


@quantized_kernel("relu_")
def relu_in_place(x: Tensor) -> Tensor:
    ints(x.array)[...] = ints(relu(x).array)
    return x


@quantized_kernel("relu6")
def relu6(x: Tensor) -> Tensor:
    return _clamped(x, 0.0, 6.0, "relu6")


@registry.kernel("quantized::relu6")
def relu6_or_in_place(x: Tensor, inplace: bool) -> Tensor:
    if not inplace:
        return relu6(x)
    ints(x.array)[...] = ints(relu6(x).array)
    return x


@quantized_kernel("hardtanh clamp")
def clamp(x: Tensor, low: Any, high: Any) -> Tensor:
    return _clamped(x, low, high, "clamp")


registry.implement("quantized::clamp", clamp)


# Operators through numbers


def _kernel_of(name: str) -> Kernel:
    operator = registry.find(name)
    assert operator is not None and operator.kernel is not None
    return operator.kernel


def _activation(name: str, low: float, high: float) -> None:
    """An activation whose results lie from `low` to `high` has a scale that covers that range."""

    def kernel(x: Tensor) -> Tensor:
        smallest, largest = _limits(x.dtype)
        count = largest - smallest + 1
        to = PerTensor((high - low) / count, smallest - round(low * count / (high - low)))
        return steps(_kernel_of(f"aten::{name}")(tensor_of(numbers(x, name))).array, to, x.dtype)

    KERNELS[name] = kernel


_activation("sigmoid", 0, 1)
_activation("hardsigmoid", 0, 1)
_activation("tanh", -1, 1)


def _keeps_quantizer(name: str) -> None:
    """An operator whose result has the input's scale and zero point."""

    def kernel(x: Tensor, *rest: Any) -> Tensor:
        found = _kernel_of(f"aten::{name}")(tensor_of(numbers(x, name)), *rest)
        return steps(found.array, quantizer(x, name), x.dtype)

    KERNELS[name] = kernel


for _name in "leaky_relu threshold".split():
    _keeps_quantizer(_name)


@quantized_kernel("gelu")
def gelu(x: Tensor, approximate: str) -> Tensor:
    known = quantizer(x, "gelu")
    found = _kernel_of("aten::gelu")(tensor_of(numbers(x, "gelu")), approximate)
    return steps(found.array, PerTensor(float(np.float32(known.scale)), known.zero_point), x.dtype)


def _to_quantizer(name: str, of_numbers: str, *given: Any) -> None:
    """An operator that is told scale and zero point of its result. `given` are what the operator for numbers gets after the input:
    names of arguments stand for what these are.
    """
    text = registry.texts()[f"quantized::{name}"]
    names = [part.split("=")[0].split()[-1] for part in arguments_text(text).split(", ")[1:]]

    def kernel(x: Tensor, *operands: Any) -> Tensor:
        named = dict(zip(names, operands, strict=True))
        to = PerTensor(named["output_scale"], named["output_zero_point"])
        rest = [named[each] if isinstance(each, str) else each for each in given]
        found = _kernel_of(f"aten::{of_numbers}")(tensor_of(numbers(x, name)), *rest)
        return steps(found.array, to, x.dtype)

    registry.implement(f"quantized::{name}", kernel)


_to_quantizer("sigmoid", "sigmoid")
_to_quantizer("hardswish", "hardswish")
_to_quantizer("elu", "elu", "alpha", "scale", "input_scale")
_to_quantizer("celu", "celu", "alpha")
_to_quantizer("leaky_relu", "leaky_relu", "negative_slope")
_to_quantizer("softmax", "softmax.int", "dim", None)
_to_quantizer("layer_norm", "layer_norm", "normalized_shape", "weight", "bias", "eps", False)
_to_quantizer("group_norm", "group_norm", "num_groups", "weight", "bias", "eps", False)
_to_quantizer(
    "instance_norm", "instance_norm", "weight", "bias", None, None, True, 0.0, "eps", False
)
registry.implement("quantized::dropout", lambda x, scale, zero_point, p, training: x)


def _batch_norm(*, relu: bool) -> Kernel:
    def kernel(
        x: Tensor,
        weight: Tensor | None,
        bias: Tensor | None,
        mean: Tensor,
        var: Tensor,
        eps: float,
        scale: float,
        zero_point: int,
    ) -> Tensor:
        settings = (weight, bias, mean, var, False, 0.0, eps, False)
        found = _kernel_of("aten::batch_norm")(tensor_of(numbers(x, "batch_norm")), *settings).array
        if found.ndim == 4:
            found = laid_out(found, found.dtype, channels_last)
        if found.ndim == 5:
            found = copy_in_format(found, channels_last_3d)
        return steps(np.maximum(found, 0) if relu else found, PerTensor(scale, zero_point), x.dtype)

    return kernel


@registry.kernel("quantized::matmul")
def matmul(a: Tensor, b: Tensor, scale: float, zero_point: int) -> Tensor:
    """Products of integers are exact; one rounding at the end."""
    _check_pair(a, b, "matmul")
    x, y = quantizer(a, "matmul"), quantizer(b, "matmul")
    sums = (ints(a.array).astype(np.float64) - x.zero_point) @ (
        ints(b.array).astype(np.float64) - y.zero_point
    )
    factor = np.float32(x.scale) * np.float32(y.scale) / np.float32(scale)
    found = np.rint(sums.astype(np.float32) * factor) + np.float64(zero_point)
    return tensor_of(of_ints(rounded(found, a.dtype), PerTensor(scale, zero_point), a.dtype))


for _name in ("batch_norm", "batch_norm1d", "batch_norm2d", "batch_norm3d"):
    registry.implement(f"quantized::{_name}", _batch_norm(relu=False))
    registry.implement(f"quantized::{_name}_relu", _batch_norm(relu=True))
registry.implement("quantized_batch_norm", _batch_norm(relu=False))


# Pooling and resizing: of the integers, less their zero point


def _averaging(name: str) -> None:
    """The average of integers, to which the zero point is added before it is rounded."""

    def kernel(x: Tensor, *rest: Any) -> Tensor:
        known = quantizer(x, name)
        exact = tensor_of((ints(x.array).astype(np.float64) - known.zero_point).astype(np.float32))
        found = _kernel_of(f"aten::{name}")(exact, *rest).array + np.float32(known.zero_point)
        return tensor_of(of_ints(rounded(found, x.dtype), known, x.dtype))

    KERNELS[name] = kernel


def _exact(x: Any) -> Any:
    """The integers of a tensor, or of several, as numbers."""
    if isinstance(x, list):
        return [_exact(each) for each in cast("list[Tensor]", x)]
    return tensor_of(ints(x.array).astype(np.float64))


def _selecting(name: str, target: str | None = None) -> None:
    """An operator that chooses among the elements: it chooses the same among their integers."""

    def kernel(x: Any, *rest: Any) -> Any:
        first: Tensor = cast("list[Tensor]", x)[0] if isinstance(x, list) else x
        known, integers = quantizer(first, name), ints(first.array)

        def again(found: Any) -> Any:
            """What came of the integers; positions, which are int64, stay."""
            if isinstance(found, tuple):
                return tuple(again(part) for part in cast("tuple[Tensor, ...]", found))
            if found.array.dtype != np.float64:
                return found
            return tensor_of(of_ints(found.array.astype(integers.dtype), known, first.dtype))

        return again(_kernel_of(f"aten::{name}")(_exact(x), *rest))

    if target is None:
        KERNELS[name] = kernel
    else:
        registry.implement(target, kernel)


_AVERAGING = (
    "avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d "
    "mean.dim upsample_bilinear2d upsample_bilinear2d.vec"
)
_SELECTING = (
    "max_pool1d max_pool2d max_pool3d upsample_nearest2d upsample_nearest2d.vec upsample_nearest3d "
    "upsample_nearest3d.vec _upsample_nearest_exact2d _upsample_nearest_exact2d.vec _upsample_nearest_exact3d "
    "_upsample_nearest_exact3d.vec max min max.dim min.dim sort sort.stable topk stack"
)
for _name in _AVERAGING.split():
    _averaging(_name)
for _name in _SELECTING.split():
    _selecting(_name)
for _rank in (1, 2, 3):
    _selecting(f"max_pool{_rank}d", f"quantized_max_pool{_rank}d")
for _rank in (1, 2):
    _selecting(f"max_pool{_rank}d", f"quantized::max_pool{_rank}d")


@quantized_kernel("mean")
def mean(x: Tensor, wanted: int | None) -> Tensor:
    return _kernel_of("aten::mean.dim")(x, None, False, wanted)


@quantized_kernel("constant_pad_nd")
def pad(x: Tensor, amounts: list[int], value: Any) -> Tensor:
    known = quantizer(x, "constant_pad_nd")
    step = int(_step(float(value), known, x.dtype))
    found = _kernel_of("aten::constant_pad_nd")(_exact(x), amounts, step).array
    return tensor_of(of_ints(found.astype(x.dtype.integers), known, x.dtype))


@quantized_kernel("pad")
def pad_by_mode(x: Tensor, amounts: list[int], mode: str, value: float | None) -> Tensor:
    if mode == "constant":
        return pad(x, amounts, value or 0.0)
    found = _kernel_of("aten::pad")(_exact(x), amounts, mode, value).array
    return tensor_of(of_ints(found.astype(x.dtype.integers), quantizer(x, "pad"), x.dtype))


# Comparisons and assignments


def _comparing(name: str) -> None:
    """Numbers are compared, whatever the quantizers are."""

    def kernel(a: Any, b: Any) -> Any:
        a, b = (
            tensor_of(dequantized(x.array)) if isinstance(x, Tensor) and is_quantized(x) else x
            for x in (a, b)
        )
        return _kernel_of(name)(a, b)

    KERNELS[name.removeprefix("aten::")] = kernel


for _name in "eq ne lt le gt ge".split():
    _comparing(f"aten::{_name}.Tensor")
    _comparing(f"aten::{_name}.Scalar")


@quantized_kernel("equal")
def equal(a: Tensor, b: Tensor) -> bool:
    """Whether dtypes, quantizers, sizes and integers are the same."""
    x, y = quantizer_of(a.array), quantizer_of(b.array)
    if a.dtype is not b.dtype or not isinstance(x, PerTensor) or not isinstance(y, PerTensor):
        return False
    same = (x.scale, x.zero_point) == (y.scale, y.zero_point)
    return same and np.array_equal(ints(a.array), ints(b.array))


@quantized_kernel("copy_")
def copy_in_place(x: Tensor, source: Tensor, _: bool) -> Tensor:
    """Quantizes numbers; integers, and their quantizer, are taken over as they are."""
    if is_quantized(source):
        known = quantizer_of(source.array)
        assert known is not None
        if source.dtype is not x.dtype:
            raise RuntimeError("Quantized Copy only works with same dtypes")
        ints(x.array)[...] = ints(source.array)
        x.array = of_ints(ints(x.array), known, x.dtype)
        return x
    if source.dtype is not dtypes.float32:
        raise RuntimeError("Quantized copy only works with kFloat as source Tensor")
    values = np.broadcast_to(source.array, x.array.shape)
    ints(x.array)[...] = ints(quantized(values, quantizer(x, "copy_"), x.dtype))
    return x


@quantized_kernel("masked_fill.Scalar masked_fill.Tensor")
def masked_fill(x: Tensor, mask: Tensor, value: Any) -> Tensor:
    known, integers = quantizer(x, "masked_fill"), ints(x.array)
    step = _step(_number(value), known, x.dtype)
    return tensor_of(of_ints(np.where(mask.array, step, integers), known, x.dtype))


@quantized_kernel("fill_.Scalar")
def fill_in_place(x: Tensor, value: Any) -> Tensor:
    ints(x.array)[...] = _step(float(value), quantizer(x, "fill_"), x.dtype)
    return x
