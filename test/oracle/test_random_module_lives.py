"""Random lives of modules are the same with PyTorch and here (support/random_module_lives.py)."""

import pytest

import torchscript_dialect as ts
from support import random_module_lives
from support.amounts import program_count

pytest.importorskip("torch")

COUNT = program_count(36) // 2


@pytest.mark.parametrize("seed", range(COUNT))
def test_modules_live_as_pytorchs(seed: int) -> None:
    assert random_module_lives.parted(seed) is None


@pytest.mark.parametrize("seed", range(COUNT, COUNT + COUNT // 3))
def test_scripted_modules_live_as_pytorchs(seed: int) -> None:
    assert random_module_lives.parted(seed, ts.script) is None
