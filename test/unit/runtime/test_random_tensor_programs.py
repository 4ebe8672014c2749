"""Random functions of tensors: kernels do what the interpreter does, to the last bit.

TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS=2000 runs as many. test/oracle has the comparison with PyTorch.

Point 10 of docs/testing.md.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest

import torchscript_dialect as ts
from support.amounts import program_count
from support.random_tensor_arguments import variants
from support.random_tensor_comparison import compare, difference, interpreted, ours
from support.random_tensor_programs import program

COUNT = program_count(80)
STEP = 10


@pytest.mark.parametrize("first", range(0, COUNT, STEP))
def test_random_tensor_programs(first: int) -> None:
    for seed in range(first, min(first + STEP, COUNT)):
        if found := compare(program(seed, exact=True), interpreted):
            pytest.fail(found, pytrace=False)


THREADS = 4


@pytest.mark.parametrize("seed", range(COUNT, COUNT + 8))
def test_threads_call_one_function_at_once(seed: int) -> None:
    """From its first call on, each with other arguments first, while it is specialized for all of them."""
    made = program(seed, exact=True)
    given = variants(made)
    expected = [interpreted(made.text, arguments) for arguments in given]
    main = ts.CompilationUnit(made.text).main

    def calls(first: int) -> list[str]:
        places = [(first + step) % len(given) for step in range(4 * len(given))]
        found = [difference(ours(main, given[at]), *expected[at]) for at in places]
        return [one for one in found if one is not None]

    with ThreadPoolExecutor(THREADS) as pool:
        found = [one for many in pool.map(calls, range(THREADS)) for one in many]
    assert not found, f"program {seed}: {found[0]}\n{made.text}"


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
