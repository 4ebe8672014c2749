"""Medians, quantiles, modes."""

import numpy as np

from samples.arrays import array, transposed

_NAN = np.array([[1.0, np.nan, 3.0, 2.0], [4.0, 0.0, np.nan, np.nan]], np.float32)
_ANY = [
    lambda: array((3, 5)),
    lambda: np.arange(15).reshape(5, 3).T[:, ::2],
    lambda: array((2, 5), "bfloat16"),
    lambda: _NAN.copy(),
    lambda: array(()),
]


def _with(*rest):
    return [lambda x=x, r=r: (x(), *r) for r in rest for x in _ANY]


_FLOATS = [lambda: array((3, 5)), lambda: transposed((3, 5), "float64"), lambda: _NAN.copy()]
_MODES = ("linear", "lower", "higher", "midpoint", "nearest")

SAMPLES = {
    "kthvalue": _with((1, -1, False), (2, 0, True), (9, 0, False), (1, 3, False)),
    "mode": [lambda: (np.array([[3, 1, 3, 1], [2, 2, 0, 5]]), -1, False)],
    "mode median.dim nanmedian.dim": [
        *_with((-1, False), (3, False)),
        lambda: (array((3, 4)), 0, True),
        lambda: (array((2, 0)), 1, False),
    ],
    "nanmedian": [*_with(()), lambda: (array((0,)),), lambda: (array((2, 2), "complex64"),)],
    "quantile nanquantile": [
        lambda x=x, q=q, d=d, k=k, m=m: (x(), q.astype(x().dtype), d, k, m)
        for x in _FLOATS
        for q in (np.array(0.3), np.array([0.0, 0.55, 1.0]))
        for d, k in ((None, False), (1, True), (0, False))
        for m in _MODES
    ],
    "quantile.scalar nanquantile.scalar": [
        *(lambda x=x, m=m: (x(), 0.4, 1, False, m) for x in _FLOATS for m in _MODES),
        lambda: (array((3,)), 1.5, 0, False, "linear"),
        lambda: (array((3,), "int64"), 0.5, 0, False, "linear"),
        lambda: (array((3,)), 0.5, 0, False, "no"),
    ],
}
