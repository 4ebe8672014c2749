"""Calls in forms that no schema has: numbers in the place of tensors, and before the tensors that they scale."""

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

X = torch.tensor([[1.0, 2.0], [3.0, 4.0]])


def test_a_number_in_the_place_of_a_tensor() -> None:
    assert torch.div(1.0, X).tolist()[0] == [1.0, 0.5]
    assert torch.mul(0.1, X.double()).tolist()[1][0] == 0.1 * 3
    assert torch.sub(1, X.int()).dtype == torch.int32
    with pytest.raises(TypeError, match="no overload of aten::maximum"):
        torch.maximum(1, X)
    with pytest.raises(RuntimeError, match="Overflow"):
        torch.mul(2**70, X.int())


def test_a_factor_before_what_it_scales() -> None:
    assert X.clone().add_(2, X).tolist() == (3 * X).tolist()
    assert X.addcmul(0.5, X, X).tolist() == (X + 0.5 * X * X).tolist()
    assert (
        torch.addmm(0.5, X, 2, X, X).tolist()
        == X.addmm(0.5, 2, X, X).tolist()
        == (X / 2 + 2 * (X @ X)).tolist()
    )
    with pytest.raises(TypeError, match="no overload of aten::addcmul"):
        X.addcmul(0.5, X)


def test_in_traces() -> None:
    traced = ts.trace(lambda x: torch.div(1.0, x).add(2, x), X)
    assert traced(2 * X).tolist() == (1 / (2 * X) + 4 * X).tolist()


def test_only_inputs_is_ignored() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.warns(FutureWarning, match="only_inputs argument is deprecated"):
        (grad,) = torch.autograd.grad((x * x).sum(), x, only_inputs=False)
    assert grad.tolist() == [2, 2]
