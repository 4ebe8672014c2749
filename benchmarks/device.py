"""Prints how long calls take on a CUDA device, beside PyTorch's, and what part of the device's bandwidth or products they reach.

    python -m benchmarks.device [--programs tanh ...] [--rounds N]

The systems take turns, and the table shows medians in microseconds: calls follow each other without a wait between, and one ends the
measurement, so that small sizes show what a launch costs. The last column is the share of what copies of 256 MB reach on the device; of
products it is the float operations a second, the share of what the device's cores could do at their highest clock, and the speed as a
share of that of PyTorch's eager products, which are cuBLAS's. Without a device, an error says so and what to do.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import torchscript_dialect as ts
from torchscript_dialect import torch as stand_in
from torchscript_dialect.runtime.cuda.driver import CudaError, driver
from torchscript_dialect.tensor.conversion import as_tensor

SECONDS = 0.05
"""About how long a turn takes."""
WARM_UP = 5
LARGE = 64 << 20
"""Elements whose copy says how fast the device's memory is."""
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Program:
    """A function of tensors as text, sizes for them, and how many bytes it moves or float operations it does."""

    name: str
    text: str
    shapes: tuple[Shape, ...]
    moved: int = 0
    operations: int = 0
    dtype: str = "float32"
    """`tf32` is float32 whose products may be rounded."""

    @property
    def size(self) -> str:
        """The first shape."""
        return "x".join(map(str, self.shapes[0]))


IOU = """def f(x1, y1, w1, h1, x2, y2, w2, h2):
    xi = torch.max(x1, x2)
    yi = torch.max(y1, y2)
    wi = torch.clamp(torch.min(x1 + w1, x2 + w2) - xi, min=0.0)
    hi = torch.clamp(torch.min(y1 + h1, y2 + h2) - yi, min=0.0)
    area_i = wi * hi
    return area_i / torch.clamp(w1 * h1 + w2 * h2 - area_i, min=1e-5)
"""
CELL = """def f(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    gates = x.mm(w_ih.t()) + hx.mm(w_hh.t()) + b_ih + b_hh
    i, forget, cell, o = gates.chunk(4, 1)
    cy = torch.sigmoid(forget) * cx + torch.sigmoid(i) * torch.tanh(cell)
    return torch.sigmoid(o) * torch.tanh(cy), cy
"""


def programs() -> list[Program]:
    """What is measured."""
    found: list[Program] = []
    for shape in ((10, 10), (1000, 4000), (5000, 5000)):
        count = 4 * shape[0] * shape[1]
        found.append(Program("ratio_iou", IOU, (shape,) * 8, 9 * count))
        text = "def f(x):\n    return torch.tanh(x) * 2 + 1\n"
        found.append(Program("tanh", text, (shape,), 2 * count))
    for rows, columns in ((8, 64), (4096, 4096)):
        shape, weights = (rows, columns), (columns,)
        text = "def f(x, y):\n    return torch.softmax(x * y, 1)\n"
        found.append(Program("softmax", text, (shape, shape), 12 * rows * columns))
        text = f"def f(x, w, b):\n    return torch.layer_norm(x, [{columns}], w, b) * 2\n"
        found.append(Program("layer_norm", text, (shape, weights, weights), 8 * rows * columns))
    for batch, width in ((1, 16), (256, 512)):
        x, gates = (batch, width), (4 * width, width)
        shapes = (x, x, x, gates, gates, (4 * width,), (4 * width,))
        found.append(Program("lstm_cell", CELL, shapes, operations=16 * batch * width**2))
    text = "def f(x, y):\n    return torch.mm(x, y).relu() + 1\n"
    for size in (64, 1024, 4096):
        for dtype in ("float32", "tf32", "float16", "bfloat16"):
            shapes = ((size, size),) * 2
            found.append(Program("product", text, shapes, operations=2 * size**3, dtype=dtype))
    return found


CORES: dict[str, dict[tuple[int, int], int]] = {
    "float32": {(7, 5): 128, (8, 0): 128, (9, 0): 256, (10, 0): 256},
    "tf32": {(8, 0): 1024, (9, 0): 2048, (10, 0): 4096},
    "float16": {(7, 5): 1024, (8, 0): 2048, (9, 0): 4096, (10, 0): 8192},
    "bfloat16": {(8, 0): 2048, (9, 0): 4096, (10, 0): 8192},
}
"""Float operations that a processor does in a cycle when it adds up in float32, by the compute capability."""


def peak(dtype: str) -> float | None:
    """Float operations a second of the device at its highest clock; None where it is not known."""
    each = CORES[dtype].get(driver().capability)
    if each is None:
        return None
    cycles = driver().asked("CLOCK_RATE") * 1e3 * driver().processors
    return each * cycles or None


def seconds_of(call: Callable[[], Any], wait: Callable[[], Any]) -> float:
    """Seconds of a call, of as many as take about `SECONDS`."""
    count = 1
    while True:
        start = time.perf_counter()
        for _ in range(count):
            call()
        wait()
        taken = time.perf_counter() - start
        if taken >= SECONDS or count >= 1 << 20:
            return taken / count
        count = max(2 * count, int(1.2 * count * SECONDS / max(taken, 1e-6)))


@dataclass(frozen=True)
class System:
    """A library on the device: what makes a function of a text, tensors of a dtype of arrays, waits, and lets products be rounded."""

    name: str
    build: Callable[[Program], Callable[..., Any]]
    move: Callable[[np.ndarray[Any, Any], str], Any]
    wait: Callable[[], Any]
    set_precision: Callable[[str], None]


def ours() -> System:
    """This project."""
    return System(
        "ours",
        lambda program: ts.CompilationUnit(program.text)["f"],
        lambda array, dtype: as_tensor(array).to("cuda").to(getattr(stand_in, dtype)),
        driver().synchronize,
        stand_in.set_float32_matmul_precision,
    )


def others() -> list[System]:
    """PyTorch's ways to run a program, where it is installed for the device."""
    if importlib.util.find_spec("torch") is None:
        return []
    torch = importlib.import_module("torch")
    if not torch.cuda.is_available():
        return []

    def eager(program: Program) -> Any:
        scope: dict[str, Any] = {"torch": torch}
        exec(program.text, scope)
        return scope["f"]

    def scripted(program: Program) -> Any:
        return torch.jit.CompilationUnit(program.text).f

    ways = {
        "torch": eager,
        "torch.jit": scripted,
        "torch.compile": lambda p: torch.compile(eager(p)),
    }
    return [
        System(
            name,
            build,
            lambda array, dtype: torch.from_numpy(array).cuda().to(getattr(torch, dtype)),
            torch.cuda.synchronize,
            torch.set_float32_matmul_precision,
        )
        for name, build in ways.items()
    ]


def measure(program: Program, systems: list[System], rounds: int) -> dict[str, float]:
    """The median seconds of a call in each system."""
    generator = np.random.default_rng(0)
    arrays = [generator.random(shape, np.float32) for shape in program.shapes]
    calls: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {}
    dtype = "float32" if program.dtype == "tf32" else program.dtype
    for system in systems:
        system.set_precision("high" if program.dtype == "tf32" else "highest")
        function = system.build(program)
        arguments = [system.move(array, dtype) for array in arrays]
        calls[system.name] = (lambda f=function, a=arguments: f(*a)), system.wait
        for _ in range(WARM_UP):
            function(*arguments)
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, (call, wait) in calls.items():
            taken[name].append(seconds_of(call, wait))
    for system in systems:
        system.set_precision("highest")
    return {name: statistics.median(times) for name, times in taken.items()}


def reached(program: Program, medians: dict[str, float], bandwidth: float) -> str:
    """What our kernel reaches, for the last column."""
    mine = medians["ours"]
    if program.moved:
        return f"{100 * program.moved / mine / bandwidth:.0f}% of copies"
    found = f"{program.operations / mine / 1e12:.2f} TFLOP/s"
    if (most := peak(program.dtype)) is not None:
        found += f", {100 * program.operations / mine / most:.0f}% of peak"
    if "torch" in medians:
        found += f", {100 * medians['torch'] / mine:.0f}% of torch"
    return found


def bytes_a_second(elements: int = LARGE) -> float:
    """How many bytes a copy within the device's memory reads and writes in a second."""
    x = as_tensor(np.zeros(elements, np.float32)).to("cuda")
    x.clone()
    return 2 * 4 * elements / seconds_of(x.clone, driver().synchronize)


def main() -> int:
    known = programs()
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    names = sorted({program.name for program in known})
    parser.add_argument("--programs", nargs="+", choices=names, default=names)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    try:
        print(driver().device.name())
    except CudaError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    systems = [ours(), *others()]
    bandwidth = bytes_a_second()
    print(f"copies: {bandwidth / 1e9:.0f} GB/s")
    heads = ["microseconds", "size", *(system.name for system in systems)]
    print("".join(f"{head:>19}" for head in heads), "ours reaches", sep="  ")
    for program in known:
        if program.name not in options.programs:
            continue
        medians = measure(program, systems, options.rounds)
        times = [f"{1e6 * one:.2f}" for one in medians.values()]
        cells = (program.name, f"{program.size} {program.dtype}", *times)
        print(
            "".join(f"{cell:>19}" for cell in cells), reached(program, medians, bandwidth), sep="  "
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
