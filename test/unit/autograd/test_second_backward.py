"""Which graphs can be gone back through a second time without `retain_graph`: those that keep no elements of tensors, as in PyTorch."""

from __future__ import annotations

import re

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

CALLS = 6
"""After fewer of them a function is compiled."""

EAGER = """
x.sum()                                      again
x.mean()                                     again
(x + x).sum()                                again
(x - 1).sum()                                again
(1 - x).sum()                                again
x.add(x, alpha=3).sum()                      again
x.view(-1).sum()                             again
x.clone().t().contiguous().sum()             again
x[0].sum()                                   again
x.unbind()[0].sum()                          again
x.expand(2, 2, 2).sum()                      again
torch.cat([x, x]).sum()                      again
x.cumsum(0).sum()                            again
x.flip(0).sum()                              again
x.to(torch.float64).sum()                    again
x.clone().add_(1).sum()                      again
torch.nn.functional.pad(x, [1, 1]).sum()     again
x.floor().sum()                              again
(x * 2).sum()                                freed
(x / 2).sum()                                freed
(x * x).sum()                                freed
(x ** 1).sum()                               freed
torch.relu(x).sum()                          freed
torch.where(x > 0, x, -x).sum()              freed
torch.mm(x, x).sum()                         freed
torch.softmax(x, -1).sum()                   freed
x.max()                                      freed
x.masked_fill(x > 0, 0.0).sum()              freed
x[torch.tensor([0])].sum()                   freed
x.clone()[0].add_(1).sum()                   freed
"""
COMPILED_AGAIN = ("(x * 2).sum()", "(x / 2).sum()")
"""Numbers of a program are no tensors, which would be freed."""
ROWS = [re.split(r"\s{2,}", line) for line in EAGER.strip().split("\n")]


def second(loss: torch.Tensor) -> str:
    """What a second way back says."""
    loss.backward()
    try:
        loss.backward()
    except RuntimeError as error:
        assert "Trying to backward through the graph a second time" in str(error)
        return "freed"
    return "again"


def leaf() -> torch.Tensor:
    return torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_eager(text: str, expected: str) -> None:
    for _ in range(3):
        assert second(eval(text, {"torch": torch, "x": leaf()})) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [row for row in ROWS if "tensor([0])" not in row[0]]
)  # constants of a reverse graph are not kept
def test_compiled(text: str, expected: str) -> None:
    expected = "again" if text in COMPILED_AGAIN else expected
    unit = ts.CompilationUnit(f"def f(x):\n    return {text}\n")
    with ts.background_compilation(False):
        for _ in range(CALLS):
            assert second(unit.f(leaf())) == expected


def test_gradients_are_added_up() -> None:
    x = leaf()
    loss = (x.view(4) + 1).sum()
    for times in (1, 2, 3):
        loss.backward()
        assert x.grad.tolist() == [[times, times], [times, times]]
