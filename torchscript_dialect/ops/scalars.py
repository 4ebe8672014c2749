"""Arithmetic, comparison and mathematical functions of int, float, bool and complex values.

TorchScript's rules, not Python's: ints are 64 bits wide and wrap around, `/` and the functions of floats follow IEEE 754
instead of raising, `//` and `%` of ints raise (torch/csrc/jit/runtime/register_prim_ops.cpp, register_ops_utils.h).
"""

from __future__ import annotations

import cmath
import math
import operator
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry

Scalar = complex
_NAN, _INF = float("nan"), float("inf")
_WIDTH = 1 << 64
_HALF = 1 << 63
_HALF_32 = 1 << 31


def wrap_int(value: int) -> int:
    """The int that 64 bits hold of `value`, in two's complement."""
    return value if -_HALF <= value < _HALF else (value + _HALF) % _WIDTH - _HALF


def _attach(
    name: str, function: registry.AnyKernel, overloads: str, lower: str | None = None
) -> None:
    """Attach to the overloads that the table has; `-` stands for the one without an overload name."""
    for full in _overloads(name, overloads):
        registry.attach(full, kernel=function, lower=lower)


_ARITHMETIC = "lowering.linalg.scalars:Arithmetic"


def _never_raise(names: str, overloads: str) -> None:
    """Whatever their operands are, these operators give a result: they may be run ahead of a loop or branch."""
    for name in names.split():
        for full in _overloads(name, overloads):
            registry.attach(full, is_total=True)


def _overloads(name: str, overloads: str) -> list[str]:
    namespace = "" if "::" in name else "aten::"
    full = [f"{namespace}{name}.{overload}".removesuffix(".-") for overload in overloads.split()]
    return [one for one in full if registry.find(one) is not None]


_REAL_PAIRS = "int float int_float float_int"
_MIXED_PAIRS = "int_complex complex_int float_complex complex_float"
_PAIRS = f"{_REAL_PAIRS} complex {_MIXED_PAIRS} -"


def _wrapping(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def apply(a: Any, b: Any) -> Any:
        result = function(a, b)
        if result.__class__ is int and not -_HALF <= result < _HALF:
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
    _attach(_name, _wrapping(_function), _REAL_PAIRS, _ARITHMETIC)
    _attach(_name, _wrapping(_function), "complex -")
    _attach(_name, _by_parts(_function), _MIXED_PAIRS)


def divide(a: Any, b: Any) -> Any:
    """The quotient as IEEE 754 has it: division by zero gives an infinity or NaN; ints are made floats first."""
    if isinstance(a, complex) or isinstance(b, complex):
        return _complex_quotient(a, b)
    a, b = float(a), float(b)
    if b:
        return a / b
    return _NAN if not a or a != a else math.copysign(_INF, a) * math.copysign(1.0, b)


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
    return _rounded(math.floor, divide(a, b))


def _rounded(function: Callable[[float], int], value: float) -> float:
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
        return _NAN


def ieee_remainder(a: Any, b: Any) -> float:
    try:
        return math.remainder(a, b)
    except ValueError:
        return _NAN


_attach("div", divide, _PAIRS)
_attach("floordiv", floor_divide, f"{_REAL_PAIRS} -")
_attach("remainder", remainder, f"{_REAL_PAIRS} -")
_attach("fmod", fmod, f"{_REAL_PAIRS} -")
_attach("mathremainder", ieee_remainder, f"{_REAL_PAIRS} -")


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
    a, b = _narrowed(a), _narrowed(b)
    if b == 0:
        raise RuntimeError("ZeroDivisionError: float divmod()")
    quotient = float(_to_whole(math.floor)(float(np.float32(a) / np.float32(b))))
    return quotient, a - quotient * b


def _narrowed(value: Any) -> Any:
    """An int in 32 bits, a float in single precision."""
    if isinstance(value, int):
        return (value + _HALF_32) % (2 * _HALF_32) - _HALF_32
    with np.errstate(all="ignore"):
        return float(np.float32(value))


def _to_whole(function: Callable[[float], int]) -> Callable[[Any], int]:
    """A rounding to 64 bits; RuntimeError for what is far from every int, the smallest int for 2**63."""

    def apply(a: Any) -> int:
        value = float(a)
        if not -_HALF <= value <= _HALF:
            raise RuntimeError(f"Cannot convert float {value} to integer")
        return wrap_int(function(value))

    return apply


_attach("divmod", divmod_mixed, "int_float float_int")


def power(a: Any, b: Any) -> Any:
    """a to the b, a float or complex; NaN where no real number is. RuntimeError for 0 to a negative power."""
    if isinstance(a, complex) or isinstance(b, complex):
        return _complex_power(a, b)
    a, b = float(a), float(b)
    if a == 0 and b < 0:
        raise RuntimeError(f"{a} cannot be raised to a negative power")
    return _real_power(a, b)


def _real_power(a: float, b: float) -> float:
    try:
        return math.pow(a, b)
    except OverflowError:
        return _infinity(a, b)
    except ValueError:
        return _infinity(a, b) if a == 0 else _NAN


def _infinity(a: float, b: float) -> float:
    """With the sign of a to the b."""
    return math.copysign(_INF, a) if abs(math.fmod(b, 2)) == 1 else _INF


def _complex_power(a: Any, b: Any) -> complex:
    """By logarithm and exponential, or by size and angle where one operand is real (std::pow of complex numbers)."""
    if not isinstance(b, complex):
        b = float(b)
        if a.imag == 0 and a.real > 0:
            return complex(_real_power(a.real, b))
        log = _complex_log(complex(a))
        return _polar(_FUNCTIONS["exp"](b * log.real), b * log.imag)
    if not isinstance(a, complex) and a > 0:
        return _polar(_real_power(float(a), b.real), b.imag * _FUNCTIONS["log"](a))
    log = _complex_log(complex(a))
    return _complex_exp(b * log)


def _polar(size: float, angle: float) -> complex:
    return complex(size * _FUNCTIONS["cos"](angle), size * _FUNCTIONS["sin"](angle))


@registry.kernel("pow.int_to_int")
def power_of_ints(a: int, b: int) -> int:
    """a to the b in 64 bits; negative powers are truncated to 0, 1 or -1."""
    if b >= 0:
        return wrap_int(pow(a, b, _WIDTH))
    if a in (1, -1):
        return 1 if a == 1 or b % 2 == 0 else -1
    if a == 0:
        raise RuntimeError("0 cannot be raised to a negative power")
    return 0


_attach(
    "pow",
    power,
    "int float int_float float_int complex int_complex complex_int float_complex complex_float",
)


@registry.kernel("pow.Scalar_Scalar")
def power_of_scalars(a: Any, b: Any) -> Any:
    """As `power`; 0 to a negative power is an infinity here."""
    if isinstance(a, complex) or isinstance(b, complex):
        return _complex_power(a, b)
    return _real_power(float(a), float(b))


# Comparison


def _as_floats(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A comparison that makes an int a float beside one, so that large ones lose their last digits."""

    def apply(a: Any, b: Any) -> Any:
        if a.__class__ is float or b.__class__ is float:
            a = float(a) if a.__class__ is int else a
            b = float(b) if b.__class__ is int else b
        return function(a, b)

    return apply


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _function = getattr(operator, _name)
    _attach(_name, _function, "int float", _ARITHMETIC)
    _attach(_name, _function, "bool complex device enum int_list bool_list str_list")
    _attach(_name, _as_floats(_function), "int_float float_int", _ARITHMETIC)
    _attach(_name, _as_floats(_function), f"{_MIXED_PAIRS} -")


@registry.kernel("eq.float_list")
def equal_floats(a: list[float], b: list[float]) -> bool:
    """NaN is not NaN, be it the same object."""
    return len(a) == len(b) and all(map(operator.eq, a, b))


registry.implement("ne.float_list", lambda a, b: not equal_floats(a, b))


# Bits and truth


def _shift(a: int, b: int, *, left: bool) -> int:
    """Shifts as processors do: by b modulo 64."""
    return wrap_int(a << (b & 63)) if left else a >> (b & 63)


_attach("__and__", lambda a, b: a & b, "bool int")
_attach("__or__", lambda a, b: a | b, "bool int")
_attach("__xor__", lambda a, b: a ^ b, "bool int")
_attach("__lshift__", lambda a, b: _shift(a, b, left=True), "int")
_attach("__rshift__", lambda a, b: _shift(a, b, left=False), "int")
_attach("__not__", operator.not_, "-")
_attach("__is__", lambda a, b: _is_same(a, b), "-")
_attach("__isnot__", lambda a, b: not _is_same(a, b), "-")


def _is_same(a: Any, b: Any) -> bool:
    """`is`: numbers and strings have no identity, what is equal is the same."""
    return a is b or (isinstance(a, (int, float, complex, str)) and type(a) is type(b) and a == b)


# Conversions


def int_of(value: Any) -> int:
    """Rounded to zero; floats that no int is near give the smallest int, as processors have it."""
    if isinstance(value, complex):
        value = value.real
    if isinstance(value, float):
        if value != value or not -_HALF <= value < _HALF:
            return -_HALF
        return int(value)
    return int(value)


@registry.kernel("Int.str")
def int_of_text(text: str) -> int:
    """Decimal digits behind spaces and a sign, as the C library reads them.

    Raises:
        RuntimeError: anything else, and ints beyond 64 bits.
    """
    if not _INT_TEXT.fullmatch(text):
        raise RuntimeError(f"invalid literal for int() with base 10: '{text}'")
    value = _digits(text)
    if not -_HALF <= value < _HALF:
        raise RuntimeError(f"int() of '{text}': the number does not fit in 64 bits")
    return value


_INT_TEXT = re.compile(r"[ \t\n\v\f\r]*[+-]?[0-9]+")
_FLOAT_TEXT = re.compile(
    r"[ \t\n\v\f\r]*[+-]?(?:(?P<hex>0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|(?P<special>inf|infinity|nan(?:\([a-z0-9_]*\))?))",
    re.IGNORECASE | re.ASCII,
)


def _digits(text: str) -> int:
    """The int of a sign and digits; one beyond 64 bits, however many digits it has, is some int beyond 64 bits."""
    text = text.strip()
    sign, digits = text[:1] if text[:1] in "+-" else "", text.lstrip("+-").lstrip("0")
    return int(sign + (digits[:20] or "0"))


@registry.kernel("Float.str")
def float_of_text(text: str) -> float:
    """A number as the C library reads it: decimal or hexadecimal, an infinity or NaN, behind spaces and a sign.

    Raises:
        RuntimeError: anything else, and numbers too large or too small for a float.
    """
    match = _FLOAT_TEXT.fullmatch(text)
    if match is None:
        raise RuntimeError(f"float() only accepts a string of single float number: '{text}'")
    bare = text.strip()
    if match["special"]:
        return float(bare.partition("(")[0])
    try:
        value = float.fromhex(bare) if match["hex"] else float(bare)
    except OverflowError:
        value = _INF
    if math.isinf(value) or _is_rounded_away(bare, value, match["hex"] is not None):
        raise RuntimeError(f"float() of '{text}': the number is out of range")
    return value


def _is_rounded_away(text: str, value: float, is_hex: bool) -> bool:
    """Whether digits are lost because the number is smaller than normal floats are."""
    if abs(value) >= sys.float_info.min:
        return False
    if is_hex or value == 0:
        mantissa = re.split("p" if is_hex else "e", text.lower().replace("0x", ""))[0]
        return value == 0 and re.search("[1-9a-f]", mantissa) is not None
    from decimal import Decimal  # takes longer to import than the rest of this file

    return Decimal(text) != Decimal(value)


def float_of(value: Any) -> float:
    return value.real if isinstance(value, complex) else float(value)


def int_of_number(value: Any) -> int:
    """RuntimeError for floats beyond 32 bits, which is what PyTorch has room for here."""
    if isinstance(value, float) and not -_HALF_32 <= value < _HALF_32:
        raise RuntimeError("value cannot be converted to type int without overflow")
    return int_of(value)


_attach("Int", int_of, "bool float")
_attach("Int", int_of_number, "Scalar")
_attach("Float", float_of, "int bool Scalar")
_attach("Bool", bool, "int float")
_attach(
    "Complex",
    lambda a: complex(a),
    "Scalar",
)


def _part(value: float) -> float:
    """A part of a complex number: PyTorch takes the last 32 bits of an int."""
    return (
        value if isinstance(value, float) else (int(value) + _HALF_32) % (2 * _HALF_32) - _HALF_32
    )


_attach(
    "Complex",
    lambda a, b: complex(_part(a), _part(b)),
    "int_bool bool_int float_bool bool_float float_int int_float int_int bool_bool float_float",
)


# Functions of one number


def _real(
    function: Callable[[float], Any], at_pole: Callable[[float], float] | float = _NAN
) -> Callable[[Any], Any]:
    """A function of floats that gives NaN or an infinity where Python's raises."""

    def apply(a: Any) -> Any:
        try:
            return function(a)
        except OverflowError:
            return _INF
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
    return -_INF if a == 0 else _NAN


def _log1p_pole(a: float) -> float:
    return -_INF if a == -1 else _NAN


def _atanh_pole(a: float) -> float:
    return math.copysign(_INF, a) if abs(a) == 1 else _NAN


def _sinh(a: float) -> float:
    try:
        return math.sinh(a)
    except OverflowError:
        return math.copysign(_INF, a)


def _gamma_pole(a: float) -> float:
    return math.copysign(_INF, a) if a == 0 else _NAN


_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
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
    "lgamma": _real(math.lgamma, _INF),
    "degrees": math.degrees,
    "radians": math.radians,
    "fabs": math.fabs,
}


def _narrowing(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What PyTorch makes of a number that may be an int or a float: ints of 32 bits, single precision."""

    def apply(a: Any) -> Any:
        result = function(a)
        return result if isinstance(result, complex) else _narrowed(result)

    return apply


def _attach_function(name: str, real: Callable[[Any], Any]) -> None:
    of_complex = _complex(name) if hasattr(cmath, name) else None

    def of_scalar(a: Any) -> Any:
        return of_complex(a) if isinstance(a, complex) and of_complex is not None else real(a)

    _attach(name, real, "int float")
    _attach(name, _narrowing(of_scalar), "Scalar")
    if of_complex is not None:
        _attach(name, of_complex, "complex")


for _name, _function in _FUNCTIONS.items():
    _attach_function(_name, _function)


_ROUNDED_AND_SIGNED: dict[str, Callable[[Any], Any]] = {
    "floor": _to_whole(math.floor),
    "ceil": _to_whole(math.ceil),
    "round": lambda a: _rounded(round, float(a)),
    "neg": lambda a: wrap_int(-a) if isinstance(a, int) else -a,
    "prim::abs": lambda a: wrap_int(abs(a)) if isinstance(a, int) else abs(a),
}
for _name, _function in _ROUNDED_AND_SIGNED.items():
    _attach(_name, _function, "int float complex")
    _attach(_name, _narrowing(_function), "Scalar")
_attach("isnan", lambda a: a != a, "float")
_attach("isnan", cmath.isnan, "complex")
_attach("isinf", math.isinf, "float")
_attach("isinf", cmath.isinf, "complex")
_attach("isfinite", math.isfinite, "float")
_attach("isfinite", cmath.isfinite, "complex")


def _angle(a: float) -> float:
    return math.pi if math.copysign(1, a) < 0 else 0.0


_attach("angle", _angle, "int float")
_attach("angle", cmath.phase, "complex")
_attach(
    "angle",
    _narrowing(lambda a: cmath.phase(a) if isinstance(a, complex) else _angle(a)),
    "Scalar",
)
_attach("frexp", math.frexp, "-")
_attach("modf", math.modf, "-")


@registry.kernel("ldexp")
def ldexp(x: float, i: int) -> float:
    """x * 2 ** i; i has 32 bits."""
    i = _narrowed(i)
    try:
        return math.ldexp(x, i)
    except OverflowError:
        return math.copysign(_INF, x)


@registry.kernel("factorial.int")
def factorial(a: int) -> int:
    """In 64 bits, where the powers of two of large factorials are shifted in as processors do it; a has 32."""
    a = _narrowed(a)
    if a < 0:
        raise RuntimeError("factorial() not defined for negative values")
    odds = product = 1
    last = 0
    for shift in reversed(range(a.bit_length())):
        product = product * _product_of_odds(last, a >> shift) % _WIDTH
        odds, last = odds * product % _WIDTH, a >> shift
    return _shift(odds, a - a.bit_count(), left=True)


def _product_of_odds(after: int, last: int) -> int:
    """The product of the odd numbers of a range, in 64 bits."""
    found = 1
    for begin in range(after + 1 | 1, last + 1, 1 << 20):
        numbers = np.arange(begin, min(begin + (1 << 20), last + 1), 2, dtype=np.uint64)
        found = found * int(np.multiply.reduce(numbers)) % _WIDTH
    return found


# Functions of two numbers

_complex_log, _complex_exp = _complex("log"), _complex("exp")


def log_to_base(a: Any, b: Any) -> Any:
    return divide(_log(a), _log(b))


def _log(a: Any) -> Any:
    return _complex_log(a) if isinstance(a, complex) else _FUNCTIONS["log"](a)


_attach(
    "log",
    log_to_base,
    "int_int float_float complex_complex int_float float_int int_complex complex_int float_complex "
    "complex_float Scalar_Scalar",
)
_attach("atan2", math.atan2, f"{_REAL_PAIRS} Scalar_Scalar")
_attach("copysign", math.copysign, f"{_REAL_PAIRS} -")
_attach("gcd", lambda a, b: wrap_int(math.gcd(a, b)), "int")
_attach("polar", cmath.rect, f"{_REAL_PAIRS} Scalar_Scalar")


def _common(a: Any, b: Any, chosen: Any) -> Any:
    return float(chosen) if isinstance(a, float) or isinstance(b, float) else chosen


_greater, _less = _as_floats(operator.gt), _as_floats(operator.lt)


def maximum(a: Any, b: Any) -> Any:
    """The larger one by `a > b ? a : b`, as a float if either is."""
    return _common(a, b, a if _greater(a, b) else b)


def minimum(a: Any, b: Any) -> Any:
    """The smaller one by `a < b ? a : b`, as a float if either is."""
    return _common(a, b, a if _less(a, b) else b)


_attach("prim::max", maximum, f"{_REAL_PAIRS} -")
_attach("prim::min", minimum, f"{_REAL_PAIRS} -")


# Loops over ranges


@registry.kernel("__range_length")
def range_length(low: int, high: int, step: int) -> int:
    """The number of iterations of `range(low, high, step)`."""
    if step == 0:
        raise RuntimeError("range() arg 3 must not be zero")
    steps = -(-(high - low) // step)
    return max(0, steps) if steps < 2**63 else steps - 2**64  # as 64 bits hold it


_attach("__derive_index", lambda index, start, step: start + index * step, "-")


# Inlined by the interpreter


def _inline(
    name: str, overloads: str, text: str, by_constant: str | None = None, *, wraps: bool = False
) -> None:
    """The text may name the operator's `kernel`, for the cases that Python's operators do not tell."""
    for full in _overloads(name, overloads):
        rules = registry.attach(full)
        uses = {"kernel": rules.kernel, "float": float}
        rules.inline = registry.Inline(text, uses, wraps, by_constant)


for _name, _sign in (("add", "+"), ("sub", "-"), ("mul", "*")):
    _inline(_name, "int", f"{{0}} {_sign} {{1}}", wraps=True)
    _inline(_name, "float int_float float_int", f"{{0}} {_sign} {{1}}")
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
for _name, _sign in _COMPARISONS.items():
    _inline(_name, "int float", f"{{0}} {_sign} {{1}}")
    _inline(_name, "int_float", f"{{float}}({{0}}) {_sign} {{1}}")
    _inline(_name, "float_int", f"{{0}} {_sign} {{float}}({{1}})")
for _name, _sign in (("__and__", "&"), ("__or__", "|"), ("__xor__", "^")):
    _inline(_name, "bool int", f"{{0}} {_sign} {{1}}")
_inline("div", "float", "{0} / {1} if {1} else {kernel}({0}, {1})", "{0} / {1}")
_inline("div", "int_float", "{float}({0}) / {1} if {1} else {kernel}({0}, {1})")
_inline("div", "float_int", "{0} / {float}({1}) if {1} else {kernel}({0}, {1})", "{0} / {1}")
_inline(
    "div",
    "int",
    "{float}({0}) / {float}({1}) if {1} else {kernel}({0}, {1})",
    "{float}({0}) / {float}({1})",
)
_inline("floordiv", "int", "{0} // {1} if {1} else {kernel}({0}, {1})", "{0} // {1}", wraps=True)
_inline(
    "remainder",
    "int",
    "{0} % {1} if 0 < {1} < 4611686018427387904 else {kernel}({0}, {1})",
    "{0} % {1}",
)
_inline("neg", "int", "-{0}", wraps=True)
_inline("neg", "float", "-{0}")
_inline("__not__", "-", "not {0}")
_inline("Float", "int Scalar", "{0}.real * 1.0")
_inline("prim::max", "int float", "{0} if {0} > {1} else {1}")
_inline("prim::min", "int float", "{0} if {0} < {1} else {1}")
_inline("__derive_index", "-", "{1} + {0} * {2}")

_never_raise("add sub mul eq ne", _PAIRS)
_never_raise("div lt le gt ge prim::max prim::min", _REAL_PAIRS)
_never_raise("eq ne lt le gt ge", "bool str")
_never_raise("__and__ __or__ __xor__ __lshift__ __rshift__", "bool int")
_never_raise("__not__ __is__ __isnot__", "-")
_never_raise("Float Bool neg", "int float bool")
