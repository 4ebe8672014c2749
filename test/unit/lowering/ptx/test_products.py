"""Products of matrices on a device, by tiles in shared memory: the results of the host, whatever the sizes, strides and what follows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.simt.driver.device import Device
from support.simt.moving import on_cuda
from torchscript_dialect import torch
from torchscript_dialect.tensor.conversion import as_tensor

RNG = np.random.default_rng(0)


def random(*shape: int, dtype: Any = np.float32) -> np.ndarray[Any, Any]:
    return RNG.standard_normal(shape).astype(dtype)


def whole(*shape: int, dtype: Any = np.int64) -> np.ndarray[Any, Any]:
    """Integers whose products wrap around."""
    limits = np.iinfo(dtype)
    return RNG.integers(limits.min, limits.max, shape, dtype)


def turned(*shape: int) -> np.ndarray[Any, Any]:
    """A matrix whose columns are contiguous."""
    return random(*shape[::-1]).T


PROGRAMS: dict[str, tuple[str, tuple[np.ndarray[Any, Any], ...]]] = {
    "tiles": ("torch.mm(x, y).tanh() + b", (random(70, 33), random(33, 65), random(65))),
    "one_element": ("torch.mm(x, y).exp() * b", (random(1, 3), random(3, 1), random(1))),
    "turned": ("(torch.mm(x, y) + b) * 2", (turned(9, 20), turned(20, 5), random(5))),
    "turned_inside": ("(torch.mm(x.t(), y.t()) - b).relu()", (random(20, 9), random(5, 20), random(5))),
    "strided": ("torch.mm(x, y) * b - 1", (random(6, 40)[:, ::2], random(20, 15)[:, ::3], random(5))),
    "no_depth": ("torch.mm(x, y) + b + 1", (random(5, 0), random(0, 4), random(4))),
    "no_rows": ("torch.mm(x, y) + b + 1", (random(0, 5), random(5, 4), random(4))),
    "float64": ("torch.mm(x, y).neg() * 3", (random(5, 6, dtype=np.float64), random(6, 7, dtype=np.float64), random(7))),
    "layer": ("torch.nn.functional.linear(x, y, b).relu()", (random(2, 3, 18), random(7, 18), random(7))),
    "sum": ("torch.addmm(b, x, y, beta=0.5, alpha=2.0).sigmoid()", (random(4, 18), random(18, 7), random(7))),
    "batch": ("(torch.bmm(x, y) + b).tanh()", (random(3, 9, 17), random(3, 17, 5), random(5))),
    "turned_batch": ("(torch.bmm(x.transpose(1, 2), y) * b).neg()", (random(3, 17, 9), random(3, 17, 5), random(5))),
    "batches": ("torch.matmul(x, y) + b", (random(2, 3, 4, 6), random(3, 6, 5), random(5))),
    "vector": ("torch.mv(x, y) + b", (random(7, 19), random(19), random(7))),
    "integers": ("torch.mm(x, y) + b", (whole(70, 19), whole(19, 66), whole(66))),
    "short_integers": ("torch.mm(x, y) * b", (whole(5, 9, dtype=np.int32), whole(9, 6, dtype=np.int32), whole(6, dtype=np.int32))),
    "sum_of_integers": ("torch.addmm(b, x, y, beta=3, alpha=-2)", (whole(5, 9), whole(9, 6), whole(6))),
    "batch_of_integers": ("torch.bmm(x, y) - b", (whole(3, 5, 9), whole(3, 9, 6), whole(6))),
    "batches_of_integers": ("torch.matmul(x, y) - b", (whole(2, 3, 5, 9), whole(3, 9, 6), whole(6))),
    "vectors_of_integers": ("torch.dot(x, y) - b", (whole(9), whole(9), whole(6))),
    "several": ("(torch.mm(x, y), torch.mm(x, y) * b, torch.softmax(torch.mm(x, y), 1))", (random(5, 6), random(6, 7), random(7))),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_products_of_the_device(on_device: Device, name: str) -> None:
    body, arguments = PROGRAMS[name]
    f = ts.CompilationUnit(f"def f(x, y, b):\n    return {body}\n")["f"]
    expected = f(*map(as_tensor, arguments))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            found = f(*map(on_cuda, arguments))
    assert not on_device.faults
    pairs = zip(*(one if isinstance(one, tuple) else (one,) for one in (found, expected)))
    for one, other in pairs:
        assert one.is_cuda
        np.testing.assert_allclose(one.cpu().numpy(), other.numpy(), rtol=1e-5, atol=1e-5)


def test_factors_are_rounded_to_tf32_where_the_program_lets_them(on_device: Device) -> None:
    """PyTorch's two ways to say so; products that were compiled before are compiled anew."""
    x, y = random(20, 33), random(33, 9)
    f = ts.CompilationUnit("def f(x, y):\n    return torch.mm(x, y).neg()\n")["f"]

    def error() -> float:
        for _ in range(2):
            found = f(on_cuda(x), on_cuda(y))
        alone = torch.mm(on_cuda(x), on_cuda(y)).neg()
        np.testing.assert_array_equal(found.cpu().numpy(), alone.cpu().numpy())
        return float(np.abs(found.cpu().numpy() + x.astype(np.float64) @ y).max())

    products = torch.backends.cuda.matmul
    assert torch.get_float32_matmul_precision() == "highest" and not products.allow_tf32
    assert error() < 1e-5
    try:
        torch.set_float32_matmul_precision("high")
        assert products.allow_tf32
        assert 1e-4 < error() < 2e-2
        products.allow_tf32 = False
        assert torch.get_float32_matmul_precision() == "highest"
        assert error() < 1e-5
        products.allow_tf32 = True
        assert torch.get_float32_matmul_precision() == "high"
        assert 1e-4 < error() < 2e-2
        with pytest.warns(UserWarning, match="low is not one of 'highest', 'high', or 'medium'"):
            torch.set_float32_matmul_precision("low")
        with pytest.raises(RuntimeError, match="expects a bool, but got int"):
            products.allow_tf32 = 1
    finally:
        torch.set_float32_matmul_precision("highest")


def test_a_product_and_what_follows_are_one_kernel(on_device: Device) -> None:
    """A group ends before the next product, and before what looks at other elements than its own."""
    f = ts.CompilationUnit("""
def f(x, y, b):
    z = torch.tanh(torch.mm(x, y) + b) * 2
    return torch.softmax(z, 1) * z
""")["f"]
    arguments = [on_cuda(one) for one in (random(5, 6), random(6, 7), random(7))]
    for _ in range(3):
        f(*arguments)
    torch.cuda.synchronize()
    on_device.launches.clear()
    f(*arguments)
    torch.cuda.synchronize()
    assert on_device.launches == ["kernel", "kernel"]


def test_tensors_of_the_host_have_products_on_the_device(on_device: Device) -> None:
    f = ts.CompilationUnit("def f(x, y):\n    return torch.mm(x, y.t()).tanh() * 2\n")["f"]
    x, y = random(4, 5), random(3, 5)
    with ts.fuser("ptx"):
        for _ in range(3):
            found = f(as_tensor(x), as_tensor(y))
    assert on_device.launches
    np.testing.assert_allclose(found.numpy(), np.tanh(x @ y.T) * 2, rtol=1e-5)


@pytest.mark.parametrize(
    "shapes", [((2, 3), (4, 5)), ((2, 3, 4), (3, 4, 5)), ((3,), (4, 5)), ((2, 3, 4), (5, 6))]
)
def test_errors_are_those_of_the_host(
    on_device: Device, shapes: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    texts: list[str] = []
    for where in ("cpu", "cuda"):
        x, y = (torch.ones(*shape, device=where) for shape in shapes)
        with warnings.catch_warnings(), pytest.raises(RuntimeError) as caught:
            warnings.simplefilter("ignore")
            torch.matmul(x, y)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
