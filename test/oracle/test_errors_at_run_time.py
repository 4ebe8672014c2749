"""What failed in a program, and in which of its lines, is shown as torch.jit shows it."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

import torchscript_dialect as ts


def _inner(x: Tensor, n: int):
    y = x * 2
    return y.view(n, -1) + x


def in_a_call(x: Tensor):
    z = _inner(x, 7)
    return z


def in_a_sum(x: Tensor):
    a = 1
    return (x - a) ** 2 + x.sum() + (x + torch.ones(4) + x)


def over_two_lines(x: Tensor):
    return torch.cat([x, x.unsqueeze(0)],
                     dim=0).sum()  # fmt: skip


def in_place(x: Tensor):
    x += torch.ones(4)
    return x


def of_a_key(x: Tensor):
    known = {"a": 1}
    for _ in range(2):
        x = x * known["b"]
    return x


def of_a_function(x: Tensor):
    return torch.nn.functional.linear(input=x, weight=torch.ones(7, 8))


def asserted(x: Tensor):
    assert x.dim() == 9, "nine"
    return x


def raised(x: Tensor):
    if x.dim() == 1:
        raise ValueError("one " + str(x.dim()))
    return x


def in_a_branch(x: Tensor):
    return x.view(9, 9) if x.dim() == 1 else x


def of_an_index(x: Tensor):
    return x.select(0, 9)


def of_a_length(x: Tensor):
    return len(x.sum())


def of_nothing(x: Tensor):
    empty: list[Tensor] = []
    return torch.cat(empty, dim=0) + x


def without_a_kernel(x: Tensor):
    return torch.bincount(x)


class Layers(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(9, 3))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize(
    "make",
    [
        lambda: in_a_call,
        lambda: in_a_sum,
        lambda: over_two_lines,
        lambda: in_place,
        lambda: of_a_key,
        lambda: of_a_function,
        lambda: asserted,
        lambda: raised,
        lambda: in_a_branch,
        lambda: of_an_index,
        lambda: of_a_length,
        lambda: of_nothing,
        lambda: without_a_kernel,
        Layers,
    ],
)
def test_the_text_is_pytorchs(make: Callable[[], Any]) -> None:
    theirs, ours = torch.jit.script(make()), ts.script(make())
    told: list[str] = []
    for function in (theirs, ours, ours, ours):
        with pytest.raises((RuntimeError, torch.jit.Error)) as caught:
            function(torch.ones(3))
        assert isinstance(caught.value, NotImplementedError) == (make() is without_a_kernel)
        told.append(str(caught.value).strip())
    assert told[1] == told[0]
    if (
        make is not Layers and make() is not in_a_call
    ):  # where the first call has told, the name is the caller's
        assert told[2:] == told[:2]


def at(x: Tensor, place: Tensor):
    return x.unsqueeze(place)  # pyright: ignore[reportArgumentType]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "place",
    [
        torch.ones((), requires_grad=True),
        torch.ones(2),
        torch.ones(()),
        torch.ones((), dtype=torch.bool),
    ],
    ids=["gradient", "vector", "float", "bool"],
)
def test_a_tensor_that_stands_for_a_number_is_checked_as_by_pytorch(place: Tensor) -> None:
    """A tensor that requires gradients was taken, and its gradient was nothing."""
    told: list[str] = []
    theirs, ours = torch.jit.script(at), ts.script(at)
    for function in (theirs, ours, ours, ours):
        with pytest.raises(RuntimeError, match="Cannot input a tensor") as caught:
            function(torch.ones(3), place)
        told.append(str(caught.value).strip().splitlines()[-1])
    assert len(set(told)) == 1


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("sizes", [(), (2,), (2, 2)], ids=str)
@pytest.mark.parametrize("cut", ["torch.chunk(x, 2, 3)", "x.split(1, 3)", "x.split([1, 1], -4)"])
def test_dimensions_that_are_not_there_are_told_in_all_calls(cut: str, sizes: tuple[int]) -> None:
    """Where a scalar was cut, the second call was an internal error."""
    source = f"def f(x):\n    a, b = {cut}\n    return torch.tanh(a * 2) + b * 2\n"
    told: list[str] = []
    with ts.background_compilation(False):
        ours = ts.CompilationUnit(source)["f"]
        for function in (torch.jit.CompilationUnit(source).f, ours, ours, ours):
            with pytest.raises(RuntimeError) as caught:
                function(torch.ones(sizes))
            told.append(str(caught.value).strip().splitlines()[-1])
    assert len(set(told)) == 1
