"""A call in an index of a tensor is made as often as PyTorch makes it, which emits an index two or three times."""

import torch
from torch import nn

import torchscript_dialect as ts
from support.canonical import canonical


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def place(self, at: int) -> int:
        self.calls += 1
        return at

    def rows(self):
        self.calls += 1
        return torch.tensor([1, 0])

    def forward(self, x):
        y = x[self.rows()]
        a = self.calls
        y = (
            y
            + x[self.place(1)]
            + x[self.place(0), self.place(1)]
            + x[self.place(0) : self.place(2)]
        )
        b = self.calls
        y[self.rows()] = 0.0
        y[0, self.rows()] += 1.0
        return y, a, b, self.calls


def test_calls_in_indices() -> None:
    x = torch.arange(4.0).reshape(2, 2)
    theirs, ours = torch.jit.script(Counter()), ts.script(Counter())
    assert canonical(str(ours.graph)) == canonical(str(theirs.graph))
    for _ in range(3):
        (y, *counts), (expected, *wanted) = ours(x), theirs(x)
        assert torch.equal(torch.from_dlpack(y), expected)
        assert counts == wanted
