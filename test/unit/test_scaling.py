"""The work of a compilation and a call grows with the size of a program and no faster, whatever its shape.

Work is counted, not timed: calls of Python functions, which are the same on every machine.
"""

import sys
from types import FrameType
from typing import Any

import pytest

import torchscript_dialect as ts
from benchmarks.scaling import SHAPES


def calls_of(shape: str, size: int) -> int:
    """How many Python functions are called for a program of that shape and size."""
    work = SHAPES[shape][0](size)
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
    ["elifs", "early_returns", "early_exits_of_loops", "ternaries", "nested_ifs", "nested_loops"],
)
def test_four_times_the_program_is_four_times_the_work(shape: str) -> None:
    calls_of(shape, 2)
    assert calls_of(shape, 160) < 4.4 * calls_of(shape, 40)


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
