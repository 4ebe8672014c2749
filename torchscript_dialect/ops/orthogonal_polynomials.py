"""Orthogonal polynomials of a tensor of degrees, by their recurrences in three terms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.wide_functions import array_function

Array = NDArray[Any]
where: Callable[..., Any] = np.where
"""NumPy's, whose stubs leave its type open."""
Step = Callable[[int, Array, Array, Array], Array]
"""The polynomial of degree k from x and those of degrees k - 1 and k - 2."""


def _polynomial(first: Callable[[Array], Array], step: Step) -> Callable[[Array, Array], Array]:
    """The function of x and degrees; 0 for negative degrees, which are cut to whole numbers."""

    def run(x: Array, degrees: Array) -> Array:
        x, n = np.broadcast_arrays(x, np.trunc(degrees))
        before, last = np.ones_like(x), first(x)
        result = where(n == 0, before, where(n == 1, last, 0.0))
        degrees_found = n[np.isfinite(n)]
        highest = int(degrees_found.max()) if degrees_found.size else 0
        for k in range(2, highest + 1):
            before, last = last, step(k, x, last, before)
            result = where(n == k, last, result)
        return result

    return run


def _chebyshev(k: int, x: Array, last: Array, before: Array) -> Array:
    return 2 * x * last - before


_CHEBYSHEV: dict[str, Callable[[Array], Array]] = {
    "t": lambda x: x,
    "u": lambda x: 2 * x,
    "v": lambda x: 2 * x - 1,
    "w": lambda x: 2 * x + 1,
}
_POLYNOMIALS: dict[str, Callable[[Array, Array], Array]] = {
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
    array_function(
        f"special_{_name} special_{_name}.x_scalar special_{_name}.n_scalar",
        _run,
        f"{_name}_cpu",
        promotes=frozenset(("x", "n")),
    )
