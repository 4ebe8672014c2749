"""Products by small and large tiles, on tensor cores and others, whose factors lie in memory in all ways: chunks of 16 bytes are copied
while others are multiplied where rows begin at multiples of them, and elements otherwise. A third of the pairs of layouts for each size,
and some of the types for each kind of devices; TORCHSCRIPT_DIALECT_LONG_TESTS=1, or a real device, takes all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import torchscript_dialect as ts
from support.amounts import IS_LONG
from support.simt.driver.device import Device
from support.simt.fixtures import IS_REAL, RealDevice, interpreted_device, real_device
from torchscript_dialect import torch
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor

DTYPES = {
    "float16": (torch.float16, 2e-3), "bfloat16": (torch.bfloat16, 2e-2), "tf32": (torch.float32, 2e-2),
    "float32": (torch.float32, 1e-5), "float64": (torch.float64, 1e-12), "int64": (torch.int64, 0.0),
}  # fmt: skip
"""Types, and how far results may be off."""
SIZES = {
    "whole chunks": (136, 168, 40),
    "part of a chunk": (40, 44, 140),
    "no chunks": (17, 45, 9),
    "one element": (1, 1, 1),
    "no depth": (3, 0, 5),
}
LAYOUTS = ("rows", "columns", "wide", "stepped", "shifted")
PAIRS = (("rows", "rows"), ("columns", "rows"), ("rows", "columns"), ("columns", "wide"), ("stepped", "shifted"))  # fmt: skip


FEW, MANY = 1, 10_000
"""Processors: tiles are large where they give all of them something to do."""
DEVICES = {
    "sm_75 small": ((7, 5), MANY, ("float16", "bfloat16", "float64")),
    "sm_75 large": ((7, 5), FEW, ("float16", "float32")),
    "sm_80 small": ((8, 0), MANY, ("float16", "float32", "int64")),
    "sm_80 large": ((8, 0), FEW, ("bfloat16", "tf32", "float32")),
}
"""Kinds of devices, and the types that are multiplied on them."""
KINDS = (
    [("real", name) for name in DTYPES]
    if IS_REAL
    else [(kind, name) for kind in DEVICES for name in (DTYPES if IS_LONG else DEVICES[kind][2])]
)


@pytest.fixture(scope="module")
def old_or_new(request: pytest.FixtureRequest) -> Iterator[Device | RealDevice]:
    """Devices that are interpreted, with each kind of tensor cores and tiles, or the real one."""
    if IS_REAL:
        with real_device(is_native=True) as real:
            yield real
        return
    capability, processors, _ = DEVICES[request.param]
    with interpreted_device(capability=capability, processors=processors) as made:
        yield made


@pytest.fixture(autouse=True)
def compiled_at_once() -> Iterator[None]:
    before = ts.set_num_profiled_runs(0)
    yield
    torch.set_float32_matmul_precision("highest")
    ts.set_num_profiled_runs(before)


def laid_out(values: NDArray[Any], layout: str, dtype: torch.dtype) -> Tensor:
    """A matrix on the device: its rows or columns are contiguous, gaps lie between rows or between elements, or its memory begins at no
    multiple of a chunk.
    """
    rows, columns = values.shape
    there = torch.tensor(values, device="cuda").to(dtype)
    if layout == "rows":
        return there
    if layout == "columns":
        return there.t().contiguous().t()
    if layout == "shifted":
        memory = torch.empty(rows * columns + 1, device="cuda", dtype=dtype)
        return memory[1:].view(rows, columns).copy_(there)
    if layout == "wide":
        memory = torch.empty(rows, columns // 8 * 8 + 16, device="cuda", dtype=dtype)
        return memory[:, 8 : 8 + columns].copy_(there)
    memory = torch.empty(rows, 2 * columns, device="cuda", dtype=dtype)
    return memory[:, ::2].copy_(there)


def random(name: str, *shape: int) -> NDArray[Any]:
    """Elements that a type has room for; integers whose products wrap around."""
    generator = np.random.default_rng(0)
    if name == "int64":
        return generator.integers(-(2**62), 2**62, shape)
    return as_tensor(generator.standard_normal(shape)).to(DTYPES[name][0]).double().numpy()


def product(name: str, x: Tensor, y: Tensor) -> NDArray[Any]:
    """Twice a product, computed there; float32 is rounded to tf32 for it or not."""
    torch.set_float32_matmul_precision("high" if name == "tf32" else "highest")
    f = ts.CompilationUnit("def f(x, y):\n    return torch.mm(x, y) * 2\n")["f"]
    found = f(x, y).cpu()
    return found.numpy() if name == "int64" else found.double().numpy()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("old_or_new", "name"), KINDS, indirect=["old_or_new"])
def test_a_product(old_or_new: Device | RealDevice, name: str, size: str) -> None:
    m, k, n = SIZES[size]
    x, y = random(name, m, k), random(name, k, n)
    exact = 2 * (x @ y)
    dtype, close = DTYPES[name]
    one_of = 1 if IS_LONG or IS_REAL else 5
    for first, second in PAIRS[[*SIZES].index(size) % one_of :: one_of]:
        found = product(name, laid_out(x, first, dtype), laid_out(y, second, dtype))
        np.testing.assert_allclose(found, exact, rtol=close, atol=close * max(k, 1) ** 0.5)
    assert not old_or_new.faults
    if isinstance(old_or_new, Device) and dtype.itemsize < 8:  # four sums of 8 bytes are two loads
        assert old_or_new.memory.bank_conflicts == 0


@pytest.mark.parametrize(("old_or_new", "name"), KINDS, indirect=["old_or_new"])
def test_no_other_bits_whichever_way_they_came(old_or_new: Device | RealDevice, name: str) -> None:
    """The same elements are multiplied in the same order."""
    x, y = random(name, 24, 40), random(name, 40, 16)
    dtype, _ = DTYPES[name]
    layouts = LAYOUTS if IS_LONG or IS_REAL else LAYOUTS[::2]
    found = {
        product(name, laid_out(x, one, dtype), laid_out(y, one, dtype)).tobytes() for one in layouts
    }
    assert len(found) == 1
