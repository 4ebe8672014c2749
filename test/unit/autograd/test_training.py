"""Training loops give the losses that PyTorch gives, step by step from the same seed (issue of gradients: people train through compiled
functions).
"""

import json

import numpy as np
import pytest

from support import training


def test_goldens_are_complete() -> None:
    assert sorted(json.loads(training.GOLDEN.read_text())) == sorted(training.names())


@pytest.mark.parametrize("name", training.names())
def test_losses_are_those_of_pytorch(name: str) -> None:
    expected = json.loads(training.GOLDEN.read_text())[name]
    np.testing.assert_allclose(training.losses(name, "ours"), expected, rtol=2e-4, atol=2e-5)
