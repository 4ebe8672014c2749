"""Random programs: what we compile does what Python does, by the interpreter and by the executor.

TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS=2000 runs as many (they take two minutes); `python -m support.random_programs` runs any.
"""

import os

import pytest

import torchscript_dialect as ts
from support import random_programs

COUNT = int(os.environ.get("TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS", "800"))
STEP = 20


@pytest.mark.parametrize("first", range(0, COUNT, STEP))
def test_random_programs(first: int) -> None:
    """To the last bit; the executor takes every fourth."""
    for seed in range(first, min(first + STEP, COUNT)):
        with ts.optimized_execution(seed % 4 == 0):
            found = random_programs.difference(seed, ts.CompilationUnit, ts.Tensor)
        if found:
            pytest.fail(found, pytrace=False)


def test_the_same_seed_makes_the_same_program() -> None:
    assert random_programs.source(7) == random_programs.source(7) != random_programs.source(8)
