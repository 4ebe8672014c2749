"""What no gradient goes through: tensors that are asked for their dtype alone, and what random numbers are written over."""

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

RANDOM = (
    "uniform_()",
    "uniform_(-1.0, 1.0)",
    "normal_()",
    "log_normal_()",
    "cauchy_()",
    "exponential_()",
    "geometric_(0.5)",
    "random_()",
    "random_(5)",
    "random_(2, 7)",
    "bernoulli_(0.5)",
    "bernoulli_(torch.full_like(x, 0.5))",
)


@pytest.mark.parametrize("other", ["torch.arange(4)", "torch.ones(4)", "torch.ones(4).double()"])
@pytest.mark.parametrize("convert", ["to(x)", "type_as(x)", "to(other=x)"])
def test_results_do_not_require_what_they_take_their_dtype_from(other: str, convert: str) -> None:
    unit = ts.CompilationUnit(
        f"def f(x):\n    y = {other}.{convert}\n    return y, y * 2, y * x, x.{convert}\n"
    )
    x = torch.ones(4, requires_grad=True)
    for _ in range(4):
        x.grad = None
        plain, twice, through, own = unit.f(x)
        assert [plain.requires_grad, twice.requires_grad] == [False, False]
        assert own.requires_grad
        through.sum().backward()
        assert x.grad is not None
        assert x.grad.tolist() == plain.tolist()


@pytest.mark.parametrize("draw", RANDOM)
def test_random_numbers_have_no_history(draw: str) -> None:
    unit = ts.CompilationUnit(f"def f(x):\n    y = x * 1\n    y.{draw}\n    return y * 2 + 3 * x\n")
    x = torch.ones(4, requires_grad=True)
    for _ in range(4):
        x.grad = None
        unit.f(x).sum().backward()
        assert x.grad is not None
        assert x.grad.tolist() == [3.0, 3.0, 3.0, 3.0]
