"""Other roundings: how much a result may change where a pass may round otherwise.

Note [Stochastic rounding]
A pass that adds in another order, or takes another approximation of a function, may change results by as much as rounding
decides about them, which is next to nothing in one program and everything in another (`floor(log2(x))`). So no tolerance is
assumed: the program is run some times more with every result of such an op off by a unit in the last place (a few, for functions)
up or down at random, and a result may differ by as much as these runs do (Monte Carlo arithmetic: Parker 1997).

A product that overflows is infinite, but in a fused multiply-add it is not: `inf + a * b` is then inf instead of NaN. So what
overflows in a sum or product of finite numbers is the largest number instead in some of these runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import ml_dtypes
import numpy as np

SUMS = "sums"
"""Sums and products of many numbers, in any order and with fused multiply-adds."""
FUNCTIONS = "functions"
"""Elementary functions: docs/accuracy.md has how far off ours are."""

FUNCTION_UNITS = 4
"""More than the 2.4 units of the worst function, as NumPy's are off, too."""


class Rounding:
    """Exact rounding, or with a seed another one for these kinds of ops."""

    def __init__(self, kinds: frozenset[str] = frozenset(), seed: int = 0) -> None:
        self.kinds = kinds
        self.random = np.random.default_rng(seed)

    def arithmetic(self, value: Any, *terms: Any) -> Any:
        """The result of a sum or product of these terms; without terms, of another operation that rounds."""
        if SUMS not in self.kinds:
            return value
        moved = self._off(value, 1)
        return self._without_overflow(moved, terms) if terms else moved

    def function(self, value: Any) -> Any:
        """The result of an elementary function."""
        return self._off(value, FUNCTION_UNITS) if FUNCTIONS in self.kinds else value

    def _without_overflow(self, value: Any, terms: Sequence[Any]) -> Any:
        """The value, with the largest number at random where it is infinite and no term is."""
        overflows = np.isinf(value)
        for term in terms:
            overflows = overflows & np.isfinite(term)
        if not np.any(overflows):
            return value
        kind = np.asarray(value).dtype
        largest: Any = np.copysign(cast(Any, ml_dtypes).finfo(kind).max, value)
        chosen = overflows & self.random.choice([False, True], np.shape(value))
        return cast(Any, np).where(chosen, largest, value).astype(kind)

    def _off(self, value: Any, units: int) -> Any:
        kind = np.asarray(value).dtype
        if kind.itemsize < 4:
            units = 1  # computed in float32 and rounded once
        eps = {2: 2.0**-8, 4: 2.0**-23, 8: 2.0**-52}[kind.itemsize]
        signs = self.random.choice([-1.0, 1.0], np.shape(value))
        wide = np.asarray(value).astype(np.longdouble)
        moved = (wide * (1 + signs * units * eps)).astype(kind)
        return moved if np.ndim(value) else moved[()]
