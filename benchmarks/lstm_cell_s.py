"""The LSTM cell in the systems that do not take PyTorch's source."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.sources import shared_builds


def arguments(batch: int, inputs: int, hidden: int) -> tuple[np.ndarray, ...]:
    """x (B, I), hx and cx (B, H), w_ih (4H, I), w_hh (4H, H), b_ih and b_hh (4H)."""
    rng = np.random.default_rng(0)
    bound = 1 / np.sqrt(hidden)
    states = [(batch, inputs), (batch, hidden), (batch, hidden)]
    weights = [(4 * hidden, inputs), (4 * hidden, hidden), (4 * hidden,), (4 * hidden,)]
    return tuple(
        (rng.uniform(-1, 1, shape) * (1 if i < 3 else bound)).astype(np.float32)
        for i, shape in enumerate(states + weights)
    )


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def numpy_cell(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    gates = x @ w_ih.T + hx @ w_hh.T + b_ih + b_hh
    ingate, forgetgate, cellgate, outgate = np.split(gates, 4, axis=1)
    cy = _sigmoid(forgetgate) * cx + _sigmoid(ingate) * np.tanh(cellgate)
    return _sigmoid(outgate) * np.tanh(cy), cy


def jax_cell(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    import jax
    import jax.numpy as jnp

    gates = x @ w_ih.T + hx @ w_hh.T + b_ih + b_hh
    ingate, forgetgate, cellgate, outgate = jnp.split(gates, 4, axis=1)
    cy = jax.nn.sigmoid(forgetgate) * cx + jax.nn.sigmoid(ingate) * jnp.tanh(cellgate)
    return jax.nn.sigmoid(outgate) * jnp.tanh(cy), cy


def _jax() -> Callable[..., Any]:
    import jax

    return jax.jit(jax_cell)


def numba_cell() -> Callable[..., Any]:
    """The cell as Numba compiles it: products through BLAS, gates in one loop.

    A parallel loop is many times slower here: its threads and those of BLAS wait for each other.
    """
    import math

    import numba

    one = np.float32(1)

    @numba.njit(error_model="numpy")
    def cell(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
        gates = np.dot(x, w_ih.T)
        gates += np.dot(hx, w_hh.T)
        batch, hidden = cx.shape
        hy, cy = np.empty_like(cx), np.empty_like(cx)
        for n in range(batch * hidden):
            i, j = n // hidden, n % hidden
            forget, cell_, out = j + hidden, j + 2 * hidden, j + 3 * hidden
            a = one / (one + math.exp(-(gates[i, j] + b_ih[j] + b_hh[j])))
            f = one / (one + math.exp(-(gates[i, forget] + b_ih[forget] + b_hh[forget])))
            g = math.tanh(gates[i, cell_] + b_ih[cell_] + b_hh[cell_])
            o = one / (one + math.exp(-(gates[i, out] + b_ih[out] + b_hh[out])))
            c = f * cx[i, j] + a * g
            cy[i, j] = c
            hy[i, j] = o * math.tanh(c)
        return hy, cy

    return cell


BUILD = {
    **shared_builds("lstm_cell_s", "LSTMCellS"),
    "jax": _jax,
    "numba": numba_cell,
    "numpy": lambda: numpy_cell,
}
