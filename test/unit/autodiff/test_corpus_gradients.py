"""Gradients of the corpus programs that take tensors of floats are the same on all ways of a call: some here, all where
TORCHSCRIPT_DIALECT_LONG_TESTS is set.
"""

from functools import cache

import pytest

from support import corpus, corpus_gradients
from support.amounts import IS_LONG

EVERY = 1 if IS_LONG else 61
SHARDS = 2
programs = cache(lambda: list(corpus_gradients.programs()))


@pytest.mark.filterwarnings("ignore::UserWarning")  # the programs' own
@pytest.mark.parametrize("shard", range(SHARDS))
def test_gradients_are_the_same_on_all_ways(shard: int) -> None:
    found: dict[str, str] = {}
    chosen = programs()[::EVERY][shard::SHARDS]
    for program in chosen:
        try:
            corpus_gradients.check(program)
        except (AssertionError, RuntimeError) as error:
            found[f"{program.area}.{program.name}"] = str(error)
    assert chosen and not found


def test_programs_that_are_others_in_python_exist() -> None:
    names = {f"{area}.{name}" for area, name in corpus.names_of_goldens()}
    assert corpus_gradients.NOT_AS_IN_PYTHON.keys() <= names
    assert len(programs()) > 300
