"""Prints what the first calls of large functions cost beyond interpreted ones, while kernels are compiled in the background.

    python -m benchmarks.background

Milliseconds, with an empty cache: an interpreted call; what the slowest call before the kernels are there takes beyond it, by the
clock and on the CPU by the thread that calls; what all compilation takes on the CPU; a call of the kernels.
"""

import os
import tempfile
import time
from collections.abc import Callable
from typing import Any

os.environ["TORCHSCRIPT_DIALECT_CACHE"] = tempfile.mkdtemp()  # before it is read

import numpy as np

import torchscript_dialect as ts
from torchscript_dialect import torch

LAYERS = 50
OPERATORS = 2000
_FUNCTIONS = ("tanh", "sigmoid", "sin", "relu")
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
    x = ts.Tensor(argument)
    with ts.optimized_execution(False):
        interpreted = [_times(function, x) for _ in range(4)][1:]
    usual = [min(times) for times in zip(*interpreted, strict=True)]
    calls = [_times(function, x)]
    start, calling = time.process_time(), 0.0
    while len(calls) < 400 and calls[-1][0] > usual[0] / 3:
        calls.append(_times(function, x))
        calling += calls[-1][1]
        time.sleep(_PAUSE)
    compiling = time.process_time() - start - calling
    beyond = [max(times) - least for times, least in zip(zip(*calls, strict=True), usual)]
    figures = (usual[0], beyond[0], beyond[1], compiling, calls[-1][0])
    print(f"{name:<22}" + "".join(f"{figure * 1e3:>15.1f}" for figure in figures), flush=True)


def _times(function: Any, x: ts.Tensor) -> tuple[float, float]:
    """Seconds that a call takes, by the clock and on the CPU by this thread."""
    clock, processor = time.perf_counter(), time.thread_time()
    function(x)
    return time.perf_counter() - clock, time.thread_time() - processor


def main() -> None:
    ts.background_compilation(True)  # which other benchmarks have off
    titles = ("interpreted", "beyond: clock", "thread's CPU", "compiling: CPU", "native")
    print(f"{'program':<22}" + "".join(f"{title:>15}" for title in titles))
    rows = np.linspace(-1, 1, 4 * 64, dtype=np.float32).reshape(4, 64)
    measure(f"{LAYERS} layers", lambda: torch.jit.script(Network()), rows)
    measure(f"{OPERATORS} operators", straight_line, rows)


if __name__ == "__main__":
    main()
