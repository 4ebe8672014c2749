"""Programs of numbers, strings and conversions on hard values: what PyTorch made of them in test/golden/expressions.json, on every call."""

import json
from pathlib import Path
from typing import Any

import pytest

import torchscript_dialect as ts
from samples.golden import from_json
from support.value_expressions import Case, cases, compiled, outcome, same

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "expressions.json").read_text())


def difference(signature: str, expression: str, pairs: list[Any]) -> str | None:
    """What sets our calls of an expression apart from PyTorch's."""
    calls = [from_json(arguments) for arguments, _ in pairs]
    function = compiled(Case(signature, expression, calls), ts.CompilationUnit)
    for _ in range(3):
        for arguments, (_, golden) in zip(calls, pairs, strict=True):
            ours, theirs = outcome(function, arguments), from_json(golden)
            if not same(ours, theirs):
                return f"{expression} of {arguments} gives {ours!r} where PyTorch gives {theirs!r}"
    return None


@pytest.mark.parametrize("group", range(0, len(GOLDEN), 40))
def test_same_as_pytorch_gave(group: int) -> None:
    found = [difference(*one) for one in GOLDEN[group : group + 40]]
    different = [one for one in found if one is not None]
    assert not different, "\n".join(different)


def test_the_goldens_are_those_of_the_expressions() -> None:
    wanted = [[case.signature, case.expression] for case in cases()]
    assert [one[:2] for one in GOLDEN] == wanted, "regenerate_expression_goldens.py is due"
