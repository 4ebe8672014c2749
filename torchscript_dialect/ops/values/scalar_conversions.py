"""Conversions between numbers, and from text to numbers."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.values.scalar_rules import (
    HALF,
    HALF_32,
    INF,
    attach,
    inline,
    never_raise,
    wrap_int,
)


def narrowed(value: Any) -> Any:
    """An int in 32 bits, a float in single precision."""
    if isinstance(value, int):
        return (value + HALF_32) % (2 * HALF_32) - HALF_32
    with np.errstate(all="ignore"):
        return float(np.float32(value))


def to_whole(function: Callable[[float], int]) -> Callable[[Any], int]:
    """A rounding to 64 bits; RuntimeError for what is far from every int, the smallest int for 2**63."""

    def apply(a: Any) -> int:
        value = float(a)
        if not -HALF <= value <= HALF:
            raise RuntimeError(f"Cannot convert float {value} to integer")
        return wrap_int(function(value))

    return apply


def int_of(value: Any) -> int:
    """Rounded to zero; floats that no int is near give the smallest int, as processors have it."""
    if isinstance(value, complex):
        value = value.real
    if isinstance(value, float):
        if value != value or not -HALF <= value < HALF:
            return -HALF
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
    if not -HALF <= value < HALF:
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
        value = INF
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
    if isinstance(value, float) and not -HALF_32 <= value < HALF_32:
        raise RuntimeError("value cannot be converted to type int without overflow")
    return int_of(value)


attach("Int", int_of, "bool float")
attach("Int", int_of_number, "Scalar")
attach("Float", float_of, "int bool Scalar")
attach("Bool", bool, "int float")
attach(
    "Complex",
    lambda a: complex(a),
    "Scalar",
)


def _part(value: float) -> float:
    """A part of a complex number: PyTorch takes the last 32 bits of an int."""
    return value if isinstance(value, float) else (int(value) + HALF_32) % (2 * HALF_32) - HALF_32


attach(
    "Complex",
    lambda a, b: complex(_part(a), _part(b)),
    "int_bool bool_int float_bool bool_float float_int int_float int_int bool_bool float_float",
)
inline("Float", "int Scalar", "{0}.real * 1.0")
never_raise("Float Bool", "int float bool")
