"""Traces of the programs in test/tracer/programs beside what PyTorch's traces of them are (test/golden/traces)."""

from typing import Any

import numpy as np
import pytest

from support import traces
from torchscript_dialect import torch

PROGRAMS = [
    pytest.param(path, program, id=f"{path.stem}-{program.name}")
    for path in traces.files()
    for program in traces.load(path, torch)
]


def assert_same(mine: Any, known: Any) -> None:
    """Two results in the form of the golden files."""
    if isinstance(known, list):
        assert len(mine) == len(known)
        for one, other in zip(mine, known, strict=True):
            assert_same(one, other)
    elif "dtype" in known:
        assert (mine["dtype"], mine["shape"]) == (known["dtype"], known["shape"])
        np.testing.assert_allclose(mine["elements"], known["elements"], rtol=1e-4, atol=1e-6)
    else:
        assert mine.keys() == known.keys()
        for key in known:
            assert_same(mine[key], known[key])


@pytest.mark.parametrize(("path", "program"), PROGRAMS)
def test_graphs_and_results(path: Any, program: traces.TracedProgram) -> None:
    known = traces.golden(path)[program.name]
    traced = traces.trace(program, torch)
    assert traces.texts(traced) == known["graphs"]
    result = traced(*traces.to_inputs(program.inputs, torch))
    assert_same(traces.as_json(result), known["result"])


def test_there_are_enough() -> None:
    assert len(PROGRAMS) > 150
