"""PyTorch's gradients of its operator database against ours, of the first and second order: a sample here, all where
TORCHSCRIPT_DIALECT_LONG_TESTS is set.
"""

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

LISTS = {1: known.GRADIENTS, 2: known.SECOND_GRADIENTS}

listed = cache(lambda order: known.read(LISTS[order]))


@pytest.mark.parametrize("order", (1, 2))
@pytest.mark.parametrize("shard", range(SHARDS))
def test_gradients_are_as_the_list_says(shard: int, order: int) -> None:
    chosen = gradients.pairs(order)[order::STEP][shard::SHARDS]
    if not IS_LONG:  # One sample does not show what is wrong with a pair.
        chosen = [pair for pair in chosen if pair not in listed(order)]
    outcomes = [gradients.outcome(name, dtype, SAMPLES, order) for name, dtype in chosen]
    assert sum(found.calls for found in outcomes) >= len(outcomes) // 2
    assert not against_list(outcomes, listed(order))


@pytest.mark.parametrize("order", (1, 2))
def test_list_holds_pairs_of_the_database_with_reasons(order: int) -> None:
    assert listed(order).keys() <= set(gradients.pairs(order))
    assert all(reason.strip() for reason in listed(order).values())
    assert len(listed(order)) < 0.03 * len(gradients.pairs(order))


def test_wrong_gradients_are_found() -> None:
    assert gradients.difference_of(gradients.as_tensor([1.0]), torch.tensor([2.0])) is not None
    assert gradients.difference_of(gradients.as_tensor([1.0]), torch.tensor([1.0])) is None
    assert gradients.difference_of(None, torch.tensor([1.0])) is not None
