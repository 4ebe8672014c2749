"""Seeds and states that are none are refused, and the streams go on as they were."""

import pytest

from torchscript_dialect import torch


@pytest.mark.parametrize(
    ("seed", "error"),
    [
        (float("nan"), ValueError),
        (10**30, ValueError),
        (-(1 << 63) - 1, ValueError),
        (None, TypeError),
        ("a", ValueError),
    ],
)
def test_no_seed_of_the_default_streams(seed, error):
    torch.manual_seed(3)
    with pytest.raises(error):
        torch.manual_seed(seed)
    assert torch.initial_seed() == 3
    found = torch.rand(2)
    torch.manual_seed(3)
    assert torch.equal(torch.rand(2), found)


@pytest.mark.parametrize("seed", [1.5, True, "3", None, torch.tensor(3)])
def test_no_seed_of_a_stream(seed):
    with pytest.raises(RuntimeError, match="manual_seed expected a long, but got"):
        torch.Generator().manual_seed(seed)


def test_what_is_a_number_is_a_seed():
    """As PyTorch takes them: 64 bits with a sign or without one, and what `int` takes."""
    assert torch.manual_seed((1 << 64) - 1).initial_seed() == (1 << 64) - 1
    assert torch.manual_seed(-(1 << 63)).initial_seed() == 1 << 63
    assert torch.manual_seed(torch.tensor(3)).initial_seed() == 3
    assert torch.manual_seed(1.5).initial_seed() == 1


@pytest.mark.parametrize("state", [None, "a", 3, [1.0]])
def test_no_state(state):
    with pytest.raises(TypeError, match=r"expected a torch\.ByteTensor, but got"):
        torch.set_rng_state(state)
    with pytest.raises(TypeError, match=r"expected a torch\.ByteTensor, but got"):
        torch.Generator().set_state(state)
