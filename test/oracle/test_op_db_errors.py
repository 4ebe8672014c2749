"""The wrong calls of PyTorch's operator database: what PyTorch refuses is refused here, with an error of the same class.

`op_db_error_disagreements.txt` is the strict list of the entries of which that does not hold, with the reason.
"""

import pytest

pytest.importorskip("torch")
pytest.importorskip("expecttest", reason="PyTorch's database of operators needs expecttest")

from support.amounts import IS_LONG
from support.op_db import known
from support.op_db.errors import names, outcome
from support.op_db.pairs import against_list

STEP = 1 if IS_LONG else 23


def test_wrong_calls_are_as_the_list_says() -> None:
    chosen = names()[::STEP]
    listed = known.read(known.ERRORS)
    outcomes = [outcome(name) for name in chosen]
    assert sum(found.calls for found in outcomes) >= len(chosen)
    assert not against_list(outcomes, listed)


def test_list_holds_entries_of_the_database_with_reasons() -> None:
    listed = known.read(known.ERRORS)
    assert {name for name, _ in listed} <= set(names())
    assert all(reason.strip() for reason in listed.values())


def test_error_of_another_class_is_a_difference() -> None:
    found = outcome("movedim")
    assert found.calls
    assert found.agrees
    assert against_list([found], {("movedim", "errors"): "a reason"}) != []
