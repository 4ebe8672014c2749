"""Prints what the first calls of large functions cost beyond interpreted ones, while kernels are compiled in the background.

    python -m benchmarks.background

Milliseconds, with an empty cache: an interpreted call; the slowest one of `INTERPRETED`, which is one in which Python looked for
garbage among all objects; the slowest call before the kernels are there, by the clock and on the CPU by the thread that calls; how much
that is beyond the slowest and the usual interpreted one; what all compilation takes on the CPU; a call of the kernels.
"""

import os
import tempfile
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from torchscript_dialect.tensor.conversion import as_tensor

os.environ["TORCHSCRIPT_DIALECT_CACHE"] = tempfile.mkdtemp()  # before it is read

import numpy as np

import torchscript_dialect as ts
from torchscript_dialect import torch

LAYERS = 50
OPERATORS = 2000
_FUNCTIONS = ("tanh", "sigmoid", "sin", "relu")
INTERPRETED = 60
_PAUSE = 0.05
"""Seconds between calls, in which nothing but the compiler runs."""


class Layer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm(64)
        self.up = torch.nn.Linear(64, 64)
        self.down = torch.nn.Linear(64, 64)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))


class Network(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList([Layer() for _ in range(LAYERS)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def straight_line() -> Any:
    """A function of so many operators, one after the other."""
    lines = [
        f"    x = torch.{_FUNCTIONS[i % len(_FUNCTIONS)]}(x) + {i % 7}.5\n"
        for i in range(OPERATORS // 2)
    ]
    return ts.CompilationUnit(f"def f(x):\n{''.join(lines)}    return x\n")["f"]


def measure(name: str, make: Callable[[], Any], argument: np.ndarray) -> None:
    """Prints the line of one function."""
    function = make()
    x = as_tensor(argument)
    with ts.optimized_execution(False):
        interpreted = [_times(function, x) for _ in range(1 + INTERPRETED)][1:]
    calls = [_times(function, x)]
    start, calling = time.process_time(), 0.0
    while len(calls) < 400 and calls[-1].clock > min(interpreted).clock / 3:
        calls.append(_times(function, x))
        calling += calls[-1].processor
        time.sleep(_PAUSE)
    compiling = time.process_time() - start - calling
    for kind in Times._fields:
        before = [getattr(times, kind) for times in interpreted]
        slowest = max(getattr(times, kind) for times in calls)
        last = getattr(calls[-1], kind)
        figures = [min(before), max(before), slowest, slowest - max(before), slowest - min(before)]
        figures += [last] if kind == "clock" else [last, compiling]
        print(f"{name:<16}{kind:<10}" + "".join(f"{figure * 1e3:>10.1f}" for figure in figures))


class Times(NamedTuple):
    """Seconds that a call takes, by the clock and on the CPU by this thread."""

    clock: float
    processor: float


def _times(function: Any, x: ts.Tensor) -> Times:
    clock, processor = time.perf_counter(), time.thread_time()
    function(x)
    return Times(time.perf_counter() - clock, time.thread_time() - processor)


def main() -> None:
    ts.background_compilation(True)  # which other benchmarks have off
    titles = ("usual", "slowest", "compiling", "beyond", "beyond", "native", "all")
    print(f"{'program':<26}" + "".join(f"{title:>10}" for title in titles))
    rows = np.linspace(-1, 1, 4 * 64, dtype=np.float32).reshape(4, 64)
    measure(f"{LAYERS} layers", lambda: torch.jit.script(Network()), rows)
    with torch.no_grad():
        measure("without grad", lambda: torch.jit.script(Network()), rows)
    measure(f"{OPERATORS} operators", straight_line, rows)


if __name__ == "__main__":
    main()
