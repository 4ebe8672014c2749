"""Defaults that are tensors: one constant for all calls in a function, and one for each parameter, as PyTorch pools them."""

from typing import Any

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

Tensor = torch.Tensor


def scaled(x, weight: Tensor = torch.ones(2)):  # noqa: B008
    return x * weight


def lowered(x, weight: Tensor = torch.ones(2)):  # noqa: B008
    return x - weight


def moved(x, left: Tensor = torch.ones(2), right: Tensor = torch.ones(2)):  # noqa: B008
    return x + left - right


def two_parameters(x):
    return moved(x)


def two_functions(x):
    return scaled(x) + lowered(x)


def three_parameters(x):
    return scaled(x) + moved(x)


def nested(x):
    return scaled(scaled(x))


def returned(x):
    return scaled(x), scaled(x)


def in_a_loop(x):
    for _ in range(3):
        x = scaled(x)
    return scaled(x)


def in_branches(x):
    if bool(x.sum() > 0):
        return scaled(x)
    return scaled(x) + 1


@pytest.mark.parametrize(
    ("program", "count"),
    [
        (two_parameters, 2), (two_functions, 2), (three_parameters, 3), (nested, 1), (returned, 1),
        (in_a_loop, 1), (in_branches, 1),
    ],
)  # fmt: skip
def test_constants(program: Any, count: int) -> None:
    """The counts are those of PyTorch's graphs."""
    assert str(ts.script(program).graph).count("tensor<Float") == count


def test_results() -> None:
    scripted = ts.script(in_a_loop)
    for _ in range(3):
        assert scripted(torch.tensor([1.0, 2.0])).tolist() == [1, 2]
