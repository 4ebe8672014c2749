"""Arithmetic, comparison and mathematical functions of int, float, bool and complex values.

TorchScript's rules, not Python's: ints are 64 bits wide and wrap around, `/` and the functions of floats follow IEEE 754
instead of raising, `//` and `%` of ints raise (torch/csrc/jit/runtime/register_prim_ops.cpp, register_ops_utils.h).
"""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable
from typing import Any

from torchscript_dialect.ops import registry

Scalar = complex
_NAN, _INF = float("nan"), float("inf")
_WIDTH = 1 << 64
_HALF = 1 << 63


def wrap_int(value: int) -> int:
    """The int that 64 bits hold of `value`, in two's complement."""
    return value if -_HALF <= value < _HALF else (value + _HALF) % _WIDTH - _HALF


def _attach(name: str, function: registry.AnyKernel, overloads: str) -> None:
    """Attach to the overloads that the table has; `-` stands for the one without an overload name."""
    for full in _overloads(name, overloads):
        registry.attach(full, kernel=function)


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
_PAIRS = f"{_REAL_PAIRS} complex int_complex complex_int float_complex complex_float -"


def _wrapping(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def apply(a: Any, b: Any) -> Any:
        result = function(a, b)
        if result.__class__ is int and not -_HALF <= result < _HALF:
            return wrap_int(result)
        return result

    return apply


_attach("add", _wrapping(operator.add), _PAIRS)
_attach("sub", _wrapping(operator.sub), _PAIRS)
_attach("mul", _wrapping(operator.mul), _PAIRS)


def divide(a: Any, b: Any) -> Any:
    """The quotient as IEEE 754 has it: division by zero gives an infinity or NaN."""
    try:
        return a / b
    except ZeroDivisionError:
        if isinstance(a, complex) or isinstance(b, complex):
            return complex(_NAN, _NAN)
        if not a or a != a:
            return _NAN
        return math.copysign(_INF, a) * math.copysign(1.0, b)


def floor_divide(a: Any, b: Any) -> Any:
    """The quotient rounded down. RuntimeError for ints where b is 0."""
    if isinstance(a, int) and isinstance(b, int):
        if b == 0:
            raise RuntimeError("division by 0")
        return wrap_int(a // b)
    quotient: float = divide(float(a), float(b))
    return quotient if math.isinf(quotient) or quotient != quotient else float(math.floor(quotient))


def remainder(a: Any, b: Any) -> Any:
    """The remainder with the sign of b; NaN for floats where b is 0. RuntimeError for ints where b is 0."""
    if isinstance(a, int) and isinstance(b, int):
        if b == 0:
            raise RuntimeError("ZeroDivisionError: integer division or modulo by zero")
        return a % b
    a, b = float(a), float(b)
    return fmod(b + fmod(a, b), b)


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


def divmod_(a: Any, b: Any) -> tuple[Any, Any]:
    if b == 0:
        exact = isinstance(a, int) and type(b) is int
        what = "integer division or modulo by zero" if exact else "float divmod()"
        raise RuntimeError(f"ZeroDivisionError: {what}")
    return divmod(a, b)


_attach("divmod", divmod_, _REAL_PAIRS)


def power(a: Any, b: Any) -> Any:
    """a to the b, a float or complex; NaN where no real number is. RuntimeError for 0 to a negative power."""
    if isinstance(a, complex) or isinstance(b, complex):
        try:
            return complex(a) ** complex(b)
        except ZeroDivisionError:
            return complex(_NAN, _NAN)
    if a == 0 and b < 0:
        raise RuntimeError(f"{float(a)} cannot be raised to a negative power")
    try:
        return math.pow(a, b)
    except OverflowError:
        odd = isinstance(b, int) and b % 2 == 1
        return -_INF if a < 0 and (odd or math.fmod(b, 2) == 1) else _INF
    except ValueError:
        return _NAN


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
    "int float int_float float_int complex int_complex complex_int float_complex complex_float Scalar_Scalar",
)


# Comparison

_COMPARED = f"{_PAIRS} bool str device enum int_list float_list bool_list str_list"
for _name, _function in (
    ("eq", operator.eq),
    ("ne", operator.ne),
    ("lt", operator.lt),
    ("le", operator.le),
    ("gt", operator.gt),
    ("ge", operator.ge),
):
    _attach(_name, _function, _COMPARED)


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
    try:
        return int(text)
    except ValueError:
        raise RuntimeError(f"invalid literal for int() with base 10: '{text}'") from None


@registry.kernel("Float.str")
def float_of_text(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise RuntimeError(f"could not convert string to float: '{text}'") from None


def float_of(value: Any) -> float:
    return value.real if isinstance(value, complex) else float(value)


_attach("Int", int_of, "bool float Scalar")
_attach("Float", float_of, "int bool Scalar")
_attach("Bool", bool, "int float")
_attach(
    "Complex",
    lambda a: complex(a),
    "Scalar",
)
_attach(
    "Complex",
    lambda a, b: complex(a, b),
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


def _complex(function: Callable[[complex], complex]) -> Callable[[complex], complex]:
    def apply(a: complex) -> complex:
        try:
            return function(a)
        except OverflowError:
            return complex(_INF, _NAN)
        except ValueError:
            return complex(_NAN, _NAN)

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


_FUNCTIONS: dict[str, tuple[Callable[[Any], Any], Callable[[complex], complex] | None]] = {
    "sqrt": (_real(math.sqrt), cmath.sqrt),
    "exp": (_real(math.exp), cmath.exp),
    "log": (_real(math.log, _log_pole), cmath.log),
    "log10": (_real(math.log10, _log_pole), cmath.log10),
    "log1p": (_real(math.log1p, _log1p_pole), None),
    "expm1": (_real(math.expm1), None),
    "sin": (_real(math.sin), cmath.sin),
    "cos": (_real(math.cos), cmath.cos),
    "tan": (_real(math.tan), cmath.tan),
    "asin": (_real(math.asin), cmath.asin),
    "acos": (_real(math.acos), cmath.acos),
    "atan": (_real(math.atan), cmath.atan),
    "sinh": (_sinh, cmath.sinh),
    "cosh": (_real(math.cosh), cmath.cosh),
    "tanh": (_real(math.tanh), cmath.tanh),
    "asinh": (_real(math.asinh), cmath.asinh),
    "acosh": (_real(math.acosh), cmath.acosh),
    "atanh": (_real(math.atanh, _atanh_pole), cmath.atanh),
    "erf": (_real(math.erf), None),
    "erfc": (_real(math.erfc), None),
    "gamma": (_real(math.gamma, _gamma_pole), None),
    "lgamma": (_real(math.lgamma, _INF), None),
    "degrees": (math.degrees, None),
    "radians": (math.radians, None),
    "fabs": (math.fabs, None),
}


def _attach_functions() -> None:
    for name, (real, of_complex) in _FUNCTIONS.items():
        complex_function = None if of_complex is None else _complex(of_complex)

        def of_scalar(
            a: Any,
            real: Callable[[Any], Any] = real,
            other: Callable[[complex], complex] | None = complex_function,
        ) -> Any:
            if isinstance(a, complex) and other is not None:
                return other(a)
            return real(a)

        _attach(name, real, "int float")
        _attach(name, of_scalar, "Scalar")
        if complex_function is not None:
            _attach(name, complex_function, "complex")


_attach_functions()


def _whole(function: Callable[[float], int]) -> Callable[[Any], int]:
    def apply(a: Any) -> int:
        try:
            return wrap_int(function(a))
        except (OverflowError, ValueError):
            raise RuntimeError(f"Cannot convert float {a} to integer") from None

    return apply


_attach("floor", _whole(math.floor), "int float Scalar")
_attach("ceil", _whole(math.ceil), "int float Scalar")
_attach("round", lambda a: float(round(a)) if math.isfinite(a) else float(a), "int float Scalar")
_attach("neg", lambda a: wrap_int(-a) if isinstance(a, int) else -a, "int float complex Scalar")
_attach(
    "prim::abs",
    lambda a: wrap_int(abs(a)) if isinstance(a, int) else abs(a),
    "int float complex Scalar",
)
_attach("isnan", lambda a: a != a, "float")
_attach("isnan", cmath.isnan, "complex")
_attach("isinf", math.isinf, "float")
_attach("isinf", cmath.isinf, "complex")
_attach("isfinite", math.isfinite, "float")
_attach("isfinite", cmath.isfinite, "complex")
_attach("angle", lambda a: math.pi if a < 0 else 0.0, "int float")
_attach("angle", lambda a: cmath.phase(complex(a)), "complex Scalar")
_attach("frexp", math.frexp, "-")
_attach("modf", math.modf, "-")


@registry.kernel("ldexp")
def ldexp(x: float, i: int) -> float:
    try:
        return math.ldexp(x, i)
    except OverflowError:
        return math.copysign(_INF, x)


@registry.kernel("factorial.int")
def factorial(a: int) -> int:
    if a < 0:
        raise RuntimeError("factorial() not defined for negative values")
    result = 1
    for factor in range(2, a + 1):
        result = wrap_int(result * factor)
        if not result:
            break
    return result


# Functions of two numbers


def log_to_base(a: Any, b: Any) -> Any:
    if isinstance(a, complex) or isinstance(b, complex):
        return divide(_complex(cmath.log)(a), _complex(cmath.log)(b))
    log = _FUNCTIONS["log"][0]
    return divide(log(a), log(b))


_attach(
    "log",
    log_to_base,
    "int_int float_float complex_complex int_float float_int int_complex complex_int float_complex "
    "complex_float Scalar_Scalar",
)
_attach("atan2", math.atan2, f"{_REAL_PAIRS} Scalar_Scalar")
_attach("copysign", math.copysign, f"{_REAL_PAIRS} -")
_attach("gcd", math.gcd, "int")
_attach("polar", cmath.rect, f"{_REAL_PAIRS} Scalar_Scalar")


def _common(a: Any, b: Any, chosen: Any) -> Any:
    return float(chosen) if isinstance(a, float) or isinstance(b, float) else chosen


def maximum(a: Any, b: Any) -> Any:
    """The larger one by `a > b ? a : b`, as a float if either is."""
    return _common(a, b, a if a > b else b)


def minimum(a: Any, b: Any) -> Any:
    """The smaller one by `a < b ? a : b`, as a float if either is."""
    return _common(a, b, a if a < b else b)


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


_never_raise("add sub mul eq ne", _PAIRS)
_never_raise("div lt le gt ge prim::max prim::min", _REAL_PAIRS)
_never_raise("eq ne lt le gt ge", "bool str")
_never_raise("__and__ __or__ __xor__ __lshift__ __rshift__", "bool int")
_never_raise("__not__ __is__ __isnot__", "-")
_never_raise("Float Bool neg", "int float bool")
