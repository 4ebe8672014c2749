"""The table of dtypes that operators refuse says what PyTorch does: of every 24th operator, or of all in long runs."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "tools"))

from generate_refused_dtypes import names, rows

from support.amounts import IS_LONG
from torchscript_dialect.ops.refused_dtypes import refusals_of
from torchscript_dialect.tensor.dtype import from_name

NAMES = names()[:: 1 if IS_LONG else 24]


@pytest.mark.parametrize("name", NAMES)
def test_same_as_pytorch(name: str) -> None:
    """Otherwise `tools/generate_refused_dtypes.py` is due."""
    refusals = refusals_of(name)
    stored = {} if refusals is None else refusals.by_dtype
    found = {from_name(element): (places, error) for _, places, element, error in rows(name)}
    assert found.keys() == stored.keys()
    for element, (places, error) in found.items():
        assert refusals is not None and places == refusals.places
        assert error == f"{stored[element].error.__name__}: {stored[element].text}"
