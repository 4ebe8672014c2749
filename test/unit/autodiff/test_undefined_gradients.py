"""Which gradients of loops are undefined on all calls (Note [Undefined gradients of loops]): None, as PyTorch gives, not zeros."""

from __future__ import annotations

from typing import Any

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

PROGRAMS = """
def overwritten(a, b, c, n: int, m: int):
    for i in range(n):
        b = torch.tanh(a) * 2
    return [b.sum()]
def overwritten_in_the_end(a, b, c, n: int, m: int):
    for i in range(n):
        a = torch.tanh(a * c)
        b = torch.tanh(a) * 2
    return [(a * b).sum()]
def in_a_loop(a, b, c, n: int, m: int):
    y = a
    for i in range(n):
        z = b * 0.5 + i
        for j in range(m):
            z = torch.tanh(a) * c
        y = y * z
    return [y.sum()]
def as_many_as_trips(a, b, c, n: int, m: int):
    y = a
    for i in range(n):
        z = b * 0.5
        for j in range(i):
            z = torch.tanh(c) * z
        y = y * z
    return [y.sum()]
def of_two(a, b, c, n: int, m: int):
    for i in range(n):
        a = torch.tanh(a * 2)
        b = torch.tanh(b * c)
    return [a.sum(), b.sum()]
def last_two(a, b, c, n: int, m: int):
    for i in range(n):
        a, b = b * 2, torch.tanh(a + b)
    return [a.sum(), b.sum()]
def moved_on(a, b, c, n: int, m: int):
    for i in range(n):
        c = b * 2
        b = torch.tanh(a)
        a = a * 3
    return [c.sum()]
def in_turn(a, b, c, n: int, m: int):
    for i in range(n):
        a, b = torch.tanh(b), a * 2
    return [a.sum()]
def known_trips(a, b, c, n: int, m: int):
    for i in range(3):
        a, b = torch.tanh(b), a * 2
    for i in range(n):
        a = torch.tanh(a * c)
    return [a.sum()]
"""

CASES = {
    "overwritten": {"3 0": "a", "0 0": "b"},
    "overwritten_in_the_end": {"3 0": "ac", "1 0": "ac", "0 0": "ab"},
    "in_a_loop": {"2 3": "ac", "2 0": "ab", "0 2": "a"},
    "as_many_as_trips": {"3 0": "abc", "2 0": "abc", "1 0": "ab", "0 0": "a"},
    "of_two": {"3 0": "abc", "1 0": "abc", "3 0 first": "a", "3 0 second": "bc"},
    "last_two": {"4 0 first": "ab", "2 0 first": "ab", "1 0 first": "b", "1 0 second": "ab", "0 0 second": "b"},
    "moved_on": {"4 0": "a", "2 0": "a", "1 0": "b", "0 0": "c"},
    "in_turn": {"4 0": "a", "3 0": "b", "2 0": "a", "1 0": "b"},
    "known_trips": {"2 0": "bc", "0 0": "b"},
}  # fmt: skip
"""By program and the numbers of trips, which arguments have gradients in PyTorch."""


def gradients(program: Any, case: str) -> list[Any]:
    """Those of the arguments of a call, for one of the results or for all."""
    n, m, *which = case.split()
    leaves = [torch.tensor([0.5, 0.2 + i, 0.1]).requires_grad_() for i in range(3)]
    found = program(*leaves, int(n), int(m))
    used = found if not which else [found[which[0] == "second"]]
    made = torch.autograd.grad(used, leaves, allow_unused=True)
    return [None if one is None else one.tolist() for one in made]


@pytest.mark.parametrize("name", CASES)
def test_what_no_gradient_reaches_has_none(name: str) -> None:
    program = ts.CompilationUnit(PROGRAMS)[name]
    with ts.optimized_execution(False):
        expected = {case: gradients(program, case) for case in CASES[name]}
    for call in range(3):
        for case, defined in CASES[name].items():
            found, what = gradients(program, case), f"{case}, call {call}"
            assert "".join(n for n, one in zip("abc", found) if one is not None) == defined, what
            for one, other in zip(found, expected[case], strict=True):
                assert one == (other if other is None else pytest.approx(other, 1e-5)), what
    assert any(plan.graphs for plan in program._executor.gradient_plans.values())
