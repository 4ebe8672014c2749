"""Random programs: PyTorch does what Python does, too, so that these programs mean the same to all three.

Point 10 of docs/testing.md.
"""

import pytest
import torch

from support import random_programs
from support.amounts import program_count
from support.pytorch_mistakes import MISTAKES, Mistake

COUNT = program_count(600)
STEP = 100


@pytest.mark.parametrize("first", range(0, COUNT, STEP))
def test_random_programs(first: int) -> None:
    for seed in range(first, min(first + STEP, COUNT)):
        found = random_programs.difference(seed, torch.jit.CompilationUnit, torch.from_numpy)
        if found:
            pytest.fail(found, pytrace=False)


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_pytorch_still_gets_it_wrong(mistake: Mistake) -> None:
    """Once this fails, random programs need not keep clear of it any more."""
    main = torch.jit.CompilationUnit(mistake.text).main
    try:
        found = [mistake.run(main, torch.from_numpy) for _ in range(3)]
    except RuntimeError:
        return
    assert found != [mistake.result] * 3
