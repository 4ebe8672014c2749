"""What operators on the device refuse for where their operands lie in memory, and how their results lie there: as on the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch

VALUES = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4)


def _outcome(run: Callable[[Any, Any], Any], device: str) -> Any:
    """What a function of a tensor, and of another one whose elements share memory, gives and leaves; or the error."""
    x = torch.tensor(VALUES).to(device)
    y = torch.zeros(1, device=device).expand(3)
    try:
        found = run(x, y)
    except RuntimeError as error:
        return str(error)
    given = found if isinstance(found, (list, tuple)) else [found]
    return [
        (one.dtype, one.stride() if all(n > 1 for n in one.shape) else (), one.tolist())
        for one in (*given, x, y)
    ]


def _like(x: Any, values: Any) -> Any:
    return torch.tensor(values).to(x.device)


CASES: dict[str, Callable[[Any, Any], Any]] = {
    "one view of the other": lambda x, y: x[0, :1].mul_(x[0, 0]),
    "a part of the other": lambda x, y: x[0, 1:].add_(x[0, :-1]),
    "out that is read": lambda x, y: torch.add(x[0, 1:], 1, out=x[0, :-1]),
    "out of sums that is read": lambda x, y: torch.cumsum(x[0], 0, out=x[0]),
    "out of a lesser dtype": lambda x, y: torch.sqrt(x, out=x.long()),
    "out that has to have the dtype": lambda x, y: torch.amax(x, [0], out=x[0].double()),
    "out that is resized": lambda x, y: torch.mul(x.permute(2, 0, 1), 2, out=x.new_empty([0])),
    "fill": lambda x, y: y.fill_(2),
    "places": lambda x, y: y.index_put_((_like(x, [0]),), _like(x, 3.0)),
    "sums at places": lambda x, y: y.index_put_((_like(x, [0]),), _like(x, 3.0), True),
    "filled places": lambda x, y: y.index_fill_(0, _like(x, [1]), 3.0),
    "copied places": lambda x, y: y.index_copy_(0, _like(x, [1]), _like(x, [2.0])),
    "a mask": lambda x, y: y.masked_fill_(_like(x, [True, False, True]), 2),
    "threshold": lambda x, y: torch.threshold_(y, 1, 2),
    "through the host": lambda x, y: y.polygamma_(1),
    "indexed": lambda x, y: x.permute(2, 0, 1)[_like(x, [0, 2])],
    "indexed twice": lambda x, y: x.permute(2, 0, 1)[:, _like(x, [0, 1]), _like(x, [2, 0])],
    "written places": lambda x, y: x.permute(2, 0, 1).index_put((_like(x, [1]),), _like(x, 3.0)),
    "a view that is no result": lambda x, y: torch.nn.functional.pixel_shuffle(x, 1).add_(1),
    "added to what is turned": lambda x, y: torch.baddbmm(x[None, 0, :3, :3].mT, x[:1, :, :3], x[:1, :, :3]),
    "sums at places of what is turned": lambda x, y: x.permute(2, 0, 1).index_add(0, _like(x, [0]), x.permute(2, 0, 1)[:1]),
    "real parts": lambda x, y: x.to(torch.complex64).float().add_(1),
    "complex numbers": lambda x, y: torch.view_as_real(torch.complex(x.permute(2, 0, 1), x.permute(2, 0, 1))),
    "flipped": lambda x, y: x.permute(2, 0, 1).flip([0, 2]),
    "ones": lambda x, y: torch.ones_like(x.permute(2, 0, 1)),
    "numbers": lambda x, y: torch.full_like(x[:, :2].permute(2, 0, 1), 3, dtype=torch.int32),
    "another dtype": lambda x, y: x[:, :2].permute(2, 0, 1).double(),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*has no kernel for CUDA")
@pytest.mark.parametrize("name", CASES)
def test_memory_of_operands(name: str, on_device: Device) -> None:
    on_host, there = (_outcome(CASES[name], device) for device in ("cpu", "cuda"))
    assert there == on_host
    assert not on_device.faults


def test_what_has_gaps_is_copied_without(on_device: Device) -> None:
    """Its dimensions stay in their order in memory, on the way between devices, too."""
    x = torch.tensor(VALUES, device="cuda")[:, :2].permute(2, 0, 1)
    for made in (torch.rand_like(x), torch.randn_like(x), x.cpu(), x.cpu().to("cuda")):
        assert made.stride() == (1, 8, 4)
    np.testing.assert_array_equal(x.cpu().numpy(), VALUES[:, :2].transpose(2, 0, 1))
    there = torch.tensor(VALUES)[:, :2].permute(2, 0, 1).to("cuda")
    assert there.stride() == (1, 8, 4)
    np.testing.assert_array_equal(there.cpu().numpy(), VALUES[:, :2].transpose(2, 0, 1))
