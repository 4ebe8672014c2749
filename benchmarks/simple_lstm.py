"""The LSTM loop in the systems that do not take PyTorch's source."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import lstm_cell_s
from benchmarks.sources import shared_builds


def arguments(steps: int, batch: int, inputs: int, hidden: int) -> tuple[Any, ...]:
    """input (T, B, I), the pair of states (B, H), and the weights of the cell."""
    _, hx, cx, *weights = lstm_cell_s.arguments(batch, inputs, hidden)
    xs = np.random.default_rng(1).uniform(-1, 1, (steps, batch, inputs)).astype(np.float32)
    return (xs, (hx, cx), *weights)


def numpy_lstm(xs, hidden, *weights):
    for x in xs:
        hidden = lstm_cell_s.numpy_cell(x, *hidden, *weights)
    return hidden


def _jax() -> Callable[..., Any]:
    import jax

    @jax.jit
    def lstm(xs, hidden, *weights):
        def step(state, x):
            return lstm_cell_s.jax_cell(x, *state, *weights), None

        return jax.lax.scan(step, hidden, xs)[0]

    return lstm


def _numba() -> Callable[..., Any]:
    import numba

    cell = lstm_cell_s.numba_cell()

    @numba.njit
    def lstm(xs, hidden, w_ih, w_hh, b_ih, b_hh):
        hx, cx = hidden
        for t in range(xs.shape[0]):
            hx, cx = cell(xs[t], hx, cx, w_ih, w_hh, b_ih, b_hh)
        return hx, cx

    return lstm


BUILD = {
    **shared_builds("simple_lstm", "simple_lstm"),
    "jax": _jax,
    "numba": _numba,
    "numpy": lambda: numpy_lstm,
}
