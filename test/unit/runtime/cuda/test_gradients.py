"""Gradients of operators whose operands are on the device: PyTorch's numbers, of both orders, as on the host; and of writes to views."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support import gradient_golden as golden
from support.amounts import IS_LONG
from support.simt.driver.device import Device
from support.simt.moving import on_cuda
from torchscript_dialect import torch
from torchscript_dialect.autograd import functions
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor.device_array import DeviceArray
from unit.autograd.test_golden_gradients import DIFFERENT, recorded

EVERY = 1 if IS_LONG else 12
LONG = frozenset(() if IS_LONG else ("aten::linalg_householder_product",))
"""What is made of many small operators, which others have, too."""


def _run(operator: Operator, operands: list[Any]) -> Any:
    assert operator.recorded is not None
    return operator.recorded(*operands)


def _array_of(tensor: Any) -> Any:
    array = tensor.detach().array
    return array.on_host() if isinstance(array, DeviceArray) else array


OURS = golden.Side(on_cuda, _array_of, _run, functions.grad)


@pytest.mark.parametrize(
    "name",
    [name for name in sorted(recorded().keys() - DIFFERENT.keys())[::EVERY] if name not in LONG],
)
def test_gradients_are_those_of_pytorch(name: str, on_device: Device) -> None:
    operator = registry.find(name)
    assert operator is not None
    for make, wanted in zip(golden.samples(operator), recorded()[name], strict=False):
        if not wanted:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            mine = golden.slopes(OURS, operator, make)
        first, second, scales = mine or golden.Slopes(None, None)
        for order, one in enumerate((first, second)):
            if wanted[order] is None and order:
                continue
            other = wanted[order] or 0.0
            near = 1e-6 * (1 + abs(other) + scales[order])
            assert math.isclose(one or 0.0, other, rel_tol=0, abs_tol=near)


WRITES: dict[str, Callable[[Any, Any], Any]] = {
    "row": lambda x, s: x.__setitem__(0, s),
    "column": lambda x, s: x.select(1, 1).copy_(s),
    "factor": lambda x, s: x[1].mul_(s),
    "transposed": lambda x, s: x.t()[0].add_(s),
    "diagonal": lambda x, s: x.diagonal().copy_(s),
    "factors of the diagonal": lambda x, s: x.diagonal().mul_(s),
    "strided": lambda x, s: x.as_strided([3], [4]).copy_(s),
    "windows": lambda x, s: x.unfold(0, 1, 1)[:, 1, 0].copy_(s),
    "every fourth": lambda x, s: x.view(9)[::4].copy_(s),
    "masked": lambda x, s: x[0].masked_fill_(x[0].detach() > 0, s.sum()),
}


@pytest.mark.parametrize("name", WRITES)
def test_writes_to_views(name: str, on_device: Device) -> None:
    found: list[list[Any]] = []
    for device in ("cpu", "cuda"):
        base = (torch.arange(9).view(3, 3) * 1.0).to(device).requires_grad_()
        part = torch.tensor([1.0, 2.0, 3.0]).to(device).requires_grad_()
        x = base.clone()
        WRITES[name](x, part)
        (x * torch.arange(9).view(3, 3).to(device)).sum().backward()
        assert part.grad is not None
        assert {one.grad.device.type for one in (base, part)} == {device}
        found.append([one.grad.cpu().numpy() for one in (base, part)])
    for mine, other in zip(*found, strict=True):
        np.testing.assert_array_equal(mine, other)
