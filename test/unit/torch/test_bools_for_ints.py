"""Eager operators take no bool for an int, and no int for a bool, where PyTorch takes none.

Point 6 of docs/testing.md.
"""

from collections.abc import Callable
from typing import Any

import pytest

from torchscript_dialect import torch

REFUSED: list[Callable[[], Any]] = [
    lambda: torch.eye(True),
    lambda: torch.eye(2, True),
    lambda: torch.zeros(True),
    lambda: torch.zeros((True, 2)),
    lambda: torch.randperm(True),
    lambda: torch.linspace(0, 1, True),
    lambda: torch.ones(2).view(True, 2),
    lambda: torch.ones(2).unsqueeze(True),
    lambda: torch.ones(2, 2).transpose(True, 0),
    lambda: torch.ones(2).topk(True),
    lambda: torch.cat([torch.ones(1, 2)], True),
    lambda: torch.softmax(torch.ones(1, 2), True),
    lambda: torch.sum(torch.ones(2), 0, 1),
    lambda: torch.ones(2).sum(0, keepdim=1),
    lambda: torch.ones(2).std(unbiased=1),
]


@pytest.mark.parametrize("call", REFUSED)
def test_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        call()


def test_a_bool_behind_the_first_size_is_one() -> None:
    assert torch.ones(2, True).shape == (2, 1)
    assert torch.zeros((2, True)).shape == (2, 1)


def test_numbers_may_be_bools() -> None:
    assert torch.full((2,), True).tolist() == [True, True]
    assert (torch.ones(2) + True).tolist() == [2.0, 2.0]


def test_isin_of_bools() -> None:
    for args in [
        (torch.tensor([True]), torch.tensor([True])),
        (torch.tensor([1]), True),
        (True, torch.tensor([1])),
        (1, torch.tensor([True])),
    ]:
        with pytest.raises(RuntimeError, match=r"Unsupported input type encountered for isin\(\)"):
            torch.isin(*args)
