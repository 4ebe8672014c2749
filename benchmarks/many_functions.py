"""Prints how long a program of many small functions takes that calls each of them a few times, beside torch.jit.

    python -m benchmarks.many_functions [--calls 3 10 100 1000] [--runs N]

The functions are those of robot environments, 64 in all: products and rotations of quaternions, rewards, losses. Each line is the
median of fresh processes, in seconds from the first function that is made to the last call, without the import; `cold` with nothing
on disk.
"""

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
ROWS, COUNT = 64, 64
SOURCES = (
    """
def normalize(x, y):
    return x / x.norm(p=2, dim=-1, keepdim=True).clamp(min=1e-9) + {n}
""",
    """
def quat_mul(a, b):
    x1, y1, z1, w1 = a[:, 0], a[:, 1], a[:, 2], a[:, 3]
    x2, y2, z2, w2 = b[:, 0], b[:, 1], b[:, 2], b[:, 3]
    ww = (z1 + x1) * (x2 + y2)
    yy = (w1 - y1) * (w2 + z2)
    zz = (w1 + y1) * (w2 - z2)
    xx = ww + yy + zz
    qq = 0.5 * (xx + (z1 - x1) * (x2 - y2)) + {n}
    w = qq - ww + (z1 - y1) * (y2 - z2)
    x = qq - xx + (x1 + w1) * (x2 + w2)
    return torch.stack([x, qq - yy, qq - zz, w], dim=-1).view(a.shape)
""",
    """
def quat_rotate(q, v):
    w, u = q[:, 3:], q[:, :3]
    a = v[:, :3] * (2.0 * w ** 2 - 1.0)
    return a + torch.cross(u, v[:, :3], dim=-1) * w * 2.0 + u * (u * v[:, :3]).sum(-1, keepdim=True) * {n}
""",
    """
def conjugate(q, v):
    return torch.cat((-q[:, :3], q[:, 3:] * {n}), dim=-1).view(q.shape)
""",
    """
def angles(q, v):
    sin_cos = {n} * (q[:, 3] * q[:, 0] + q[:, 1] * q[:, 2])
    pitch = torch.where(torch.abs(sin_cos) >= 1, torch.sign(sin_cos), torch.asin(torch.clamp(sin_cos, -0.99, 0.99)))
    return torch.atan2(sin_cos, q[:, 3]) % 6.28, pitch % 6.28
""",
    """
def reward(x, y):
    distance = torch.norm(x - y, p=2, dim=-1)
    r = 1.0 / (1.0 + distance ** 2) * {n}
    r = torch.where(distance <= 0.02, r * 2, r)
    r = r - 0.01 * torch.sum(y ** 2, dim=-1)
    return torch.where(x[:, 2] > y[:, 2], r + 0.5, r)
""",
    """
def policy_loss(x, y):
    ratio = torch.exp(x - y)
    return torch.max(-y * ratio, -y * torch.clamp(ratio, 0.8, 1.2)).mean() * {n}
""",
    """
def divergence(x, y):
    s = torch.sigmoid(y) + 0.1
    return (torch.log(s / {n} + 1e-5) + (s ** 2 + (x - y) ** 2) / (2.0 * (s ** 2 + 1e-5)) - 0.5).sum(dim=-1).mean()
""",
)


def child(system: str, mode: str, calls: int) -> None:
    """Runs in the fresh process: imports, then makes and calls the functions, and prints what that took."""
    torch: Any
    if system == "torch.jit":
        torch = importlib.import_module("torch")
        torch.set_num_threads(1)
    else:
        torch = importlib.import_module("torchscript_dialect.torch")
    given = np.random.default_rng(0).random((2, ROWS, 4)).astype(np.float32)
    operands = [torch.tensor(one, requires_grad=mode == "gradients") for one in given]
    start = time.perf_counter()
    functions: list[Any] = []
    for number in range(COUNT):
        text = SOURCES[number % len(SOURCES)].format(n=1.5 + number)
        name = text[text.index("def ") + 4 : text.index("(")]
        functions.append(getattr(torch.jit.CompilationUnit(text), name))
    for _ in range(calls):
        for function in functions:
            result = function(*operands)
            if mode == "gradients":
                parts = result if isinstance(result, tuple) else (result,)
                total: Any = sum(part.sum() for part in parts)
                total.backward()
    print(json.dumps(time.perf_counter() - start))


def seconds(system: str, mode: str, calls: int, cache: str) -> float:
    """What one fresh process takes, with its compiled code in `cache`, and as a program of a user's."""
    environment = {
        **os.environ,
        "TORCHSCRIPT_DIALECT_CACHE": cache,
        "TORCHSCRIPT_DIALECT_TIERED": "1",
        "TORCHSCRIPT_DIALECT_BACKGROUND": "1",
        "PYTHONWARNINGS": "ignore",
    }
    code = f"from benchmarks.many_functions import child; child({system!r}, {mode!r}, {calls})"
    command = [sys.executable, "-c", code]
    made = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(made.stdout.splitlines()[-1])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--calls", nargs="+", type=int, default=[3, 10, 100, 1000])
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    print(f"seconds for {COUNT} functions, medians of {options.runs}")
    print(f"{'':<12}{'calls':>8}{'torch.jit':>12}{'ours, cold':>12}{'warm':>8}{'ratios':>14}")
    for mode in ("plain", "gradients"):
        for calls in options.calls:
            runs: list[tuple[float, float, float]] = []
            for _ in range(options.runs):
                with tempfile.TemporaryDirectory() as cache:
                    jit = seconds("torch.jit", mode, calls, cache)
                    cold, warm = (seconds("ours", mode, calls, cache) for _ in range(2))
                runs.append((jit, cold, warm))
            jit, cold, warm = (statistics.median(column) for column in zip(*runs, strict=True))
            line = f"{mode:<12}{calls:>8}{jit:>12.2f}{cold:>12.2f}{warm:>8.2f}"
            print(f"{line}{cold / jit:>8.1f}{warm / jit:>6.1f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
