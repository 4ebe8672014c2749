"""Sorting by keys, and choosing by partition, beside NumPy's stable sort of the elements themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.ops.reduction import ranking
from torchscript_dialect.tensor.conversion import as_tensor

NAN, INF = np.nan, np.inf


def rows(kind: str, dtype: Any) -> Any:
    rng = np.random.default_rng(0)
    if kind == "equal":
        return rng.integers(-2, 3, (9, 150)).astype(dtype)
    found = (rng.standard_normal((9, 150)) * 100).astype(dtype)
    if found.dtype.kind == "f" and kind == "special":
        found[rng.random(found.shape) < 0.3] = -0.0
        found[rng.random(found.shape) < 0.3] = 0.0
        found[rng.random(found.shape) < 0.2] = INF
        found[rng.random(found.shape) < 0.2] = -INF
        found[rng.random(found.shape) < 0.1] = NAN
        found[rng.random(found.shape) < 0.1] = -NAN
    return found


def expected_order(array: Any, dim: int, descending: bool) -> Any:
    """Stable, with NaN as the largest."""
    if not descending:
        return np.argsort(array, dim, kind="stable")
    flipped = np.argsort(np.flip(array, dim), dim, kind="stable")
    return array.shape[dim] - 1 - np.flip(flipped, dim)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.float64, np.int16])
@pytest.mark.parametrize("kind", ["equal", "different", "special"])
def test_the_order_is_stable(kind: str, dtype: Any, descending: bool) -> None:
    array = rows(kind, dtype)
    for one in (array, array.T, array[:, ::2], array.reshape(3, 3, 150)):
        for dim in range(one.ndim):
            found = ranking.sorting_order(one, dim, descending)
            np.testing.assert_array_equal(found, expected_order(one, dim, descending))


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.float64])
@pytest.mark.parametrize("kind", ["equal", "different", "special"])
def test_a_place_of_a_rank_is_that_of_the_order(kind: str, dtype: Any) -> None:
    array = rows(kind, dtype)
    for dim, rank in ((0, 0), (0, 5), (1, 0), (1, 77), (1, 149)):
        order = expected_order(array, dim, False)
        found = ranking.place_of_rank(array, rank, dim)
        np.testing.assert_array_equal(found, np.take(order, [rank], dim))


@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.float64, np.uint8])
@pytest.mark.parametrize("kind", ["equal", "different", "special"])
@pytest.mark.parametrize("k", [1, 3, 9, 20])
def test_topk_gives_the_first_of_the_order(kind: str, dtype: Any, k: int, largest: bool) -> None:
    array = rows(kind, dtype)
    order = expected_order(array, -1, largest)[:, :k]
    values, places = torch.topk(as_tensor(array), k, 1, largest)
    np.testing.assert_array_equal(values.numpy(), np.take_along_axis(array, order, -1))
    np.testing.assert_array_equal(places.numpy(), order)


@pytest.mark.parametrize("worst", [-INF, INF])
def test_topk_of_rows_whose_elements_are_all_the_worst(worst: float) -> None:
    array = np.full((4, 64), worst, np.float32)
    array[0, 5] = 1.0
    values, places = torch.topk(as_tensor(array), 3, 1, worst < 0)
    assert values.numpy()[0, 0] == 1.0
    assert places.numpy().tolist() == [[5, 0, 1], [0, 1, 2], [0, 1, 2], [0, 1, 2]]


def test_taken_along_takes_what_numpy_takes() -> None:
    array = np.arange(24.0).reshape(2, 3, 4)
    for one in (array, array.transpose(1, 0, 2)[:, :1], array[0, 0]):
        at = np.broadcast_to(np.array([3, 1]), (*one.shape[:-1], 2))
        np.testing.assert_array_equal(ranking.taken_along(one, at), np.take_along_axis(one, at, -1))


def test_the_median_of_all_elements_is_a_tensor_without_dimensions() -> None:
    for dtype in (np.float32, np.int64, np.int16):
        found = torch.median(as_tensor(rows("equal", dtype)))
        assert isinstance(found.array, np.ndarray) and found.array.dtype == dtype
        assert found.item() == np.sort(rows("equal", dtype).reshape(-1))[674]


@pytest.mark.parametrize("count", [1, 5, 40])
@pytest.mark.parametrize("dtype", [np.int64, np.int32])
def test_places_are_within_the_dimension(count: int, dtype: type) -> None:
    places = np.arange(count, dtype=dtype)
    assert ranking.are_places(places, count) and ranking.are_places(
        places.reshape(1, -1), count + 1
    )
    assert not ranking.are_places(places, count - 1)
    places[count // 2] = -1
    assert not ranking.are_places(places, count)
    assert ranking.are_places(places[:0], 0)


@pytest.mark.parametrize("count", [3, 50])
def test_rows_are_taken_by_places_of_all_kinds(count: int) -> None:
    array = np.arange(60, dtype=np.float32).reshape(10, 6)
    x = as_tensor(array)
    rng = np.random.default_rng(0)
    places = rng.integers(0, 10, count)
    for found in (
        x[as_tensor(places)],
        x.index_select(0, as_tensor(places)),
        torch.embedding(x, as_tensor(places)),
    ):
        np.testing.assert_array_equal(found.numpy(), array[places])
        assert found.is_contiguous() and not np.shares_memory(found.array, array)
    np.testing.assert_array_equal(x[as_tensor(places - 10)].numpy(), array[places - 10])
    np.testing.assert_array_equal(x.t()[as_tensor(places % 6)].numpy(), array.T[places % 6])
    along = rng.integers(0, 6, (10, count))
    expected = np.take_along_axis(array, along, 1)
    np.testing.assert_array_equal(x.gather(1, as_tensor(along)).numpy(), expected)
    wrong = places.copy()
    wrong[-1] = 10
    for run in (
        lambda: x[as_tensor(wrong)],
        lambda: x.index_select(0, as_tensor(wrong)),
        lambda: torch.embedding(x, as_tensor(wrong)),
        lambda: x.gather(1, as_tensor(along + 1)),
        lambda: x.gather(1, as_tensor(along - 6)),
    ):
        with pytest.raises((IndexError, RuntimeError), match=r"out of (range|bounds)"):
            run()


@pytest.mark.parametrize("largest", [False, True])
def test_few_are_chosen_of_short_rows(largest: bool) -> None:
    array = np.array([[1, np.nan, -0.0, 0.0], [2, 2, -np.inf, np.inf]], np.float32)
    for x in (as_tensor(array), as_tensor(np.asfortranarray(array))):
        values, places = x.topk(3, largest=largest)
        order = ranking.sorting_order(array, 1, largest)[:, :3]
        np.testing.assert_array_equal(places.numpy(), order)
        np.testing.assert_array_equal(values.numpy(), np.take_along_axis(array, order, 1))
        assert values.is_contiguous() and places.is_contiguous()


@pytest.mark.parametrize("dtype", (torch.bfloat16, torch.float16, torch.float32, torch.float64))
def test_nan_is_the_largest_of_equal_numbers_too(dtype: Any) -> None:
    nan = float("nan")
    x = torch.tensor([[nan, -2.0, 0.0, -2.0], [2.0, nan, 2.0, nan]], dtype=dtype)
    values, places = x.kthvalue(1, 1)
    assert values.tolist() == [-2.0, 2.0] and places[0].item() in (1, 3)
    assert x.cummax(0)[0].isnan().tolist() == [
        [True, False, False, False],
        [True, True, False, True],
    ]
