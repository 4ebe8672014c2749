"""Operators on quantized tensors that write into `out` (PyTorch: native/quantized/cpu/qadd.cpp, qmul.cpp, qconcat.cpp).

Sums and products of two tensors, and joined tensors, take the scale and zero point of `out`; sums and products with a number give `out`
theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.quantized.quantization import is_quantized
from torchscript_dialect.ops.quantized.quantized_math import numbers, quantizer, steps
from torchscript_dialect.ops.registry import Kernel
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


def _kernel(name: str) -> Kernel:
    operator = registry.find(f"quantized::{name}")
    assert operator is not None and operator.kernel is not None
    return operator.kernel


def _put(out: Tensor, found: Tensor, name: str) -> Tensor:
    """Write a result, and its quantizer, into `out`; RuntimeError where dtype or sizes are others."""
    if found.dtype is not out.dtype:
        raise RuntimeError(f"{name}: output should have dtype {found.dtype.type_name}")
    if found.array.shape != out.array.shape:
        raise RuntimeError(
            f"{name}: output should have sizes {list(found.array.shape)}, got {list(out.array.shape)}"
        )
    known = quantizer_of(found.array)
    assert known is not None
    ints(out.array)[...] = ints(found.array)
    out.array = of_ints(ints(out.array), known, out.dtype)
    return out


def _of_two(name: str) -> Callable[..., Tensor]:
    def kernel(a: Tensor, b: Tensor, out: Tensor) -> Tensor:
        to = quantizer(out, name)
        return _put(out, _kernel(name)(a, b, to.scale, to.zero_point), name)

    return kernel


def _with_number(name: str) -> Callable[..., Tensor]:
    def kernel(a: Any, b: Any, out: Tensor) -> Tensor:
        return _put(out, _kernel(name)(a, b), name)

    return kernel


def _joined(name: str) -> Callable[..., Tensor]:
    def kernel(tensors: list[Tensor], dim: int, out: Tensor) -> Tensor:
        to = quantizer(out, name)
        return _put(out, _kernel(name)(tensors, dim, to.scale, to.zero_point), name)

    return kernel


for _name in ("add", "mul"):
    for _suffix in ("", "_relu"):
        _both = f"{_name}{_suffix}"
        registry.implement(f"quantized::{_both}.out quantized::{_both}_out", _of_two(_both))
        registry.implement(
            f"quantized::{_both}.Scalar_out quantized::{_name}_scalar{_suffix}_out",
            _with_number(f"{_both}.Scalar"),
        )
        registry.implement(
            f"quantized::{_name}_scalar{_suffix}_out.Tensor",
            _with_number(f"{_name}_scalar{_suffix}.Tensor"),
        )
registry.implement("quantized::cat_out", _joined("cat"))
registry.implement("quantized::cat_relu_out", _joined("cat_relu"))


# Tensors whose elements nobody has written


def _keep(out: Tensor, size: list[int]) -> Tensor:
    """`out` as it is: it has a quantizer already, and elements that nobody asks for."""
    if not is_quantized(out) or out.array.shape != tuple(size):
        raise NotImplementedError("an `out` that is quantized keeps its sizes")
    return out


registry.implement("empty_quantized.out", lambda size, like, format, out: _keep(out, size))
registry.implement(
    "_empty_per_channel_affine_quantized.out",
    lambda size, scales, zero_points, axis, format, out: _keep(out, size),
)


# What goes through numbers


def _numbers_kernel(name: str) -> Kernel:
    operator = registry.find(f"aten::{name}")
    assert operator is not None and operator.kernel is not None
    return operator.kernel


@registry.kernel("quantized::prelu")
def prelu(x: Tensor, weight: Tensor, scale: float, zero_point: int) -> Tensor:
    """Elements above zero are times the 1 of the weight's quantizer, which is rounded and clamped as its elements are. The halves of
    steps are rounded away from zero.
    """
    slopes, to = numbers(weight, "prelu"), PerTensor(scale, zero_point)
    one = dequantized(quantized(np.ones(1, np.float32), quantizer(weight, "prelu"), weight.dtype))
    of_x = numbers(x, "prelu")
    wide = [1] * of_x.ndim
    if slopes.size > 1:
        wide[1] = slopes.size
    found = of_x * np.where(of_x > 0, one.reshape([1] * of_x.ndim), slopes.reshape(wide))
    exact = found * (np.float32(1) / np.float32(scale))
    away = np.trunc(exact + np.copysign(np.float32(0.5), exact)) + np.float32(zero_point)
    return tensor_of(of_ints(rounded(away, x.dtype), to, x.dtype))


@registry.kernel("quantized::threshold")
def threshold(x: Tensor, limit: Any, value: Any) -> Tensor:
    found = _numbers_kernel("threshold")(tensor_of(numbers(x, "threshold")), limit, value)
    return steps(found.array, quantizer(x, "threshold"), x.dtype)
