"""Functions of the stand-in that programs call, and mistakes in the head of a function. Results are PyTorch 2.13.0's."""

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.torch.nn.modules.utils import _pair, _quadruple, _single, _triple

F, init = torch.nn.functional, torch.nn.init


@ts.script
def repeated():
    return _single(1), _pair(2), _triple([3, 4, 5]), _quadruple(2.5)


@ts.script
def norms(x):
    return F.lp_pool1d(x, 2, 3), F.lp_pool1d(x, 2.0, 3), F.lp_pool2d(x, 2, 2)


@ts.script
def begun(x):
    init.uniform_(x, 1.0, 1.0)
    init.normal_(x, 0.5, 0.0)
    init.ones_(init.zeros_(x))
    return init.constant_(x, 2.0)


@ts.script
def dotted(a, b, dims: torch.Tensor):
    return torch.tensordot(a, b, dims)


def test_numbers_as_often_as_there_are_dimensions() -> None:
    assert repeated() == ([1], [2, 2], [3, 4, 5], [2.5] * 4)


def test_whole_numbers_are_norms() -> None:
    first, second, third = norms(torch.ones(1, 2, 4))
    assert first.equal(second)
    assert third.tolist() == [[[2, 2]]]


def test_parameters_begin_without_a_history() -> None:
    x = torch.ones(2, requires_grad=True)
    assert begun(x).tolist() == [2, 2]
    assert x.is_leaf


def test_dimensions_in_a_tensor() -> None:
    a, b = torch.arange(6.0).view(2, 3), torch.arange(6.0).view(3, 2)
    assert dotted(a, b, torch.tensor([[1], [0]])).equal(a @ b)
    assert dotted(a, b, torch.tensor(1)).equal(a @ b)


def test_saving_is_an_operator() -> None:
    @ts.script
    def f(x):
        torch.save(x, "x.pt")
        return x

    assert f.graph.findNode("aten::save") is not None


def test_defaults_hold_nothing_that_a_function_could_change() -> None:
    def f(x=(1, [2])):
        return x[0]

    with pytest.raises(ts.TorchScriptError, match="Mutable default parameters are not"):
        ts.script(f)


def test_comments_that_are_nearly_types() -> None:
    def f(a):
        return a + 2

    source = "def f(a):\n    #type: (int) -> int\n    return a + 2\n"
    with pytest.raises(ts.TorchScriptError, match="The annotation prefix in line 1 is probably"):
        ts.script(f, source=source)
