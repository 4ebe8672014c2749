"""Graphs of frozen modules beside PyTorch's."""

import torch
from torch import nn

import torchscript_dialect as ts
from support.canonical import without_mangling


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        return self.layer(self.norm(x)) * x.dim() + x.dim()

    @torch.jit.export
    def other(self, x):
        return self.layer(x) * x.size(0) + x.size(0)


def test_what_is_computed_twice_is_computed_once() -> None:
    net = Net().eval()
    theirs = torch.jit.freeze(torch.jit.script(net), preserved_attrs=["other"])
    ours = ts.freeze(ts.script(net), preserved_attrs=["other"])
    assert without_mangling(ours.code) == without_mangling(theirs.code)
    assert without_mangling(ours.other.code) == without_mangling(theirs.other.code)
