"""Operators at one place of a program get functions for the operands that come there: Note [Sites]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.autograd.sites import TRIES
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor.tensor import Tensor


class Place:
    """One place where an operator runs."""

    def __init__(self, name: str) -> None:
        operator = registry.find(name)
        assert operator is not None
        self.uses: list[Callable[..., Any]] = []
        self.general: Any = operator.recorded
        self.kernel = operator.recorded_at("", self.uses.append)

    def run(self, *operands: Any) -> Any:
        """The result of what runs there now."""
        return (self.uses[-1] if self.uses else self.kernel)(*operands)


def _leaf() -> Tensor:
    return torch.ones(3, 4).requires_grad_()


def test_operands_with_gradients_get_a_function_at_the_second_call() -> None:
    place, x = Place("aten::mul.Tensor"), _leaf()
    for _ in range(3):
        assert type(place.run(x, x).grad_fn).__name__ == "MulBackward0"
    assert len(place.uses) == 1


def test_operands_without_gradients_are_waited_for() -> None:
    place, x = Place("aten::mul.Tensor"), torch.ones(3, 4)
    for _ in range(TRIES - 1):
        place.run(x, x)
    assert not place.uses
    place.run(x, x)
    assert len(place.uses) == 1
    assert place.run(x, x).tolist() == (x * x).tolist()
    assert type(place.run(_leaf(), x).grad_fn).__name__ == "MulBackward0"


@pytest.mark.parametrize("first", [_leaf, lambda: torch.ones(3, 4)])
def test_other_operands_go_the_general_way(first: Callable[[], Tensor]) -> None:
    place = Place("aten::select.int")
    for _ in range(TRIES + 1):
        place.run(first(), 0, 1)
    plain, leaf = torch.ones(3, 4), _leaf()
    assert place.run(plain, 0, 1).grad_fn is None
    assert type(place.run(leaf, 0, 1).grad_fn).__name__ == "SelectBackward0"
    with torch.no_grad():
        assert place.run(leaf, 0, 1).grad_fn is None
    views = [place.run(plain, 1, 2) for _ in range(2)]
    with torch.enable_grad():
        plain.mul_(leaf)
    assert all(view.requires_grad for view in views)


def test_what_asks_takes_tensors_of_all_kinds() -> None:
    place = Place("aten::size")
    assert place.run(_leaf()) == place.run(torch.ones(3, 4)) == [3, 4]
    assert not place.uses


PROGRAM = """
def f(x: Tensor, times: int):
    y = x * 2
    first, total = y[0], torch.zeros(4)
    for i in range(times):
        total = total + {} * 2
        y[i].mul_(3)
        total = total + y.view(3, 4)[i].tanh()
    return total.sum() + first.sum()
"""


def test_views_of_one_tensor_follow_a_write_to_it() -> None:
    f = ts.CompilationUnit(PROGRAM.format("y[i]")).f
    x = torch.rand(3, 4).requires_grad_()
    slopes = [np.asarray(torch.autograd.grad(f(x, 3), [x])[0]) for _ in range(8)]
    written = 6 * x.detach().array
    wanted = 4 + 6 * (1 - np.tanh(written) ** 2)
    wanted[0] += 6
    for slope in slopes:
        np.testing.assert_allclose(slope, wanted, rtol=1e-5)


def test_what_is_kept_of_views_must_not_be_written_to() -> None:
    f = ts.CompilationUnit(PROGRAM.format("y[i] * first")).f
    x = torch.rand(3, 4).requires_grad_()
    for _ in range(8):
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            torch.autograd.grad(f(x, 3), [x])
