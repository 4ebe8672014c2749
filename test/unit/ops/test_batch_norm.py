"""Batch normalization: what its samples do not show."""

from torchscript_dialect import torch


def test_equal_elements_that_are_spread_are_their_mean() -> None:
    """The mean was folded into what is added, whose rounding a large weight and a small variance make large."""
    x = torch.tensor([0.7318]).expand(3, 1)
    given = torch.native_batch_norm(
        x, torch.tensor([-7.95]), torch.tensor([-1.7658]), None, None, True, 0.1, 1e-5
    )
    assert given[0].tolist() == torch.full((3, 1), -1.7658).tolist()
