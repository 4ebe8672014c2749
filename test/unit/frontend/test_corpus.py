"""The corpus of accepted programs against the golden files: graphs, code, schemas, results and mutated arguments are PyTorch's."""

from collections import Counter
from functools import cache

import pytest

from support import corpus
from support.agreement import differences


@cache
def programs(area: str) -> dict[str, corpus.Program]:
    return corpus.load(area, "ours")


@cache
def golden(area: str) -> dict[str, corpus.Record]:
    return corpus.golden(area)


KNOWN = corpus.known_differences()
ALL = list(corpus.names_of_goldens())


def test_goldens_are_complete() -> None:
    recorded = Counter(area for area, _ in ALL)
    assert {area: set(programs(area)) for area in corpus.areas()} == {
        area: set(golden(area)) for area in recorded
    }
    assert all(set(names) <= set(golden(area)) for area, names in KNOWN.items())


@pytest.mark.filterwarnings("ignore::UserWarning")  # the programs' own
@pytest.mark.parametrize(("area", "name"), [pytest.param(*p, id=".".join(p)) for p in ALL])
def test_program(area: str, name: str) -> None:
    try:
        found = list(differences(programs(area)[name], golden(area)[name]))
    except Exception as error:
        if name not in KNOWN.get(area, {}):
            raise
        found = [str(error)]
    if name in KNOWN.get(area, {}):
        assert found, "agrees with PyTorch now: take it out of known_differences.json"
    elif found:
        pytest.fail("\n".join(found[:4]), pytrace=False)
