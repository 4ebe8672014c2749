"""Random programs of views, writes and changes of sizes in place have PyTorch's values, errors and gradients."""

import pytest

from support import random_gradients
from support.amounts import program_count

pytest.importorskip("torch")

COUNT = program_count(60)


@pytest.mark.filterwarnings("ignore")
def test_random_programs_have_the_gradients_of_pytorch() -> None:
    found = random_gradients.differences(COUNT, 0)
    assert not found, found[0]


def test_a_failed_program_is_reduced() -> None:
    statements = ["v0 = p * 1", "v1 = v0.t()", "v2 = v1 + 1", "v1.add_(1)", "v0.zero_()"]
    program = random_gradients.Program(statements, 3, (2, 2))
    needed = statements[0::3]
    least = random_gradients.smallest(program, lambda one: set(needed) <= set(one.statements))
    assert least == program._replace(statements=needed)
