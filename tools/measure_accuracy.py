"""Measures lowering/math: per function the largest error, where, and time beside NumPy's.

    python tools/measure_accuracy.py [--dense] [--write] [NAME ...]

float32 is judged by NumPy's float64 over every exponent with 2048 mantissas each (--dense: every
31st of all bit patterns), float64 by the stored results of test/golden/elementary.json and the
special values. --write puts the table into docs/accuracy.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

import numpy as np  # noqa: E402

from support.elementary import (  # noqa: E402
    FUNCTIONS,
    Array,
    Function,
    every_exponent,
    golden_points,
    pairs,
    relative_errors,
    specials,
    ulp_errors,
)
from support.math_kernels import MathKernel  # noqa: E402

DOCUMENT = ROOT / "docs" / "accuracy.md"
INTRODUCTION = """`python tools/measure_accuracy.py` measures the largest errors of compiled code (`lowering/math/`):

- float32 in units in the last place (ULP) against float64, over {sweep};
- float64 relative to the correctly rounded results in `test/golden/elementary.json`;
- functions of two arguments at random pairs over all exponents, and at whole and large powers.

Infinities, NaN, signed zeros and denormals are part of the sweep and must be right. Times are for one element on one thread, with
the data in the cache, beside NumPy's function of the same dtype.
"""
TABLE_HEAD = """| function | dtype | largest error | at | ns | NumPy ns |
| --- | --- | --- | --- | --- | --- |"""
NOTES = """
sin, cos and tan reduce arguments of any size exactly (Payne and Hanek). pow follows C for all special cases. f16 and bf16 are
computed in float32 and rounded once more.

Functions that neither NumPy nor MLIR's math has (`ops/special/wide_functions.py`: `lgamma`, `digamma`, `erfinv`, the normal
distribution's, Bessel's and Airy's functions) are computed in float64 and rounded once, in NumPy and in kernels by one body: the
error of float32 results is half a unit. Against mpmath the relative error of float64 results is below 1e-13, and that of Bessel's
J and Y and Airy's function below 4e-11 (the worst is between 15 and 16, where their series meet).
"""
SIZE = 32768


def single_arguments(function: Function, dense: bool) -> Iterator[tuple[Array, ...]]:
    """The float32 sweep, in pieces."""
    if function.arity == 2:
        yield pairs(specials(np.float32))
        for seed in range(64 if dense else 4):
            random = np.random.default_rng(seed)
            first, second = (
                every_exponent(np.float32, 512, seed),
                every_exponent(np.float32, 512, seed + 1),
            )
            random.shuffle(second)
            yield first, second
            near = np.exp2(random.uniform(-20, 20, SIZE)).astype(np.float32)
            yield near, (random.uniform(-130, 130, SIZE) / np.log2(near)).astype(np.float32)
            near = random.uniform(-4, 4, SIZE).astype(np.float32)
            yield near, random.integers(-40, 40, SIZE).astype(np.float32)
        return
    yield (specials(np.float32),)
    if not dense:
        yield (every_exponent(np.float32, 2048),)
        return
    step = 31
    for start in range(0, 1 << 32, step << 20):
        patterns = np.arange(start, min(start + (step << 20), 1 << 32), step, dtype=np.uint64)
        yield (patterns.astype(np.uint32).view(np.float32),)


def worst(
    kernel: MathKernel,
    function: Function,
    arguments: Iterator[tuple[Array, ...]],
    errors: Callable[[Array, Array], Array],
) -> tuple[float, tuple[float, ...]]:
    """The largest error and its arguments."""
    largest, where = -1.0, ()
    for point in arguments:
        reference = function.reference(*(x.astype(np.float64) for x in point))
        found = errors(kernel(*point), reference)
        index = int(np.argmax(found))
        if found[index] > largest:
            largest, where = float(found[index]), tuple(float(x[index]) for x in point)
    return largest, where


def worst_double(kernel: MathKernel, function: Function) -> tuple[float, tuple[float, ...]]:
    numbers = specials(np.float64)
    # NumPy judges the special values only where its result is one.
    special = pairs(numbers) if function.arity == 2 else (numbers,)
    reference = function.reference(*special)
    trivial = ~np.isfinite(reference) | (reference == 0)
    found = relative_errors(kernel(*special), reference)
    broken = np.flatnonzero(trivial & (found > 0))
    if broken.size:
        return np.inf, tuple(float(x[broken[0]]) for x in special)
    points, results = golden_points().get(function.name, ([], np.array([])))
    if not points:
        points = [every_exponent(np.float64, 8)]
        results = function.reference(*points)
    found = relative_errors(kernel(*points), results)
    index = int(np.argmax(found))
    return float(found[index]), tuple(float(x[index]) for x in points)


def nanoseconds(call: Callable[[], object]) -> float:
    """The least time of many calls, per element."""
    best = np.inf
    for _ in range(40):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best / SIZE * 1e9


def times(kernel: MathKernel, function: Function) -> tuple[float, float]:
    random = np.random.default_rng(0)
    inputs = [
        random.uniform(*function.usual, SIZE).astype(kernel.dtype) for _ in range(function.arity)
    ]
    return nanoseconds(kernel.timed(*inputs)), nanoseconds(lambda: function.reference(*inputs))


def rows(names: list[str], dense: bool) -> Iterator[str]:
    for function in FUNCTIONS.values():
        if names and function.name not in names:
            continue
        for dtype in ("f32", "f64"):
            kernel = MathKernel(function.what, function.arity, dtype)
            if dtype == "f32":
                error, where = worst(
                    kernel, function, single_arguments(function, dense), ulp_errors
                )
                shown = f"{error:.2f} ULP"
            else:
                error, where = worst_double(kernel, function)
                shown = f"{error:.1e}"
            ours, theirs = times(kernel, function)
            place = ", ".join(f"{x:.9g}" for x in where)
            yield f"| {function.name} | {dtype} | {shown} | {place} | {ours:.2f} | {theirs:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dense", action="store_true", help="every 31st float32 bit pattern")
    parser.add_argument("--write", action="store_true", help="write docs/accuracy.md")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if options.write and options.names:
        parser.error("--write takes all functions")
    np.seterr(all="ignore")
    table: list[str] = []
    for row in rows(options.names, options.dense):
        print(row, flush=True)
        table.append(row)
    if options.write:
        sweep = (
            "every 31st of all bit patterns"
            if options.dense
            else "every exponent with 2048 mantissas"
        )
        introduction = INTRODUCTION.format(sweep=sweep)
        title = "# Accuracy of the elementary functions"
        DOCUMENT.parent.mkdir(exist_ok=True)
        DOCUMENT.write_text(
            "\n".join([title, "", introduction, TABLE_HEAD, *table, NOTES.rstrip("\n"), ""])
        )


if __name__ == "__main__":
    main()
