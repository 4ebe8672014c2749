"""The models of test/models, written against the stand-in for PyTorch, give what PyTorch gave: the golden file."""

import json
from functools import cache
from typing import Any

import pytest

import torchscript_dialect as ts
from support import models
from torchscript_dialect.tensor.conversion import as_tensor


@cache
def golden() -> dict[str, list[Any]]:
    return json.loads(models.GOLDEN.read_text())


def test_goldens_are_complete() -> None:
    assert sorted(golden()) == models.names()


@pytest.mark.parametrize("name", models.names())
def test_interpreted(name: str) -> None:
    file = models.load(name, "ours")
    scripted = ts.script(models.make(file))
    with ts.optimized_execution(False):
        for number, (call, expected) in enumerate(zip(file.CALLS, golden()[name], strict=True)):
            result = models.summary(scripted(*models.convert(call, as_tensor)))
            assert models.difference(result, expected) is None, f"call {number}"
