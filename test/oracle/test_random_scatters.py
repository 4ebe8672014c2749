"""Random programs that write to parts of tensors, compiled and in PyTorch: values, strides, what requires gradients, and gradients."""

from typing import Any

import pytest

import torchscript_dialect as ts
from support.amounts import program_count
from support.random_scatters import agree, operands, outcome, program
from torchscript_dialect import torch as stand_in

torch: Any = pytest.importorskip("torch")

SHARDS = 4


def differences(seed: int) -> list[str]:
    text, given = program(seed), operands(seed)
    names: dict[str, Any] = {"torch": torch}
    exec(text, names)
    compiled = ts.CompilationUnit(text).f
    found: list[str] = []
    for requires, leaves in (("xy", True), ("xy", False), ("x", True), ("", True), ("x", False)):
        wanted = outcome(torch, names["f"], given, requires, leaves=leaves)
        for call in range(3):
            mine = outcome(stand_in, compiled, given, requires, leaves=leaves)
            if not agree(wanted, mine):
                found.append(f"seed {seed}, call {call}, {requires!r} requires gradients\n{text}")
                break
    return found


@pytest.mark.parametrize("shard", range(SHARDS))
def test_scatters(shard: int) -> None:
    seeds = range(shard, program_count(80), SHARDS)
    with ts.background_compilation(False):
        assert [one for seed in seeds for one in differences(seed)] == []
