"""Products of few rows and a factor whose columns lie along K, which warps compute: of all types, wherever the elements lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.simt.driver.device import Device
from support.simt.fixtures import IS_REAL
from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor

pytestmark = pytest.mark.usefixtures("compiled_at_once")
LAYER = "torch.nn.functional.linear(x, w, b)"
DTYPES = {
    torch.float32: 1e-5,
    torch.float64: 1e-12,
    torch.float16: 4e-3,
    torch.bfloat16: 4e-2,
    torch.int64: 0.0,
}


def run(body: str, *arguments: Tensor) -> Tensor:
    return ts.CompilationUnit(f"def f(x, w, b):\n    return {body}\n")["f"](*arguments)


def random(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    if dtype.is_floating_point:
        return torch.randn(shape).to(dtype)
    return torch.randint(-(2**62), 2**62, shape, dtype=dtype)


def exact(x: Tensor, w: Tensor, b: Tensor) -> np.ndarray[Any, Any]:
    x, w, b = (one.double() if one.is_floating_point() else one for one in (x, w, b))
    return x.numpy() @ w.numpy().T + b.numpy()


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("depth", [1, 3, 4, 37, 128, 516, 600])
def test_a_layer(on_device: Device, rows: int, depth: int) -> None:
    """Of one input to four; five go by tiles."""
    torch.manual_seed(0)
    x, w, b = random(rows, depth), random(9, depth), random(9)
    found = run(f"{LAYER}.tanh()", x.cuda(), w.cuda(), b.cuda())
    np.testing.assert_allclose(found.cpu().numpy(), np.tanh(exact(x, w, b)), rtol=1e-4, atol=1e-4)
    assert not on_device.faults


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("depth", [72, 75])
def test_elements_of_many_types(on_device: Device, dtype: torch.dtype, depth: int) -> None:
    torch.manual_seed(0)
    x, w, b = (random(*shape, dtype=dtype) for shape in ((2, depth), (6, depth), (6,)))
    body = LAYER if dtype.is_floating_point else "torch.mm(x, w.t()) + b"
    found = run(body, x.cuda(), w.cuda(), b.cuda()).cpu()
    close = DTYPES[dtype]
    found = found.double() if dtype.is_floating_point else found
    np.testing.assert_allclose(found.numpy(), exact(x, w, b), rtol=close, atol=close * depth**0.5)
    assert not on_device.faults


def test_wherever_they_begin(on_device: Device) -> None:
    """Rows that begin at no multiple of four elements are read one by one."""
    torch.manual_seed(0)
    x, w, b = random(3, 42), random(7, 42), random(7)
    layouts = [
        lambda one: one,
        lambda one: one[:, 1:41],
        lambda one: one[:, 2:],
        lambda one: one[:, ::2],
        lambda one: one[1:],
    ]
    for of_x in layouts:
        for of_w in layouts:
            given = of_x(x), of_w(w)
            depth = min(one.shape[1] for one in given)
            first, second = (one[:, :depth] for one in given)
            there = [of_x(x.cuda())[:, :depth], of_w(w.cuda())[:, :depth]]
            bias = b[: second.shape[0]]
            found = run(LAYER, *there, bias.cuda()).cpu().numpy()
            np.testing.assert_allclose(found, exact(first, second, bias), rtol=1e-4, atol=1e-5)
    assert not on_device.faults


def test_what_is_no_number_stays_where_it_is(on_device: Device) -> None:
    x, w, b = torch.ones(2, 5), torch.ones(6, 5), torch.zeros(6)
    w[2, 4], w[3, 0] = float("nan"), float("inf")
    found = run(LAYER, x.cuda(), w.cuda(), b.cuda()).cpu().numpy()
    np.testing.assert_array_equal(found, [[5, 5, np.nan, np.inf, 5, 5]] * 2)


@pytest.mark.parametrize("shapes", [((0, 8), (6, 8)), ((2, 0), (6, 0)), ((2, 8), (0, 8))])
def test_no_elements(on_device: Device, shapes: Any) -> None:
    x, w = (torch.ones(shape) for shape in shapes)
    b = torch.ones(w.shape[0])
    found = run(f"{LAYER} * 2", x.cuda(), w.cuda(), b.cuda()).cpu().numpy()
    np.testing.assert_array_equal(found, 2 * exact(x, w, b))


def test_of_a_batch(on_device: Device) -> None:
    torch.manual_seed(0)
    x, w, b = random(3, 2, 40), random(3, 5, 40), random(5)
    found = run("torch.bmm(x, w.transpose(1, 2)) * b", x.cuda(), w.cuda(), b.cuda()).cpu().numpy()
    expected = x.double().numpy() @ w.double().numpy().transpose(0, 2, 1) * b.double().numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    assert not on_device.faults


@pytest.mark.parametrize(
    "body",
    [
        "torch.addmm(b, x, w.t(), beta=0.5, alpha=2.0).sigmoid()",
        "torch.addmm(torch.mm(x, w.t()), x, w.t()) + b",
        "(torch.mm(x, w.t()), torch.mm(x, w.t()) * b, torch.softmax(torch.mm(x, w.t()) + b, 1))",
        "torch.baddbmm(b.expand(1, 2, 6), x[None], w.t()[None])[0].exp()",
    ],
)
def test_what_follows_and_what_is_added_to(on_device: Device, body: str) -> None:
    torch.manual_seed(0)
    arguments = random(2, 12), random(6, 12), random(6)
    expected, found = run(body, *arguments), run(body, *(one.cuda() for one in arguments))
    for one, other in zip(
        *(x if isinstance(x, tuple) else (x,) for x in (found, expected)), strict=True
    ):
        assert one.is_cuda
        np.testing.assert_allclose(one.cpu().numpy(), other.numpy(), rtol=1e-4, atol=1e-5)
    assert not on_device.faults


def test_warps_compute_them(on_device: Device) -> None:
    """Each block has four columns."""
    if IS_REAL:
        return
    x, w, b = random(1, 40), random(64, 40), random(64)
    threads: list[int] = []
    for rows in (4, 5):
        given = x.expand(rows, 40).contiguous()
        run(f"{LAYER}.relu()", given.cuda(), w.cuda(), b.cuda())
        torch.cuda.synchronize()
        threads.append(on_device.threads)
    assert threads == [16 * 128, 128]
