"""Nodes follow writes to what they have saved as PyTorch's do, by all names that memory has."""

import pytest

import torchscript_dialect as ts
from support.random_writes import PROGRAMS, cases, outcome
from torchscript_dialect import torch as ours

torch = pytest.importorskip("torch")


def test_writes_are_followed_as_by_pytorch() -> None:
    programs, pytorchs = ts.CompilationUnit(PROGRAMS), torch.jit.CompilationUnit(PROGRAMS)
    for saving, write in cases():
        wanted = outcome(torch, pytorchs, saving, write)
        assert outcome(ours, programs, saving, write) == wanted, f"z = {saving}; {write}"
