"""Random functions of tensors: what we compile does what PyTorch does, operator by operator.

TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS=2000 runs as many; `python -m support.random_tensor_comparison` runs any.
"""

import pytest

from support.amounts import program_count
from support.random_tensor_comparison import compare
from support.random_tensor_oracle import pytorch
from support.random_tensor_programs import program

COUNT = program_count(80)
STEP = 10


@pytest.mark.parametrize("first", range(0, COUNT, STEP))
def test_random_tensor_programs(first: int) -> None:
    for seed in range(first, min(first + STEP, COUNT)):
        if found := compare(program(seed), pytorch):
            pytest.fail(found, pytrace=False)
