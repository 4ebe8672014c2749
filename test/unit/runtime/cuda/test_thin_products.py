"""Products of few columns, and of few tiles and a long K, on the device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.runtime.cuda.operators import thin_products
from torchscript_dialect.tensor.tensor import Tensor

BOUNDS = {torch.float32: 1e-4, torch.float64: 1e-11, torch.float16: 2e-2}


def check(x: Tensor, y: Tensor) -> None:
    expected = x.double().numpy() @ y.double().numpy()
    found = x.cuda() @ y.cuda()
    assert found.dtype is x.dtype and found.is_contiguous()
    np.testing.assert_allclose(
        found.cpu().double().numpy(), expected, rtol=BOUNDS[x.dtype], atol=BOUNDS[x.dtype] * 10
    )


@pytest.mark.parametrize("dtype", BOUNDS, ids=str)
@pytest.mark.parametrize("columns", [1, 4])
def test_few_columns(on_device: Device, columns: int, dtype: Any) -> None:
    """They are the rows of the product turned, of which warps do columns."""
    torch.manual_seed(0)
    x, y = torch.randn(9, 37).to(dtype), torch.randn(37, columns).to(dtype)
    check(x, y)
    check(x[:, 1:], y[1:])
    check(torch.randn(37, 9).to(dtype).t(), y)
    vector = x.cuda().mv(y[:, 0].cuda())
    assert torch.allclose(vector.cpu().float(), (x @ y[:, :1])[:, 0].float(), atol=0.02)
    assert not on_device.faults


@pytest.mark.parametrize("depth", [64, 200])
def test_a_long_depth(on_device: Device, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pieces are added up, from fewer elements on than these are for, in whatever order factors lie."""
    monkeypatch.setattr(thin_products, "SHORTEST", 16)
    torch.manual_seed(0)
    for dtype in (torch.float32, torch.float64):
        x, y = torch.randn(5, depth).to(dtype), torch.randn(depth, 6).to(dtype)
        on_device.launches.clear()
        check(x, y)
        assert len(on_device.launches) > 1
        check(x.t().contiguous().t(), y.t().contiguous().t())
    assert not on_device.faults


def test_what_does_not_fit_is_refused(on_device: Device) -> None:
    x = torch.ones(5, 4).cuda()
    for other in (torch.ones(3, 2), torch.ones(4, 2).double()):
        with pytest.raises(RuntimeError):
            x.mm(other.cuda())
    assert x[:, :0].mm(x[:0]).tolist() == [[0.0] * 4] * 5
    assert x.mm(torch.ones(4, 0).cuda()).shape == (5, 0)
