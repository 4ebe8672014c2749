"""Operators that order, accumulate, convert, compare, normalize or multiply: on NaN, infinities, zeros and limits they give what PyTorch gave."""

import json
from pathlib import Path

import pytest

from samples import special_expressions
from torchscript_dialect import torch

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "special_expressions.json").read_text())


@pytest.mark.parametrize("expression", special_expressions.expressions())
def test_special_expressions(expression: str) -> None:
    mine = json.loads(json.dumps(special_expressions.result(torch, expression)))
    is_same = special_expressions.same(mine, GOLDEN[expression])
    assert is_same or expression in special_expressions.DIFFERENT, (mine, GOLDEN[expression])


def test_every_expression_is_stored() -> None:
    """Otherwise `tools/regenerate_special_expression_goldens.py` is due."""
    assert [*GOLDEN] == special_expressions.expressions()
    assert special_expressions.DIFFERENT.keys() <= GOLDEN.keys()


def test_signs_of_zeros_and_kinds_of_errors_are_told_apart() -> None:
    same = special_expressions.same
    zero = special_expressions.result(torch, "t([0.0])")
    assert not same(zero, special_expressions.result(torch, "t([-0.0])"))
    assert not same(zero, "RuntimeError")
    assert not same(zero, special_expressions.result(torch, "t([0.0]).double()"))
    assert same(zero, special_expressions.result(torch, "t([1.0]) - 1"))


def test_running_sums_begin_with_zero_in_kernels_too() -> None:
    """A kernel of rows runs once many elements are there: it began with -0.0."""
    many = torch.full((1, 1 << 19), -0.0).cumsum(1)
    assert not many.signbit().any().item()


@pytest.mark.parametrize("right", [False, True])
def test_nan_is_behind_all_of_a_row_that_is_not_sorted(right: bool) -> None:
    for row in ([3.0, 1.0], [1.0, float("nan")]):
        found = torch.searchsorted(torch.tensor(row), torch.tensor([float("nan")]), right=right)
        assert found.tolist() == [2]
