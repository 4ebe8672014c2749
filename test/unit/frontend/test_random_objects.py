"""Random programs of classes, closures and tasks: what we compile does what Python does.

TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS=2000 runs as many, each of seven functions and modules; `python -m support.random_objects` runs any.

Point 10 of docs/testing.md.
"""

import pytest

from support import random_objects
from support.amounts import program_count

COUNT = program_count(16)
STEP = 4


@pytest.mark.parametrize("first", range(0, COUNT, STEP))
def test_random_objects(first: int) -> None:
    for seed in range(first, min(first + STEP, COUNT)):
        if found := random_objects.difference(seed):
            pytest.fail(found, pytrace=False)


def test_the_same_seed_makes_the_same_program() -> None:
    assert random_objects.Program(3).text == random_objects.Program(3).text
    assert random_objects.Program(3).text != random_objects.Program(4).text
