"""Random lives of optimizers are the same with PyTorch and here (support/random_optimizers.py)."""

import pytest

from support import random_optimizers
from support.amounts import program_count

pytest.importorskip("torch")

COUNT = program_count(60) // 3


def test_optimizers_live_as_pytorchs() -> None:
    import torch

    from torchscript_dialect import torch as ours

    for seed in range(COUNT):
        program = random_optimizers.make(seed)
        wanted, found = (random_optimizers.run(one, program) for one in (torch, ours))
        apart = random_optimizers.difference(program, wanted, found)
        assert apart is None, f"{seed}: {program}\n=> {apart}"
