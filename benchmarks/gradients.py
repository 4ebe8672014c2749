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
from statistics import median
from typing import Any

import numpy as np

import benchmarks  # noqa: F401  (sets the environment)

CELL = """
def cell(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    gates = x.mm(w_ih.t()) + hx.mm(w_hh.t()) + b_ih + b_hh
    ingate, forgetgate, cellgate, outgate = gates.chunk(4, 1)
    ingate = torch.sigmoid(ingate)
    forgetgate = torch.sigmoid(forgetgate)
    cellgate = torch.tanh(cellgate)
    outgate = torch.sigmoid(outgate)
    cy = (forgetgate * cx) + (ingate * cellgate)
    hy = outgate * torch.tanh(cy)
    return hy, cy
"""
PROGRAMS = {
    "lstm_cell": CELL
    + """
def f(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    hy, cy = cell(x, hx, cx, w_ih, w_hh, b_ih, b_hh)
    return (hy * cy).sum()
""",
    "simple_lstm": CELL
    + """
def f(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    for i in range(50):
        hx, cx = cell(x, hx, cx, w_ih, w_hh, b_ih, b_hh)
    return (hx * cx).sum()
""",
    "mlp": """
def f(x, w1, b1, w2, b2, w3, b3):
    h = torch.relu(torch.nn.functional.linear(x, w1, b1))
    h = torch.relu(torch.nn.functional.linear(h, w2, b2))
    y = torch.nn.functional.linear(h, w3, b3)
    return (y * y).mean()
""",
    "ratio_iou": """
def f(x1, y1, w1, h1, x2, y2, w2, h2):
    xi = torch.max(x1, x2)
    yi = torch.max(y1, y2)
    wi = torch.clamp(torch.min(x1 + w1, x2 + w2) - xi, min=0.0)
    hi = torch.clamp(torch.min(y1 + h1, y2 + h2) - yi, min=0.0)
    area_i = wi * hi
    area_u = w1 * h1 + w2 * h2 - wi * hi
    return (area_i / torch.clamp(area_u, min=1e-5)).sum()
""",
}
JAX = {
    "lstm_cell": """
def cell(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    i, fg, c, o = jnp.split(x @ w_ih.T + hx @ w_hh.T + b_ih + b_hh, 4, 1)
    cy = jax.nn.sigmoid(fg) * cx + jax.nn.sigmoid(i) * jnp.tanh(c)
    return jax.nn.sigmoid(o) * jnp.tanh(cy), cy
def f(*args):
    hy, cy = cell(*args)
    return (hy * cy).sum()
""",
    "mlp": """
def f(x, w1, b1, w2, b2, w3, b3):
    h = jax.nn.relu(x @ w1.T + b1)
    h = jax.nn.relu(h @ w2.T + b2)
    y = h @ w3.T + b3
    return (y * y).mean()
""",
    "ratio_iou": PROGRAMS["ratio_iou"]
    .replace("torch.max", "jnp.maximum")
    .replace("torch.min", "jnp.minimum")
    .replace("torch.clamp(", "jnp.maximum(")
    .replace("min=", ""),
}
JAX["simple_lstm"] = JAX["lstm_cell"].replace(
    "    hy, cy = cell(*args)\n",
    "    x, hy, cy, *w = args\n    for i in range(50):\n        hy, cy = cell(x, hy, cy, *w)\n",
)


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


ADAM_IN_JAX = """
def updated(p, g, m, v, t):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    return p - 1e-3 / (1 - 0.9**t) * m / (jnp.sqrt(v) / jnp.sqrt(1 - 0.999**t) + 1e-8), m, v
def step(x, state, t):
    found = jax.grad(lambda parameters: f(x, *parameters))([p for p, _, _ in state])
    return [updated(p, g, m, v, t) for (p, m, v), g in zip(state, found)]
"""


def _jax_training(jax: Any, names: dict[str, Any], arrays: list[Any]) -> Step:
    exec(ADAM_IN_JAX, names)
    jnp = names["jnp"]
    update = jax.jit(names["step"], donate_argnums=1)
    x, *parameters = map(jnp.asarray, arrays)
    state: list[Any] = [[(p, jnp.zeros_like(p), jnp.zeros_like(p)) for p in parameters], 0.0]

    def step() -> None:
        state[1] += 1.0
        state[0] = jax.block_until_ready(update(x, *state))

    return step


def _jax(program: str, arrays: list[Any], row: str) -> Step:
    import jax
    import jax.numpy as jnp

    names: dict[str, Any] = {"jax": jax, "jnp": jnp}
    exec(JAX[program], names)
    if row == ADAM:
        return _jax_training(jax, names, arrays)
    step = jax.jit(jax.value_and_grad(names["f"], argnums=tuple(range(len(arrays)))))
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
