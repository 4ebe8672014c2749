"""Forward and backward beside PyTorch, torch.jit, torch.compile and JAX: medians of one run, in which all take turns.

`python -m benchmarks.gradients [part of a row's name ...]`; `--compile` adds torch.compile, which needs a C++ compiler. `--least` takes
the least times instead: where others use the machine, medians say what these do. `TORCHSCRIPT_DIALECT_NUM_THREADS=1 OMP_NUM_THREADS=1
XLA_FLAGS="--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"` leaves each one thread.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from functools import partial
from inspect import getsource
from statistics import median
from typing import Any

import numpy as np

import benchmarks  # noqa: F401  (sets the environment)
from benchmarks import lstm_cell_s, ratio_iou
from benchmarks.sources import example

CELL = getsource(example("lstm_cell_s", "LSTMCellS", "ours"))
PROGRAMS = {
    "lstm_cell": CELL
    + """
def f(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    hy, cy = LSTMCellS(x, hx, cx, w_ih, w_hh, b_ih, b_hh)
    return (hy * cy).sum()
""",
    "simple_lstm": CELL
    + """
def f(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    for i in range(50):
        hx, cx = LSTMCellS(x, hx, cx, w_ih, w_hh, b_ih, b_hh)
    return (hx * cx).sum()
""",
    "mlp": """
def f(x, w1, b1, w2, b2, w3, b3):
    h = torch.relu(torch.nn.functional.linear(x, w1, b1))
    h = torch.relu(torch.nn.functional.linear(h, w2, b2))
    y = torch.nn.functional.linear(h, w3, b3)
    return (y * y).mean()
""",
    "ratio_iou": getsource(example("ratio_iou", "ratio_iou", "ours"))
    + """
def f(x1, y1, w1, h1, x2, y2, w2, h2):
    return ratio_iou(x1, y1, w1, h1, x2, y2, w2, h2).sum()
""",
}


def _jax_lstm(steps: int) -> Callable[..., Any]:
    def f(x: Any, hx: Any, cx: Any, *weights: Any) -> Any:
        for _ in range(steps):
            hx, cx = lstm_cell_s.jax_cell(x, hx, cx, *weights)
        return (hx * cx).sum()

    return f


def _jax_mlp() -> Callable[..., Any]:
    from jax.nn import relu

    def f(x: Any, w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any) -> Any:
        h = relu(x @ w1.T + b1)
        h = relu(h @ w2.T + b2)
        y = h @ w3.T + b3
        return (y * y).mean()

    return f


def _jax_ratio_iou() -> Callable[..., Any]:
    function = ratio_iou.BUILD["jax"]()
    return lambda *boxes: function(*boxes).sum()


JAX: dict[str, Callable[[], Callable[..., Any]]] = {
    "lstm_cell": partial(_jax_lstm, 1),
    "simple_lstm": partial(_jax_lstm, 50),
    "mlp": _jax_mlp,
    "ratio_iou": _jax_ratio_iou,
}


def _arrays(*shapes: tuple[int, ...]) -> list[Any]:
    numbers = np.random.default_rng(0)
    return [numbers.standard_normal(shape).astype(np.float32) * 0.3 for shape in shapes]


def _lstm(batch: int, size: int = 64) -> list[Any]:
    rows, gates = (batch, size), 4 * size
    return _arrays(rows, rows, rows, (gates, size), (gates, size), (gates,), (gates,))


def _mlp() -> list[Any]:
    return _arrays((32, 64), (128, 64), (128,), (128, 128), (128,), (10, 128), (10,))


ADAM = "mlp with Adam"
ROWS: dict[str, tuple[str, list[Any]]] = {
    "lstm_cell, batch 1": ("lstm_cell", _lstm(1)),
    "lstm_cell, batch 64": ("lstm_cell", _lstm(64)),
    "simple_lstm, 50 steps": ("simple_lstm", _lstm(1)),
    "mlp, batch 32": ("mlp", _mlp()),
    ADAM: ("mlp", _mlp()),
    "ratio_iou, 100x1000": ("ratio_iou", [np.abs(one) for one in _arrays(*[(100, 1000)] * 8)]),
}

Step = Callable[[], Any]
TURN = 5
"""Steps of one after another, each timed by itself, so that what else the machine does is in few of them."""
SECONDS = 3.0
"""How long all take turns with one row."""


def _training(torch: Any, f: Any, arrays: list[Any]) -> Step:
    """Steps of Adam, for all arguments but the first."""
    x, *parameters = [torch.tensor(one) for one in arrays]
    for one in parameters:
        one.requires_grad_()
    optimizer = torch.optim.Adam(parameters)

    def step() -> None:
        optimizer.zero_grad()
        f(x, *parameters).backward()
        optimizer.step()

    return step


def _ours(program: str, arrays: list[Any], row: str) -> Step:
    import torchscript_dialect as ts
    from torchscript_dialect import torch

    f = ts.CompilationUnit(PROGRAMS[program])["f"]
    if row == ADAM:
        return _training(torch, f, arrays)
    leaves = [torch.tensor(one, requires_grad=True) for one in arrays]
    return lambda: torch.autograd.grad(f(*leaves), leaves)


def _torch(program: str, arrays: list[Any], row: str, how: str) -> Step:
    import torch

    if how == "torch.jit":
        f = torch.jit.CompilationUnit(PROGRAMS[program]).f
    else:
        names: dict[str, Any] = {"torch": torch}
        exec(PROGRAMS[program], names)
        f = torch.compile(names["f"]) if how == "torch.compile" else names["f"]
    if row == ADAM:
        return _training(torch, f, arrays)
    leaves = [torch.tensor(one, requires_grad=True) for one in arrays]
    return lambda: torch.autograd.grad(f(*leaves), leaves)


def _jax_training(f: Callable[..., Any], arrays: list[Any]) -> Step:
    import jax
    import jax.numpy as jnp

    def updated(p: Any, g: Any, m: Any, v: Any, t: Any) -> tuple[Any, Any, Any]:
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        return p - 1e-3 / (1 - 0.9**t) * m / (jnp.sqrt(v) / jnp.sqrt(1 - 0.999**t) + 1e-8), m, v

    def step_of(x: Any, state: Any, t: Any) -> Any:
        found = jax.grad(lambda parameters: f(x, *parameters))([p for p, _, _ in state])
        return [updated(p, g, m, v, t) for (p, m, v), g in zip(state, found, strict=True)]

    update = jax.jit(step_of, donate_argnums=1)
    x, *parameters = map(jnp.asarray, arrays)
    state: list[Any] = [[(p, jnp.zeros_like(p), jnp.zeros_like(p)) for p in parameters], 0.0]

    def step() -> None:
        state[1] += 1.0
        state[0] = jax.block_until_ready(update(x, *state))

    return step


def _jax(program: str, arrays: list[Any], row: str) -> Step:
    import jax
    import jax.numpy as jnp

    f = JAX[program]()
    if row == ADAM:
        return _jax_training(f, arrays)
    step = jax.jit(jax.value_and_grad(f, argnums=tuple(range(len(arrays)))))
    given = [jnp.asarray(one) for one in arrays]
    return lambda: jax.block_until_ready(step(*given))


def _peers(compiles: bool) -> dict[str, Callable[[str, list[Any], str], Step]]:
    found: dict[str, Callable[[str, list[Any], str], Step]] = {"ours": _ours}
    if importlib.util.find_spec("torch"):
        for how in ("torch", "torch.jit", *(("torch.compile",) if compiles else ())):
            found[how] = partial(_torch, how=how)
    if importlib.util.find_spec("jax"):
        found["jax"] = _jax
    return found


def _microseconds(step: Step) -> float:
    start = time.perf_counter()
    step()
    return (time.perf_counter() - start) * 1e6


def main() -> None:
    """Print a table: microseconds a step, and how many times as long as ours the peers take."""
    summary: Callable[[list[float]], float] = min if "--least" in sys.argv else median
    chosen = [one for one in sys.argv[1:] if not one.startswith("-")]
    for row, (program, arrays) in ROWS.items():
        if chosen and not any(one in row for one in chosen):
            continue
        steps = {
            name: make(program, arrays, row)
            for name, make in _peers("--compile" in sys.argv).items()
        }
        for step in steps.values():
            for _ in range(10):
                step()
        times: dict[str, list[float]] = {name: [] for name in steps}
        until = time.perf_counter() + SECONDS
        while time.perf_counter() < until:
            for name, step in steps.items():
                step()
                times[name] += [_microseconds(step) for _ in range(TURN)]
        ours = summary(times["ours"])
        others = ", ".join(
            f"{name} {summary(found):.0f} us ({summary(found) / ours:.2f}x)"
            for name, found in times.items()
            if name != "ours"
        )
        print(f"{row:24} ours {ours:.0f} us; {others}", flush=True)


if __name__ == "__main__":
    main()
