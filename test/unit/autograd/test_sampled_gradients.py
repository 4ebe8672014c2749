"""Gradients that go through samples to the parameters of their distribution."""

import numpy as np

from torchscript_dialect import torch


def test_gamma_samples_move_with_their_parameters() -> None:
    """What PyTorch 2.13 gives for the same seed."""
    shape = torch.tensor([0.5, 2.0, 20.0], requires_grad=True)
    torch.manual_seed(0)
    torch._standard_gamma(shape).sum().backward()
    assert shape.grad is not None
    np.testing.assert_allclose(
        np.asarray(shape.grad), [0.011342937, 0.57441247, 1.0180422], rtol=1e-5
    )
