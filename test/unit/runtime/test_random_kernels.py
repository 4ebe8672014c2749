"""Random functions of tensors for one dtype each, with arguments of all kinds: kernels do what the interpreter does, to the last bit.

TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS=2000 runs as many a dtype. test/oracle has the comparison with PyTorch.

Point 10 of docs/testing.md.
"""

from collections import Counter

import pytest

from support.amounts import program_count
from support.native_calls import needs_native_calls
from support.random_kernels import CALLS, DTYPES, Function, carriers, compare, interpreted

COUNT = program_count(48)
NATIVE = ("float32", "float64", "int32", "int64", "bool")
"""The dtypes for which whole functions become kernels; `python -m support.random_kernels` shows how often."""


@needs_native_calls
@pytest.mark.parametrize("dtype", DTYPES)
def test_random_kernels(dtype: str) -> None:
    counts: Counter[str] = Counter()
    for seed in range(COUNT):
        if found := compare(Function(seed, dtype), interpreted, counts):
            pytest.fail(found, pytrace=False)
    assert sum(n for name, n in counts.items() if name in carriers()) == CALLS * COUNT
    native = counts["ndarray, native"], counts["Tensor, native"]
    if dtype in NATIVE:
        assert min(native) > 0, f"no kernel of {dtype} was tried: {counts}"
        for name in carriers():
            assert counts[f"{name}, with kernels of the dtype"] > 0, f"{name}: {counts}"


def test_the_same_seed_makes_the_same_function() -> None:
    assert Function(3, "int8").text == Function(3, "int8").text != Function(4, "int8").text
