"""Programs of numbers, strings and conversions on hard values: what PyTorch made of them in test/golden/expressions.json, on every call.

Point 6 of docs/testing.md.
"""

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


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("math.gcd(a, a)", -(2**63)),
        ("math.gcd(0, a)", -(2**63)),
        ("complex(a, 1.5)", 1.5j),
        ("complex(a + 3, -(a + 1))", 3 - 1j),
        ("complex(2.5, 4294967297)", 2.5 + 1j),
    ],
)
def test_the_smallest_int_where_64_or_32_bits_end(expression: str, wanted: Any) -> None:
    """PyTorch gave what is wanted."""
    function = ts.CompilationUnit(f"def f(a: int):\n    return {expression}\n").f
    for _ in range(4):
        assert function(-(2**63)) == wanted
