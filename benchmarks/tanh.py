"""The tanh program in the systems that do not take PyTorch's source."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.sources import shared_builds


def numpy_f(a, b):
    c = a + b
    d = c * c
    e = np.tanh(d * c)
    return d + (e + e)


def _jax() -> Callable[..., Any]:
    import jax
    import jax.numpy as jnp

    @jax.jit
    def f(a, b):
        c = a + b
        d = c * c
        e = jnp.tanh(d * c)
        return d + (e + e)

    return f


def _numba() -> Callable[..., Any]:
    import numba

    @numba.njit(parallel=True, error_model="numpy")
    def f(a, b):
        out = np.empty_like(a)
        a, b, flat = a.ravel(), b.ravel(), out.ravel()
        for i in numba.prange(flat.size):
            c = a[i] + b[i]
            d = c * c
            e = math.tanh(d * c)
            flat[i] = d + (e + e)
        return out

    return f


BUILD = {
    **shared_builds("tanh", "f"),
    "jax": _jax,
    "numba": _numba,
    "numpy": lambda: numpy_f,
}
