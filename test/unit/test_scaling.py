"""The work of a compilation and a call grows with the size of a program and no faster, whatever its shape.

Work is counted, not timed: calls of Python functions, which are the same on every machine.

Point 4 of docs/testing.md.
"""

import sys
from types import FrameType
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from benchmarks import pass_scaling
from benchmarks.scaling import SHAPES, Work
from torchscript_dialect.passes.table import all_names

CUTTING = ("ts-create-autodiff-subgraphs", "ts-guard-differentiable-graphs")
"""Passes over graphs that are cut where they have more than 128 nodes."""


def calls_of(shape: str, size: int) -> int:
    """How many Python functions are called for a program of that shape and size."""
    return calls_in(SHAPES[shape][0](size))


def calls_in(work: Work) -> int:
    """How many Python functions are called by a piece of work."""
    count = 0

    def profile(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    "shape",
    [
        "elifs",
        "early_returns",
        "early_exits_of_loops",
        "ternaries",
        "nested_ifs",
        "nested_loops",
        "chain_of_functions",
    ],
)
def test_four_times_the_program_is_four_times_the_work(shape: str) -> None:
    calls_of(shape, 2)
    assert calls_of(shape, 160) < 4.4 * calls_of(shape, 40)


@pytest.mark.parametrize("name", pass_scaling.MEASURED)
def test_four_times_the_nodes_are_four_times_the_work_of_a_pass(name: str) -> None:
    pass_scaling.work_of(name, 48)()
    sizes = (160, 640) if name in CUTTING else (80, 320)
    few, many = (calls_in(pass_scaling.work_of(name, n)) for n in sizes)
    assert many < 4.4 * few


@pytest.mark.parametrize("kind", pass_scaling.LOWERED)
def test_four_times_the_nodes_are_four_times_the_work_of_a_lowering_pass(kind: str) -> None:
    pass_scaling.lowered(kind, 10, calls_in)
    few, many = (pass_scaling.lowered(kind, n, calls_in) for n in (70, 280))
    steep = {name: (few[name], calls) for name, calls in many.items() if calls > 4.4 * few[name]}
    assert not steep


def test_every_pass_is_measured_or_named() -> None:
    lowered = (name for _, names in pass_scaling.LOWERED.values() for name in names)
    measured = {name.partition("{")[0] for name in (*pass_scaling.MEASURED, *lowered)}
    named = {*pass_scaling.FROM_SOURCE, *pass_scaling.NOT_MEASURED}
    assert measured | named == {name for name in all_names() if name.startswith("ts-")}
    assert not measured & named


@pytest.mark.parametrize("shape", ["elifs", "early_returns", "ternaries"])
@pytest.mark.parametrize("x", [0, 7, 99, 100])
def test_long_chains_decide_as_python_does(shape: str, x: int) -> None:
    text = {
        "elifs": "def f(x: int):\n    if x == 0:\n        y = 0\n"
        + "".join(f"    elif x == {i}:\n        y = {i * i}\n" for i in range(1, 100))
        + "    else:\n        y = -1\n    return y\n",
        "early_returns": "def f(x: int):\n    y = 5\n"
        + "".join(f"    if x == {i}:\n        return {i * i}\n    y += {i}\n" for i in range(100))
        + "    return y\n",
        "ternaries": "def f(x: int):\n    return "
        + "".join(f"{i * i} if x == {i} else " for i in range(100))
        + "-1\n",
    }[shape]
    names: dict[str, Any] = {}
    exec(text, names)
    f = ts.CompilationUnit(text).f
    assert [f(x), f(x)] == [names["f"](x)] * 2


@pytest.mark.parametrize(
    "shape", ["elifs", "early_returns", "ternaries", "nested_ifs", "nested_calls", "nested_loops"]
)
def test_programs_nest_a_thousand_levels(shape: str) -> None:
    SHAPES[shape][0](1000)()


def chain(depth: int) -> str:
    """Functions that call each other, `f` all the others."""
    lines = [f"def g{i + 1}(x):\n    return g{i}(x) + {i % 3}\n" for i in range(depth)]
    return f"def g0(x):\n    return x\n{''.join(lines)}def f(x):\n    return g{depth}(x)\n"


def test_a_thousand_functions_call_each_other_on_the_first_call() -> None:
    f = ts.CompilationUnit(chain(1000)).f
    assert f(np.zeros(2, np.float32)).numpy().tolist() == [999.0, 999.0]


@pytest.mark.parametrize("optimized", [False, True])
def test_two_hundred_functions_call_each_other_on_every_call(optimized: bool) -> None:
    f = ts.CompilationUnit(chain(200)).f
    with ts.optimized_execution(optimized):
        results = [f(np.zeros(2, np.float32)).numpy().tolist() for _ in range(3)]
    assert results == [[199.0, 199.0]] * 3


def test_functions_that_call_each_other_too_deep_say_so_with_the_place() -> None:
    f = ts.CompilationUnit(chain(1600)).f
    with pytest.raises(RuntimeError, match="functions call each other too deep") as error:
        f(np.zeros(2, np.float32))
    text = str(error.value)
    assert 'File "<string>", line 3204, in f\n' in text
    assert "calls ...\n" in text
    assert len(text) < 8000


def test_inlining_a_chain_is_linear() -> None:
    def work(depth: int) -> int:
        function = ts.CompilationUnit(chain(depth)).f
        with ts.fuser("none"):
            return calls_in(lambda: function.graph_for(np.zeros(2, np.float32)))

    work(100)
    assert work(400) < 2.5 * work(200)
