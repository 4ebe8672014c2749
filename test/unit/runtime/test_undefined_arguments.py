"""A parameter without a type whose default is None is an undefined tensor where nothing is given, and so is None given for a tensor:
PyTorch's answers and messages.

Point 7 of docs/testing.md.
"""

from typing import Any

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch


def zipped(x, keys=None):
    if keys is not None:
        return dict(zip(keys, x))  # as published code has it
    return dict(zip(x, x))


def left_out(x, other=None):
    return x + other


def asked(x, mask=None):
    return x * 2 if mask else x


def loud(x, mask=None):
    return mask.dim()  # pyright: ignore[reportOptionalMemberAccess]


def test_nothing_is_in_it() -> None:
    assert ts.script(zipped)(torch.ones(2, 3)) == {}


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (left_out, r"Expected a proper Tensor but got None .* for argument #1 'other'"),
        (loud, r"Expected a proper Tensor but got None .* for argument #0 'self'"),
        (asked, "Boolean value of Tensor with no values is ambiguous"),
    ],
)
def test_what_needs_it(program: Any, message: str) -> None:
    scripted = ts.script(program)
    for _ in range(3):
        with pytest.raises(RuntimeError, match=message) as error:
            scripted(torch.ones(2))
        assert "internal error" not in str(error.value)
        assert "test_undefined_arguments.py" in str(error.value)


def computed(x: torch.Tensor, other: torch.Tensor):
    return torch.tanh(x) * x * other


def joined(x: torch.Tensor, other: torch.Tensor):
    return torch.cat([other, x])


def passed_by(x: torch.Tensor, bias: torch.Tensor):
    return x * 2, bias


def with_bias(x: torch.Tensor, bias: torch.Tensor):
    return torch.nn.functional.linear(x, x, bias)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (computed, r"Expected a proper Tensor but got None .* for argument #1 'other'"),
        (joined, "tensor does not have a device"),
    ],
)
def test_none_that_is_given_and_needed(program: Any, message: str) -> None:
    scripted = ts.script(program)
    x = torch.ones(2, 2, requires_grad=True)
    for given in (x, x.detach()):
        for _ in range(3):
            with pytest.raises(RuntimeError, match=message) as error:
                scripted(given, None)
            assert "internal error" not in str(error.value)
    assert scripted(x, x).sum().item() != 0  # what has a tensor computes


def test_none_that_is_given_and_not_needed() -> None:
    """PyTorch's first call gives the same; its later ones find no operator `aten::linear`."""
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    for _ in range(3):
        twice, nothing = ts.script(passed_by)(x, None)
        assert (twice.tolist(), nothing) == ([[2.0, 4.0], [6.0, 8.0]], None)
    scripted = ts.script(with_bias)
    for _ in range(3):
        assert scripted(x, None).tolist() == [[5.0, 11.0], [11.0, 25.0]]
        assert scripted(x, torch.ones(2)).tolist() == [[6.0, 12.0], [12.0, 26.0]]


@pytest.mark.parametrize("kind", ["list", "tuple"])
def test_no_value_has_a_container_type_without_elements(kind: str) -> None:
    """PyTorch compiles such functions, and calls none."""
    namespace: dict[str, Any] = {}
    source = f"def f(x: {kind}):\n    return len(x)\n"
    exec(source, namespace)
    scripted = ts.script(namespace["f"], source=source)
    with pytest.raises(RuntimeError, match=f"cannot handle converting to type: {kind}"):
        scripted(eval(kind)([1, 2]))
