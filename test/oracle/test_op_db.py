"""PyTorch's operator database against our operators: a sample of it here, all of it where TORCHSCRIPT_DIALECT_LONG_TESTS is set.

`python tools/op_db.py` runs any part of it and says what differs.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
import torch

pytest.importorskip("expecttest", reason="PyTorch's database of operators needs expecttest")

from support.amounts import IS_LONG
from support.op_db import known
from support.op_db.comparison import difference
from support.op_db.inputs import ours
from support.op_db.pairs import against_list, outcome, pairs
from torchscript_dialect.ops.eager import often
from torchscript_dialect.ops.eager.call_cache import forget_cached_calls

STEP, SAMPLES = (1, None) if IS_LONG else (97, 1)
SHARDS = 8
CALLS = 4

listed = cache(known.read)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_pairs_are_as_the_list_says(shard: int) -> None:
    chosen = pairs()[::STEP][shard::SHARDS]
    if not IS_LONG:  # One sample does not show what is wrong with a pair.
        chosen = [pair for pair in chosen if pair not in listed()]
    outcomes = [outcome(name, dtype, SAMPLES) for name, dtype in chosen]
    assert all(found.calls for found in outcomes)
    assert not against_list(outcomes, listed())


@pytest.mark.parametrize("shard", range(SHARDS))
def test_pairs_agree_however_often_they_are_called(
    shard: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kernels that are compiled for operators which are called often give, alias and write what the operators do."""
    monkeypatch.setattr(often, "OFTEN", CALLS // 2)
    forget_cached_calls()
    chosen = [
        pair for pair in pairs()[shard :: (1 if IS_LONG else 97) * SHARDS] if pair not in listed()
    ]
    for name, dtype in chosen:
        for _ in range(CALLS):
            found = outcome(name, dtype, 1)
            assert found.agrees, found
    forget_cached_calls()


def test_list_holds_pairs_of_the_database_with_reasons() -> None:
    assert listed().keys() <= set(pairs())
    assert all(reason.strip() for reason in listed().values())


def test_unexpected_pass_is_a_failure() -> None:
    found = outcome("sin", "float32", 1)
    assert found.agrees
    assert against_list([found], {}) == []
    assert against_list([found], {("sin", "float32"): "a reason"}) != []


@pytest.mark.parametrize(
    ("mine", "kind"),
    [
        (lambda x: x + 1, "values"),
        (lambda x: x.double(), "dtype"),
        (lambda x: x[:1].clone(), "shape"),
        (lambda x: x.t().contiguous().t(), "strides"),
        (lambda x: x, "view"),
        (lambda x: [x], "list"),
    ],
)
def test_each_kind_of_difference_is_found(mine: Callable[[Any], Any], kind: str) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    y = ours(x, {})
    found = difference(mine(y), x.clone(), [y], [x], lambda: None)
    assert found is not None
    assert found.startswith(kind)
    assert difference(y.clone(), x.clone(), [y], [x], lambda: None) is None
