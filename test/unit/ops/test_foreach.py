"""Operators on lists of tensors: what Python gets, and lists that do not fit."""

import pytest

from torchscript_dialect import torch


def test_lists_that_are_written_to_are_given_back() -> None:
    tensors = [torch.ones(2), torch.ones(3)]
    assert torch._foreach_add_(tensors, 1) is tensors
    assert torch._foreach_mul_(tensors, [2, 3]) is tensors
    assert torch._foreach_sqrt_(tuple(tensors))[0] is tensors[0]
    assert tensors[0].tolist() == pytest.approx([2, 2])


def test_lists_that_do_not_fit() -> None:
    tensors = [torch.ones(2), torch.ones(3)]
    with pytest.raises(RuntimeError, match="same number of elements as scalar list"):
        torch._foreach_add(tensors, [1, 2, 3])
    with pytest.raises(RuntimeError, match="same number of tensors, got 0 and 2"):
        torch._foreach_add([], tensors)
    with pytest.raises(RuntimeError, match="at least one tensor"):
        torch._foreach_add([], [])
