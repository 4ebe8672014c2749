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


def test_empty_tensors_with_strides_have_no_history() -> None:
    x = torch.ones(4, requires_grad=True)
    for _ in range(2):
        assert not x.new_empty_strided((2, 2), (1, 2)).requires_grad


BACKWARD = (
    "torch.ops.aten.avg_pool2d_backward(g, x, [2, 2], [2, 2], [0, 0], False, True, None)",
    "torch.ops.aten._adaptive_avg_pool2d_backward(g, x)",
    "torch.ops.aten.reflection_pad2d_backward(torch.ones_like(h), x, [1, 1, 1, 1])",
)


@pytest.mark.parametrize("call", BACKWARD)
def test_the_input_of_a_linear_operator_gets_zeros_of_its_second_gradient(call: str) -> None:
    """As in PyTorch, whose result requires a gradient where only the input does."""
    source = f"def f(g, h, x):\n    return {call}\n"
    unit = ts.CompilationUnit(source)
    x = torch.ones([1, 1, 4, 4], requires_grad=True)
    result = unit.f(torch.ones([1, 1, 2, 2]), torch.ones([1, 1, 6, 6]), x)
    assert result.requires_grad
    result.sum().backward()
    assert x.grad is not None
    assert not x.grad.any() and x.grad.shape == x.shape
