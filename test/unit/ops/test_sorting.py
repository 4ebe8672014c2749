"""Lists of tuples and of what is only known at run time are sorted, or refused, as PyTorch does."""

from typing import Any, List, Tuple  # noqa: UP035  # as programs write them

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

ONE, TWO = torch.ones(2), torch.ones(2)


@ts.script
def of_any(x: List[Any]):  # noqa: UP006
    x.sort()
    return sorted(x)


@ts.script
def of_tensors(x: List[Tuple[int, torch.Tensor]]):  # noqa: UP006
    x.sort()
    return x


@ts.script
def of_dicts():
    x = [({1: 2}, {2: 3})]
    x.sort()
    return x


def test_tuples_of_one_type() -> None:
    assert of_any([(2, ("b", 1)), (1, ("c", 1)), (1, ("a", 2))]) == [
        (1, ("a", 2)),
        (1, ("c", 1)),
        (2, ("b", 1)),
    ]
    assert of_any([]) == []
    assert [number for number, _ in of_tensors([(2, ONE), (1, TWO)])] == [1, 2]


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([(1, 2), ("a", "b")], r"same type .* Found Tuple\[int, int\] and Tuple\[str, str\]"),
        ([(1, (2, 3)), (2, ("a", "b"))], "Only values of same type can be compared"),
        ([(1,), (1, 2)], "Only values of same type can be compared"),
        ([(1, [2])], r"Contained elements in \(int, int\[\]\) are not sortable"),
        ([(1, None)], r"Contained elements in \(int, NoneType\) are not sortable"),
        ([[1], [2]], r"can be sorted, got list of List\[int\]"),
    ],
)
def test_elements_without_an_order(items: Any, message: str) -> None:
    """They came back sorted, or as they were."""
    with pytest.raises(RuntimeError, match=message):
        of_any(items)


def test_dictionaries_have_no_order() -> None:
    with pytest.raises(RuntimeError, match=r"\(Dict\(int, int\), Dict\(int, int\)\) are not"):
        of_dicts()


def test_tensors_are_compared_where_nothing_else_decides() -> None:
    with pytest.raises(RuntimeError, match="more than one value is ambiguous"):
        of_tensors([(1, ONE), (1, TWO)])
