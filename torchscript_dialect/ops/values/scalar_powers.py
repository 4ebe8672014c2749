"""Powers of numbers."""

from __future__ import annotations

import math
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.values.scalar_functions import FUNCTIONS, complex_exp, complex_log
from torchscript_dialect.ops.values.scalar_rules import INF, NAN, WIDTH, attach, wrap_int


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
        return _infinity(a, b) if a == 0 else NAN


def _infinity(a: float, b: float) -> float:
    """With the sign of a to the b."""
    return math.copysign(INF, a) if abs(math.fmod(b, 2)) == 1 else INF


def _complex_power(a: Any, b: Any) -> complex:
    """By logarithm and exponential, or by size and angle where one operand is real (std::pow of complex numbers)."""
    if not isinstance(b, complex):
        b = float(b)
        if a.imag == 0 and a.real > 0:
            return complex(_real_power(a.real, b))
        log = complex_log(complex(a))
        return _polar(FUNCTIONS["exp"](b * log.real), b * log.imag)
    if not isinstance(a, complex) and a > 0:
        return _polar(_real_power(float(a), b.real), b.imag * FUNCTIONS["log"](a))
    log = complex_log(complex(a))
    return complex_exp(b * log)


def _polar(size: float, angle: float) -> complex:
    return complex(size * FUNCTIONS["cos"](angle), size * FUNCTIONS["sin"](angle))


@registry.kernel("pow.int_to_int")
def power_of_ints(a: int, b: int) -> int:
    """a to the b in 64 bits; negative powers are truncated to 0, 1 or -1."""
    if b >= 0:
        return wrap_int(pow(a, b, WIDTH))
    if a in (1, -1):
        return 1 if a == 1 or b % 2 == 0 else -1
    if a == 0:
        raise RuntimeError("0 cannot be raised to a negative power")
    return 0


attach(
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
