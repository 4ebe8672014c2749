"""Operands that do not fit a tensor's operators are left to Python, and numbers that require gradients are refused."""

import operator

import pytest

from torchscript_dialect import torch

REFLECTED = "truediv floordiv mod pow matmul lshift rshift add sub mul and or xor".split()


@pytest.mark.parametrize("name", REFLECTED)
def test_other_operands_are_left_to_python(name: str) -> None:
    x = torch.ones(2).long()
    for other in (object(), None, "a", [1.0], {}):
        assert getattr(x, f"__r{name}__")(other) is NotImplemented
    operate = getattr(operator, f"{name}_" if name in ("and", "or") else name)
    with pytest.raises(TypeError, match="unsupported operand type"):
        operate(object(), x)


def test_what_is_no_integer_has_no_complement() -> None:
    for x in (torch.ones(2), torch.ones(2).half(), torch.ones(2) * 1j):
        with pytest.raises(
            TypeError, match=r"~ \(operator\.invert\) is only implemented on integer"
        ):
            _ = ~x
    assert (~torch.tensor([0, 5])).tolist() == [-1, -6]


def test_numbers_that_require_gradients_are_no_numbers() -> None:
    x, number = torch.ones(2), torch.tensor(2.0, requires_grad=True)
    for call in (
        lambda: x.addcmul(x, x, value=number),
        lambda: torch.add(x, x, alpha=number),
        lambda: torch.full((2,), number),
        lambda: torch.nn.functional.elu(x, number),
        lambda: torch.arange(number),
    ):
        with pytest.raises(TypeError):
            call()
    assert x.addcmul(x, x, value=number.detach()).tolist() == [3, 3]
