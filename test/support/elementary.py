"""The elementary functions of lowering/math: what they are compared with, where, and how errors are counted."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import math as math_dialect
from xdsl.ir import Operation

from lowering.dialects import math_ext
from lowering.math import exponential
from lowering.math.expand_math import Recipe

Array = NDArray[np.floating]

GOLDEN = Path(__file__).parent.parent / "golden" / "elementary.json"
LARGEST_ULP = 2.5
LARGEST_RELATIVE_ERROR = 1e-14


def _sigmoid(x: Array) -> Array:
    decay = np.exp(-np.abs(x))
    return np.where(x < 0, decay, 1.0) / (1.0 + decay)


@dataclass(frozen=True)
class Function:
    """A function under test.

    what: the operation class that ts-expand-math rewrites, or a recipe without an operation. reference: the same over NumPy
    arrays. arity: number of arguments. usual: where its speed is measured. NumPy's float64 results, good to
    a few ulps, are exact enough to judge float32.
    """

    name: str
    what: type[Operation] | Recipe
    reference: Callable[..., Array]
    arity: int = 1
    usual: tuple[float, float] = (-4.0, 4.0)


FUNCTIONS = {
    f.name: f
    for f in (
        Function("exp", math_dialect.ExpOp, np.exp),
        Function("exp2", math_dialect.Exp2Op, np.exp2),
        Function("expm1", math_dialect.ExpM1Op, np.expm1),
        Function("sigmoid", exponential.sigmoid, _sigmoid),
        Function("log", math_dialect.LogOp, np.log, usual=(0.1, 10.0)),
        Function("log2", math_dialect.Log2Op, np.log2, usual=(0.1, 10.0)),
        Function("log10", math_dialect.Log10Op, np.log10, usual=(0.1, 10.0)),
        Function("log1p", math_dialect.Log1pOp, np.log1p, usual=(-0.9, 10.0)),
        Function("tanh", math_dialect.TanhOp, np.tanh),
        Function("sinh", math_dialect.SinhOp, np.sinh),
        Function("cosh", math_dialect.CoshOp, np.cosh),
        Function("asinh", math_dialect.AsinhOp, np.arcsinh),
        Function("acosh", math_dialect.AcoshOp, np.arccosh, usual=(1.0, 10.0)),
        Function("atanh", math_dialect.AtanhOp, np.arctanh, usual=(-0.9, 0.9)),
        Function("sin", math_dialect.SinOp, np.sin),
        Function("cos", math_dialect.CosOp, np.cos),
        Function("tan", math_dialect.TanOp, np.tan),
        Function("asin", math_dialect.AsinOp, np.arcsin, usual=(-0.9, 0.9)),
        Function("acos", math_dialect.AcosOp, np.arccos, usual=(-0.9, 0.9)),
        Function("atan", math_dialect.AtanOp, np.arctan),
        Function("atan2", math_dialect.Atan2Op, np.arctan2, arity=2),
        Function("erf", math_dialect.ErfOp, np.vectorize(math.erf, otypes=[np.float64])),
        Function("erfc", math_ext.ErfcOp, np.vectorize(math.erfc, otypes=[np.float64])),
        Function("pow", math_dialect.PowFOp, np.power, arity=2, usual=(0.1, 4.0)),
        Function("rsqrt", math_dialect.RsqrtOp, lambda x: 1.0 / np.sqrt(x), usual=(0.1, 10.0)),
        Function("cbrt", math_dialect.CbrtOp, np.cbrt),
    )
}


def every_exponent(dtype: type[np.floating], per_exponent: int, seed: int = 0) -> Array:
    """Both signs of every exponent, denormals and NaN's included, with random mantissas and the extreme ones."""
    mantissa, exponents, bits = (
        (23, 256, np.uint32) if dtype == np.float32 else (52, 2048, np.uint64)
    )
    low = np.random.default_rng(seed).integers(
        0, 1 << mantissa, (2 * exponents, per_exponent), dtype=np.int64
    )
    low[:, 0], low[:, 1], low[:, 2] = 0, 1, (1 << mantissa) - 1
    high = np.arange(2 * exponents, dtype=np.uint64)[:, None] << np.uint64(mantissa)
    return (high | low.astype(np.uint64)).astype(bits).ravel().view(dtype)


def specials(dtype: type[np.floating]) -> Array:
    """Numbers at which functions have limits or change their branch."""
    info = np.finfo(dtype)
    positive = [
        0.0, info.smallest_subnormal, info.tiny, info.eps, 0.25, 0.5, 0.625, 1.0 - info.epsneg, 1.0,
        1.0 + info.eps, 1.5, 2.0, 3.0, 4.0, 7.0, 10.0, 88.7, 89.0, 104.0, 127.5, 710.0, 2.0**23 + 1, 2.0**24,
        2.0**31, 2.0**52, float(info.max), math.inf,
    ]  # fmt: skip
    return np.array([*positive, *(-x for x in positive), math.nan], dtype)


def pairs(values: Array) -> tuple[Array, Array]:
    """Every value with every value."""
    first, second = np.meshgrid(values, values)
    return first.ravel(), second.ravel()


def ulp_errors(result: Array, reference: Array) -> NDArray[np.float64]:
    """Distance of float32 results from a float64 reference in units of the reference's last float32 place.

    Infinite where NaN, infinity or the sign of a zero is not the reference's (rounded to float32).
    """
    with np.errstate(all="ignore"):
        rounded = reference.astype(np.float32)
        finite = np.isfinite(rounded)
        ulp = np.spacing(np.abs(np.where(finite, rounded, 1.0)).astype(np.float32)).astype(
            np.float64
        )
        errors = np.abs(result.astype(np.float64) - reference) / ulp
    same = (result == rounded) & (np.signbit(result) == np.signbit(rounded))
    # Half an ulp beyond the largest number rounds to inf; results at the border may fall on either side.
    border = (
        ~finite
        & np.isfinite(result)
        & (np.abs(reference) < 2.0**128)
        & (np.abs(result) > 3.4028e38)
    )
    same |= (np.isnan(result) & np.isnan(rounded)) | border
    broken = (
        ~finite & ~same
        | np.isnan(errors) & finite
        | (np.signbit(result) != np.signbit(rounded)) & finite
    )
    return np.where(broken, math.inf, np.where(same, np.where(finite, errors, 0.0), errors))


def relative_errors(result: Array, reference: Array) -> NDArray[np.float64]:
    """|result / reference - 1|; denormal references count as if they were the smallest normal number.

    Infinite where NaN, infinity or the sign of a zero is not the reference's.
    """
    with np.errstate(all="ignore"):
        scale = np.maximum(np.abs(reference), np.finfo(np.float64).tiny)
        errors = np.abs(result - reference) / scale
    same = (result == reference) | (np.isnan(result) & np.isnan(reference))
    signs = (np.signbit(result) == np.signbit(reference)) | np.isnan(reference)
    return np.where(same & signs, 0.0, np.where(signs & np.isfinite(errors), errors, math.inf))


def golden_points() -> dict[str, tuple[list[Array], Array]]:
    """Per function: its arguments and the correctly rounded float64 results."""
    table: dict[str, tuple[list[Array], Array]] = {}
    for name, rows in json.loads(GOLDEN.read_text()).items():
        columns = [
            np.array([float.fromhex(x) for x in column]) for column in zip(*rows, strict=True)
        ]
        table[name] = columns[:-1], columns[-1]
    return table
