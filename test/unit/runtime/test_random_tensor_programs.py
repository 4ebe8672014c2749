"""Random functions of tensors: kernels do what the interpreter does, to the last bit.

TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS=2000 runs as many. test/oracle has the comparison with PyTorch.
"""

import os

import pytest

from support.random_tensor_arguments import variants
from support.random_tensor_comparison import compare, difference, interpreted
from support.random_tensor_programs import program

COUNT = int(os.environ.get("TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS", "200"))
STEP = 10


@pytest.mark.parametrize("first", range(0, COUNT, STEP))
def test_random_tensor_programs(first: int) -> None:
    for seed in range(first, min(first + STEP, COUNT)):
        if found := compare(program(seed, exact=True), interpreted):
            pytest.fail(found, pytrace=False)


def test_the_same_seed_makes_the_same_program() -> None:
    assert program(7).text == program(7).text != program(8).text
    assert variants(program(7)) == variants(program(7))


def test_a_wrong_number_is_noticed() -> None:
    made = program(7)
    (arguments, *_) = variants(made)
    right, _ = interpreted(made.text, arguments)
    wrong, _ = interpreted(made.text.replace("f = s", "f = s + 1.0", 1), arguments)
    assert difference(right, right) is None
    assert difference(wrong, right) is not None
