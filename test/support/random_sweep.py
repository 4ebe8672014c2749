"""Random programs of all generators for a whole night, in pieces that are noted one by one, so that a run may end at any time.

    PYTHONPATH=.:test nice python -m support.random_sweep STATE [--base SEED] [--seconds CPU] [--only NAME ...]
    PYTHONPATH=.:test python -m support.random_sweep STATE --show

STATE is a file of JSON lines, one for each finished piece: what has been run, from which seed on, how many programs these are, and what
PyTorch, Python or our interpreter do otherwise. The next run goes on behind them. `--seconds` ends a run, as PyTorch keeps what it has
compiled; a loop in a shell starts the next one. Two runs at a time need two files and two bases.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import torch

import torchscript_dialect as ts
from support import (
    random_gradients,
    random_kernels,
    random_number_loops,
    random_objects,
    random_programs,
)
from support import random_tensor_comparison as tensor_comparison
from support.composed.comparison import differences as composed_differences
from support.composed.programs import composed
from support.random_tensor_oracle import pytorch
from support.random_tensor_programs import program
from torchscript_dialect.tensor.conversion import as_tensor


class Generator(NamedTuple):
    """Programs by number: `find` tells what is different of one."""

    find: Callable[[int], Iterable[str | None]]
    share: int
    """How many pieces of it are run of so many of all."""
    piece: int
    """Numbers in a piece."""
    programs: int = 1
    """What a number counts as: functions of a module that is made for it."""


def _kernels(number: int) -> Iterable[str | None]:
    seed, dtype = divmod(number, len(random_kernels.DTYPES))
    function = random_kernels.Function(seed, random_kernels.DTYPES[dtype])
    yield random_kernels.compare(function, random_kernels.in_pytorch)


def _programs(number: int) -> Iterable[str | None]:
    yield random_programs.difference(number, ts.CompilationUnit, as_tensor)
    yield random_programs.difference(number, torch.jit.CompilationUnit, torch.from_numpy)


def _compiled_programs(number: int) -> Iterable[str | None]:
    yield random_programs.compiled_difference(number)


def _number_loops(number: int) -> Iterable[str | None]:
    yield random_number_loops.compare(random_number_loops.Program(number))


def _objects(number: int) -> Iterable[str | None]:
    yield random_objects.difference(number)


def _tensors(number: int) -> Iterable[str | None]:
    yield tensor_comparison.compare(program(number), pytorch)


def _composed(number: int) -> Iterable[str | None]:
    made = composed(number)
    with tempfile.TemporaryDirectory() as folder:
        found = list(composed_differences(made, Path(folder)))
    if found:
        yield f"{made.fragments}\n--- " + "\n--- ".join(found)


def _gradients(number: int) -> Iterable[str | None]:
    yield from random_gradients.differences(1, number)


GENERATORS = {
    "random_kernels": Generator(_kernels, 10000, 120),
    "random_programs": Generator(_programs, 4500, 40),
    "random_programs_compiled": Generator(_compiled_programs, 200, 20),
    "random_number_loops": Generator(_number_loops, 500, 40),
    "random_objects": Generator(_objects, 700, 8, programs=random_objects.MAINS + 2),
    "random_tensor_comparison": Generator(_tensors, 1800, 12),
    "composed": Generator(_composed, 6300, 30),
    "random_gradients": Generator(_gradients, 3000, 100),
}


class Piece(NamedTuple):
    """What is noted of one."""

    generator: str
    first: int
    count: int
    programs: int
    differences: list[str]
    cpu: float
    commit: str


def pieces(state: Path) -> list[Piece]:
    """Those that were finished."""
    lines = state.read_text().splitlines() if state.exists() else []
    return [Piece(**json.loads(line)) for line in lines]


def next_piece(done: Iterable[Piece], names: Iterable[str], base: int) -> tuple[str, int]:
    """The generator that has least of its share, and its next number."""
    counts = dict.fromkeys(names, 0)
    for piece in done:
        if piece.generator in counts:
            counts[piece.generator] += piece.count
    name = min(counts, key=lambda each: counts[each] / GENERATORS[each].share)
    return name, base + counts[name]


def run(name: str, first: int, commit: str) -> Piece:
    """Run a piece."""
    generator, start = GENERATORS[name], time.process_time()
    found: list[str] = []
    for number in range(first, first + generator.piece):
        found += [f"{number}: {one}" for one in generator.find(number) if one is not None]
    spent = round(time.process_time() - start, 2)
    counted = generator.piece * generator.programs
    return Piece(name, first, generator.piece, counted, found, spent, commit)


def show(done: Iterable[Piece]) -> None:
    """Programs, differences and seconds of the CPU of each generator."""
    sums: dict[str, list[Any]] = {}
    for piece in done:
        total = sums.setdefault(piece.generator, [0, 0, 0.0])
        total[0] += piece.programs
        total[1] += len(piece.differences)
        total[2] += piece.cpu
    for name, (programs, differences, cpu) in sorted(sums.items()):
        print(f"{name}: {programs} programs, {differences} differences, {cpu:.0f} s of the CPU")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("state", type=Path)
    parser.add_argument("--base", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--only", nargs="+", choices=GENERATORS, default=[*GENERATORS])
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.show:
        return show(pieces(options.state))
    warnings.simplefilter("ignore")
    command = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    while time.process_time() < options.seconds:
        name, first = next_piece(pieces(options.state), options.only, options.base)
        piece = run(name, first, commit)
        with options.state.open("a") as file:
            file.write(json.dumps(piece._asdict()) + "\n")
        told = "".join(f"\n{one}\n" for one in piece.differences)
        print(f"{name} {first}: {len(piece.differences)} differences{told}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
