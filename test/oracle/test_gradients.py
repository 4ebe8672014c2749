"""PyTorch's gradients of its operator database against ours, of the first and second order: a sample here, all where
TORCHSCRIPT_DIALECT_LONG_TESTS is set.
"""

import json
import types
from functools import cache
from typing import Any

import pytest
import torch

pytest.importorskip("expecttest", reason="PyTorch's database of operators needs expecttest")

from support import gradient_golden
from support.amounts import IS_LONG
from support.op_db import gradients, known
from support.op_db.pairs import against_list, entries
from torchscript_dialect import torch as ours

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


WITHOUT_STORED_GRADIENTS = {
    **dict.fromkeys(("__radd__", "__rmul__"), "add and mul with turned operands"),
    **dict.fromkeys(("cdouble", "cfloat"), "a cast of complex numbers, as to.dtype"),
    **dict.fromkeys(("linalg_eig", "linalg_svd"), "vectors have any sign or phase"),
    "_batch_norm_with_update": "it writes to its operands; _batch_norm_with_update_functional is stored",
    **dict.fromkeys(("_sparse_mm", "sparse_sampled_addmm"), "sparse"),
}
"""Operators of the database without numbers in test/golden/gradients.json, by which the suite proves gradients without PyTorch."""


def test_gradients_of_the_database_are_stored() -> None:
    """What the database writes in Python is made of others."""
    stored = {
        name.partition("::")[2].partition(".")[0]
        for name in json.loads(gradient_golden.GOLDEN.read_text())
    }
    wanted: set[str] = set()
    for name, _ in gradients.pairs(1):
        op: object = entries()[name].op
        if isinstance(op, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
            wanted.add(str(op).split(".")[1])
        elif isinstance(op, (types.BuiltinFunctionType, types.MethodDescriptorType)):
            wanted.add(op.__name__)
    assert len(wanted) > 300
    assert wanted - stored == WITHOUT_STORED_GRADIENTS.keys()


def test_batch_norm_of_one_sample_where_pytorch_misreads_the_gradient() -> None:
    """The gradient of the bias is the sum of what is given; PyTorch 2.13 reads a transposed gradient of one sample in another order."""
    x, given = torch.randn(1, 8, 5, 5), torch.randn(1, 25, 8).transpose(1, 2).reshape(1, 8, 5, 5)
    mean, deviation = torch.zeros(8), torch.ones(8)

    def gradients_of(library: Any, gradient: Any) -> Any:
        tensors = [library.from_dlpack(one) for one in (gradient, x, mean, deviation)]
        return library.ops.aten.native_batch_norm_backward(
            *tensors[:2], None, None, None, *tensors[2:], True, 1e-5, [True, True, True]
        )

    wanted = gradients_of(torch, given.contiguous())
    assert not torch.allclose(gradients_of(torch, given)[2], given.sum((0, 2, 3)))
    found = gradients_of(ours, given)
    for one, right in zip(found, wanted, strict=True):
        assert torch.allclose(torch.from_dlpack(one), right, atol=1e-5)
