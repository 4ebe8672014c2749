"""Long lists of numbers as arguments: a native function looks at their items, and what it refuses is converted or refused as in short ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect.runtime.values import arguments, long_lists
from torchscript_dialect.runtime.values.long_lists import as_array, exact_copy
from torchscript_dialect.types.core import BOOL, FLOAT, INT, STR

LOWEST, HIGHEST = -(2**63), 2**63 - 1
INTS = [0, 1, -1, 2**30, -(2**30), 2**31, 2**60, LOWEST, HIGHEST, *range(100)]
FLOATS = [0.0, -0.0, math.inf, 1e-300, *map(float, range(100))]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_lists, "MANY", 0)


def taken(values: list[Any], of: str) -> Any:
    """What a program gets for an argument of type `List[of]`."""
    source = f"def f(x: List[{of}]) -> List[{of}]:\n    return x\n"
    return ts.CompilationUnit(source).f(values)


@needs_native_calls
@pytest.mark.parametrize("values, of", [(INTS, INT), (FLOATS, FLOAT)])
def test_a_list_of_exact_numbers_is_copied(values: list[Any], of: Any) -> None:
    copy = exact_copy(values, of)
    assert copy == values and copy is not values


@pytest.mark.parametrize(
    "more, of",
    [
        ([True], INT),
        ([2**63], INT),
        ([LOWEST - 1], INT),
        ([np.int64(3)], INT),
        ([1.0], INT),
        ([1], FLOAT),
        ([np.float64(1)], FLOAT),
        (["a"], FLOAT),
    ],
)
def test_anything_else_is_not(more: list[Any], of: Any) -> None:
    numbers = INTS if of is INT else FLOATS
    assert exact_copy([*numbers, *more], of) is None
    assert exact_copy([*more, *numbers], of) is None


def test_short_lists_other_sequences_and_other_types_are_left_to_others() -> None:
    assert exact_copy([1, 2], INT) is None and exact_copy(tuple(INTS), INT) is None
    assert exact_copy([True] * 100, BOOL) is None and exact_copy(["a"] * 100, STR) is None


def test_a_bool_in_a_long_list_of_ints_becomes_an_int() -> None:
    result = taken([*INTS, True], "int")
    assert result == [*INTS, 1] and type(result[-1]) is int


def test_an_int_in_a_long_list_of_floats_becomes_a_float() -> None:
    result = taken([*FLOATS, 3], "float")
    assert result == [*FLOATS, 3.0] and type(result[-1]) is float


@pytest.mark.parametrize("wrong", [2**63, "a", 1.5, None])
def test_a_long_list_with_something_wrong_in_it_is_refused(wrong: Any) -> None:
    with pytest.raises(arguments.ArgumentError, match=r"List\[int\]"):
        taken([*INTS, wrong], "int")


def test_what_a_program_does_to_a_long_list_stays_in_it() -> None:
    source = "def f(x: List[int]) -> int:\n    x.append(1)\n    return len(x)\n"
    values = list(INTS)
    assert ts.CompilationUnit(source).f(values) == len(INTS) + 1 and values == INTS


@pytest.mark.parametrize("many", [0, 10**9])
def test_arrays_hold_the_items_to_the_last_bit(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_lists, "MANY", many)
    assert as_array(INTS, INT).tolist() == INTS and as_array([], INT).tolist() == []
    floats = [*FLOATS, math.nan]
    assert repr(as_array(floats, FLOAT).tolist()) == repr(floats)


@needs_native_calls
def test_the_native_function_is_asked_after_many_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_lists, "MANY", 250)
    monkeypatch.setattr(long_lists._Taken, "items", 0)
    assert [exact_copy(list(range(100)), INT) is not None for _ in range(5)] == [
        *(False, False, False),
        *(True, True),
    ]
