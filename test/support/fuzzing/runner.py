"""Runs random mistakes in a process with little memory, and prints what a user would hear that is no error of ours.

python -m support.fuzzing.runner [--seed N] [--count N] [--family NAME]
"""

from __future__ import annotations

import argparse
import io
import json
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout
from random import Random
from types import FrameType
from typing import Any

import torchscript_dialect as ts
from support.fuzzing.seeds import GRAPHS, SOURCES
from support.fuzzing.spoil import argument, fitting, spoil_graph, spoiled_text
from torchscript_dialect.cli import ts_opt
from torchscript_dialect.dialects.context import make_context
from torchscript_dialect.ir import Graph
from torchscript_dialect.utils.recursion import unwound

PIPELINES = ("runtime-optimizations", "inlining", "before-specialization", "canonicalize", "cse")


class TooLong(BaseException):
    """A program that runs for ever does what it says."""


class Hangs(BaseException):
    """What goes on, or waits, and is no program that runs."""


def is_ours(error: BaseException) -> bool:
    """Whether an error is one that users are promised: a RuntimeError of a class of this package, which is no internal error."""
    ours = type(error).__module__.startswith("torchscript_dialect.")
    return isinstance(error, RuntimeError) and ours and "internal error" not in str(error)


def arguments_of(random: Random, types: Iterable[str]) -> list[Any]:
    """Values of these types, now and then of others."""
    return [argument(random) if random.random() < 0.1 else fitting(random, t) for t in types]


def _use(random: Random, graph: Graph) -> None:
    """What one does with a graph: look at it, run it, optimize it, call it."""
    str(graph)
    match random.randrange(4):
        case 0:
            ts.PassPipeline(random.choice(PIPELINES)).run(graph, verify_each=True)
            str(graph)
        case 1:
            function = ts.function_from(graph)
            arguments = arguments_of(random, [value.type().repr_str for value in graph.inputs()])
            for _ in range(2):
                function(*arguments)
        case _:
            ts.run_graph(
                graph, *arguments_of(random, [value.type().repr_str for value in graph.inputs()])
            )


def graph_text(random: Random) -> tuple[str, Callable[[], None]]:
    text = spoiled_text(random, random.choice(GRAPHS))
    return text, lambda: _use(random, ts.parse_ir(text))


def graph(random: Random) -> tuple[str, Callable[[], None]]:
    text = random.choice(GRAPHS)

    def work() -> None:
        made = ts.parse_ir(text)
        spoil_graph(random, made)
        _use(random, made)

    return text, work


def source(random: Random) -> tuple[str, Callable[[], None]]:
    text = spoiled_text(random, random.choice(SOURCES))

    def work() -> None:
        unit = ts.CompilationUnit(text)
        function = unit[unit.function_names[-1]] if unit.function_names else None
        if function is not None:
            str(function.graph), function.code
            function(*arguments_of(random, [a.type.repr_str for a in function.schema.arguments]))

    return text, work


def arguments(random: Random) -> tuple[str, Callable[[], None]]:
    text = random.choice(SOURCES)
    function = _compiled(text)

    def work() -> None:
        given = arguments_of(random, [one.type.repr_str for one in function.schema.arguments])
        if given and random.random() < 0.7:
            given[random.randrange(len(given))] = argument(random)
        if random.random() < 0.1:
            given = random.choice((given[:-1], [*given, argument(random)]))
        for _ in range(random.choice((1, 3))):
            function(*given)

    return text, work


_units: dict[str, Any] = {}


def _compiled(text: str) -> Any:
    if text not in _units:
        _units[text] = ts.CompilationUnit(text).f
    return _units[text]


def mlir_text(random: Random) -> tuple[str, Callable[[], None]]:
    seed = random.choice(GRAPHS)
    try:
        text = spoiled_text(random, str(ts.parse_ir(seed).module_op))
    except RuntimeError:
        text = seed

    def work() -> None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode(errors="replace")))
        options = ["-f", "mlir", "-p", random.choice(PIPELINES)]
        with redirect_stderr(io.StringIO()) as told:
            ts_opt.main([*options, "-t", random.choice(("torchscript", "mlir"))])
        message = told.getvalue()
        if "internal error" in message or len(message) > LONGEST:
            raise AssertionError(f"ts-opt says {len(message)} characters: {message[:LONGEST]}")

    return text, work


FAMILIES = {
    "source": source,
    "graph_text": graph_text,
    "graph": graph,
    "arguments": arguments,
    "mlir_text": mlir_text,
}
WEIGHTS = (30, 30, 25, 14, 1)
"""How many of a hundred cases are of each family: a run of ts-opt takes as long as ten others."""

SECONDS = 0.5
"""Of the CPU, after which a program that goes on is stopped: it may do so for ever."""

COMPILING = 10
"""As many times `SECONDS` may everything else take: the first use of a family imports it."""

WAITING = 600.0
"""Seconds that may pass for whatever it is: other processes may hold the machine for long."""

LONGEST = 5000
"""Characters that a message of ts-opt may have."""


def outcome(case: Callable[[], None], seconds: float = SECONDS) -> str:
    """`ok`, `ours`, `too long`, or what a user hears that is no error of ours, with where it came from."""
    rings = 0

    def ring(signum: int, frame: FrameType | None) -> None:
        nonlocal rings
        rings += 1
        if _in_a_program(frame):
            raise TooLong
        if rings > COMPILING:
            raise Hangs

    def give_up(signum: int, frame: FrameType | None) -> None:
        raise Hangs

    signal.signal(signal.SIGPROF, ring)
    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    signal.setitimer(signal.ITIMER_REAL, WAITING)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), unwound():
            case()
    except TooLong:
        return "too long"
    except (Exception, Hangs) as error:
        if is_ours(error):
            return "ours"
        frames = traceback.extract_tb(error.__traceback__)
        stack = " < ".join(f"{one.filename}:{one.lineno}" for one in frames[:-6:-1])
        return f"{type(error).__name__}: {error!s:.300} at {stack}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
    return "ok"


def _in_a_program(frame: FrameType | None) -> bool:
    """Whether what is running was generated from a graph."""
    while frame is not None:
        if frame.f_code.co_filename == "<torchscript>":
            return True
        frame = frame.f_back
    return False


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--family", choices=FAMILIES)
    parser.add_argument("--gigabytes", type=int, default=4)
    options = parser.parse_args()
    limit = options.gigabytes << 30
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    warnings.simplefilter("ignore")
    make_context()
    names = [name for name, weight in zip(FAMILIES, WEIGHTS, strict=True) for _ in range(weight)]
    if options.family:
        names = [options.family]
    counts = dict.fromkeys(("ok", "ours", "too long", "found"), 0)
    for seed in range(options.seed, options.seed + options.count):
        name = names[seed % len(names)]
        random = Random(seed)
        text, case = FAMILIES[name](random)
        found = outcome(case)
        counts[found if found in counts else "found"] += 1
        if found not in counts:
            report = {"seed": seed, "family": name, "text": text, "error": found}
            print(json.dumps(report), flush=True)
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
