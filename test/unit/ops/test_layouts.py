"""Sparse and nested tensors, packed weights, quantized results in `out`, seldom used operators: PyTorch's results stand in test/golden/layouts.json."""

import json
from pathlib import Path

import pytest

from support.layout_golden import as_json, differs, evaluate, names_of

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "layouts.json").read_text())


@pytest.mark.parametrize("suite", GOLDEN)
def test_expressions_give_the_stored_results(suite: str) -> None:
    names = names_of(GOLDEN[suite]["setup"])
    results = GOLDEN[suite]["results"]
    wrong = [
        f"{text}: {found!r}"
        for text, stored in results
        if differs(as_json(found := evaluate(names, text)), stored)
    ]
    assert len(results) > 50
    assert not wrong


def test_another_value_is_found() -> None:
    mine = as_json(names_of("x = torch.eye(2).to_sparse()")["x"])
    assert not differs(mine, mine)
    other = as_json(names_of("x = torch.eye(2).to_sparse() * 2")["x"])
    assert differs(mine, other)
    assert differs(mine, as_json(RuntimeError()))
    assert differs(mine, as_json(names_of("x = torch.eye(2)")["x"]))
