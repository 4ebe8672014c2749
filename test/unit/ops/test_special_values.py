"""NaN, infinities, signed zeros, denormals, overflow and division by zero: operators give what PyTorch gave."""

import json
from pathlib import Path

import pytest

from samples import special_values
from torchscript_dialect.ops import registry

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "special_values.json").read_text())


@pytest.mark.parametrize("name", GOLDEN)
def test_special_values(name: str) -> None:
    operator = registry.find(name)
    assert operator is not None
    found = [
        f"{case}: {difference}"
        for case, arguments in special_values.cases(operator)
        if (difference := special_values.difference(operator, arguments, GOLDEN[name][case]))
    ]
    # Which zero the listed ones give depends on the processor's vectors, so that they may agree.
    assert not found or name in special_values.DIFFERENT, found[:3]


def test_every_operator_with_cases_is_stored() -> None:
    """Otherwise `tools/regenerate_special_goldens.py` is due."""
    assert GOLDEN.keys() == {operator.qualified_name for operator in special_values.operators()}


def test_listed_operators_have_cases() -> None:
    assert special_values.DIFFERENT.keys() <= GOLDEN.keys()


def test_results_that_are_stored_are_told_apart() -> None:
    operator = registry.find("aten::neg")
    assert operator is not None
    case, arguments = next(special_values.cases(operator))
    assert special_values.difference(operator, arguments, GOLDEN["aten::neg"][case]) is None
    assert special_values.difference(operator, arguments, GOLDEN["aten::abs"][case]) is not None
    assert special_values.difference(operator, arguments, "") is not None
