"""Operators on quantized tensors give what PyTorch gave on fbgemm: integers, scales, zero points, sizes and strides."""

import json
from pathlib import Path

import pytest

from samples import quantized

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "quantized.json").read_text())
CALLS = list(quantized.calls())


def test_each_call_has_a_result() -> None:
    """Otherwise `tools/regenerate_quantized_goldens.py` is due."""
    assert [name for name, _ in CALLS] == [name for name, _ in GOLDEN]


@pytest.mark.parametrize("name", sorted({name for name, _ in CALLS}))
def test_same_as_pytorch(name: str) -> None:
    wrong: list[str] = []
    for (called, arguments), (_, expected) in zip(CALLS, GOLDEN):
        if called == name:
            mine = quantized.plain(quantized.result(name, arguments))
            found = quantized.difference(name, mine, quantized.read(expected))
            wrong += [] if found is None else [found]
    assert not wrong, "\n".join(wrong)
