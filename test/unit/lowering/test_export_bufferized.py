"""Functions that leave over memrefs: xDSL's own conversion to loops goes on with them, and its interpreter gives our results."""

from __future__ import annotations

import numpy as np
import pytest

import torchscript_dialect as ts
from support.exported_functions import FUNCTIONS, PROGRAMS, X, Y, Z, assert_same, function_of
from support.upstream_interpreter import run_text

LOOPS = "convert-linalg-to-loops"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_xdsls_loops_give_our_results(name: str) -> None:
    expression, args = FUNCTIONS[name]
    f = function_of(expression, len(args))
    text = str(ts.to_linalg(f, args, bufferize=True))
    assert "tensor." not in text
    assert_same(run_text(text, *args, passes=LOOPS), f(*args))


@pytest.mark.parametrize("name", PROGRAMS)
def test_control_flow_passes_buffers_on(name: str) -> None:
    source, calls = PROGRAMS[name]
    f = ts.CompilationUnit(source).f
    text = str(ts.to_linalg(f, calls[0], bufferize=True))
    for args in calls:
        assert_same(run_text(text, *args, passes=LOOPS), f(*args))


def test_dynamic_sizes_are_those_of_buffers() -> None:
    f = function_of("torch.cat([x, x * 2], 1)[1:].softmax(2)", 1)
    text = str(ts.to_linalg(f, Z, dynamic={"x": [1]}, bufferize=True))
    for args in ((Z,), (np.ones((2, 7, 4), np.float32),)):
        assert_same(run_text(text, *args, passes=LOOPS), f(*args))


def test_what_is_returned_is_not_what_was_given() -> None:
    """A caller may write to a result: an argument that is returned, by a branch or as it is, is a copy."""
    source = "def f(x, y, b: bool):\n    z = x\n    if b:\n        z = x + 1\n    return z, y\n"
    text = str(ts.to_linalg(ts.CompilationUnit(source).f, (X, Y, True), bufferize=True))
    (returned,) = (line for line in text.splitlines() if "func.return" in line)
    names = returned.split()[1].rstrip(","), returned.split()[2]
    assert all(f"{name} = memref.alloc()" in text for name in names)
