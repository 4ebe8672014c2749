"""Random keys read and write what they do in PyTorch, eagerly and in scripts.

TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS=4000 tries as many; `python -m support.random_keys` tries any.
"""

import warnings

import pytest

pytest.importorskip("torch")

from support.amounts import program_count
from support.random_keys import differences


def test_keys() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [one for seed in range(program_count(24)) for one in differences(seed)] == []
