"""Numbers that are drawn ahead are those that the generator gives one by one, and leave it where these do."""

from __future__ import annotations

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.tensor.drawn_ahead import DrawnAhead
from torchscript_dialect.tensor.generator import Generator

COUNTS = (0, 1, 7, 8, 9, 24, 25, 300)


def given(is_waiting: bool) -> Generator:
    generator = Generator().manual_seed(5)
    if is_waiting:
        generator.one_normal()
    return generator


@pytest.mark.parametrize("is_waiting", [False, True])
@pytest.mark.parametrize("count", COUNTS)
def test_uniform_and_normal_numbers(count: int, is_waiting: bool) -> None:
    plain, ahead = given(is_waiting), given(is_waiting)
    kinds = [place % 3 == 1 or place % 5 == 0 for place in range(count)]
    wanted = [
        plain.one_normal() if is_normal else plain.uniform(1, double=True)[0] for is_normal in kinds
    ]
    with DrawnAhead(ahead) as stream:
        found = [stream.normal() if is_normal else stream.uniform() for is_normal in kinds]
    assert found == wanted
    assert np.array_equal(ahead.get_state().numpy(), plain.get_state().numpy())


def test_an_error_leaves_the_generator_behind_what_was_taken() -> None:
    plain, ahead = given(False), given(False)
    plain.uniform(3, double=True)
    with pytest.raises(KeyError), DrawnAhead(ahead) as stream:
        for _ in range(3):
            stream.uniform()
        raise KeyError
    assert np.array_equal(ahead.get_state().numpy(), plain.get_state().numpy())


def test_samplers_leave_the_generator_behind_their_last_number() -> None:
    """By rejection: elements take different numbers of numbers."""
    draws = (
        lambda: torch.poisson(torch.tensor([0.5, 3.0, 40.0])),
        lambda: torch.binomial(torch.tensor([5.0, 90.0]), torch.tensor([0.5, 0.3])),
        lambda: torch._standard_gamma(torch.tensor([0.3, 2.0, 9.0])),
    )
    for draw in draws:
        torch.manual_seed(3)
        together = [draw().tolist(), torch.rand(2).tolist()]
        torch.manual_seed(3)
        again = [draw().tolist(), torch.rand(2).tolist()]
        assert together == again
