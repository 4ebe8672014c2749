"""Opening archives beside PyTorch: large weights, and many methods: `python -m benchmarks.archives [RUNS]`.

Each line is the run of several whose first result came soonest, each in a process of its own, by turns with the other library. Both
libraries are compiled to bytecode before, as installed packages are, whatever PYTHONDONTWRITEBYTECODE says.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

OURS = (
    "import torchscript_dialect as torch_jit; import numpy; x = numpy.ones((1, 4), numpy.float32)"
)
THEIRS = "import torch; import torch.jit as torch_jit; x = torch.ones(1, 4)"
MEASURE = """
import time
start = time.perf_counter()
module = torch_jit.load({path!r})
loaded = time.perf_counter()
module({call})
done = time.perf_counter()
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(loaded - start, done - loaded, int(peak) / 1024)
"""


def write_weights(path: Path, megabytes: int) -> None:
    """A module whose buffer has that size, and whose result does not depend on it."""
    import torch

    class Large(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight: torch.Tensor
            self.register_buffer("weight", torch.zeros(megabytes << 18))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + self.weight[:4]

    torch.jit.save(torch.jit.script(Large()), str(path))


def write_methods(path: Path, count: int) -> None:
    """A module of that many methods, one of which is called."""
    import torch

    lines = [
        f"def m{n}(self, x: Tensor) -> Tensor:\n  return torch.relu(x + {n}) * {n}.5\n"
        for n in range(count)
    ]
    module: Any = type(f"Methods{count}", (torch.jit.ScriptModule,), {})()
    module.define(
        "\n".join([*lines, "def forward(self, x: Tensor) -> Tensor:\n  return self.m1(x)\n"])
    )
    torch.jit.save(module, str(path))


def measured(path: Path, imports: str, bytecode: Path) -> tuple[float, float, float]:
    """Seconds to open it, seconds to the first result after that, and megabytes at the peak, in a process of its own."""
    code = f"{imports}\n{MEASURE.format(path=str(path), call='x')}"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(bytecode)
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    load, first, peak = map(float, out.stdout.split())
    return load, first, peak


def main() -> None:
    """Print a line for each archive and library."""
    runs = int(sys.argv[1]) if sys.argv[1:] else 5
    with tempfile.TemporaryDirectory() as folder:
        bytecode = Path(folder, "bytecode")
        for name, write, size in (
            ("100 MB", write_weights, 100),
            ("1 GB", write_weights, 1024),
            ("10 methods", write_methods, 10),
            ("5000 methods", write_methods, 5000),
        ):
            path = Path(folder, "model.pt")
            write(path, size)
            for imports in (OURS, THEIRS):
                measured(path, imports, bytecode)
            found: dict[str, list[tuple[float, float, float]]] = {"here": [], "PyTorch": []}
            for _ in range(runs):
                for who, imports in (("here", OURS), ("PyTorch", THEIRS)):
                    found[who].append(measured(path, imports, bytecode))
            for who, each in found.items():
                load, first, peak = min(each, key=lambda one: one[0] + one[1])
                times = f"load {load * 1e3:9.1f} ms  first result {first * 1e3:9.1f} ms"
                both = f"both {(load + first) * 1e3:9.1f} ms"
                print(f"{name:14} {who:8} {times}  {both}  peak {peak:7.0f} MB", flush=True)


if __name__ == "__main__":
    main()
