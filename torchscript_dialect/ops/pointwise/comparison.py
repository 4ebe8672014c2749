"""Pointwise comparisons, logic, bits, and choices between two operands."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.ops.pointwise.arithmetic import not_implemented_for, refuse_complex
from torchscript_dialect.ops.pointwise.pointwise import pointwise
from torchscript_dialect.ops.pointwise.pointwise_declaration import COMPARISON, DEFAULT
from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import opmath

pointwise("eq.Tensor eq.Scalar", COMPARISON, lambda m, x, y: m.eq(x, y))
pointwise(
    "ne.Tensor ne.Scalar not_equal.Tensor not_equal.Scalar",
    COMPARISON,
    lambda m, x, y: m.ne(x, y),
)
pointwise(
    "lt.Tensor lt.Scalar less.Tensor less.Scalar",
    COMPARISON,
    lambda m, x, y: m.lt(x, y),
    check=not_implemented_for("lt_cpu", "complex"),
)
pointwise(
    "le.Tensor le.Scalar less_equal.Tensor less_equal.Scalar",
    COMPARISON,
    lambda m, x, y: m.le(x, y),
    check=not_implemented_for("le_cpu", "complex"),
)
pointwise(
    "gt.Tensor gt.Scalar greater.Tensor greater.Scalar",
    COMPARISON,
    lambda m, x, y: m.gt(x, y),
    check=not_implemented_for("gt_cpu", "complex"),
)
pointwise(
    "ge.Tensor ge.Scalar greater_equal.Tensor greater_equal.Scalar",
    COMPARISON,
    lambda m, x, y: m.ge(x, y),
    check=not_implemented_for("ge_cpu", "complex"),
)


def truth(m: ScalarMath, x: Any) -> Any:
    """Whether x is not zero; NaN is true."""
    return x if m.kind(x) == "b" else m.ne(x, 0)


pointwise("logical_and", COMPARISON, lambda m, x, y: m.bit_and(truth(m, x), truth(m, y)))
pointwise("logical_or", COMPARISON, lambda m, x, y: m.bit_or(truth(m, x), truth(m, y)))
pointwise("logical_xor", COMPARISON, lambda m, x, y: m.bit_xor(truth(m, x), truth(m, y)))
pointwise("logical_not", COMPARISON, lambda m, x: m.bit_not(truth(m, x)))

_AND = (
    "bitwise_and.Tensor bitwise_and.Scalar bitwise_and.Scalar_Tensor __and__.Tensor __and__.Scalar"
)
pointwise(
    f"{_AND} __iand__.Tensor __iand__.Scalar",
    DEFAULT,
    lambda m, x, y: m.bit_and(x, y),
    check=not_implemented_for("bitwise_and_cpu", "float", "complex"),
)
_OR = "bitwise_or.Tensor bitwise_or.Scalar bitwise_or.Scalar_Tensor __or__.Tensor __or__.Scalar"
pointwise(
    f"{_OR} __ior__.Tensor __ior__.Scalar",
    DEFAULT,
    lambda m, x, y: m.bit_or(x, y),
    check=not_implemented_for("bitwise_or_cpu", "float", "complex"),
)
_XOR = (
    "bitwise_xor.Tensor bitwise_xor.Scalar bitwise_xor.Scalar_Tensor __xor__.Tensor __xor__.Scalar"
)
pointwise(
    f"{_XOR} __ixor__.Tensor __ixor__.Scalar",
    DEFAULT,
    lambda m, x, y: m.bit_xor(x, y),
    check=not_implemented_for("bitwise_xor_cpu", "float", "complex"),
)
pointwise(
    "bitwise_not",
    DEFAULT,
    lambda m, x: m.bit_not(x),
    check=not_implemented_for("bitwise_not_cpu", "float", "complex"),
)
_LEFT = (
    "bitwise_left_shift.Tensor bitwise_left_shift.Tensor_Scalar bitwise_left_shift.Scalar_Tensor"
)
pointwise(
    f"{_LEFT} __lshift__.Tensor __lshift__.Scalar __ilshift__.Tensor __ilshift__.Scalar",
    DEFAULT,
    lambda m, x, y: m.shift_left(x, y),
    check=not_implemented_for("lshift_cpu", "float", "complex", "bool"),
)
_RIGHT = (
    "bitwise_right_shift.Tensor bitwise_right_shift.Tensor_Scalar bitwise_right_shift.Scalar_Tensor"
)
pointwise(
    f"{_RIGHT} __rshift__.Tensor __rshift__.Scalar __irshift__.Tensor __irshift__.Scalar",
    DEFAULT,
    lambda m, x, y: m.shift_right(x, y),
    check=not_implemented_for("rshift_cpu", "float", "complex", "bool"),
)


def isinf(m: ScalarMath, x: Any) -> Any:
    return m.isinf(x) if m.kind(x) in "fc" else m.ne(x, x)


def isfinite(m: ScalarMath, x: Any) -> Any:
    return m.isfinite(x) if m.kind(x) in "fc" else m.eq(x, x)


def infinite(m: ScalarMath, x: Any, which: float) -> Any:
    """Whether x is this infinity."""
    return m.eq(x, which) if m.kind(x) == "f" else m.ne(x, x)


def isclose(m: ScalarMath, x: Any, y: Any, relative: Any, absolute: Any, equal_nan: bool) -> Any:
    """Whether |x - y| <= absolute + |relative * y|, or both are equal, or (if wanted) both NaN."""
    close = m.eq(x, y)
    if m.kind(x) == "b":
        return close
    if equal_nan:
        close = m.bit_or(close, m.bit_and(m.ne(x, x), m.ne(y, y)))
    if m.kind(x) in "iu":
        x, y = m.cast(x, "float32"), m.cast(y, "float32")
    distance = m.abs(m.sub(x, y))
    allowed = m.add(m.abs(m.mul(y, relative)), absolute)
    return m.bit_or(close, m.bit_and(isfinite(m, distance), m.le(distance, allowed)))


pointwise("isnan", COMPARISON, lambda m, x: m.ne(x, x))
pointwise("isinf", COMPARISON, isinf)
pointwise("isfinite", COMPARISON, isfinite)
pointwise(
    "isposinf",
    COMPARISON,
    lambda m, x: infinite(m, x, float("inf")),
    check=refuse_complex("isposinf does not support complex inputs."),
)
pointwise(
    "isneginf",
    COMPARISON,
    lambda m, x: infinite(m, x, float("-inf")),
    check=refuse_complex("isneginf does not support complex inputs."),
)


def _require_one_dtype(x: Tensor, y: Tensor, *_: Any) -> None:
    if x.dtype is not y.dtype:
        raise RuntimeError(f"{x.dtype.type_name} did not match {y.dtype.type_name}")


def _check_closeness(x: Tensor, y: Tensor, rtol: float, atol: float, _: bool) -> None:
    _require_one_dtype(x, y)
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if not tolerance >= 0:
            raise RuntimeError(
                f"{name} must be greater than or equal to zero, but got {tolerance:g}"
            )


pointwise("isclose", COMPARISON, isclose, check_operands=_check_closeness)


def _unless_short(common: dtype) -> dtype | None:
    """PyTorch rounds numbers to floats of 16 bits, whatever they are."""
    return common if opmath(common) is common else None


pointwise(
    "where.self where.ScalarOther where.ScalarSelf where.Scalar",
    DEFAULT,
    lambda m, condition, x, y: m.where(condition, x, y),
    limits={"self": _unless_short, "other": _unless_short},
)
