"""Runs hostile graphs where nothing of them may be felt: a process of its own that records what Python audits.

`python hostile_runner.py` writes one line of JSON a graph: its name, what came of it, and the audited events while it was read,
printed, verified, optimized and run. What our own code imports is imported before.
"""

from __future__ import annotations

import contextlib
import io
import json
import pkgutil
import sys
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

import lowering
import torchscript_dialect as ts
from support.amounts import IS_LONG
from support.hostile_graphs import TOKEN, Hostile, hostile_graphs
from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.passes.table import own_passes
from torchscript_dialect.runtime.admission import admit
from torchscript_dialect.runtime.interpreter.interpreter import InterpreterFunction, callees_of
from torchscript_dialect.serialization.python_printer import print_function

HARMLESS = (
    "array.__new__",
    "builtins.id",
    "object.__getattr__",
    "_thread.start_new_thread",
    "sys._getframe",
)
"""Events of our own code: `__code__` of a generated function, the thread of a fork."""
OURS = ("<torchscript>", "<generated>")
"""The names under which we compile Python: graphs, and what stands around kernels of operators from their first use."""


class Holder(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.number = 3

    def forward(self, x: int) -> int:
        return self.number + x


class Recorder:
    """The events since it was last emptied."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.is_on = False
        sys.addaudithook(self.hear)

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.is_on or event in HARMLESS:
            return
        if event in ("compile", "exec"):
            self.hear_source(event, arguments)
        else:
            self.events.append(f"{event} {str(arguments)[:200]}")

    def hear_source(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Only our own source is compiled and run, and the program is not in it."""
        is_ours = (
            arguments[1] in OURS and TOKEN not in str(arguments[0])
            if event == "compile"
            else arguments[0].co_filename in OURS
        )
        if not is_ours:
            self.events.append(f"{event} {str(arguments)[:200]}")

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        self.events.clear()
        self.is_on = True
        try:
            yield
        finally:
            self.is_on = False


def arguments_of(hostile: Hostile, module: Any) -> list[Any]:
    values = {
        "t": np.ones(2, np.float32),
        "i": 1,
        "s": f"{{}} {TOKEN}",
        "p": (1, 2),
        "l": [1, 2],
        "b": False,
        "m": module,
    }
    return [values.get(letter, 1) for letter in hostile.arguments]


def outcome(step: Callable[[], Any]) -> str:
    """What came of a step: `ok` or the class of the error, a bare Python error among them."""
    try:
        step()
    except RuntimeError as error:
        return f"RuntimeError: {str(error)[:120]}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:120]}"
    return "ok"


def generated(text: str) -> list[str]:
    """The Python source of the functions of a text, whether or not they would be let in."""
    module = ts.parse_ir(text).module_op
    sources: list[str] = []
    for checked in (False, True):
        for function in module.body.ops:
            made = InterpreterFunction(function, callees_of(module), is_checked=checked)  # type: ignore[arg-type]
            sources.append(made.source.text)
    return sources


def optimize(text: str, number: int) -> None:
    """A fifth of the passes, another for each graph; TORCHSCRIPT_DIALECT_LONG_TESTS=1 runs all of them on all."""
    graph = ts.parse_ir(text)
    every = 1 if IS_LONG else 5
    for pipeline in PIPELINES[number % every :: every]:
        with contextlib.suppress(Exception):
            pipeline.run(graph)
    str(graph)


def look_at(text: str) -> None:
    """Read, print, verify: what a user does with a graph before running it."""
    graph = ts.parse_ir(text)
    for show in (
        lambda: str(graph),
        lambda: str(graph.module_op),
        lambda: print_function(graph.function),
        lambda: graph.dot(),
        lambda: graph._repr_svg_(),  # pyright: ignore[reportPrivateUsage]
        lambda: str(graph.alias_db()),
        lambda: graph.lint(),
        lambda: admit(graph.module_op),
    ):
        with contextlib.suppress(Exception):
            show()


PIPELINES = [ts.PassPipeline([name]) for name in own_passes()]


def treat(hostile: Hostile, number: int, module: Any) -> tuple[str, list[str]]:
    """Do with a graph, the one of that number, whatever can be done; what came of running it, and the source that was generated."""
    sources: list[str] = []
    outcome(lambda: look_at(hostile.text))
    outcome(lambda: optimize(hostile.text, number))
    outcome(lambda: sources.extend(generated(hostile.text)))
    arguments = arguments_of(hostile, module)
    return outcome(lambda: ts.run_graph(ts.parse_ir(hostile.text), *arguments)), sources


def import_everything() -> None:
    """Import what is otherwise imported on first use, which a thread that a graph began may do at any time."""
    for package in (ts, lowering):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)


def main() -> None:
    warnings.simplefilter("ignore")
    import_everything()
    recorder = Recorder()
    out, sys.stdout = sys.stdout, io.StringIO()
    module = ts.script(Holder())
    registry.load_families()
    graphs = list(hostile_graphs())
    for number, hostile in enumerate(graphs[::7]):  # what other packages import on first use
        treat(hostile, number, module)
    for number, hostile in enumerate(graphs):
        with recorder.on():
            came, sources = treat(hostile, number, module)
        record = {
            "name": hostile.name,
            "outcome": came,
            "events": list(recorder.events),
            "leaks": [source for source in sources if TOKEN in source],
            "compiled": len(sources),
        }
        out.write(json.dumps(record) + "\n")
    fields = module.__torchscript_object__.__torchscript_fields__
    out.write(json.dumps({"fields": {k: repr(v) for k, v in fields.items()}}) + "\n")


if __name__ == "__main__":
    main()
