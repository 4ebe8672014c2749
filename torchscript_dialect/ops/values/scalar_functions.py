"""Mathematical functions of numbers: `math`, `cmath`, `min` and `max`."""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.values.scalar_conversions import narrowed, to_whole
from torchscript_dialect.ops.values.scalar_rules import (
    HALF,
    INF,
    NAN,
    REAL_PAIRS,
    WIDTH,
    attach,
    inline,
    never_raise,
    wrap_int,
)
from torchscript_dialect.ops.values.scalars import as_floats, divide, rounded, shifted


def _real(
    function: Callable[[float], Any], at_pole: Callable[[float], float] | float = NAN
) -> Callable[[Any], Any]:
    """A function of floats that gives NaN or an infinity where Python's raises."""

    def apply(a: Any) -> Any:
        try:
            return function(a)
        except OverflowError:
            return INF
        except ValueError:
            return at_pole(a) if callable(at_pole) else at_pole

    return apply


def _complex(name: str) -> Callable[[complex], complex]:
    """The function of complex numbers that the C library has."""
    function = getattr(np, name.replace("a", "arc", 1) if name[0] == "a" else name)

    def apply(a: complex) -> complex:
        with np.errstate(all="ignore"):
            return complex(function(np.complex128(a)))

    return apply


def _log_pole(a: float) -> float:
    return -INF if a == 0 else NAN


def _log1p_pole(a: float) -> float:
    return -INF if a == -1 else NAN


def _atanh_pole(a: float) -> float:
    return math.copysign(INF, a) if abs(a) == 1 else NAN


def _sinh(a: float) -> float:
    try:
        return math.sinh(a)
    except OverflowError:
        return math.copysign(INF, a)


def _gamma_pole(a: float) -> float:
    return math.copysign(INF, a) if a == 0 else NAN


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sqrt": _real(math.sqrt),
    "exp": _real(math.exp),
    "log": _real(math.log, _log_pole),
    "log10": _real(math.log10, _log_pole),
    "log1p": _real(math.log1p, _log1p_pole),
    "expm1": _real(math.expm1),
    "sin": _real(math.sin),
    "cos": _real(math.cos),
    "tan": _real(math.tan),
    "asin": _real(math.asin),
    "acos": _real(math.acos),
    "atan": _real(math.atan),
    "sinh": _sinh,
    "cosh": _real(math.cosh),
    "tanh": _real(math.tanh),
    "asinh": _real(math.asinh),
    "acosh": _real(math.acosh),
    "atanh": _real(math.atanh, _atanh_pole),
    "erf": _real(math.erf),
    "erfc": _real(math.erfc),
    "gamma": _real(math.gamma, _gamma_pole),
    "lgamma": _real(math.lgamma, INF),
    "degrees": math.degrees,
    "radians": math.radians,
    "fabs": math.fabs,
}


def _narrowing(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What PyTorch makes of a number that may be an int or a float: ints of 32 bits, single precision."""

    def apply(a: Any) -> Any:
        result = function(a)
        return result if isinstance(result, complex) else narrowed(result)

    return apply


def _attach_function(name: str, real: Callable[[Any], Any]) -> None:
    of_complex = _complex(name) if hasattr(cmath, name) else None

    def of_scalar(a: Any) -> Any:
        return of_complex(a) if isinstance(a, complex) and of_complex is not None else real(a)

    attach(name, real, "int float")
    attach(name, _narrowing(of_scalar), "Scalar")
    if of_complex is not None:
        attach(name, of_complex, "complex")


for _name, _function in FUNCTIONS.items():
    _attach_function(_name, _function)


def _ceil(a: Any) -> int:
    """The least int not below; for 2**63 the second smallest: conversion gives the smallest, and that it is below adds one."""
    return 1 - HALF if float(a) == HALF else to_whole(math.ceil)(a)


_ROUNDED_AND_SIGNED: dict[str, Callable[[Any], Any]] = {
    "floor": to_whole(math.floor),
    "ceil": _ceil,
    "round": lambda a: rounded(round, float(a)),
    "neg": lambda a: wrap_int(-a) if isinstance(a, int) else -a,
    "prim::abs": lambda a: wrap_int(abs(a)) if isinstance(a, int) else abs(a),
}
for _name, _function in _ROUNDED_AND_SIGNED.items():
    attach(_name, _function, "int float complex")
    attach(_name, _narrowing(_function), "Scalar")
attach("isnan", lambda a: a != a, "float")
attach("isnan", cmath.isnan, "complex")
attach("isinf", math.isinf, "float")
attach("isinf", cmath.isinf, "complex")
attach("isfinite", math.isfinite, "float")
attach("isfinite", cmath.isfinite, "complex")


def _angle(a: float) -> float:
    return math.pi if math.copysign(1, a) < 0 else 0.0


attach("angle", _angle, "int float")
attach("angle", cmath.phase, "complex")
attach(
    "angle",
    _narrowing(lambda a: cmath.phase(a) if isinstance(a, complex) else _angle(a)),
    "Scalar",
)
attach("frexp", math.frexp, "-")
attach("modf", math.modf, "-")


@registry.kernel("ldexp")
def ldexp(x: float, i: int) -> float:
    """x * 2 ** i; i has 32 bits."""
    i = narrowed(i)
    try:
        return math.ldexp(x, i)
    except OverflowError:
        return math.copysign(INF, x)


@registry.kernel("factorial.int")
def factorial(a: int) -> int:
    """In 64 bits, where the powers of two of large factorials are shifted in as processors do it; a has 32."""
    a = narrowed(a)
    if a < 0:
        raise RuntimeError("factorial() not defined for negative values")
    odds = product = 1
    last = 0
    for shift in reversed(range(a.bit_length())):
        product = product * _product_of_odds(last, a >> shift) % WIDTH
        odds, last = odds * product % WIDTH, a >> shift
    return shifted(odds, a - a.bit_count(), left=True)


def _product_of_odds(after: int, last: int) -> int:
    """The product of the odd numbers of a range, in 64 bits."""
    found = 1
    for begin in range(after + 1 | 1, last + 1, 1 << 20):
        numbers = np.arange(begin, min(begin + (1 << 20), last + 1), 2, dtype=np.uint64)
        found = found * int(np.multiply.reduce(numbers)) % WIDTH
    return found


# Functions of two numbers

complex_log = _complex("log")
complex_exp = _complex("exp")


def log_to_base(a: Any, b: Any) -> Any:
    return divide(_log(a), _log(b))


def _log(a: Any) -> Any:
    return complex_log(a) if isinstance(a, complex) else FUNCTIONS["log"](a)


attach(
    "log",
    log_to_base,
    "int_int float_float complex_complex int_float float_int int_complex complex_int float_complex "
    "complex_float Scalar_Scalar",
)
attach("atan2", math.atan2, f"{REAL_PAIRS} Scalar_Scalar")
attach("copysign", math.copysign, f"{REAL_PAIRS} -")
attach("gcd", lambda a, b: wrap_int(math.gcd(a, b)), "int")
attach("polar", cmath.rect, f"{REAL_PAIRS} Scalar_Scalar")


def _common(a: Any, b: Any, chosen: Any) -> Any:
    return float(chosen) if isinstance(a, float) or isinstance(b, float) else chosen


_greater = as_floats(operator.gt)
_less = as_floats(operator.lt)


def maximum(a: Any, b: Any) -> Any:
    """The larger one by `a > b ? a : b`, as a float if either is."""
    return _common(a, b, a if _greater(a, b) else b)


def minimum(a: Any, b: Any) -> Any:
    """The smaller one by `a < b ? a : b`, as a float if either is."""
    return _common(a, b, a if _less(a, b) else b)


attach("prim::max", maximum, f"{REAL_PAIRS} -")
attach("prim::min", minimum, f"{REAL_PAIRS} -")
inline("neg", "int", "-{0}", wraps=True)
inline("neg", "float", "-{0}")
inline("prim::max", "int float", "{0} if {0} > {1} else {1}")
inline("prim::min", "int float", "{0} if {0} < {1} else {1}")
never_raise("prim::max prim::min", REAL_PAIRS)
never_raise("neg", "int float")
