"""PyTorch's gradients of its operator database against ours: a sample here, all where TORCHSCRIPT_DIALECT_LONG_TESTS is set."""

import os
from functools import cache

import pytest
import torch

pytest.importorskip("expecttest", reason="PyTorch's database of operators needs expecttest")

from support.op_db import gradients, known
from support.op_db.pairs import against_list

IS_LONG = bool(os.environ.get("TORCHSCRIPT_DIALECT_LONG_TESTS"))
STEP, SAMPLES = (1, None) if IS_LONG else (29, 1)
SHARDS = 4

listed = cache(lambda: known.read(known.GRADIENTS))


@pytest.mark.parametrize("shard", range(SHARDS))
def test_gradients_are_as_the_list_says(shard: int) -> None:
    chosen = gradients.pairs()[::STEP][shard::SHARDS]
    if not IS_LONG:  # One sample does not show what is wrong with a pair.
        chosen = [pair for pair in chosen if pair not in listed()]
    outcomes = [gradients.outcome(name, dtype, SAMPLES) for name, dtype in chosen]
    assert sum(found.calls for found in outcomes) >= len(outcomes) // 2
    assert not against_list(outcomes, listed())


def test_list_holds_pairs_of_the_database_with_reasons() -> None:
    assert listed().keys() <= set(gradients.pairs())
    assert all(reason.strip() for reason in listed().values())


def test_wrong_gradients_are_found() -> None:
    assert gradients.difference_of(gradients.as_tensor([1.0]), torch.tensor([2.0])) is not None
    assert gradients.difference_of(gradients.as_tensor([1.0]), torch.tensor([1.0])) is None
    assert gradients.difference_of(None, torch.tensor([1.0])) is not None
