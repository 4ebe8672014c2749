"""Times the models of test/models beside torch.jit in one run.

    python -m benchmarks.models [NAME ...] [--calls N]

Each model is scripted by both and called by turns with small tensors, under `no_grad`: processor time of the calling thread, with one
thread for each, the least of N calls. A ratio above 1 means that PyTorch is faster. Needs PyTorch.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test"))

import torch

import torchscript_dialect as ts
from support import models

WARM = 6
"""Calls before any is timed."""


def seconds(call: Callable[[], Any]) -> float:
    """Processor time of one call."""
    start = time.thread_time()
    call()
    return time.thread_time() - start


def measured(name: str, calls: int) -> tuple[float, float]:
    """Seconds of a call by torch.jit, and here."""
    module: Any = models.load(name, "torch")
    theirs = torch.jit.script(models.make(module))
    ours = ts.script(models.make(module))
    arguments = models.convert(module.CALLS[0], torch.from_numpy)
    both: list[Callable[[], Any]] = [lambda: theirs(*arguments), lambda: ours(*arguments)]
    with torch.no_grad(), ts.background_compilation(False):
        for call in both:
            for _ in range(WARM):
                call()
        rounds = [[seconds(call) for call in both] for _ in range(calls)]
    best = [min(column) for column in zip(*rounds, strict=True)]
    return best[0], best[1]


def rows(names: list[str], calls: int) -> Iterator[float]:
    """Print a row for each model; the ratios."""
    for name in names:
        theirs, ours = measured(name, calls)
        print(
            f"| {name} | {theirs * 1e6:,.0f} | {ours * 1e6:,.0f} | {ours / theirs:.2f} |",
            flush=True,
        )
        yield ours / theirs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="the models; all by default")
    parser.add_argument("--calls", type=int, default=15)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    print("| model | torch.jit, µs | here, µs | ratio |\n| --- | --- | --- | --- |")
    print(f"\nmiddle ratio {median(rows(given.names or models.names(), given.calls)):.2f}")


if __name__ == "__main__":
    main()
