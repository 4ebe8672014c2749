"""Random programs of views, writes and changes of sizes in place have PyTorch's values, errors and gradients."""

import os

import pytest

from support import random_gradients

pytest.importorskip("torch")

COUNT = int(os.environ.get("TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS", "150"))


@pytest.mark.filterwarnings("ignore")
def test_random_programs_have_the_gradients_of_pytorch() -> None:
    found = random_gradients.differences(COUNT, 0)
    assert not found, found[0]
