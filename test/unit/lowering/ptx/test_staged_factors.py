"""Products on tensor cores whose factors lie in memory in all ways: chunks of 16 bytes are copied while others are multiplied where rows
begin at multiples of them, and elements otherwise. A third of the pairs of layouts for each size; TORCHSCRIPT_DIALECT_LONG_TESTS=1, or a
real device, takes all.
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
from torchscript_dialect.tensor.tensor import Tensor

CLOSE = {torch.float16: 2e-3, torch.bfloat16: 2e-2, torch.float32: 2e-2}
SIZES = {
    "whole chunks": (136, 168, 40),
    "part of a chunk": (40, 44, 140),
    "no chunks": (17, 45, 9),
    "one element": (1, 1, 1),
    "no depth": (3, 0, 5),
}
LAYOUTS = ("rows", "columns", "wide", "stepped", "shifted")
PAIRS = (("rows", "rows"), ("columns", "rows"), ("rows", "columns"), ("columns", "wide"), ("stepped", "shifted"))  # fmt: skip


DEVICES = {"real": None} if IS_REAL else {"sm_75": (7, 5), "sm_80": (8, 0)}


@pytest.fixture(scope="module", params=list(DEVICES.values()), ids=list(DEVICES))
def old_or_new(request: pytest.FixtureRequest) -> Iterator[Device | RealDevice]:
    """Devices that are interpreted, one of each kind of tensor cores, or the real one."""
    if IS_REAL:
        with real_device(is_native=True) as real:
            yield real
        return
    with interpreted_device(capability=request.param) as made:
        yield made


@pytest.fixture(autouse=True)
def compiled_at_once() -> Iterator[None]:
    before = ts.set_num_profiled_runs(0)
    torch.set_float32_matmul_precision("high")
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


@pytest.mark.parametrize("dtype", CLOSE, ids=str)
@pytest.mark.parametrize("size", SIZES)
def test_a_product(old_or_new: Device | RealDevice, size: str, dtype: torch.dtype) -> None:
    m, k, n = SIZES[size]
    f = ts.CompilationUnit("def f(x, y):\n    return torch.mm(x, y) * 2\n")["f"]
    generator = np.random.default_rng(0)
    x, y = (generator.standard_normal(s).astype(np.float32) for s in ((m, k), (k, n)))
    x, y = (laid_out(one, "rows", dtype).float().cpu().numpy() for one in (x, y))
    exact = 2 * (x.astype(np.float64) @ y)
    one_of = 1 if IS_LONG or IS_REAL else 3
    for first, second in PAIRS[[*SIZES].index(size) % one_of :: one_of]:
        found = f(laid_out(x, first, dtype), laid_out(y, second, dtype)).float().cpu().numpy()
        close = CLOSE[dtype]
        np.testing.assert_allclose(found, exact, rtol=close, atol=close * max(k, 1) ** 0.5)
    assert not old_or_new.faults
    if isinstance(old_or_new, Device):  # which counts them
        assert old_or_new.memory.bank_conflicts == 0


@pytest.mark.parametrize("dtype", CLOSE, ids=str)
def test_no_other_bits_whichever_way_they_came(
    old_or_new: Device | RealDevice, dtype: torch.dtype
) -> None:
    """The same small matrices are multiplied in the same order."""
    generator = np.random.default_rng(0)
    x, y = (generator.standard_normal(s).astype(np.float32) for s in ((24, 40), (40, 16)))
    f = ts.CompilationUnit("def f(x, y):\n    return torch.mm(x, y) * 2\n")["f"]
    found = {
        f(laid_out(x, one, dtype), laid_out(y, one, dtype)).float().cpu().numpy().tobytes()
        for one in LAYOUTS
    }
    assert len(found) == 1
