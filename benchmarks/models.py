"""Times the models of test/models beside torch.jit in one run.

    python -m benchmarks.models [NAME ...] [--calls N] [--training]

Each model is scripted by both and called by turns with small tensors: processor time of the calling thread, with one thread for each,
the least of N calls. Its parameters require gradients, as they do where nobody says otherwise; calls are made under `no_grad`, or with
`--training` for a step forward and back. A ratio above 1 means that PyTorch is faster. Needs PyTorch.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
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


def made(module: Any) -> Any:
    """A model whose parameters require gradients."""
    model = models.make(module)
    for parameter in model.parameters():
        parameter.requires_grad_(True)
    return model


def step(model: Any, arguments: tuple[Any, ...]) -> None:
    """Forward and back, from the sum of all results that gradients go through."""
    results = [one for one in models.leaves(model(*arguments)) if isinstance(one, torch.Tensor)]
    sums = [one.abs().sum() for one in results if one.requires_grad]
    if sums:
        torch.stack(sums).sum().backward()


def measured(name: str, calls: int, *, trains: bool) -> tuple[float, float]:
    """Seconds of a call by torch.jit, and here."""
    module: Any = models.load(name, "torch")
    theirs, ours = torch.jit.script(made(module)), ts.script(made(module))
    arguments = models.convert(module.CALLS[0], torch.from_numpy)
    return beside(theirs, ours, arguments, calls, trains=trains)


def beside(
    theirs: Any, ours: Any, arguments: tuple[Any, ...], calls: int, *, trains: bool
) -> tuple[float, float]:
    """Seconds of a call of two models that are called by turns, the least of so many, or of a step."""
    run: Callable[..., Any] = step if trains else (lambda model, given: model(*given))
    both: list[Callable[[], Any]] = [partial(run, theirs, arguments), partial(run, ours, arguments)]
    with torch.set_grad_enabled(trains), ts.background_compilation(False):
        for call in both:
            for _ in range(WARM):
                call()
        rounds = [[seconds(call) for call in both] for _ in range(calls)]
    best = [min(column) for column in zip(*rounds, strict=True)]
    return best[0], best[1]


def rows(names: list[str], calls: int, *, trains: bool) -> Iterator[float]:
    """Print a row for each model; the ratios."""
    for name in names:
        try:
            theirs, ours = measured(name, calls, trains=trains)
        except Exception as error:  # some models keep state, or refuse to be trained
            print(f"| {name} | – | – | {str(error).strip().splitlines()[-1][:80]} |", flush=True)
            continue
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
    parser.add_argument("--training", action="store_true", help="a step forward and back")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    print("| model | torch.jit, µs | here, µs | ratio |\n| --- | --- | --- | --- |")
    print(
        f"\nmiddle ratio {median(rows(given.names or models.names(), given.calls, trains=given.training)):.2f}"
    )


if __name__ == "__main__":
    main()
