"""Operators on the device whose operands hold places, products of labelled dimensions, and stacks: the results of the host, by kernels."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.runtime.cuda.driver import CudaError

CASES = [
    "torch.index_select(x, 0, i)",
    "torch.index_select(x, -1, i.int())",
    "torch.index_select(x.t(), 1, i[::2])",
    "torch.index_select(x, 0, i[0])",
    "torch.index_select(x, 0, i[:0])",
    "torch.index_select(m, 1, i)",
    "torch.index_select(k, 0, i)",
    "torch.gather(x, 1, g)",
    "torch.gather(x.t(), 0, g.t())",
    "torch.gather(x, 0, g[:, :2])",
    "torch.take(x, i)",
    "x[i]",
    "x[i, -i]",
    "x[:, i]",
    "torch.nn.functional.embedding(g, x)",
    "torch.scatter(x, 1, u, x * 2)",
    "torch.scatter(x, 1, u[:2], 1.5)",
    "x.clone().scatter_(0, u.t()[:, :4], x[:, :4].contiguous())",
    "torch.einsum('ij,jk->ik', x, x.t())",
    "torch.einsum('ij,kj', x, x)",
    "torch.einsum('bij,bjk->bik', y, y)",
    "torch.einsum('ij->ji', x)",
    "torch.einsum('ij->', x)",
    "torch.einsum('i,j->ij', x[0], x[1])",
    "torch.einsum('ij,ij->i', x, x)",
    "torch.einsum('bij,jk,kl->bl', y, x.t(), x)",
    "torch.einsum('ij,jk->ik', k, k.t())",
    "torch.einsum('ii', y[0])",
    "torch.einsum('bii->ib', y)",
    "torch.einsum('iij,jk->ki', y[:, :3], x.t())",
    "torch.einsum('...ij,...jk->...ik', y, y[0])",
    "torch.einsum('i...j,j->...', y, x[0])",
    "torch.einsum('...j,kj', y, x)",
    "torch.einsum('a,a->a', x[0], x[1][:1])",
    "torch.einsum('ij,ij->', x, x[:, :1])",
    "torch.hstack([x, x])",
    "torch.hstack([x[0], x[1]])",
    "torch.vstack([x[0], x])",
    "torch.dstack([x, x])",
]


def operands(where: str) -> dict[str, Any]:
    generator = np.random.default_rng(0)
    given: dict[str, Any] = {
        "x": generator.standard_normal((4, 5)).astype(np.float32),
        "y": generator.standard_normal((3, 5, 5)).astype(np.float32),
        "m": generator.standard_normal((4, 5)) > 0,
        "k": generator.integers(-9, 9, (4, 5)),
        "i": np.array([0, 3, 2, 3]),
        "g": np.array([[0, 1, 2], [1, 1, 0], [3, 2, 1], [0, 0, 0]]),
        "u": np.array([[3, 1, 2, 0], [1, 0, 2, 3], [0, 3, 1, 2], [2, 3, 0, 1]]),
    }
    return {"torch": torch} | {name: torch.tensor(one).to(where) for name, one in given.items()}


@pytest.mark.parametrize("body", CASES)
def test_the_device_gives_what_the_host_gives(on_device: Device, body: str) -> None:
    expected = eval(body, operands("cpu"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = eval(body, operands("cuda"))
    assert found.is_cuda and found.dtype is expected.dtype
    np.testing.assert_allclose(found.cpu().numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
    assert not on_device.faults


@pytest.mark.parametrize(
    "body",
    [
        "torch.index_select(x, 2, i)",
        "torch.index_select(x, 0, x)",
        "torch.gather(x, 1, i)",
        "torch.gather(x, 1, x)",
        "torch.einsum('ij,jk->ik', x, x)",
        "torch.einsum('ij,j->i', x)",
    ],
)
def test_errors_are_those_of_the_host(on_device: Device, body: str) -> None:
    texts: list[str] = []
    for where in ("cpu", "cuda"):
        with warnings.catch_warnings(), pytest.raises((RuntimeError, IndexError)) as caught:
            warnings.simplefilter("ignore")
            eval(body, operands(where))
        texts.append(str(caught.value))
    assert texts[0] == texts[1]


@pytest.mark.parametrize("place", [4, -1, 1 << 40])
def test_a_place_beyond_all_ends_the_kernel(on_device: Device, place: int) -> None:
    assert (
        on_device.capacity
    )  # which a real device does not tell: it would be lost for the tests after this one
    x, i = torch.ones(4, 5, device="cuda"), torch.tensor([0, place]).to("cuda")
    torch.index_select(x, 0, i)
    with pytest.raises(CudaError, match="what was launched before failed on the device"):
        torch.cuda.synchronize()
    assert "traps" in on_device.faults[0]
    on_device.broken = None
