"""Sets of locations against Python's sets: of few numbers, and of many."""

import random
import sys

import pytest

from torchscript_dialect.analysis.location_sets import (
    CHUNK,
    MOST_DENSE,
    Locations,
    Sparse,
    numbers,
    single,
    without,
)

COUNTS = [40, MOST_DENSE, 10 * MOST_DENSE]


def sets_of(count: int, many: int) -> list[tuple[Locations, set[int]]]:
    """Some sets, the empty one among them, and what they hold."""
    random_ = random.Random(count)
    found: list[tuple[Locations, set[int]]] = [(0, set())]
    for _ in range(many):
        wanted = {random_.randrange(count) for _ in range(random_.randrange(1, 60))}
        locations: Locations = 0
        for number in wanted:
            locations |= single(number, count)
        found.append((locations, wanted))
    return found


@pytest.mark.parametrize("count", COUNTS)
def test_sets_are_pythons(count: int) -> None:
    sets = sets_of(count, 25)
    for a, in_a in sets:
        assert set(numbers(a)) == in_a
        assert bool(a) == bool(in_a)
        for b, in_b in sets:
            assert set(numbers(a | b)) == in_a | in_b
            assert set(numbers(a & b)) == in_a & in_b
            assert bool(a & b) == bool(in_a & in_b)
            assert set(numbers(without(a, b))) == in_a - in_b
            assert bool(without(a, b)) == bool(in_a - in_b)
            assert (a == b) == (in_a == in_b)


@pytest.mark.parametrize("count", COUNTS)
def test_sets_do_not_change(count: int) -> None:
    (_, _), (a, in_a), (b, in_b) = sets_of(count, 2)
    _ = a | b, a & b, without(a, b)
    assert (set(numbers(a)), set(numbers(b))) == (in_a, in_b)


def test_a_set_of_one_number_is_small_whichever_it_is() -> None:
    one = single(10**9, 10**9 + 1)
    assert isinstance(one, Sparse)
    assert sum(map(sys.getsizeof, one.chunks.values())) <= 2 * CHUNK // 8
    assert [*numbers(one)] == [10**9]


def test_few_numbers_are_an_int() -> None:
    assert isinstance(single(7, MOST_DENSE), int)
