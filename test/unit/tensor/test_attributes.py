"""Attributes that programs give to tensors: who has them, and which copies have them, as in PyTorch."""

import copy
import pickle
from typing import Any

import pytest

from torchscript_dialect import torch


@pytest.mark.parametrize("wanted", [False, True])
def test_copies_of_a_tensor_have_them(wanted: bool) -> None:
    x: Any = torch.ones(2, requires_grad=wanted)
    x.note = [1]
    assert copy.copy(x).note is x.note
    assert copy.deepcopy(x).note == [1]
    assert copy.deepcopy(x).note is not x.note
    x.itself = x
    assert (copied := copy.deepcopy(x)).itself is copied
    del x.itself
    read = pickle.loads(pickle.dumps(x))
    assert read.note == [1]
    assert read.requires_grad is wanted


def test_deep_copies_of_a_parameter_have_none() -> None:
    parameter: Any = torch.nn.Parameter(torch.ones(2))
    parameter.note = 1
    assert not hasattr(copy.deepcopy(parameter), "note")
    assert pickle.loads(pickle.dumps(parameter)).note == 1


def test_they_belong_to_the_object_alone() -> None:
    x: Any = torch.ones(2)
    x.note = 1
    assert not any(hasattr(made, "note") for made in (x + 1, x.view(2), x.detach(), x.clone()))
    holder = torch.zeros(2)
    holder.grad = x
    del x
    assert holder.grad.note == 1
    del holder.grad.note
    with pytest.raises(AttributeError, match="note"):
        assert holder.grad.note


def test_steps_and_conversions_of_modules_keep_them() -> None:
    layer = torch.nn.Linear(2, 2)
    weight: Any = layer.weight
    weight.no_decay = True
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    layer(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    assert layer.double().weight.no_decay
    assert layer.requires_grad_(False).weight.no_decay
