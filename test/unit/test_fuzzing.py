"""Random mistakes in sources, graph text, MLIR text, graphs and arguments: users hear RuntimeErrors of ours, and nothing else.

`TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS=1000000` makes as many; docs/testing.md says what came of it.

Point 7 of docs/testing.md.
Point 9 of docs/testing.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import torchscript_dialect as ts
from support.amounts import IS_LONG, program_count
from support.fuzzing import runner
from support.fuzzing.seeds import GRAPHS, SOURCES

ENDLESS = """graph():
  %n : int = prim::Constant[value=9223372036854775807]()
  %t : bool = prim::Constant[value=1]()
  %r : int = prim::Loop(%n, %t, %n)
    block0(%i : int, %c : int):
      -> (%t, %i)
  return (%r)
"""
COUNT = program_count(10_000 if IS_LONG else 3_000)
TEST = Path(__file__).parent.parent


def test_what_is_spoiled_is_right_before() -> None:
    for text in SOURCES:
        assert ts.CompilationUnit(text).function_names
    for text in GRAPHS:
        ts.function_from(ts.parse_ir(text))


def test_random_mistakes_are_told_by_errors_of_ours() -> None:
    """A process of its own has little memory: programs may ask for all there is."""
    environment = {**os.environ, "PYTHONPATH": f"{TEST.parent}:{TEST}", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "support.fuzzing.runner", "--count", str(COUNT)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=TEST, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    *found, counts = map(json.loads, done.stdout.splitlines())
    told = (f"{one['family']} {one['seed']}: {one['error']}\n{one['smallest']}" for one in found)
    assert not found, "\n".join(told)
    assert sum(counts.values()) == COUNT
    assert counts["ok"] > COUNT // 20 and counts["ours"] > COUNT // 2, counts


def test_the_fuzzer_sees_what_is_no_error_of_ours() -> None:
    def bare() -> None:
        raise RuntimeError("plain")

    def internal() -> None:
        with ts_told():
            raise KeyError("x")

    def endless() -> None:
        while True:
            pass

    from torchscript_dialect.utils.errors import told

    def ts_told():
        return told("it is tried")

    assert "RuntimeError: plain" in runner.outcome(bare, 5)
    assert "InternalError: internal error while it is tried: KeyError" in runner.outcome(
        internal, 5
    )
    forever = ts.parse_ir(ENDLESS)
    assert runner.outcome(lambda: ts.run_graph(forever), 0.05) == "too long"
    assert runner.outcome(endless, 0.01).startswith("Hangs")
    assert runner.outcome(lambda: print(ts.parse_ir("graph")), 5) == "ours"
    assert runner.outcome(lambda: None, 5) == "ok"


@pytest.mark.parametrize("family", runner.FAMILIES)
def test_cases_depend_on_their_seed_alone(family: str) -> None:
    assert [runner.case_of(family, seed) for seed in range(5)] == [
        runner.case_of(family, seed) for seed in range(5)
    ]


@pytest.mark.parametrize("family", runner.FAMILIES)
def test_a_find_is_reduced(family: str) -> None:
    """The report of the fuzzer shows the smallest case: text, and steps that are made with it. Point 9 of docs/testing.md."""
    case = runner.case_of(family, 3)._replace(seeds=(5, 6, 7))
    word = case.text.split()[-1]

    def find(one: runner.Case) -> str:
        return f"KeyError: {len(one.text)}" if word in one.text and 6 in one.seeds else "ok"

    assert case.in_words(str(case)).seeds == case.seeds
    assert runner.reduced(case, find) == f"{word}\n# 6"
