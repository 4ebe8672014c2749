"""Times models of torchvision at their own sizes beside torch.jit in one run.

    python -m benchmarks.published [NAME ...] [--calls N] [--batch N] [--size N] [--training] [--channels-last]

Each model is scripted by both and called by turns with one image of 224 x 224, or as `--batch` and `--size` say: processor time of the
calling thread, with one thread for each, the least of N calls. Calls are made under `no_grad`, or with `--training` for a step forward
and back. A ratio above 1 means that PyTorch is faster. Needs PyTorch and torchvision.
"""

from __future__ import annotations

import argparse
import copy
import os
import warnings
from collections.abc import Iterator
from importlib import import_module
from statistics import median
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("TORCHSCRIPT_DIALECT_NUM_THREADS", "1")

import torch

import torchscript_dialect as ts
from benchmarks.models import beside

NAMES = (
    *("resnet18", "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0", "squeezenet1_1"),
    *("densenet121", "shufflenet_v2_x1_0", "regnet_y_400mf", "mnasnet1_0", "convnext_tiny"),
    *("vit_b_16", "swin_t"),
)


def measured(name: str, given: argparse.Namespace) -> tuple[float, float]:
    """Seconds of a call by torch.jit, and here."""
    images = torch.randn(given.batch, 3, given.size, given.size)
    models = import_module("torchvision.models")
    model: Any = getattr(models, name)(weights=None).train(given.training)
    if given.channels_last:
        images = images.to(memory_format=torch.channels_last)
        model = model.to(memory_format=torch.channels_last)
    theirs = torch.jit.script(copy.deepcopy(model))
    return beside(theirs, ts.script(model), (images,), given.calls, trains=given.training)


def rows(given: argparse.Namespace) -> Iterator[float]:
    """Print a row for each model; the ratios."""
    for name in given.names or NAMES:
        theirs, ours = measured(name, given)
        times = f"{theirs * 1e3:.1f} | {ours * 1e3:.1f} | {ours / theirs:.2f}"
        print(f"| {name} | {times} |", flush=True)
        yield ours / theirs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="the models; a dozen by default")
    parser.add_argument("--calls", type=int, default=8)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--training", action="store_true", help="a step forward and back")
    parser.add_argument("--channels-last", action="store_true", help="torch.channels_last")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    print("| model | torch.jit, ms | here, ms | ratio |\n| --- | --- | --- | --- |")
    print(f"\nmiddle ratio {median(rows(given)):.2f}")


if __name__ == "__main__":
    main()
