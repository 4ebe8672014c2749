"""Traces of the programs in test/tracer/programs, saved and loaded by PyTorch, give there what they give here."""

import io
import warnings
from typing import Any

import numpy as np
import pytest
import torch

import torchscript_dialect as ts
from support import traces
from torchscript_dialect import torch as ours


def assert_same(mine: Any, theirs: Any) -> None:
    if isinstance(theirs, (tuple, list)):
        assert len(mine) == len(theirs)
        for one, other in zip(mine, theirs, strict=True):
            assert_same(one, other)
    elif isinstance(theirs, dict):
        assert mine.keys() == theirs.keys()
        for key in theirs:
            assert_same(mine[key], theirs[key])
    else:
        theirs = theirs.detach()
        assert str(mine.dtype) == str(theirs.dtype)
        np.testing.assert_allclose(mine.detach().numpy(), theirs.numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("path", traces.files(), ids=lambda path: path.stem)
def test_saved_traces(path: Any) -> None:
    for program in traces.load(path, ours):
        traced = traces.trace(program, ours)
        buffer = io.BytesIO()
        ts.save(traced, buffer)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded = torch.jit.load(io.BytesIO(buffer.getvalue()))
            theirs = loaded(*traces.to_inputs(program.inputs, torch))
        mine = traced(*traces.to_inputs(program.inputs, ours))
        assert_same(mine, theirs)
        again = ts.load(io.BytesIO(buffer.getvalue()))
        assert_same(again(*traces.to_inputs(program.inputs, ours)), theirs)
