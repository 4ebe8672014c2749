"""Every structural node with every attribute spoiled: reading, printing, optimizing and running touches nothing (docs/security.md).

Point 1 of docs/testing.md.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support import hostile_runner
from support.hostile_graphs import SPOILED, TEMPLATES, hostile_graphs, node
from torchscript_dialect.dialects.prim import STRUCTURAL_OPS, PrimOp
from torchscript_dialect.runtime.values.type_tests import has_type

RUNNER = Path(hostile_runner.__file__)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def records(folder: Path) -> list[dict[str, Any]]:
    """What came of each graph, in a process of its own."""
    command = [sys.executable, str(RUNNER)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_there_are_many() -> None:
    """All structural nodes are there, with every attribute, spoiled in every way."""
    assert TEMPLATES.keys() == {op.KIND for op in STRUCTURAL_OPS}
    for op in STRUCTURAL_OPS:
        assert issubclass(op, PrimOp)
        assert dict(TEMPLATES[op.KIND].attributes).keys() == op.ATTRIBUTES.keys(), op.KIND
    names = [hostile.name for hostile in hostile_graphs()]
    assert len(names) > 1000
    assert sum("prim::TupleSlice beg=" in name for name in names) > len(SPOILED)


def test_nothing_is_touched(records: list[dict[str, Any]], folder: Path) -> None:
    """No file, process, import, socket, foreign code or attribute: Python audits them."""
    *graphs, last = records
    assert len(graphs) == len(list(hostile_graphs()))
    assert not [(graph["name"], graph["events"]) for graph in graphs if graph["events"]]
    assert last["fields"] == {"training": "True", "number": "1"}
    assert not list(folder.iterdir())


FALSE = "Tensor int str int[] Generator Device bool Future(int) float complex NoneType".split()
VALUES = {"t": np.ones(2, np.float32), "i": 1, "s": "text", "p": (1, 2), "l": [1, 2], "b": True}


@pytest.mark.parametrize("kind", [op.KIND for op in STRUCTURAL_OPS])
def test_results_have_the_types_that_nodes_claim(kind: str) -> None:
    """A task's result was taken for a device, and its `type` for a text: a method of a Python object."""
    template = TEMPLATES[kind]
    if not template.results or kind == "prim::Uninitialized":
        return  # which has a value of no type
    for claimed in [*FALSE, "Dict(str, int)", "(int, int)"]:
        hostile = node(kind, dict(template.attributes), claimed)
        try:
            graph = ts.parse_ir(hostile.text)
            result = ts.run_graph(graph, *[VALUES.get(letter, 1) for letter in hostile.arguments])
        except RuntimeError:
            continue
        (output,) = graph.outputs()
        assert has_type(result, output.type()), f"{result} is no {claimed}"


def test_tasks_in_tasks_are_made_once() -> None:
    """Each was made by all around it, which for 30 took longer than anybody waits."""
    levels = 30
    tasks = [
        f"with prim::fork_{level} = graph(%x : int):\n{_task(level + 1)}" for level in range(levels)
    ]
    last = f"with prim::fork_{levels} = graph(%x : int):\n  return (%x)\n"
    graph = ts.parse_ir("".join([f"graph(%x : int):\n{_task(0)}", *tasks, last]))
    assert ts.run_graph(graph, 3) == 3


def _task(number: int) -> str:
    return f"  %f : Future(int) = prim::fork_{number}(%x)\n  %y : int = aten::wait(%f)\n  return (%y)\n"


def test_generated_source_holds_no_text_of_the_program(records: list[dict[str, Any]]) -> None:
    graphs = records[:-1]
    assert sum(graph["compiled"] for graph in graphs) > 1000
    assert not [(graph["name"], graph["leaks"]) for graph in graphs if graph["leaks"]]


def test_they_end_in_results_or_in_our_errors(records: list[dict[str, Any]]) -> None:
    graphs = records[:-1]
    bare = {
        graph["name"]: graph["outcome"]
        for graph in graphs
        if not graph["outcome"].startswith(("ok", "RuntimeError", "TypeError: Unable to cast"))
    }
    assert not bare
    assert any(graph["outcome"] == "ok" for graph in graphs)


def test_what_should_be_felt_is_felt() -> None:
    """The recorder hears what an exploit would do."""
    code = (
        "from support import hostile_runner as h; import os\n"
        "recorder = h.Recorder()\n"
        "with recorder.on():\n"
        "    eval('1 + 1'); open(os.devnull).close(); os.system('true'); import colorsys\n"
        "heard = {event.split()[0] for event in recorder.events}\n"
        "assert heard >= {'compile', 'exec', 'open', 'os.system', 'import'}, heard\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=RUNNER.parents[1],
        check=False,
    )
    assert done.returncode == 0, done.stderr
