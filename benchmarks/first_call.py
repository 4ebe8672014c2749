"""Prints what the first calls cost in a fresh process, with a cold and with a warm cache on disk.

    python -m benchmarks.first_call [--programs ratio_iou ...] [--runs N] [--peers ours numba ...]

Each line is the median of several new processes, in milliseconds: the import; making the function (`script`, `jit`); the
first, the second and the third call (a system may observe first and compile later).
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.peers import PEERS

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ("ratio_iou", "tanh", "lstm_cell_s", "simple_lstm")
IMPORTS = {
    "ours": "torchscript_dialect",
    "torch": "torch",
    "torch.jit": "torch",
    "torch.compile": "torch",
    "jax": "jax",
    "numba": "numba",
    "numpy": "numpy",
}
CALLS = 3
WATCHED = ("llvmlite", "torch", "lowering", "numpy", "xdsl", "ml_dtypes")
CHILD = """
import sys, time
start = time.perf_counter()
import {module}
seconds = [time.perf_counter() - start]
loaded = set(sys.modules)
from benchmarks.first_call import child
child("{peer}", "{program}", seconds, loaded)
"""
STEPS = ("import", "function", "first call", "second", "third")


def child(peer_name: str, program: str, seconds: list[float], loaded: set[str]) -> None:
    """Runs in the fresh process, after the import of the system and of nothing else, which took
    `seconds` and left the modules `loaded`: compiles, calls and prints what it took."""
    from benchmarks.workloads import workloads

    workload = next(item for item in workloads() if item.program == program)
    peer = PEERS[peer_name]
    args = peer.arguments(workload.arguments())
    build = workload.build[peer_name]
    start = time.perf_counter()
    function = build()
    seconds.append(time.perf_counter() - start)
    start = time.perf_counter()
    for _ in range(CALLS):
        peer.results(function(*args))
        seconds.append(time.perf_counter() - start)
        start = time.perf_counter()
    result = {
        "seconds": seconds,
        "after_import": [name for name in WATCHED if name in loaded],
        "after_calls": [name for name in WATCHED if name in sys.modules],
    }
    print(json.dumps(result))


def fresh(peer: str, program: str, cache: str) -> dict[str, Any]:
    """One process with all caches of compiled code under `cache`."""
    environment = {
        **os.environ,
        "TORCHSCRIPT_DIALECT_CACHE": os.path.join(cache, "ours"),
        "TORCHINDUCTOR_CACHE_DIR": os.path.join(cache, "inductor"),
        "PYTHONWARNINGS": "ignore",
    }
    code = CHILD.format(module=IMPORTS[peer], peer=peer, program=program)
    command = [sys.executable, "-c", code]
    result = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if result.returncode:
        lines = result.stderr.strip().splitlines()
        raise RuntimeError(lines[-1] if lines else f"exit status {result.returncode}")
    return json.loads(result.stdout.splitlines()[-1])


def medians(runs: list[dict[str, Any]]) -> list[float]:
    columns = zip(*(run["seconds"] for run in runs), strict=True)
    return [statistics.median(column) * 1e3 for column in columns]


def print_line(peer: str, program: str, cache: str, runs: list[dict[str, Any]]) -> None:
    times = "".join(f"{value:12.2f}" for value in medians(runs))
    print(f"{program:<12}{peer:<15}{cache:<6}{times}", flush=True)


def measure(peer: str, program: str, runs: int) -> list[dict[str, Any]]:
    """Prints the cold and the warm line; gives the warm runs."""
    cold: list[dict[str, Any]] = []
    warm: list[dict[str, Any]] = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(fresh(peer, program, cache))
            warm.append(fresh(peer, program, cache))
    print_line(peer, program, "cold", cold)
    print_line(peer, program, "warm", warm)
    return warm


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", nargs="+", choices=PROGRAMS, default=["ratio_iou"])
    parser.add_argument("--peers", nargs="+", choices=list(PEERS), default=list(PEERS))
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    print(f"milliseconds in a fresh process, medians of {options.runs}")
    print(f"{'program':<12}{'system':<15}{'cache':<6}" + "".join(f"{step:>12}" for step in STEPS))
    status = 0
    notes: list[str] = []
    for program in options.programs:
        for peer in options.peers:
            if not PEERS[peer].installed:
                continue
            try:
                last = measure(peer, program, options.runs)[-1]
            except RuntimeError as error:
                print(f"{program:<12}{peer:<15}failed: {error}")
                status = 1
                continue
            if peer == "ours":
                notes.append(f"import loads {', '.join(last['after_import'])}")
                notes.append(f"{program} loads {', '.join(last['after_calls'])}")
    for note in dict.fromkeys(notes):
        print(f"ours: {note}")
    return status


if __name__ == "__main__":
    sys.exit(main())
