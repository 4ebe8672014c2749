"""Random modules that train themselves are the same with PyTorch and here (support/random_training_steps.py)."""

import pytest

pytest.importorskip("torch")

from support import random_training_comparison
from support.amounts import program_count


def test_modules_train_themselves_as_pytorchs() -> None:
    assert not [*random_training_comparison.differences(program_count(4), 3)]
