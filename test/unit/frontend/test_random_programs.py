"""Random programs: what we compile does what Python does, by the interpreter and by the executor.

TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS=2000 runs as many (they take two minutes); `python -m support.random_programs` runs any.

Point 10 of docs/testing.md.
"""

from types import SimpleNamespace
from typing import Any

import pytest

import torchscript_dialect as ts
from support import random_programs
from support.amounts import program_count
from support.random_expressions import TYPES
from torchscript_dialect.tensor.conversion import as_tensor

COUNT = program_count(300)
STEP = 20


@pytest.mark.parametrize("first", range(0, COUNT, STEP))
def test_random_programs(first: int) -> None:
    """To the last bit; the executor takes every fourth."""
    for seed in range(first, min(first + STEP, COUNT)):
        with ts.optimized_execution(seed % 4 == 0):
            found = random_programs.difference(seed, ts.CompilationUnit, as_tensor)
        if found:
            pytest.fail(found, pytrace=False)


@pytest.mark.parametrize("first", range(0, COUNT // 50, 4))
def test_random_programs_at_once(first: int) -> None:
    """To the last bit, with all that is compiled after many calls."""
    for seed in range(first, first + 4):
        if found := random_programs.compiled_difference(seed):
            pytest.fail(found, pytrace=False)


def test_the_same_seed_makes_the_same_program() -> None:
    assert random_programs.source(7) == random_programs.source(7) != random_programs.source(8)


PROGRAM = f"""
def helper(log: List[int], a: int) -> int:
    for i in range(3):
        a = min(a + i, 7)
    return a

def main(log: List[int], {", ".join(f"{kind}: {type_}" for kind, type_ in TYPES.items())}):
    v1: List[int] = [1, 2]
    log.append(helper(log, 3))
    for i in v1:
        log.append(i)
    return log, helper(log, 12)
"""


def test_a_difference_is_shown_reduced(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if `min` were `max` in what stands for our compiler."""

    def wrong(text: str) -> Any:
        return SimpleNamespace(main=random_programs.in_python(text.replace("min(", "max(")))

    monkeypatch.setattr(random_programs, "source", lambda seed: PROGRAM)
    found = random_programs.difference(0, wrong, lambda array: array)
    assert found is not None
    _, _, reduced = found.partition("Reduced in")
    assert "min(" in reduced and "log.append" not in reduced
    assert reduced.partition("another result")[0].count("\n") <= 8
