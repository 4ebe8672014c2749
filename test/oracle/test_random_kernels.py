"""Random functions of tensors for one dtype each: what we compile does what PyTorch does, operator by operator.

TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS=2000 runs as many a dtype; `python -m support.random_kernels` runs any.

Point 10 of docs/testing.md.
"""

import pytest

from support.amounts import program_count
from support.random_kernels import DTYPES, Function, compare, in_pytorch

COUNT = program_count(24)


@pytest.mark.parametrize("dtype", DTYPES)
def test_random_kernels(dtype: str) -> None:
    for seed in range(COUNT):
        if found := compare(Function(seed, dtype), in_pytorch):
            pytest.fail(found, pytrace=False)
