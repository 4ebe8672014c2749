"""`torch.ops`: operators and their overloads."""

import copy

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

X = torch.tensor([1.0, -2.0])
add = torch.ops.aten.add


def test_an_operator_takes_the_overload_that_fits() -> None:
    assert add(X, X).tolist() == [2.0, -4.0]
    assert add(X, 1).tolist() == [2.0, -1.0]
    assert torch.ops.aten.relu(X).tolist() == [1.0, 0.0]


def test_an_overload_by_name() -> None:
    assert add.Tensor(X, X, alpha=2).tolist() == [3.0, -6.0]
    assert torch.ops.aten.relu.default(X).tolist() == [1.0, 0.0]
    assert torch.ops.aten.max.dim(X, 0)[1].item() == 0
    assert torch.ops.aten.cat.default([X, X], dim=0).tolist() == [1.0, -2.0, 1.0, -2.0]
    assert add.str("a", "b") == "ab"
    assert torch.ops.aten.__and__.Tensor(torch.tensor(1), torch.tensor(3)).item() == 1


def test_numbers_for_tensors() -> None:
    assert add.Tensor(X, 3).tolist() == [4.0, 1.0]
    assert torch.ops.aten.mul.Tensor(self=X, other=2.0).tolist() == [2.0, -4.0]


def test_writes_and_gradients() -> None:
    x = X.clone()
    assert add.out(X, X, out=x) is x and x.tolist() == [2.0, -4.0]
    assert torch.ops.aten.add_.Tensor(x, X) is x and x.tolist() == [3.0, -6.0]
    leaf = X.clone().requires_grad_()
    torch.ops.aten.mul.Tensor(leaf, leaf).sum().backward()
    assert leaf.grad is not None and leaf.grad.tolist() == [2.0, -4.0]


def test_texts() -> None:
    assert (str(add), repr(add)) == ("aten.add", "<OpOverloadPacket(op='aten.add')>")
    assert str(add.Tensor) == "aten.add.Tensor"
    assert repr(add.Tensor) == "<OpOverload(op='aten.add', overload='Tensor')>"
    assert (add.Tensor.name(), torch.ops.aten.relu.default.name()) == (
        "aten::add.Tensor",
        "aten::relu",
    )
    assert add.overloads()[:3] == ["Tensor", "Scalar", "out"]
    assert str(torch.ops.aten.relu.default._schema) == "aten::relu(Tensor self) -> Tensor"
    assert copy.deepcopy(add.Tensor) is add.Tensor is copy.deepcopy(add).Tensor


@pytest.mark.parametrize(
    ("args", "kwargs", "why"),
    [
        ((X,), {}, "argument 'other' is missing"),
        ((X, X), {"bad": 1}, "there is no argument 'bad'"),
        (("a", "b"), {}, "argument 'self' is a str, not a Tensor"),
    ],
)
def test_arguments_that_an_overload_does_not_take(
    args: tuple[object, ...], kwargs: dict[str, object], why: str
) -> None:
    with pytest.raises(RuntimeError, match=rf"(?s)aten::add.Tensor does not take.*{why}"):
        add.Tensor(*args, **kwargs)


def test_names_that_are_not_there() -> None:
    with pytest.raises(AttributeError, match=r"'aten\.add' has no overload name 'Nosuch'"):
        _ = add.Nosuch
    with pytest.raises(AttributeError, match="'aten' object has no attribute 'nosuch'"):
        _ = torch.ops.aten.nosuch


def test_programs_name_operators_and_not_overloads() -> None:
    unit = ts.CompilationUnit("def f(x):\n    return torch.ops.aten.add(x, x)\n")
    assert unit["f"](X).tolist() == [2.0, -4.0]
    with pytest.raises(RuntimeError, match="attribute lookup is not defined on builtin"):
        ts.CompilationUnit("def f(x):\n    return torch.ops.aten.add.Tensor(x, x)\n")
