"""Shapes of places and rows that indexing along a dimension takes, as PyTorch 2.13 does."""

import pytest

from torchscript_dialect import torch

X, ROWS = torch.tensor([1.0, 2.0]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])
ONE, PLACE, TWICE = torch.tensor(5.0), torch.tensor(0), torch.tensor([0, 0])


def test_a_place_without_dimensions_is_one_place() -> None:
    assert X.gather(0, PLACE).tolist() == 1
    assert X.scatter(0, PLACE, 5.0).tolist() == [5, 2]
    assert X.scatter_add(0, PLACE, ONE).tolist() == [6, 2]
    assert X.scatter_reduce(0, PLACE, ONE, "amax").tolist() == [5, 2]
    assert X.index_add(0, PLACE, ONE[None]).tolist() == [6, 2]
    assert ONE.gather(0, TWICE).tolist() == [5, 5]
    assert ONE.scatter_add(0, TWICE, X).tolist() == 8


@pytest.mark.parametrize(
    "run",
    [
        lambda: ONE.gather(0, TWICE[None]),
        lambda: ONE.scatter(0, TWICE[None], 3.0),
        lambda: ONE.index_add(0, PLACE, ONE[None]),
        lambda: X.index_add(0, TWICE, ONE[None]),
        lambda: X.index_add(0, TWICE[None], X),
        lambda: ROWS.index_add(0, TWICE, ROWS[:1]),
        lambda: ROWS.index_reduce(0, PLACE[None], ONE, "amax"),
        lambda: ROWS.index_reduce(0, TWICE, X, "amax"),
        lambda: ROWS.index_copy(0, PLACE, ONE),
        lambda: X.index_copy(0, TWICE, ONE),
        lambda: ONE.index_select(0, TWICE),
        lambda: ROWS.slice_scatter(ONE[None, None], 0, 0, 1),
        lambda: ROWS.select_scatter(ONE[None], 0, 0),
    ],
)
def test_rows_of_another_shape_are_refused(run: object) -> None:
    assert callable(run)
    with pytest.raises((RuntimeError, IndexError)):
        run()


@pytest.mark.parametrize("dtype", [torch.int64, torch.int8, torch.float16])
def test_places_are_searched_in_the_dtype_of_both(dtype: torch.dtype) -> None:
    row, found = torch.tensor([1, 2, 3]).to(dtype), [2]
    assert torch.searchsorted(row, 2.5).tolist() == torch.bucketize(2.5, row).tolist() == 2
    assert torch.searchsorted(row, torch.tensor([2.5])).tolist() == found
    large = torch.tensor([1, 2**31 - 1, 2**31 - 1], dtype=torch.int32)
    assert torch.searchsorted(large, torch.tensor([float("inf")]).half()).tolist() == [1]


def test_the_largest_integer_is_counted_by_nothing() -> None:
    """NumPy would write beyond the end of memory."""
    with pytest.raises(RuntimeError, match="maximum value of input overflowed"):
        torch.bincount(torch.tensor([2**63 - 1]))
