"""Orthogonal polynomials of a tensor of degrees, by their recurrences in three terms."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan

from torchscript_dialect.ops.special.wide_functions import (
    Real,
    Truth,
    loop,
    truncated,
    where,
    wide_function_of_two,
)

Step = Callable[[Real, Real, Real, Real], Real]
"""The polynomial of degree k from k, x and those of degrees k - 1 and k - 2."""


def _polynomial(first: Callable[[Real], Real], step: Step) -> Callable[[Real, Real], Real]:
    """The function of x and degrees; 0 for negative degrees, which are cut to whole numbers."""

    def run(x: Real, degrees: Real) -> Real:
        n = truncated(degrees)
        one = x.of(1)

        def goes_on(k: Real, _before: Real, _last: Real) -> Truth:
            return k <= n

        def one_more(k: Real, before: Real, last: Real) -> list[Real]:
            return [k + 1, last, step(k, x, last, before)]

        start = where(n < inf, 2.0, nan)
        _, _, last = loop([start, one, first(x)], goes_on, one_more)
        is_whole = (n >= 1) & (n < inf)
        return where(n.equals(0), one, where(is_whole, last, 0.0))

    return run


def _chebyshev(_: Real, x: Real, last: Real, before: Real) -> Real:
    return 2 * x * last - before


_CHEBYSHEV: dict[str, Callable[[Real], Real]] = {
    "t": lambda x: x,
    "u": lambda x: 2 * x,
    "v": lambda x: 2 * x - 1,
    "w": lambda x: 2 * x + 1,
}
_POLYNOMIALS: dict[str, Callable[[Real, Real], Real]] = {
    f"chebyshev_polynomial_{kind}": _polynomial(first, _chebyshev)
    for kind, first in _CHEBYSHEV.items()
}
for _name, _run in list(_POLYNOMIALS.items()):
    _POLYNOMIALS[f"shifted_{_name}"] = lambda x, n, run=_run: run(2 * x - 1, n)
_POLYNOMIALS["hermite_polynomial_h"] = _polynomial(
    lambda x: 2 * x, lambda k, x, last, before: 2 * x * last - 2 * (k - 1) * before
)
_POLYNOMIALS["hermite_polynomial_he"] = _polynomial(
    lambda x: x, lambda k, x, last, before: x * last - (k - 1) * before
)
_POLYNOMIALS["laguerre_polynomial_l"] = _polynomial(
    lambda x: 1 - x, lambda k, x, last, before: ((2 * k - 1 - x) * last - (k - 1) * before) / k
)
_POLYNOMIALS["legendre_polynomial_p"] = _polynomial(
    lambda x: x, lambda k, x, last, before: ((2 * k - 1) * x * last - (k - 1) * before) / k
)

for _name, _run in _POLYNOMIALS.items():
    wide_function_of_two(
        f"special_{_name} special_{_name}.x_scalar special_{_name}.n_scalar",
        _run,
        f"{_name}_cpu",
        promotes=frozenset(("x", "n")),
    )
