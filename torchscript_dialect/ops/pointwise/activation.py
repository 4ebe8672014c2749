"""Pointwise activation functions of neural networks, and the gradient formulas that have operators of their own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from torchscript_dialect.ops.pointwise.arithmetic import not_implemented_for
from torchscript_dialect.ops.pointwise.pointwise import pointwise
from torchscript_dialect.ops.pointwise.pointwise_declaration import (
    DEFAULT,
    Limit,
    in_common,
    in_opmath,
)
from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath
from torchscript_dialect.ops.pointwise.steps import in_steps
from torchscript_dialect.tensor.dtype import bool_, complex64, complex128, dtype, float16
from torchscript_dialect.tensor.tensor import Tensor

_SELU_ALPHA = 1.6732632423543772848170429916717
_SIXTH = 0.16666667163372040
"""As float32 rounds it, which PyTorch takes in float64, too."""
_SELU_SCALE = 1.0507009873554804934193349852946


def _check_relu(common: dtype) -> None:
    if common is bool_:
        raise RuntimeError("Boolean inputs not supported for relu")
    if common.is_complex:
        raise NotImplementedError("clamp is not supported for complex types")


def _refuse_unsigned_limits(x: Tensor, low: Any, high: Any) -> None:
    if not x.dtype.is_signed and (low < 0 or high < 0) and x.dtype is not bool_:
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")


def _floats_only(kernel: str) -> Any:
    return not_implemented_for(kernel, "bool", "int", "complex")


def bounded(m: ScalarMath, x: Any, low: Any, high: Any) -> Any:
    """x held between two bounds; NaN stays."""
    return m.minimum(m.maximum(x, low), high)


def gelu(m: ScalarMath, x: Any, approximate: str) -> Any:
    """x times the normal distribution function of x, exactly or by way of tanh.

    Infinity gives infinity and minus infinity NaN, as PyTorch's own kernel does; oneDNN's, which PyTorch calls for float32, gives NaN
    for both where the processor has AVX-512.
    """
    if approximate == "none":
        return m.mul(m.mul(x, 0.5), m.add(m.erf(m.mul(x, math.sqrt(0.5))), 1))
    if approximate != "tanh":
        raise RuntimeError("approximate argument must be either none or tanh.")
    cube = m.mul(m.mul(x, x), x)
    inner = m.mul(m.add(x, m.mul(cube, 0.044715)), math.sqrt(2 / math.pi))
    return m.mul(m.mul(x, 0.5), m.add(m.tanh(inner), 1))


def elu(m: ScalarMath, x: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    """scale * x above 0, scale * alpha * (e^(input_scale x) - 1) below."""
    below = m.mul(m.mul(m.expm1(m.mul(x, input_scale)), alpha), scale)
    return m.where(m.lt(x, 0), below, m.mul(x, scale))


def softplus(m: ScalarMath, x: Any, beta: Any, threshold: Any) -> Any:
    """log(1 + e^(beta x)) / beta, and x where beta x is above the threshold."""
    scaled = m.mul(x, beta)
    return m.where(m.gt(scaled, threshold), x, m.div(m.log1p(m.exp(scaled)), beta))


def log_sigmoid(m: ScalarMath, x: Any) -> Any:
    return m.sub(m.minimum(x, 0), m.log1p(m.exp(m.neg(m.abs(x)))))


def hardshrink(m: ScalarMath, x: Any, bound: Any) -> Any:
    """0 within the bound, x outside."""
    inside = m.le(m.abs(x), bound)
    return m.where(inside, m.constant(0, x), x)


def softshrink(m: ScalarMath, x: Any, bound: Any) -> Any:
    """x moved towards 0 by the bound, and 0 within it."""
    inside = m.where(m.lt(m.add(x, bound), 0), m.add(x, bound), m.mul(x, 0))
    return m.where(m.gt(m.sub(x, bound), 0), m.sub(x, bound), inside)


_ELU_LIMITS: dict[str, Limit] = {
    "alpha": in_opmath,
    "scale": in_opmath,
    "input_scale": in_opmath,
}
_SOFTPLUS_LIMITS: dict[str, Limit] = {"beta": in_opmath, "threshold": in_opmath}

pointwise("relu", DEFAULT, lambda m, x: m.maximum(x, 0), check=_check_relu)
pointwise(
    "relu6",
    DEFAULT,
    lambda m, x: bounded(m, x, 0, 6),
    check=not_implemented_for("hardtanh", "bool", "complex"),
)
pointwise(
    "hardtanh",
    DEFAULT,
    bounded,
    check=not_implemented_for("hardtanh", "bool", "complex"),
    check_operands=_refuse_unsigned_limits,
    floats_pass=True,
    limits={"min_val": in_common, "max_val": in_common},
)
pointwise(
    "leaky_relu",
    DEFAULT,
    lambda m, x, slope: m.where(m.gt(x, 0), x, m.mul(x, slope)),
    check=_floats_only("leaky_relu_cpu"),
    limits={"negative_slope": in_opmath},
)
pointwise("gelu", DEFAULT, gelu, check=_floats_only("GeluKernelImpl"))
pointwise(
    "silu",
    DEFAULT,
    lambda m, x: m.div(x, m.add(m.exp(m.neg(x)), 1)),
    check=not_implemented_for("silu_cpu", "bool", "int"),
)
pointwise(
    "mish",
    DEFAULT,
    lambda m, x: m.mul(x, m.tanh(m.log1p(m.exp(x)))),
    check=_floats_only("mish_cpu"),
)
pointwise(
    "hardswish",
    DEFAULT,
    lambda m, x: m.div(m.mul(x, bounded(m, m.add(x, 3), 0, 6)), 6),
    check=_floats_only("hardswish_cpu"),
)
pointwise(
    "hardsigmoid",
    DEFAULT,
    lambda m, x: m.div(bounded(m, m.add(x, 3), 0, 6), 6),
    check=_floats_only("hardsigmoid_cpu"),
)
pointwise(
    "softplus", DEFAULT, softplus, check=_floats_only("softplus_cpu"), limits=_SOFTPLUS_LIMITS
)
pointwise("elu", DEFAULT, elu, check=_floats_only("elu_cpu"), limits=_ELU_LIMITS)
pointwise(
    "selu",
    DEFAULT,
    lambda m, x: elu(m, x, _SELU_ALPHA, _SELU_SCALE, 1),
    check=_floats_only("elu_cpu"),
)
pointwise(
    "celu",
    DEFAULT,
    lambda m, x, alpha: elu(m, x, alpha, 1, m.div(m.constant(1, x), alpha)),
    check=_floats_only("elu_cpu"),
    limits=_ELU_LIMITS,
)
pointwise(
    "threshold",
    DEFAULT,
    lambda m, x, threshold, value: m.where(m.le(x, threshold), value, x),
    check=not_implemented_for("threshold_cpu", "bool", "complex"),
    limits={"threshold": in_opmath, "value": in_common},
    shares="biufV",
)
pointwise(
    "log_sigmoid",
    DEFAULT,
    log_sigmoid,
    check=_floats_only("log_sigmoid_cpu"),
    contiguous=True,
)
pointwise(
    "hardshrink",
    DEFAULT,
    hardshrink,
    check=_floats_only("hardshrink_cpu"),
    limits={"lambd": in_common},
    bodies=in_steps(hardshrink),
)


def _check_bound(_: Tensor, bound: float, *_out: object) -> None:
    if not 0 <= bound < math.inf:
        raise RuntimeError(f"lambda must be finite and not negative, but found {bound:g}")


pointwise(
    "softshrink",
    DEFAULT,
    softshrink,
    check=_floats_only("softshrink_cpu"),
    check_operands=_check_bound,
    limits={"lambd": in_common},
)

# Gradients


def _complex(body: Any) -> dict[dtype, Any]:
    """The body for complex numbers, over arrays: no group has them."""

    def of_arrays(_: ScalarMath, grad: Any, result: Any) -> Any:
        return body(grad, result)

    return {complex64: of_arrays, complex128: of_arrays}


def _tanh_backward(grad: Any, result: Any) -> Any:
    return grad * np.conjugate(1 - result * result)


def _sigmoid_backward(grad: Any, result: Any) -> Any:
    return grad * np.conjugate((1 - result) * result)


def sigmoid_backward(m: ScalarMath, grad: Any, result: Any) -> Any:
    return m.mul(m.mul(grad, m.sub(1, result)), result)


pointwise(
    "tanh_backward",
    DEFAULT,
    lambda m, grad, result: m.mul(grad, m.sub(1, m.mul(result, result))),
    check=not_implemented_for("tanh_backward_cpu", "bool", "int"),
    bodies=_complex(_tanh_backward),
)
pointwise(
    "sigmoid_backward",
    DEFAULT,
    sigmoid_backward,
    check=not_implemented_for("sigmoid_backward_cpu", "bool", "int"),
    bodies={**_complex(_sigmoid_backward), float16: in_steps(sigmoid_backward)[float16]},
)
pointwise(
    "threshold_backward",
    DEFAULT,
    lambda m, grad, x, threshold: m.where(m.le(x, threshold), m.constant(0, x), grad),
    check=not_implemented_for("threshold_cpu", "bool", "complex"),
    limits={"threshold": in_opmath},
    reverse_operands=True,
)
pointwise(
    "silu_backward",
    DEFAULT,
    lambda m, grad, x: m.mul(grad, m.mul(m.sigmoid(x), m.add(m.mul(x, m.sub(1, m.sigmoid(x))), 1))),
    check=not_implemented_for("silu_backward_cpu", "bool", "int"),
)
pointwise(
    "leaky_relu_backward",
    DEFAULT,
    lambda m, grad, x, slope, self_is_result: m.where(m.gt(x, 0), grad, m.mul(grad, slope)),
    check=_floats_only("leaky_relu_backward_cpu"),
    limits={"negative_slope": in_opmath},
    reverse_operands=True,
)


def gelu_backward(m: ScalarMath, grad: Any, x: Any, approximate: str) -> Any:
    """grad times the derivative of `gelu`."""
    if approximate == "none":
        distribution = m.mul(m.add(m.erf(m.mul(x, math.sqrt(0.5))), 1), 0.5)
        density = m.mul(m.exp(m.mul(m.mul(x, x), -0.5)), 1 / math.sqrt(2 * math.pi))
        return m.mul(grad, m.add(distribution, m.mul(x, density)))
    scale, cubic = math.sqrt(2 / math.pi), 0.044715
    square = m.mul(x, x)
    curve = m.tanh(m.mul(m.add(x, m.mul(m.mul(square, x), cubic)), scale))
    slope = m.mul(m.add(m.mul(square, 3 * cubic), 1), scale)
    right = m.mul(m.mul(m.mul(x, 0.5), m.sub(1, m.mul(curve, curve))), slope)
    return m.mul(grad, m.add(m.mul(m.add(curve, 1), 0.5), right))


pointwise("gelu_backward", DEFAULT, gelu_backward, check=_floats_only("GeluBackwardKernelImpl"))


def hardtanh_backward(m: ScalarMath, grad: Any, x: Any, low: Any, high: Any) -> Any:
    inside = m.bit_and(m.gt(x, low), m.lt(x, high))
    return m.where(inside, grad, m.constant(0, x))


pointwise(
    "hardtanh_backward",
    DEFAULT,
    hardtanh_backward,
    check=_floats_only("hardshrink_backward_cpu"),
    limits={"min_val": in_opmath, "max_val": in_opmath},
)


def _same_dtypes(*operands: Any) -> None:
    first, *others = (operand for operand in operands if isinstance(operand, Tensor))
    for other in others:
        if other.dtype is not first.dtype:
            raise RuntimeError(
                f"Found dtype {other.dtype.type_name} but expected {first.dtype.type_name}"
            )


def elu_backward(
    m: ScalarMath, grad: Any, alpha: Any, scale: Any, input_scale: Any, is_result: bool, x: Any
) -> Any:
    """Of `elu`, from its input or from its result."""
    below = m.mul(
        m.mul(m.mul(grad, input_scale), m.mul(scale, alpha)), m.exp(m.mul(x, input_scale))
    )
    if is_result:
        below = m.mul(m.mul(grad, input_scale), m.add(x, m.mul(scale, alpha)))
    return m.where(m.le(x, 0), below, m.mul(grad, scale))


def _float_input(grad: Tensor, x: Tensor) -> None:
    if grad.dtype.is_floating_point and not x.dtype.is_floating_point:
        raise RuntimeError(
            f"result type {grad.dtype.type_name} can't be cast to the desired output type "
            f"{x.dtype.type_name}"
        )


def softplus_backward(m: ScalarMath, grad: Any, x: Any, beta: Any, threshold: Any) -> Any:
    scaled = m.mul(x, beta)
    z = m.exp(scaled)
    return m.where(m.gt(scaled, threshold), grad, m.div(m.mul(grad, z), m.add(z, 1)))


def shrink_backward(m: ScalarMath, grad: Any, x: Any, bound: Any) -> Any:
    """grad outside of the bound, else 0."""
    outside = m.bit_or(m.gt(x, bound), m.lt(x, m.neg(bound)))
    return m.where(outside, grad, m.constant(0, x))


def mish_backward(m: ScalarMath, grad: Any, x: Any) -> Any:
    curve = m.tanh(m.log1p(m.exp(x)))
    slope = m.mul(m.mul(x, m.sigmoid(x)), m.sub(1, m.mul(curve, curve)))
    return m.mul(grad, m.add(curve, slope))


def hardswish_backward(m: ScalarMath, grad: Any, x: Any) -> Any:
    middle = m.mul(grad, m.add(m.div(x, 3), 0.5))
    return m.where(m.le(x, -3), m.constant(0, x), m.where(m.ge(x, 3), grad, middle))


def hardsigmoid_backward(m: ScalarMath, grad: Any, x: Any) -> Any:
    inside = m.bit_and(m.gt(x, -3), m.lt(x, 3))
    return m.where(inside, m.mul(grad, _SIXTH), m.constant(0, x))


def log_sigmoid_backward(m: ScalarMath, grad: Any, x: Any, buffer: Any) -> Any:
    """`buffer` is e^-|x|."""
    part = m.div(buffer, m.add(buffer, 1))
    return m.mul(grad, m.where(m.lt(x, 0), m.sub(1, part), part))


def logit_backward(m: ScalarMath, grad: Any, x: Any, eps: Any) -> Any:
    """Zero, where the logit held its input between bounds; not a number where it had none and the input is none of a chance."""
    slope = m.div(grad, m.mul(x, m.sub(1, x)))
    if eps is None:
        at_end = m.bit_or(m.eq(x, 0), m.eq(x, 1))
        slope = m.where(at_end, m.mul(grad, math.inf), slope)
        outside = m.bit_or(m.lt(x, 0), m.gt(x, 1))
        return m.where(outside, m.constant(math.nan, x), slope)
    outside = m.bit_or(m.lt(x, eps), m.gt(x, m.sub(1, eps)))
    return m.where(outside, m.constant(0, x), slope)


pointwise(
    "elu_backward",
    DEFAULT,
    elu_backward,
    check=_floats_only("elu_backward_cpu"),
    limits=_ELU_LIMITS,
)
pointwise(
    "softplus_backward",
    DEFAULT,
    softplus_backward,
    check=_floats_only("softplus_backward_cpu"),
    limits=_SOFTPLUS_LIMITS,
)
pointwise(
    "softshrink_backward hardshrink_backward",
    DEFAULT,
    shrink_backward,
    check=_floats_only("shrink_backward_cpu"),
    limits={"lambd": in_common},
    bodies=in_steps(shrink_backward),
)
pointwise(
    "mish_backward",
    DEFAULT,
    mish_backward,
    check=_floats_only("mish_backward_cpu"),
    check_operands=_float_input,
)
pointwise(
    "hardswish_backward", DEFAULT, hardswish_backward, check=_floats_only("hardswish_backward_cpu")
)
pointwise(
    "hardsigmoid_backward",
    DEFAULT,
    hardsigmoid_backward,
    check=_floats_only("hardsigmoid_backward"),
)
pointwise(
    "log_sigmoid_backward",
    DEFAULT,
    log_sigmoid_backward,
    check=_floats_only("log_sigmoid_backward_cpu"),
    check_operands=_same_dtypes,
)
pointwise(
    "logit_backward",
    DEFAULT,
    logit_backward,
    check=_floats_only("logit_backward_cpu"),
    limits={"eps": in_common},
    bodies=in_steps(logit_backward),
)
pointwise(
    "_prelu_kernel",
    DEFAULT,
    lambda m, x, weight: m.where(m.gt(x, 0), x, m.mul(weight, x)),
    check=_floats_only("prelu_cpu"),
    check_operands=_same_dtypes,
)
