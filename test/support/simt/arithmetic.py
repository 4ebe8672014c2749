"""What arithmetic instructions compute, on arrays of one value a thread (PTX ISA, section 9.7)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from support.simt.faults import Fault

Array = NDArray[Any]

DTYPES: dict[str, Any] = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}
DTYPES |= {
    f"{k}{n}": np.dtype(f"{'i' if k == 's' else 'u'}{n // 8}")
    for k in "bus"
    for n in (8, 16, 32, 64)
}
DTYPES["pred"] = np.bool_


def is_float(type_: str) -> bool:
    """Whether a type is one of floats."""
    return "f" in type_


def fma(a: Array, b: Array, c: Array) -> Array:
    """a * b + c, rounded once."""
    if a.dtype == np.float64:
        return _fma64(a, b, c)
    # The product is exact in float64. The sum is rounded to odd there, which keeps what the second rounding has to know.
    product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    total = product + addend
    back = total - product
    error = (product - (total - back)) + (addend - back)
    is_inexact = np.isfinite(total) & (error != 0)
    bits = total.view(np.int64)
    is_even = bits & 1 == 0
    towards = np.where((error > 0) == (total > 0), 1, -1)
    bits = np.where(is_inexact & is_even, bits + towards, bits)
    return narrowed(bits.view(np.float64), a.dtype)


def _fma64(a: Array, b: Array, c: Array) -> Array:
    """`fma` of float64: the product as two numbers, and the sum of three rounded to odd before the last rounding (Boldo, Melquiond,
    Emulation of FMA and correctly rounded sums, 2008). Numbers so large or small that this is not exact go through fractions.
    """
    product, rest = _product(a, b)
    upper, lower = _sum(c, rest)
    total, more = _sum(product, upper)
    result = total + _odd_sum(more, lower)
    size = np.abs(product)
    is_plain = (size < 2.0**1000) & (size > 2.0**-900) & (np.abs(c) < 2.0**1000)
    is_plain &= (np.abs(a) < 2.0**900) & (np.abs(b) < 2.0**900)
    is_plain &= (np.abs(c) > 2.0**-900) | (c == 0)
    for place in np.flatnonzero(~is_plain):
        result[place] = _exact_fma(float(a[place]), float(b[place]), float(c[place]))
    return result


def _sum(a: Array, b: Array) -> tuple[Array, Array]:
    """A sum, and what it lacks."""
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)


def _product(a: Array, b: Array) -> tuple[Array, Array]:
    """A product, and what it lacks (Dekker)."""
    product = a * b
    (high, low), (first, last) = (_halves(one) for one in (a, b))
    return product, ((high * first - product) + high * last + low * first) + low * last


def _halves(a: Array) -> tuple[Array, Array]:
    scaled = a * 134217729.0
    high = scaled - (scaled - a)
    return high, a - high


def _odd_sum(a: Array, b: Array) -> Array:
    """A sum whose last bit is set where it is not exact."""
    total, error = _sum(a, b)
    bits = total.view(np.int64)
    is_even = (error != 0) & (bits & 1 == 0)
    return np.where(is_even, bits + np.where((error > 0) == (total > 0), 1, -1), bits).view(a.dtype)


def _exact_fma(a: float, b: float, c: float) -> float:
    if a == 0 or b == 0 or not (np.isfinite(a) and np.isfinite(b) and np.isfinite(c)):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c
    try:
        return float(exact)
    except OverflowError:
        return float("inf") if exact > 0 else float("-inf")


def narrowed(x: Array, dtype: Any) -> Array:
    """Floats in another format, rounded once to nearest even."""
    if np.dtype(dtype) == ml_dtypes.bfloat16 and x.dtype == np.float64:
        narrow = x.astype(np.float32)
        bits = narrow.view(np.int32)
        is_over = np.abs(narrow.astype(np.float64)) > np.abs(x)
        truncated = bits - is_over
        x = (
            np.where(np.isfinite(x) & (narrow != x), truncated | 1, bits)
            .astype(np.int32)
            .view(np.float32)
        )
    return x.astype(dtype)


def maximum(a: Array, b: Array) -> Array:
    """The larger, the one that is no NaN; -0 is less than 0."""
    if a.dtype.kind in "iu":
        return np.maximum(a, b)
    larger = np.where(np.isnan(a), b, np.where(np.isnan(b) | (a > b), a, b))
    return np.where((a == 0) & (b == 0), a + b, larger).astype(a.dtype)


def minimum(a: Array, b: Array) -> Array:
    """The smaller, the one that is no NaN; -0 is less than 0."""
    return -maximum(-a, -b) if a.dtype.kind not in "iu" else np.minimum(a, b)


def _divide(a: Array, b: Array) -> Array:
    if a.dtype.kind not in "iu":
        return (a / b).astype(a.dtype)
    if (b == 0).any():
        raise Fault("an integer is divided by 0")
    quotient = np.abs(a.astype(object)) // np.abs(b.astype(object))
    return np.where((a < 0) ^ (b < 0), -quotient, quotient).astype(a.dtype)


def _remainder(a: Array, b: Array) -> Array:
    if (b == 0).any():
        raise Fault("an integer is divided by 0")
    return np.fmod(a, b)


def _copysign(a: Array, b: Array) -> Array:
    return np.copysign(b, a)


def _shift_left(a: Array, n: Array) -> Array:
    width = a.dtype.itemsize * 8
    return np.where(n >= width, 0, a << np.minimum(n, width - 1).astype(a.dtype)).astype(a.dtype)


def _shift_right(a: Array, n: Array) -> Array:
    width = a.dtype.itemsize * 8
    shifted = a >> np.minimum(n, width - 1).astype(a.dtype)
    beyond = a >> (width - 1) if a.dtype.kind == "i" else 0
    return np.where(n >= width, beyond, shifted).astype(a.dtype)


def high(a: Array, b: Array) -> Array:
    """The upper half of a product of integers."""
    width = a.dtype.itemsize * 8
    return ((a.astype(object) * b.astype(object)) >> width).astype(a.dtype)


def _leading_zeros(a: Array) -> Array:
    width = a.dtype.itemsize * 8
    return np.array(
        [width - int(v).bit_length() for v in a.view(f"u{a.dtype.itemsize}")], np.uint32
    )


def _popcount(a: Array) -> Array:
    return np.array([int(v).bit_count() for v in a.view(f"u{a.dtype.itemsize}")], np.uint32)


def _reversed_bits(a: Array) -> Array:
    width = a.dtype.itemsize * 8
    return np.array([int(f"{int(v):0{width}b}"[::-1], 2) for v in a], a.dtype)


def extracted(a: Array, start: Array, count: Array) -> Array:
    """`bfe`: bits from `start`, as many as `count`, with their sign where the type has one."""
    width = a.dtype.itemsize * 8
    found: list[int] = []
    for value, s, n in zip(a, start & 255, count & 255, strict=True):
        bits = (int(value) >> int(s)) & ((1 << int(n)) - 1)
        if a.dtype.kind == "i" and n and (int(value) >> min(int(s + n) - 1, width - 1)) & 1:
            bits -= 1 << int(n)
        found.append(bits & ((1 << width) - 1))
    return np.array(found, f"u{a.dtype.itemsize}").view(a.dtype)


def permuted(a: Array, b: Array, selector: Array) -> Array:
    """`prmt`: four bytes chosen among the eight of a and b."""
    both = (b.astype(np.uint64) << np.uint64(32)) | a.astype(np.uint64)
    found = np.zeros(a.shape, np.uint32)
    for i in range(4):
        code = (selector >> np.uint32(4 * i)) & np.uint32(15)
        byte = (both >> (np.uint64(8) * (code & np.uint32(7)).astype(np.uint64))) & np.uint64(255)
        sign = np.where(byte & np.uint64(128) != 0, 255, 0).astype(np.uint64)
        found |= np.where(code & 8 != 0, sign, byte).astype(np.uint32) << np.uint32(8 * i)
    return found


UNARY: dict[str, Callable[[Array], Array]] = {
    "abs": np.abs,
    "neg": np.negative,
    "not": np.invert,
    "sqrt": np.sqrt,
    "rsqrt": lambda a: (1 / np.sqrt(a.astype(np.float64))).astype(a.dtype),
    "rcp": lambda a: (1 / a).astype(a.dtype),
    "ex2": np.exp2,
    "lg2": np.log2,
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "popc": _popcount,
    "clz": _leading_zeros,
    "brev": _reversed_bits,
}
BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": _divide,
    "rem": _remainder,
    "min": minimum,
    "max": maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "copysign": _copysign,
}
SHIFTS = {"shl": _shift_left, "shr": _shift_right}
COMPARISONS: dict[str, Callable[[Array, Array], Array]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lo": np.less,
    "ls": np.less_equal,
    "hi": np.greater,
    "hs": np.greater_equal,
}


def compared(name: str, a: Array, b: Array) -> Array:
    """What a comparison gives; of floats, `ne` is false and `neu` and the like are true where one is a NaN."""
    if a.dtype.kind in "iub":
        return COMPARISONS[name](a, b)
    is_nan = np.isnan(a) | np.isnan(b)
    if name in ("num", "nan"):
        return is_nan if name == "nan" else ~is_nan
    if name.endswith("u"):
        return COMPARISONS[name[:-1]](a, b) | is_nan
    return COMPARISONS[name](a, b) & ~is_nan


def flushed(x: Array) -> Array:
    """`.ftz`: subnormal numbers are 0 of their sign."""
    return np.where(np.abs(x) < np.finfo(np.float32).tiny, np.copysign(np.float32(0), x), x).astype(
        x.dtype
    )


_ROUNDINGS: dict[str, Callable[[Array], Array]] = {
    "rni": np.rint,
    "rzi": np.trunc,
    "rmi": np.floor,
    "rpi": np.ceil,
}


TF32_DROPPED = 13
"""Bits of the fraction of a float32 that tf32 does not have."""


def rounded_to_tf32(x: Array) -> Array:
    """`cvt.rna.tf32.f32`: the bits of float32 with a fraction of 10 bits, to nearest, ties away from zero; what is no number stays so."""
    bits = x.view(np.uint32)
    half = np.uint32(1 << (TF32_DROPPED - 1))
    rounded = (bits + half) >> np.uint32(TF32_DROPPED) << np.uint32(TF32_DROPPED)
    return np.where(np.isfinite(x), rounded, bits)


def converted(x: Array, to: str, modifiers: tuple[str, ...]) -> Array:
    """`cvt`.

    Raises:
        Fault: a rounding that is not known.
    """
    dtype = np.dtype(DTYPES[to])
    rounding = next(
        (m for m in modifiers if m in _ROUNDINGS or m in ("rn", "rz", "rm", "rp", "rna")), None
    )
    if rounding in ("rz", "rm", "rp", "rna"):
        raise Fault(f"conversions do not round by {rounding}")
    if rounding in _ROUNDINGS:
        x = _ROUNDINGS[rounding](x.astype(np.float64)).astype(
            np.float64 if not is_float(to) else x.dtype
        )
    is_from_float = x.dtype.kind not in "iub"
    if is_float(to):
        x = narrowed(x, dtype)
        return np.where(np.isnan(x), 0, np.clip(x, 0, 1)).astype(dtype) if "sat" in modifiers else x
    if not is_from_float and "sat" not in modifiers:
        return x.astype(dtype)
    limits = np.iinfo(dtype)
    if not is_from_float:
        return np.clip(x.astype(object), limits.min, limits.max).astype(dtype)
    values = [
        0
        if v != v
        else limits.max
        if v >= limits.max
        else max(int(v), limits.min)
        if np.isfinite(v)
        else limits.min
        for v in x
    ]
    return np.array(values, dtype)
