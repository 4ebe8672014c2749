"""ratio_iou in the systems that do not take PyTorch's source."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.sources import shared_builds


def numpy_ratio_iou(x1, y1, w1, h1, x2, y2, w2, h2):
    wi = np.maximum(np.minimum(x1 + w1, x2 + w2) - np.maximum(x1, x2), 0)
    hi = np.maximum(np.minimum(y1 + h1, y2 + h2) - np.maximum(y1, y2), 0)
    area_i = wi * hi
    area_u = w1 * h1 + w2 * h2 - area_i
    return area_i / np.maximum(area_u, np.float32(1e-5))


def _jax() -> Callable[..., Any]:
    import jax
    import jax.numpy as jnp

    @jax.jit
    def ratio_iou(x1, y1, w1, h1, x2, y2, w2, h2):
        wi = jnp.maximum(jnp.minimum(x1 + w1, x2 + w2) - jnp.maximum(x1, x2), 0)
        hi = jnp.maximum(jnp.minimum(y1 + h1, y2 + h2) - jnp.maximum(y1, y2), 0)
        area_i = wi * hi
        area_u = w1 * h1 + w2 * h2 - area_i
        return area_i / jnp.maximum(area_u, 1e-5)

    return ratio_iou


def _numba() -> Callable[..., Any]:
    import numba

    zero, least = np.float32(0), np.float32(1e-5)

    @numba.njit(parallel=True, error_model="numpy")
    def ratio_iou(x1, y1, w1, h1, x2, y2, w2, h2):
        out = np.empty_like(x1)
        x1, y1, w1, h1 = x1.ravel(), y1.ravel(), w1.ravel(), h1.ravel()
        x2, y2, w2, h2 = x2.ravel(), y2.ravel(), w2.ravel(), h2.ravel()
        flat = out.ravel()
        for i in numba.prange(flat.size):
            wi = max(min(x1[i] + w1[i], x2[i] + w2[i]) - max(x1[i], x2[i]), zero)
            hi = max(min(y1[i] + h1[i], y2[i] + h2[i]) - max(y1[i], y2[i]), zero)
            area_i = wi * hi
            area_u = w1[i] * h1[i] + w2[i] * h2[i] - area_i
            flat[i] = area_i / max(area_u, least)
        return out

    return ratio_iou


BUILD = {
    **shared_builds("ratio_iou", "ratio_iou"),
    "jax": _jax,
    "numba": _numba,
    "numpy": lambda: numpy_ratio_iou,
}
