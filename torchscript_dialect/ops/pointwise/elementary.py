"""Elementary functions of one operand: exponentials, logarithms, roots, trigonometry, rounding."""

from __future__ import annotations

import math
from typing import Any

from torchscript_dialect.ops.pointwise.arithmetic import not_implemented_for, refuse_complex
from torchscript_dialect.ops.pointwise.pointwise import pointwise
from torchscript_dialect.ops.pointwise.pointwise_declaration import DEFAULT, INT_TO_FLOAT, in_common
from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath
from torchscript_dialect.ops.pointwise.steps import in_steps

pointwise("exp", INT_TO_FLOAT, lambda m, x: m.exp(x))
pointwise("exp2 special_exp2", INT_TO_FLOAT, lambda m, x: m.exp2(x))
pointwise("expm1 special_expm1", INT_TO_FLOAT, lambda m, x: m.expm1(x))
pointwise("log", INT_TO_FLOAT, lambda m, x: m.log(x))
pointwise("log2", INT_TO_FLOAT, lambda m, x: m.log2(x))
pointwise("log10", INT_TO_FLOAT, lambda m, x: m.log10(x))
pointwise("log1p special_log1p", INT_TO_FLOAT, lambda m, x: m.log1p(x))
pointwise("sqrt", INT_TO_FLOAT, lambda m, x: m.sqrt(x))
pointwise("rsqrt", INT_TO_FLOAT, lambda m, x: m.rsqrt(x))
pointwise("sin", INT_TO_FLOAT, lambda m, x: m.sin(x))
pointwise("cos", INT_TO_FLOAT, lambda m, x: m.cos(x))
pointwise("tan", INT_TO_FLOAT, lambda m, x: m.tan(x))
pointwise("asin arcsin", INT_TO_FLOAT, lambda m, x: m.asin(x))
pointwise("acos arccos", INT_TO_FLOAT, lambda m, x: m.acos(x))
pointwise("atan arctan", INT_TO_FLOAT, lambda m, x: m.atan(x))
pointwise("sinh", INT_TO_FLOAT, lambda m, x: m.sinh(x))
pointwise("cosh", INT_TO_FLOAT, lambda m, x: m.cosh(x))
pointwise("tanh", INT_TO_FLOAT, lambda m, x: m.tanh(x))
pointwise("asinh arcsinh", INT_TO_FLOAT, lambda m, x: m.asinh(x))
pointwise("acosh arccosh", INT_TO_FLOAT, lambda m, x: m.acosh(x))
pointwise("atanh arctanh", INT_TO_FLOAT, lambda m, x: m.atanh(x))
pointwise(
    "erf special_erf",
    INT_TO_FLOAT,
    lambda m, x: m.erf(x),
    check=not_implemented_for("erf_vml_cpu", "complex"),
)
pointwise(
    "erfc special_erfc",
    INT_TO_FLOAT,
    lambda m, x: m.erfc(x),
    check=not_implemented_for("erfc_vml_cpu", "complex"),
)
pointwise("sigmoid special_expit", INT_TO_FLOAT, lambda m, x: m.sigmoid(x))
pointwise(
    "deg2rad",
    INT_TO_FLOAT,
    lambda m, x: m.mul(x, math.pi / 180),
    check=refuse_complex("deg2rad is not supported for complex tensors."),
)
pointwise(
    "rad2deg",
    INT_TO_FLOAT,
    lambda m, x: m.mul(x, 180 / math.pi),
    check=refuse_complex("rad2deg is not supported for complex tensors."),
)


def sinc(m: ScalarMath, x: Any) -> Any:
    """sin(pi x) / (pi x), 1 at 0."""
    angle = m.mul(x, math.pi)
    return m.where(m.eq(x, 0), m.constant(1, x), m.div(m.sin(angle), angle))


def logit(m: ScalarMath, x: Any, eps: Any) -> Any:
    """log(x / (1 - x)), x held between eps and 1 - eps where eps is given."""
    if eps is not None:
        upper = m.sub(m.constant(1, x), eps)
        x = m.where(m.lt(x, eps), eps, m.where(m.gt(x, upper), upper, x))
    return m.log(m.div(x, m.sub(1, x)))


def entropy(m: ScalarMath, x: Any) -> Any:
    """-x log(x); 0 at 0, -inf below."""
    inside = m.mul(m.neg(x), m.log(x))
    lower = m.where(m.eq(x, 0), m.constant(0, x), m.constant(-math.inf, x))
    return m.where(m.ne(x, x), x, m.where(m.gt(x, 0), inside, lower))


pointwise("sinc special_sinc", INT_TO_FLOAT, sinc)
pointwise(
    "logit special_logit",
    INT_TO_FLOAT,
    logit,
    check=not_implemented_for("logit_cpu", "complex"),
    bodies=in_steps(logit),
    limits={"eps": in_common},
)
pointwise(
    "special_entr",
    INT_TO_FLOAT,
    entropy,
    check=not_implemented_for("entr_cpu", "complex"),
    bodies=in_steps(entropy),
)

pointwise(
    "floor",
    DEFAULT,
    lambda m, x: m.floor(x) if m.kind(x) == "f" else x,
    check=not_implemented_for("floor_vml_cpu", "bool", "complex"),
)
pointwise(
    "ceil",
    DEFAULT,
    lambda m, x: m.ceil(x) if m.kind(x) == "f" else x,
    check=not_implemented_for("ceil_vml_cpu", "bool", "complex"),
)
pointwise(
    "trunc fix",
    DEFAULT,
    lambda m, x: m.trunc(x) if m.kind(x) == "f" else x,
    check=not_implemented_for("trunc_vml_cpu", "bool", "complex"),
)
pointwise(
    "round",
    DEFAULT,
    lambda m, x: m.round(x) if m.kind(x) == "f" else x,
    check=not_implemented_for("round_vml_cpu", "bool", "complex"),
)


def round_to_decimals(m: ScalarMath, x: Any, decimals: int) -> Any:
    """x rounded to so many digits after the point, before it where `decimals` is negative."""
    if decimals == 0:
        return m.round(x)
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return m.div(m.round(m.mul(x, scale)), scale)
    return m.mul(m.round(m.div(x, scale)), scale)


pointwise(
    "round.decimals",
    DEFAULT,
    round_to_decimals,
    check=not_implemented_for("round_vml_cpu", "bool", "int", "complex"),
)
pointwise(
    "frac",
    DEFAULT,
    lambda m, x: m.sub(x, m.trunc(x)),
    check=not_implemented_for("frac", "bool", "int", "complex"),
)
