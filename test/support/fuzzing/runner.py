"""Runs random mistakes in a process with little memory, and prints what a user would hear that is no error of ours, each with the
smallest case that shows it.

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
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from random import Random
from types import FrameType
from typing import Any, NamedTuple

import torchscript_dialect as ts
from support.fuzzing.seeds import GRAPHS, SOURCES
from support.fuzzing.spoil import argument, fitting, spoil_graph, spoiled_text
from support.reduced import SECONDS as SECONDS_TO_REDUCE
from torchscript_dialect.cli import ts_opt
from torchscript_dialect.dialects.context import make_context
from torchscript_dialect.ir import Graph
from torchscript_dialect.reducer import PlainText, reduce_text

PIPELINES = (
    "runtime-optimizations",
    "inlining",
    "decomposition",
    "before-specialization",
    "canonicalize",
    "cse",
)


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


class Case(NamedTuple):
    """Text that is used, and the seeds of what is done with it, one for each step. Each of the two can be made smaller."""

    family: str
    text: str
    seeds: tuple[int, ...]

    def run(self) -> None:
        """Do it."""
        FAMILIES[self.family].use(self.text, [Random(seed) for seed in self.seeds])

    def __str__(self) -> str:
        """As `in_words` reads it: the text, and the seeds in a line behind it."""
        return f"{self.text.rstrip()}\n# {' '.join(map(str, self.seeds))}\n"

    def in_words(self, words: str) -> Case:
        """The case of that family that a text tells."""
        text, _, seeds = words.rstrip().rpartition("\n# ")
        return Case(self.family, f"{text}\n", tuple(map(int, seeds.split())))


class Family(NamedTuple):
    """A kind of case: what makes the text, how many steps are made with it, and what they do."""

    text: Callable[[Random], str]
    use: Callable[[str, list[Random]], None]
    steps: tuple[int, ...] = (1,)


def _spoiled(texts: Sequence[str]) -> Callable[[Random], str]:
    return lambda random: spoiled_text(random, random.choice(texts))


def _use_graph_text(text: str, steps: list[Random]) -> None:
    _use(steps[-1], ts.parse_ir(text))


def _use_graph(text: str, steps: list[Random]) -> None:
    made = ts.parse_ir(text)
    for random in steps[:-1]:
        spoil_graph(random, made)
    _use(steps[-1], made)


def _use_source(text: str, steps: list[Random]) -> None:
    unit = ts.CompilationUnit(text)
    function = unit[unit.function_names[-1]] if unit.function_names else None
    if function is not None:
        _ = str(function.graph), function.code
        function(*arguments_of(steps[-1], [a.type.repr_str for a in function.schema.arguments]))


def _use_arguments(text: str, steps: list[Random]) -> None:
    function, random = _compiled(text), steps[-1]
    given = arguments_of(random, [one.type.repr_str for one in function.schema.arguments])
    if given and random.random() < 0.7:
        given[random.randrange(len(given))] = argument(random)
    if random.random() < 0.1:
        given = random.choice((given[:-1], [*given, argument(random)]))
    for _ in range(random.choice((1, 3))):
        function(*given)


_units: dict[str, Any] = {}


def _compiled(text: str) -> Any:
    if text not in _units:
        _units[text] = ts.CompilationUnit(text).f
    return _units[text]


def _mlir_text(random: Random) -> str:
    seed = random.choice(GRAPHS)
    try:
        return spoiled_text(random, str(ts.parse_ir(seed).module_op))
    except RuntimeError:
        return seed


def _use_mlir_text(text: str, steps: list[Random]) -> None:
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode(errors="replace")))
    options = ["-f", "mlir", "-p", steps[-1].choice(PIPELINES)]
    with redirect_stderr(io.StringIO()) as told:
        ts_opt.main([*options, "-t", steps[-1].choice(("torchscript", "mlir"))])
    message = told.getvalue()
    if "internal error" in message or len(message) > LONGEST:
        raise AssertionError(f"ts-opt says {len(message)} characters: {message[:LONGEST]}")


FAMILIES = {
    "source": Family(_spoiled(SOURCES), _use_source),
    "graph_text": Family(_spoiled(GRAPHS), _use_graph_text),
    "graph": Family(lambda random: random.choice(GRAPHS), _use_graph, (2, 3, 4, 5)),
    "arguments": Family(lambda random: random.choice(SOURCES), _use_arguments),
    "mlir_text": Family(_mlir_text, _use_mlir_text),
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
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
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


def case_of(name: str, seed: int) -> Case:
    """The case of a family with a number."""
    random, family = Random(seed), FAMILIES[name]
    text = family.text(random)
    return Case(
        name, text, tuple(random.getrandbits(20) for _ in range(random.choice(family.steps)))
    )


def reduced(case: Case, find: Callable[[Case], str]) -> str:
    """The smallest case of which the same kind of thing is found, as it tells itself."""
    kind = find(case).partition(":")[0]

    def is_interesting(words: str) -> bool:
        return find(case.in_words(words)).partition(":")[0] == kind

    return reduce_text(PlainText(), str(case), is_interesting, seconds=SECONDS_TO_REDUCE)


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
        case = case_of(name, seed)
        found = outcome(case.run)
        counts[found if found in counts else "found"] += 1
        if found not in counts:
            smallest = reduced(case, lambda one: outcome(one.run))
            report = {"seed": seed, "family": name, "error": found, "smallest": smallest}
            print(json.dumps(report), flush=True)
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
