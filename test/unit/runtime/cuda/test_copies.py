"""Copies of arrays on the device with strides of their own: dimensions that are walked as one, tiles where neighbours lie along others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from support.simt.fixtures import IS_REAL
from torchscript_dialect import torch
from torchscript_dialect.runtime.cuda.copies import planned
from torchscript_dialect.tensor.tensor import Tensor

View = Callable[[Tensor], Tensor]
VIEWS: dict[str, tuple[tuple[int, ...], View, str]] = {
    "turned": ((40, 50), lambda x: x.t(), "turned_copy"),
    "turned, one tile": ((32, 32), lambda x: x.t(), "turned_copy"),
    "turned, little more than a tile": ((33, 65), lambda x: x.t(), "turned_copy"),
    "turned, narrow": ((40, 3), lambda x: x.t(), "strided_copy"),
    "channels last": ((2, 17, 5, 7), lambda x: x.permute(0, 2, 3, 1), "turned_copy"),
    "channels first": ((2, 5, 7, 17), lambda x: x.permute(0, 3, 1, 2), "turned_copy"),
    "reversed": ((18, 3, 19), lambda x: x.permute(2, 1, 0), "turned_copy"),
    "heads": ((2, 9, 3, 8), lambda x: x.transpose(1, 2), "strided_copy"),
    "gaps": ((40, 50), lambda x: x[:, ::2], "strided_copy"),
    "turned, with gaps": ((80, 50), lambda x: x[::2].t(), "turned_copy"),
    "a part": ((60, 50), lambda x: x[3:40, 2:39].t(), "turned_copy"),
    "expanded": ((1, 40), lambda x: x.expand(20, 40), "strided_copy"),
    "expanded and turned": ((40, 1), lambda x: x.expand(40, 20).t(), "strided_copy"),
    "a batch that is turned": ((3, 20, 40), lambda x: x.transpose(1, 2), "turned_copy"),
}


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_becomes_contiguous(on_device: Device, name: str) -> None:
    shape, view, kernel = VIEWS[name]
    torch.manual_seed(0)
    x = torch.randn(shape)
    there = x.cuda()
    torch.cuda.synchronize()
    on_device.launches.clear()
    found = view(there).contiguous()
    torch.cuda.synchronize()
    assert torch.equal(found.cpu(), view(x).contiguous()) and found.is_contiguous()
    assert not on_device.faults
    if not IS_REAL:
        assert on_device.launches == [kernel]


@pytest.mark.parametrize(
    "dtype",
    [torch.bool, torch.uint8, torch.int16, torch.half, torch.int32, torch.double, torch.complex64, torch.complex128],
    ids=str,
)  # fmt: skip
def test_elements_of_all_widths(on_device: Device, dtype: torch.dtype) -> None:
    x = (torch.arange(35 * 36).view(35, 36) % 251).to(dtype)
    assert torch.equal(x.cuda().t().contiguous().cpu(), x.t().contiguous())
    assert not on_device.faults


@pytest.mark.parametrize("name", [name for name in VIEWS if "expanded" not in name])
def test_a_view_is_written_to(on_device: Device, name: str) -> None:
    """What else the memory holds stays."""
    shape, view, _ = VIEWS[name]
    torch.manual_seed(0)
    x = torch.randn(shape)
    there, values = x.cuda(), torch.randn(view(x).shape)
    view(there).copy_(values.cuda())
    view(x).copy_(values)
    assert torch.equal(there.cpu(), x)
    assert not on_device.faults


@pytest.mark.parametrize("seed", range(40))
def test_random_views(on_device: Device, seed: int) -> None:
    """Of up to four dimensions, turned, cut, with steps, copied between each other."""
    random = np.random.default_rng(seed)
    rank = int(random.integers(1, 5))
    shape = [int(random.integers(1, 40 if rank < 3 else 20)) for _ in range(rank)]

    def drawn() -> tuple[list[int], list[int], list[int]]:
        order = [int(one) for one in random.permutation(rank)]
        steps = [int(random.choice([1, 1, 1, 2])) for _ in shape]
        return order, steps, [int(random.integers(0, 3)) for _ in shape]

    def view(x: Tensor, how: tuple[list[int], list[int], list[int]]) -> Tensor:
        order, steps, starts = how
        places: Any = [
            slice(starts[d], starts[d] + (shape[d] - 1) * steps[d] + 1, steps[d]) for d in order
        ]
        return x[tuple(places)].permute([order.index(d) for d in range(rank)])

    def memory_for(how: tuple[list[int], list[int], list[int]]) -> Tensor:
        order, steps, starts = how
        return torch.randn([starts[d] + (shape[d] - 1) * steps[d] + 1 + d % 2 for d in order])

    of_source, of_target = drawn(), drawn()
    source, target = memory_for(of_source), memory_for(of_target)
    there = target.cuda()
    view(there, of_target).copy_(view(source.cuda(), of_source))
    view(target, of_target).copy_(view(source, of_source))
    assert torch.equal(there.cpu(), target)
    assert not on_device.faults


def test_dimensions_that_both_walk_as_one_are_one(on_device: Device) -> None:
    x = torch.zeros(2, 3, 1, 4, 5).cuda()
    assert planned(x.array, x.array).rank == 1
    heads = x.view(6, 4, 5).transpose(0, 1)
    copy = planned(heads.contiguous().array, heads.array)
    assert (copy.name, copy.words) == ("strided_copy", [120, 4, 5, 30, 6, 20, 5, 5, 1, 1])
    one = torch.zeros(1, 1).cuda()
    assert planned(one.array, one.array).rank == 0
