"""Loops over numbers: native functions give what the interpreter gives, to the last bit, and raise what it raises."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import torchscript_dialect as ts
from support import random_number_loops
from support.native_calls import needs_native_calls
from torchscript_dialect.runtime.executor import scalar_loops
from torchscript_dialect.runtime.executor.scalar_loops import ScalarLoop

LOWEST, HIGHEST = -(2**63), 2**63 - 1


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops are compiled at their first trip."""
    monkeypatch.setattr(scalar_loops, "MANY", 0)


def compiled(source: str) -> Any:
    """The function of a text."""
    return ts.CompilationUnit(source).f


def loops(function: Any) -> Iterator[ScalarLoop]:
    """What runs the loops of a function that was called often enough."""
    for plan in function.get_debug_state().execution_plans.values():
        yield from plan.loops.values()


def called(function: Callable[..., Any], *args: Any) -> Any:
    """The result of the third call, which comes to compiled code; those before give the same."""
    return [outcome(function, *args) for _ in range(3)][-1]


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """What a call gives, or the text of what it raises."""
    try:
        return function(*args)
    except RuntimeError as error:
        return str(error)


def native_results(source: str, *args: Any) -> Any:
    """What a function gives whose one loop is native, and never ran node by node after it was compiled."""
    function = compiled(source)
    result = called(function, *args)
    (loop,) = loops(function)
    assert loop.native is not None
    before = loop.interpreted.calls
    assert outcome(function, *args) == result or result != result
    assert loop.interpreted.calls == before, "the native function gave the call back"
    return result


@needs_native_calls
def test_a_sum_of_a_list_is_native() -> None:
    source = """
def f(x: List[int]) -> int:
    s = 0
    for v in x:
        s += v
    return s
"""
    assert native_results(source, [1, 2, 3, -10, 2**40]) == 2**40 - 4
    assert native_results(source, []) == 0


@needs_native_calls
def test_floats_bools_and_several_results() -> None:
    source = """
def f(x: List[float], limit: float) -> Tuple[float, bool, int]:
    s = 0.0
    found = False
    n = 0
    for v in x:
        s = s * 0.5 + v / limit
        found = found or v > limit
        n += int(v)
    return s, found, n
"""
    assert native_results(source, [0.5, 3.0, -7.9], 2.0) == (-3.1375, True, -4)
    s, found, n = native_results(source, [1.5], 0.0)
    assert (s, found, n) == (math.inf, True, 1)


@needs_native_calls
def test_a_float_keeps_its_sign_and_nan() -> None:
    source = """
def f(a: float, n: int) -> float:
    s = a
    for i in range(n):
        s = max(s, a) * 1.0
    return s
"""
    assert math.copysign(1.0, native_results(source, -0.0, 3)) == -1.0
    assert math.isnan(native_results(source, math.nan, 3))


@needs_native_calls
def test_ints_wrap_around_as_pytorchs() -> None:
    source = """
def f(a: int, n: int) -> int:
    for i in range(n):
        a = a * 3 + i
    return -a
"""
    expected = HIGHEST
    for i in range(100):
        expected = (expected * 3 + i + 2**63) % 2**64 - 2**63
    assert native_results(source, HIGHEST, 100) == -expected


@needs_native_calls
@pytest.mark.parametrize(
    "a, b", [(7, 2), (-7, 2), (7, -2), (-7, -2), (0, 5), (LOWEST, 3), (HIGHEST, -3), (5, 2**61)]
)
def test_quotients_round_down_and_remainders_have_the_sign_of_the_divisor(a: int, b: int) -> None:
    source = """
def f(a: int, b: int, n: int) -> Tuple[int, int]:
    q = 0
    r = 0
    for i in range(n):
        q = a // b
        r = a % b
    return q, r
"""
    assert native_results(source, a, b, 2) == (a // b, a % b)


@needs_native_calls
@pytest.mark.parametrize("a, b", [(1, 0), (LOWEST, -1), (5, 2**62 + 1), (5, LOWEST)])
def test_what_processors_do_not_divide_runs_node_by_node(a: int, b: int) -> None:
    source = """
def f(a: int, b: int, n: int) -> int:
    s = 0
    for i in range(n):
        s += (a // b) + (a % b)
    return s
"""
    with ts.optimized_execution(False):
        expected = outcome(compiled(source), a, b, 3)
    function = compiled(source)
    function(7, 2, 3)  # a call that returns, after which the next compiles
    assert called(function, a, b, 3) == expected
    (loop,) = loops(function)
    assert loop.native is not None and loop.interpreted.calls


def test_a_division_by_zero_in_a_native_loop_names_its_line() -> None:
    source = """
def f(x: List[int]) -> int:
    s = 0
    for v in x:
        s += 10 // v
    return s
"""
    function = compiled(source)
    assert called(function, [1, 2]) == 15
    with pytest.raises(RuntimeError, match=r"(?s)line 5.*10 // v.*division by 0"):
        function([1, 0, 2])
    assert function([5]) == 2


@needs_native_calls
def test_a_place_outside_of_a_list_is_an_index_error_and_negative_ones_count_from_the_end() -> None:
    source = """
def f(x: List[int], n: int) -> int:
    s = 0
    for i in range(n):
        s = s * 10 + x[-1 - i]
    return s
"""
    assert native_results(source, [1, 2, 3], 3) == 321
    function = compiled(source)
    called(function, [1, 2, 3], 3)
    with pytest.raises(IndexError, match=r"(?s)line 5.*out of range"):
        function([1, 2, 3], 4)


@needs_native_calls
def test_a_list_that_is_constant_is_an_operand() -> None:
    source = """
def f(n: int, k: int) -> float:
    s = 0.0
    for i in range(n):
        s += [0.5, 1.5][k] + float(len([1, 2]))
    return s
"""
    assert native_results(source, 4, 1) == 14.0
    function = compiled(source)
    called(function, 4, 0)
    with pytest.raises(IndexError, match=r"(?s)line 5.*out of range"):
        function(4, 2)


@needs_native_calls
def test_what_fails_ends_the_loops_after_it() -> None:
    source = """
def f(x: List[int], n: int) -> int:
    s = 0
    for i in range(n):
        c = x[i]
        while c != 1:
            c = c // 2 if c % 2 == 0 else 3 * c + 1
            s += 1
    return s
"""
    assert native_results(source, [6, 7], 2) == 24
    function = compiled(source)
    called(function, [6, 7], 2)
    with pytest.raises(IndexError):
        function(
            [6, 7], 3
        )  # what stands for the item that is not there is 0, which never becomes 1


def test_floats_that_are_no_ints_run_node_by_node() -> None:
    source = """
def f(a: float, n: int) -> int:
    s = 0
    for i in range(n):
        s += int(a)
    return s
"""
    with ts.optimized_execution(False):
        expected = [outcome(compiled(source), a, 2) for a in (2.0**63, math.nan, -(2.0**63))]
    function = compiled(source)
    assert called(function, 2.9, 2) == 4
    assert [called(function, a, 2) for a in (2.0**63, math.nan, -(2.0**63))] == expected


@needs_native_calls
def test_a_long_list_is_not_copied_for_few_trips() -> None:
    source = """
def f(x: List[int], n: int) -> int:
    s = 0
    for i in range(n):
        s += x[i]
    return s
"""
    function, long = compiled(source), list(range(5000))
    assert called(function, long, 5000) == sum(long)
    (loop,) = loops(function)
    before = loop.interpreted.calls
    assert function(long, 5000) == sum(long) and loop.interpreted.calls == before
    assert function(long, 3) == 3 and loop.interpreted.calls == before + 1


@needs_native_calls
def test_a_loop_is_compiled_after_many_trips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scalar_loops, "MANY", 100)
    source = """
def f(n: int) -> int:
    s = 0
    for i in range(n):
        s += i
    return s
"""
    function = compiled(source)
    assert [function(40) for _ in range(3)] == [780] * 3  # the first without any plan
    (loop,) = loops(function)
    assert loop.native is None and loop.interpreted.calls == 2
    assert [function(40) for _ in range(2)] == [780] * 2
    assert loop.native is not None and loop.interpreted.calls == 2


@needs_native_calls
def test_a_loop_of_numbers_beside_tensors_is_native() -> None:
    from torchscript_dialect import torch

    function = compiled("""
def f(x: Tensor, n: int) -> Tensor:
    for k in range(x.size(0)):
        s = 0
        for i in range(n):
            s += i * k
        x = x + s
    return x
""")
    result = called(function, torch.zeros(3), 5)
    assert result.tolist() == [30.0] * 3
    assert any(loop.native is not None for loop in loops(function))


@needs_native_calls
def test_random_loops_are_as_interpreted() -> None:
    """Values to the last bit; most are native at the end. Point 10 of docs/testing.md."""
    native = 0
    for seed in range(25):
        loop = random_number_loops.Program(seed)
        assert (found := random_number_loops.compare(loop)) is None, found
        native += loop.native
    assert native >= 20


@needs_native_calls
def test_explain_tells_of_loops_over_numbers() -> None:
    function = compiled("""
def f(n: int) -> int:
    s = 0
    for i in range(n):
        s += i
    return s
""")
    called(function, 5)
    assert "loop over numbers, native: aten::add" in str(ts.explain(function))
