"""What is compiled already as a submodule of a module that is compiled: scripted, traced, loaded, frozen."""

import io
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.torch import nn

X = np.array([[0.5, -1.0], [2.0, 0.25]], np.float32)


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return torch.relu(self.layer(x))


class Outer(nn.Module):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x) + 1


class Listed(Outer):
    def __init__(self, inner: Any) -> None:
        super().__init__(nn.ModuleList([inner]))

    def forward(self, x):
        for each in self.inner:
            x = each(x) + 1
        return x


def loaded(compiled: Any) -> Any:
    stream = io.BytesIO()
    ts.save(compiled, stream)
    stream.seek(0)
    return ts.load(stream)


WAYS = {
    "script": ts.script,
    "trace": lambda inner: ts.trace(inner, X),
    "load": lambda inner: loaded(ts.script(inner)),
    "load a trace": lambda inner: loaded(ts.trace(inner, X)),
    "freeze": lambda inner: ts.freeze(ts.script(inner.eval())),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("outer", [Outer, Listed])
def test_compiled_submodules(outer: Any, way: Any) -> None:
    """Those that were loaded or frozen were refused: they have no Python source."""
    inner = Inner()
    made = ts.script(outer(way(inner)))
    wanted = (inner(torch.tensor(X)) + 1).tolist()
    for each in (made, loaded(made)):
        for _ in range(3):
            assert np.array(each(X).tolist()) == pytest.approx(np.array(wanted))


def test_containers_that_were_loaded_are_no_lists() -> None:
    """As in PyTorch: what an archive holds of a ModuleList has its name only."""
    inner = loaded(ts.script(Listed(Inner()))).inner
    with pytest.raises(RuntimeError, match="ModuleList, ModuleDict, or ParameterList can be used"):

        class Loop(Outer):
            def forward(self, x):
                for each in self.inner:
                    x = each(x)
                return x

        ts.script(Loop(inner))


def test_compiled_modules_forget_their_gradients() -> None:
    made = ts.script(Outer(Inner()))
    assert repr(made.forward.schema) == str(made.forward.schema)
    made(X).sum().backward()
    weight = made.inner.layer.weight
    assert weight.grad is not None
    made.zero_grad(set_to_none=False)
    assert weight.grad.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    made.zero_grad()
    assert weight.grad is None
