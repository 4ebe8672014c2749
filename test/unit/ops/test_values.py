"""Strings, numbers, lists and dicts on hard values: what PyTorch made of the calls in test/golden/values.json.

Point 6 of docs/testing.md.
"""

import json
from pathlib import Path

import pytest

from support import random_values

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "values.json").read_text())
_BY_NAME: dict[str, list[list[object]]] = {}
for _call in GOLDEN:
    _BY_NAME.setdefault(_call[0], []).append(_call)


@pytest.mark.parametrize("name", _BY_NAME)
def test_same_as_pytorch_gave(name: str) -> None:
    found = [random_values.difference(*random_values.read_golden(call)) for call in _BY_NAME[name]]
    different = [one for one in found if one is not None]
    assert not different, "\n".join(different)


def test_every_operator_is_called() -> None:
    assert not set(random_values.names()) - _BY_NAME.keys(), "regenerate_value_goldens.py is due"


def test_calls_are_many_and_not_ascii_only() -> None:
    assert len(GOLDEN) >= 500
    assert sum("\\u" in json.dumps(call) for call in GOLDEN) >= 100
