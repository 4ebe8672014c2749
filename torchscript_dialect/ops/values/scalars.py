"""Arithmetic and comparison of int, float, bool and complex values.

TorchScript's rules, not Python's: ints are 64 bits wide and wrap around, `/` and the functions of floats follow IEEE 754
instead of raising, `//` and `%` of ints raise (torch/csrc/jit/runtime/register_prim_ops.cpp, register_ops_utils.h).
"""

from __future__ import annotations

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
    MIXED_PAIRS,
    NAN,
    PAIRS,
    REAL_PAIRS,
    attach,
    inline,
    never_raise,
    wrap_int,
)

_ARITHMETIC = "lowering.linalg.scalars:Arithmetic"


def _wrapping(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def apply(a: Any, b: Any) -> Any:
        result = function(a, b)
        if result.__class__ is int and not -HALF <= result < HALF:
            return wrap_int(result)
        return result

    return apply


def _by_parts(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Between a complex and a real number, the real one concerns the parts of the complex one that it has to."""
    multiplies = function is operator.mul

    def apply(a: Any, b: Any) -> Any:
        if not isinstance(a, complex):
            a, b = float(a), b
            if multiplies:
                return complex(a * b.real, a * b.imag)
            return complex(function(a, b.real), b.imag if function is operator.add else -b.imag)
        b = float(b)
        return complex(function(a.real, b), a.imag * b if multiplies else a.imag)

    return apply


for _name, _function in (("add", operator.add), ("sub", operator.sub), ("mul", operator.mul)):
    attach(_name, _wrapping(_function), REAL_PAIRS, _ARITHMETIC)
    attach(_name, _wrapping(_function), "complex -")
    attach(_name, _by_parts(_function), MIXED_PAIRS)


def divide(a: Any, b: Any) -> Any:
    """The quotient as IEEE 754 has it: division by zero gives an infinity or NaN; ints are made floats first."""
    if isinstance(a, complex) or isinstance(b, complex):
        return _complex_quotient(a, b)
    a, b = float(a), float(b)
    if b:
        return a / b
    return NAN if not a or a != a else math.copysign(INF, a) * math.copysign(1.0, b)


def _complex_quotient(a: complex, b: complex) -> complex:
    if not isinstance(b, complex):
        return complex(divide(a.real, b), divide(a.imag, b))
    if not b:
        return complex(divide(a.real, abs(b.real)), divide(a.imag, abs(b.imag)))
    c, d = b.real, b.imag
    if abs(c) >= abs(d):
        ratio = d / c
        scale = divide(1.0, c + d * ratio)
        return complex((a.real + a.imag * ratio) * scale, (a.imag - a.real * ratio) * scale)
    ratio = divide(c, d)
    scale = divide(1.0, c * ratio + d)
    return complex((a.real * ratio + a.imag) * scale, (a.imag * ratio - a.real) * scale)


def floor_divide(a: Any, b: Any) -> Any:
    """The quotient rounded down. RuntimeError for ints where b is 0."""
    if isinstance(a, int) and isinstance(b, int):
        if b == 0:
            raise RuntimeError("division by 0")
        return wrap_int(a // b)
    return rounded(math.floor, divide(a, b))


def rounded(function: Callable[[float], int], value: float) -> float:
    """The value as a whole float, with its sign."""
    return math.copysign(function(value), value) if math.isfinite(value) else value


def remainder(a: Any, b: Any) -> Any:
    """The remainder with the sign of b; NaN for floats where b is 0. RuntimeError for ints where b is 0."""
    if isinstance(a, int) and isinstance(b, int):
        if b == 0:
            raise RuntimeError("ZeroDivisionError: integer division or modulo by zero")
        return _truncated_remainder(wrap_int(b + _truncated_remainder(a, b)), b)
    a, b = float(a), float(b)
    return fmod(b + fmod(a, b), b)


def _truncated_remainder(a: int, b: int) -> int:
    """The remainder with the sign of a."""
    return abs(a) % abs(b) if a >= 0 else -(abs(a) % abs(b))


def fmod(a: Any, b: Any) -> float:
    """The remainder with the sign of a; NaN where there is none."""
    try:
        return math.fmod(a, b)
    except ValueError:
        return NAN


def ieee_remainder(a: Any, b: Any) -> float:
    try:
        return math.remainder(a, b)
    except ValueError:
        return NAN


attach("div", divide, PAIRS)
attach("floordiv", floor_divide, f"{REAL_PAIRS} -")
attach("remainder", remainder, f"{REAL_PAIRS} -")
attach("fmod", fmod, f"{REAL_PAIRS} -")
attach("mathremainder", ieee_remainder, f"{REAL_PAIRS} -")


@registry.kernel("__round_to_zero_floordiv.int")
def truncated_divide(a: int, b: int) -> int:
    if b == 0:
        raise RuntimeError("division by 0")
    quotient = abs(a) // abs(b)
    return wrap_int(quotient if (a < 0) == (b < 0) else -quotient)


@registry.kernel("divmod.int")
def divmod_(a: int, b: int) -> tuple[int, int]:
    if b == 0:
        raise RuntimeError("ZeroDivisionError: integer division or modulo by zero")
    return wrap_int(a // b), a % b


@registry.kernel("divmod.float")
def divmod_of_floats(a: float, b: float) -> tuple[float, float]:
    if b == 0:
        raise RuntimeError("ZeroDivisionError: float divmod()")
    rest = fmod(a, b)
    if rest and (a < 0) != (b < 0):
        rest += b
    return (a - rest) / b, rest


def divmod_mixed(a: Any, b: Any) -> tuple[float, float]:
    """Of an int and a float, both cut to 32 bits, as PyTorch does.

    Raises:
        RuntimeError: b is zero then, or the quotient is no 64-bit int.
    """
    a, b = narrowed(a), narrowed(b)
    if b == 0:
        raise RuntimeError("ZeroDivisionError: float divmod()")
    quotient = float(to_whole(math.floor)(float(np.float32(a) / np.float32(b))))
    return quotient, a - quotient * b


attach("divmod", divmod_mixed, "int_float float_int")


# Comparison


def as_floats(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A comparison that makes an int a float beside one, so that large ones lose their last digits."""

    def apply(a: Any, b: Any) -> Any:
        if a.__class__ is float or b.__class__ is float:
            a = float(a) if a.__class__ is int else a
            b = float(b) if b.__class__ is int else b
        return function(a, b)

    return apply


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _function = getattr(operator, _name)
    attach(_name, _function, "int float", _ARITHMETIC)
    attach(_name, _function, "bool complex device enum int_list bool_list str_list")
    attach(_name, as_floats(_function), "int_float float_int", _ARITHMETIC)
    attach(_name, as_floats(_function), f"{MIXED_PAIRS} -")


@registry.kernel("eq.float_list")
def equal_floats(a: list[float], b: list[float]) -> bool:
    """NaN is not NaN, be it the same object."""
    return len(a) == len(b) and all(map(operator.eq, a, b))


registry.implement("ne.float_list", lambda a, b: not equal_floats(a, b))


# Bits and truth


def shifted(a: int, b: int, *, left: bool) -> int:
    """Shifts as processors do: by b modulo 64."""
    return wrap_int(a << (b & 63)) if left else a >> (b & 63)


attach("__and__", lambda a, b: a & b, "bool int")
attach("__or__", lambda a, b: a | b, "bool int")
attach("__xor__", lambda a, b: a ^ b, "bool int")
attach("__lshift__", lambda a, b: shifted(a, b, left=True), "int")
attach("__rshift__", lambda a, b: shifted(a, b, left=False), "int")
attach("__not__", operator.not_, "-")
attach("__is__", lambda a, b: _is_same(a, b), "-")
attach("__isnot__", lambda a, b: not _is_same(a, b), "-")
registry.declare("__is__ __isnot__", asks_history=True)


def _is_same(a: Any, b: Any) -> bool:
    """`is`: numbers and strings have no identity, what is equal is the same."""
    return a is b or (isinstance(a, (int, float, complex, str)) and type(a) is type(b) and a == b)


# Loops over ranges


@registry.kernel("__range_length")
def range_length(low: int, high: int, step: int) -> int:
    """The number of iterations of `range(low, high, step)`."""
    if step == 0:
        raise RuntimeError("range() arg 3 must not be zero")
    steps = -(-(high - low) // step)
    return max(0, steps) if steps < 2**63 else steps - 2**64  # as 64 bits hold it


attach("__derive_index", lambda index, start, step: start + index * step, "-")


for _name, _sign in (("add", "+"), ("sub", "-"), ("mul", "*")):
    inline(_name, "int", f"{{0}} {_sign} {{1}}", wraps=True)
    inline(_name, "float int_float float_int", f"{{0}} {_sign} {{1}}")
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
for _name, _sign in _COMPARISONS.items():
    inline(_name, "int float", f"{{0}} {_sign} {{1}}")
    inline(_name, "int_float", f"{{float}}({{0}}) {_sign} {{1}}")
    inline(_name, "float_int", f"{{0}} {_sign} {{float}}({{1}})")
for _name, _sign in (("__and__", "&"), ("__or__", "|"), ("__xor__", "^")):
    inline(_name, "bool int", f"{{0}} {_sign} {{1}}")
inline("div", "float", "{0} / {1} if {1} else {kernel}({0}, {1})", "{0} / {1}")
inline("div", "int_float", "{float}({0}) / {1} if {1} else {kernel}({0}, {1})")
inline("div", "float_int", "{0} / {float}({1}) if {1} else {kernel}({0}, {1})", "{0} / {1}")
inline(
    "div",
    "int",
    "{float}({0}) / {float}({1}) if {1} else {kernel}({0}, {1})",
    "{float}({0}) / {float}({1})",
)
inline("floordiv", "int", "{0} // {1} if {1} else {kernel}({0}, {1})", "{0} // {1}", wraps=True)
inline(
    "remainder",
    "int",
    "{0} % {1} if 0 < {1} < 4611686018427387904 else {kernel}({0}, {1})",
    "{0} % {1}",
)
inline("__not__", "-", "not {0}")
inline("__derive_index", "-", "{1} + {0} * {2}")

never_raise("add sub mul eq ne", PAIRS)
never_raise("div lt le gt ge", REAL_PAIRS)
never_raise("eq ne lt le gt ge", "bool str")
never_raise("__and__ __or__ __xor__ __lshift__ __rshift__", "bool int")
never_raise("__not__ __is__ __isnot__", "-")
