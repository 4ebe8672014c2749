"""Which writes nodes take for writes to what they have saved: Note [Counters of writes]."""

from __future__ import annotations

from typing import Any

import pytest

import torchscript_dialect as ts
from support.random_writes import PROGRAMS, outcome
from torchscript_dialect import torch

REFUSED = "modified by an inplace"


@pytest.mark.parametrize(
    ("saving", "write", "wanted"),
    [
        ("x * x", "x.data.add_(1)", [4.0, 6.0, 8.0]),
        ("x * x", "x.data[1:].zero_()", [2.0, 0.0, 0.0]),
        ("x * x", "x.detach().add_(1)", REFUSED),
        ("x * x", "x.data.detach().add_(1)", [4.0, 6.0, 8.0]),
        ("x * w", "w.detach().data.zero_()", [0.0, 0.0, 0.0]),
        ("x * w", "w.detach()[1:].zero_()", REFUSED),
        ("x * w", "torch.neg(w.data, out=w.data)", [-1.0, -2.0, -3.0]),
        ("x * w", "torch.neg(w, out=w)", REFUSED),
        ("x * w.data", "w.add_(1)", [2.0, 3.0, 4.0]),
        ("x * w", "d = w.data; z = d * x; d.add_(1)", REFUSED),
        ("x * w", "d = w.data; z = d[0] * x; d[1].add_(1)", REFUSED),
        ("x * w", "d = w.data; e = d.detach(); z = d * x; e.add_(1)", REFUSED),
        ("torch.exp(y)", "y.data.zero_()", [2.7183, 7.3891, 20.0855]),
        ("y * y", "of_data(y)", [4.0, 6.0, 8.0]),
        ("y * y", "program(y.detach())", REFUSED),
    ],
)
def test_a_write_is_seen_or_not(saving: str, write: str, wanted: Any) -> None:
    programs = ts.CompilationUnit(PROGRAMS)
    for _ in range(3):
        assert outcome(torch, programs, saving, write) == wanted


def test_counters_of_data_are_apart() -> None:
    x = torch.zeros(3, requires_grad=True)
    data, before = x.data, x._version
    data.add_(1)
    data[0].add_(1)
    assert (data._version, data[1:]._version, x._version - before) == (2, 2, 0)
    x.detach().add_(1)
    assert (data._version, x._version - before) == (2, 1)
