"""Tensors that no memory holds are RuntimeErrors that name the operator, as with PyTorch.

Point 5 of docs/testing.md.
"""

from pathlib import Path

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.cli import ts_run

HUGE = 10**7
PLACES = [
    ("torch.zeros([n, n, n])", "aten::zeros"),
    ("torch.ones([n, n])", "aten::ones"),
    ("torch.empty([n, n, n, n])", "aten::empty"),
    ("torch.full([n, n, n], 1.5)", "aten::full"),
    ("torch.rand([n, n, n])", "aten::rand"),
    ("torch.arange(n * n)", "aten::arange"),
    ("torch.eye(n)", "aten::eye"),
    ("x.expand([n, n, 4]).contiguous()", "aten::contiguous"),
    ("x.repeat([n, n])", "aten::repeat"),
    ("torch.cat([x.expand([n, n, 4]), x.expand([n, n, 4])])", "aten::cat"),
    ("x.expand([n, n, 4]) + 1", "aten::add"),
]


@pytest.mark.parametrize(("expression", "operator"), PLACES)
def test_too_large_a_tensor(expression: str, operator: str) -> None:
    f = ts.CompilationUnit(f"def f(x, n: int):\n    return {expression}\n").f
    for _ in range(3):
        with pytest.raises(RuntimeError, match=operator) as caught:
            f(np.ones(4, np.float32), HUGE)
        message = str(caught.value)
        assert "allocate memory" in message or "Storage size calculation overflowed" in message
        assert "line 2" in message


def test_eager_calls() -> None:
    x = torch.ones(4)
    with pytest.raises(
        RuntimeError, match=r"aten::zeros: .*you tried to allocate 4000000000000000 "
    ):
        torch.zeros([1000000, 1000000, 1000])
    with pytest.raises(RuntimeError, match="aten::zeros: Storage size calculation overflowed"):
        torch.zeros([2**40, 2**40])
    with pytest.raises(RuntimeError, match=r"aten::repeat: .*allocate memory"):
        x.repeat(10**14)


def test_lists_of_too_many_pieces() -> None:
    """They were made one by one; of `vsplit` the remainder overflowed to 0."""
    x = torch.ones(2, 4)
    for sections in (2**62, 2**63 - 1):
        with pytest.raises(RuntimeError, match="no memory holds a list"):
            torch.tensor_split(x, sections)
        with pytest.raises(RuntimeError, match="dimension 2 is not divisible by the split_size"):
            torch.vsplit(x, sections)


def test_ts_run_prints_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "zeros.py"
    path.write_text("def f():\n    return torch.zeros([1000000, 1000000, 1000])\n")
    assert ts_run.main([str(path)]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("ts-run: error: ")
    assert "you tried to allocate 4000000000000000 bytes" in shown
    assert "Unable to allocate" not in shown
