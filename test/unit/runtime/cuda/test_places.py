"""Operators on the device that read, write and add up at places, and scans: the results of the host, by kernels, without a word about the
host.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch

CASES = [
    "x[m]",
    "x[m[:, 0]]",
    "x[m[:, 0], i]",
    "x[:, m[0]]",
    "y[m3]",
    "y[:, m3[0]]",
    "x[i, j]",
    "y[u, :, j[:2]]",
    "y[:, i, j]",
    "x[i.int()]",
    "x[c]",
    "x.t()[j, i]",
    "x[m & ~m]",
    "torch.masked_select(x, m)",
    "torch.masked_select(x, m[0])",
    "torch.masked_select(x.t(), m.t())",
    "x.masked_fill(m, 2.5)",
    "x.masked_fill(m, x[0, 0])",
    "x.masked_scatter(m, x * 2)",
    "x.clone().t().masked_scatter_(m.t(), x)",
    "torch.nonzero(x > 0)",
    "torch.nonzero(k)",
    "torch.argwhere(m3)",
    "torch.nonzero(big)",
    "torch.index_add(x, 0, i, w)",
    "torch.index_add(x, 1, i, w.t()[:4], alpha=2)",
    "x.clone().index_add_(0, i, w)",
    "torch.index_add(k, 0, i, k[i])",
    "torch.index_add(x.half(), 0, i, w.half())",
    "torch.index_add(x.to(torch.bfloat16), 0, i, w.to(torch.bfloat16))",
    "torch.index_add(x.double(), 0, i, w.double())",
    "torch.index_copy(x, 0, u, w[:2])",
    "torch.index_fill(x, 1, u, 3.0)",
    "torch.index_fill(x, 1, -u, x[0, 0])",
    "torch.scatter_add(x, 0, g, w)",
    "torch.scatter_add(x, 1, g.t()[:3], w[:3, :3])",
    "x.clone().scatter_add_(0, g, w)",
    "torch.scatter(x, 0, g, w, reduce='add')",
    "torch.scatter_reduce(x, 0, g, w, 'sum')",
    "torch.scatter_reduce(x, 0, g, w, 'mean')",
    "torch.scatter_reduce(x, 0, g, w, 'mean', include_self=False)",
    "torch.scatter_reduce(x.half(), 0, g, w.half(), 'mean')",
    "torch.scatter_reduce(x, 0, g, w, 'amax')",
    "torch.scatter_reduce(x, 0, g, w, 'prod')",
    "torch.scatter_reduce(x, 0, g, w, 'prod', include_self=False)",
    "torch.scatter_reduce(x.half(), 0, g, w.half(), 'prod')",
    "torch.scatter_reduce(x.double(), 0, g, w.double(), 'prod')",
    "torch.scatter_reduce((x * 9).int(), 0, g, (w * 9).int(), 'prod')",
    "torch.scatter_reduce((x * 9).long(), 0, g, (w * 9).long(), 'prod')",
    "torch.index_reduce(x, 0, i, w, 'prod')",
    "torch.scatter(x, 0, g, w, reduce='multiply')",
    "torch.scatter_reduce(x, 0, g, n, 'amin')",
    "torch.scatter_reduce(x, 0, g, w, 'amax', include_self=False)",
    "torch.scatter_reduce(k, 0, g, k[:3], 'amin', include_self=False)",
    "torch.index_reduce(x, 0, i, w, 'amax')",
    "torch.index_reduce(x, 0, i, w, 'mean')",
    "torch.index_put(x, [u], x[2])",
    "torch.index_put(x, [i], x[2])",
    "torch.index_put(m, [i], m[2])",
    "torch.index_put(x.half(), [i], x[2].half())",
    "torch.index_put(k, [i], k[2])",
    "torch.index_put(x, [i, j], x[0, 0], accumulate=True)",
    "torch.index_put(x, [i, j], w[:, 0], accumulate=True)",
    "torch.index_put(x, [m], x[0, 0])",
    "torch.index_put(k, [m], k[0, 0], accumulate=True)",
    "torch.put(x, i, w[:, 0], accumulate=True)",
    "torch.put(x.t(), u, w[:2, 0])",
    "torch.take(x.t(), -i)",
    "torch.cumsum(x, 0)",
    "torch.cumsum(x, -1)",
    "torch.cumsum(y, 1)",
    "torch.cumprod(x, 1)",
    "torch.cumsum(k, 1)",
    "torch.cumsum(m, 1)",
    "torch.cumsum(x.half(), 1)",
    "torch.cumsum(x, 0, dtype=torch.float64)",
    "torch.cumsum(big, 0)",
    "torch.cumsum(wide, 1)",
    "torch.cumsum(x[:0], 0)",
    "x.flip([0, 1])",
    "x.flip([])",
    "torch.constant_pad_nd(y, [1, 2, -1, 0], 2.5)",
    "torch.tril(y, -1)",
    "torch.triu(x.t(), 1)",
    "torch.count_nonzero(k)",
    "torch.count_nonzero(x, 1)",
    "torch.embedding_dense_backward(w, i, 6, -1, False)",
    "torch.embedding_dense_backward(w, i, 6, 3, True)",
    "torch.embedding_dense_backward(y, g, 4, 1, False)",
]
WRITES = [
    "x[m] = 1.5",
    "x[m] = x[0, 0]",
    "x[m] = (x * 2)[m]",
    "x[u] = x[2:] * 1",
    "x[u, :2] = 3.0",
    "x[:, m[0]] = 0",
    "x.t()[m.t()] = -1",
    "x[i] += 1",
    "k[m] = 7",
    "x.index_put_([i, j], w[:, 0], accumulate=True)",
    "x.t().index_add_(1, i, w.t())",
    "x.masked_fill_(m, 2.5)",
    "x.masked_scatter_(m, x * 2)",
    "x[u] = x[u + 1]",
]


def operands(where: str) -> dict[str, Any]:
    generator = np.random.default_rng(0)

    def normal(*shape: int) -> Any:
        return generator.standard_normal(shape).astype(np.float32)

    given: dict[str, Any] = {
        "x": normal(4, 5),
        "y": normal(3, 5, 5),
        "w": normal(4, 5),
        "n": np.where(normal(3, 5) > 1, np.nan, normal(3, 5)).astype(np.float32),
        "m": normal(4, 5) > 0,
        "m3": normal(3, 5, 5) > 0,
        "k": generator.integers(-9, 9, (4, 5)),
        "i": np.array([0, 3, 2, 3]),
        "j": np.array([4, 0, -1, 4]),
        "u": np.array([0, 2]),
        "g": generator.integers(0, 4, (3, 5)),
        "big": generator.integers(0, 2, 5000) > 0,
        "wide": normal(3, 2100),
    }
    made = {name: torch.tensor(one).to(where) for name, one in given.items()}
    return {"torch": torch, "c": torch.tensor(given["i"])} | made


def close(found: Any, expected: Any) -> None:
    is_half = expected.dtype in (torch.float16, torch.bfloat16)
    pair = (found.cpu(), expected)
    arrays = [(one.float() if is_half else one).numpy() for one in pair]
    rtol, atol = (2e-2, 2e-2) if is_half else (1e-4, 1e-5)
    np.testing.assert_allclose(*arrays, rtol=rtol, atol=atol)


@pytest.mark.parametrize("body", CASES)
def test_the_device_gives_what_the_host_gives(on_device: Device, body: str) -> None:
    expected = eval(body, operands("cpu"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = eval(body, operands("cuda"))
    assert found.is_cuda and found.dtype is expected.dtype and found.shape == expected.shape
    close(found, expected)
    assert not on_device.faults


@pytest.mark.parametrize("body", WRITES)
def test_the_device_writes_what_the_host_writes(on_device: Device, body: str) -> None:
    expected, found = operands("cpu"), operands("cuda")
    exec(body, expected)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(body, found)
    for name in ("x", "k"):
        close(found[name], expected[name])
    assert not on_device.faults


GRADIENTS = [
    "x[m]",
    "x[i]",
    "x[i, j]",
    "x[:, m[0]]",
    "torch.masked_select(x, m)",
    "x.masked_fill(m, 2.0)",
    "x.masked_scatter(m, x * x)",
    "torch.index_select(x, 0, i)",
    "torch.gather(x, 0, g)",
    "torch.take(x, i)",
    "torch.index_add(x, 0, i, x * x)",
    "torch.scatter_add(x, 0, g, x * x)",
    "torch.scatter(x, 0, u.unsqueeze(1), x * x)",
    "torch.index_copy(x, 0, u, (x * x)[:2])",
    "torch.index_put(x, [i, j], x[:, 0], accumulate=True)",
    "torch.scatter_reduce(x, 0, g, x * x, 'amax')",
    "torch.nn.functional.embedding(i, x)",
    "torch.cumsum(x, 1)",
    "x.unfold(1, 3, 1)",
    "torch.diagonal(x)",
    "torch.as_strided(x, [2, 2], [5, 1])",
    "torch.tril(x)",
    "x.flip([1])",
    "torch.put(x, i, x[:, 0], accumulate=True)",
]


@pytest.mark.parametrize("body", GRADIENTS)
def test_gradients_are_those_of_the_host(on_device: Device, body: str) -> None:
    found: list[Any] = []
    for where in ("cpu", "cuda"):
        names = operands(where)
        names["x"].requires_grad_()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = eval(body, names)
            (result * result).sum().backward()
        found.append(names["x"].grad)
    assert found[1].is_cuda
    close(found[1], found[0])
    assert not on_device.faults
