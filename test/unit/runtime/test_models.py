"""Whole small models give PyTorch's numbers in every call: as interpreted first, and as compiled for the types that came."""

import json
from pathlib import Path
from typing import Any

import pytest

import torchscript_dialect as ts
from samples import compare, golden, models

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "models.json").read_text())


@pytest.mark.parametrize("name", models.MODELS)
def test_four_calls(name: str) -> None:
    function = getattr(ts.CompilationUnit(models.MODELS[name]), name)
    memo: dict[int, Any] = {}
    assert len(GOLDEN[name]) == models.CALLS
    for arguments, expected in zip(models.arguments(name), GOLDEN[name], strict=True):
        operands = [compare.ours(value, memo) for value in arguments]
        before = [operand.array.copy() for operand in operands if isinstance(operand, ts.Tensor)]
        result = compare.plain(function(*operands))
        assert compare.difference(result, golden.from_json(expected["result"]), 4) is None
        written = [
            compare.plain(operand)
            for operand, old in zip(operands, before)
            if (operand.array != old).any()
        ]
        wanted = [golden.from_json(value) for value in expected["written"]]
        assert compare.difference(written, wanted, 4) is None
