"""Writes test/golden/elementary.json: float64 results of the elementary functions, rounded once.

    python tools/make_elementary_golden.py

Needs mpmath. Per function: a list of [argument, ..., result], floats in hexadecimal. Special values
(inf, NaN, zeros) are not among them, NumPy knows those.
"""

from __future__ import annotations

import json
import math
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import mpmath

Number: TypeAlias = Any
"""A number of mpmath, whose types a checker cannot see."""

# Enough for the remainder of 2^1023 by pi.
mpmath.mp.prec = 1400

GOLDEN = Path(__file__).parent.parent / "test" / "golden" / "elementary.json"
COUNT = 60


def magnitudes(random_: random.Random, low: float, high: float, signed: bool = True) -> list[float]:
    """Numbers spread evenly over the exponents between 2^low and 2^high."""
    numbers = [2.0 ** random_.uniform(low, high) for _ in range(COUNT)]
    return [x * random_.choice((-1.0, 1.0)) if signed else x for x in numbers]


def uniform(random_: random.Random, low: float, high: float) -> list[float]:
    return [random_.uniform(low, high) for _ in range(COUNT)]


def near_multiples(random_: random.Random) -> list[float]:
    """Floats next to multiples of pi / 2, and the double that comes nearest to one of all."""
    numbers = [
        float(mpmath.pi / 2 * random_.randrange(1, 10**k)) for k in range(1, 16) for _ in range(2)
    ]
    return [
        *numbers,
        6381956970095103 * 2.0**797,
        2.0**1023,
        1e22,
        -1e300,
        710.0,
        0.7853981633974483,
    ]


def around(center: float) -> list[float]:
    """Numbers that approach the center from both sides."""
    return [center + sign * 2.0**-k for k in range(2, 50, 3) for sign in (-1.0, 1.0)]


def arguments(name: str, random_: random.Random) -> list[tuple[float, ...]]:
    """The arguments at which `name` is stored."""
    if name in ("sin", "cos", "tan"):
        numbers = (
            magnitudes(random_, -40, 1023.9) + near_multiples(random_) + uniform(random_, -10, 10)
        )
    elif name in ("exp", "expm1", "sinh", "cosh", "sigmoid"):
        numbers = (
            magnitudes(random_, -40, 9.4) + uniform(random_, -745, 709) + [-744.9, -710.0, 709.78]
        )
    elif name == "exp2":
        numbers = (
            magnitudes(random_, -40, 9.9)
            + uniform(random_, -1074, 1023)
            + [-1074.0, -1074.4, 1023.9]
        )
    elif name in ("log", "log2", "log10"):
        numbers = (
            magnitudes(random_, -1074, 1023, signed=False) + around(1.0) + uniform(random_, 0, 3)
        )
        numbers += [float(10**k) for k in range(-5, 20, 3)]
    elif name == "log1p":
        numbers = (
            magnitudes(random_, -1060, 1023, signed=False)
            + around(0.0)
            + uniform(random_, -0.999, 3)
        )
    elif name in ("asin", "acos", "atanh"):
        numbers = (
            uniform(random_, -1, 1)
            + [x for x in around(1.0) if x < 1]
            + magnitudes(random_, -60, 0)
        )
    elif name == "acosh":
        numbers = [x for x in around(1.0) if x > 1] + [
            1.0 + x for x in magnitudes(random_, -40, 1000, False)
        ]
    elif name in ("erf", "erfc"):
        numbers = magnitudes(random_, -60, 3) + uniform(random_, -7, 26.4) + around(1.0)
    elif name == "atan2":
        pairs = zip(magnitudes(random_, -400, 400), magnitudes(random_, -400, 400), strict=True)
        more = zip(uniform(random_, -3, 3), uniform(random_, -3, 3), strict=True)
        return [*pairs, *more]
    elif name == "pow":
        logs = zip(magnitudes(random_, -1000, 1000, False), uniform(random_, -1, 1), strict=True)
        near = zip(
            [1 + x for x in magnitudes(random_, -40, -2)], magnitudes(random_, 2, 14), strict=True
        )
        whole = [(-x, float(n)) for n, x in enumerate(uniform(random_, 0.1, 4), -30)]
        large = [
            (x, 650 * random_.uniform(0.9, 1) / math.log(x))
            for x in magnitudes(random_, 1, 400, False)
        ]
        return [*logs, *near, *whole, *large, *[(x, -y) for x, y in large]]
    else:
        numbers = magnitudes(random_, -1060, 1000) + magnitudes(random_, -10, 5)
    return [(x,) for x in numbers]


def power(x: Number, y: Number) -> Number:
    return mpmath.power(x, y).real


def cbrt(x: Number) -> Number:
    return mpmath.sign(x) * mpmath.cbrt(abs(x))


FUNCTIONS: dict[str, Callable[..., Number]] = {
    "acos": mpmath.acos,
    "acosh": mpmath.acosh,
    "asin": mpmath.asin,
    "asinh": mpmath.asinh,
    "atan": mpmath.atan,
    "atan2": mpmath.atan2,
    "atanh": mpmath.atanh,
    "cbrt": cbrt,
    "cos": mpmath.cos,
    "cosh": mpmath.cosh,
    "erf": mpmath.erf,
    "erfc": mpmath.erfc,
    "exp": mpmath.exp,
    "exp2": lambda x: mpmath.power(2, x),
    "expm1": mpmath.expm1,
    "log": mpmath.log,
    "log10": mpmath.log10,
    "log1p": mpmath.log1p,
    "log2": lambda x: mpmath.log(x, 2),
    "pow": power,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "sin": mpmath.sin,
    "sinh": mpmath.sinh,
    "tan": mpmath.tan,
    "tanh": mpmath.tanh,
}


def nearest_double(x: Number) -> float:
    """x rounded once, also where the result is denormal."""
    if abs(x) >= mpmath.mpf(2) ** -1022 or x == 0:
        return float(x)
    units = int(mpmath.nint(abs(x) * mpmath.mpf(2) ** 1074))
    (value,) = struct.unpack("<d", struct.pack("<q", units))
    return math.copysign(value, float(mpmath.sign(x)))


def main() -> None:
    table: dict[str, list[list[str]]] = {}
    for name, function in FUNCTIONS.items():
        rows: list[list[str]] = []
        for point in arguments(name, random.Random(name)):
            result = nearest_double(function(*(mpmath.mpf(x) for x in point)))
            rows.append([*(x.hex() for x in point), result.hex()])
        table[name] = rows
    lines = (
        f'"{name}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]"
        for name, rows in table.items()
    )
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
