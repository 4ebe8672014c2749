"""A hundred faults: whichever call of the driver fails, there is one typed error, nothing is left allocated, and the next call works."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import torchscript_dialect as ts
from support.simt.driver.device import Device
from support.simt.driver.status import Status
from torchscript_dialect import torch
from torchscript_dialect.runtime.cuda.driver import CudaError, CudaOutOfMemoryError

VALUES = np.arange(12, dtype=np.float32).reshape(3, 4)
PROGRAM = ts.CompilationUnit("""
def f(x, y):
    z = torch.softmax(x * y, 1)
    return torch.tanh(z + x), z.sum(1)
""")
FAILURES = [
    ("cuMemAlloc_v2", Status.OUT_OF_MEMORY),
    ("cuMemAlloc_v2", Status.INVALID_VALUE),
    ("cuMemcpyHtoD_v2", Status.INVALID_VALUE),
    ("cuMemcpyDtoH_v2", Status.LAUNCH_FAILED),
    ("cuMemcpyDtoDAsync_v2", Status.INVALID_VALUE),
    ("cuModuleLoadDataEx", Status.INVALID_PTX),
    ("cuModuleLoadDataEx", Status.NO_BINARY_FOR_GPU),
    ("cuModuleGetFunction", Status.INVALID_HANDLE),
    ("cuLaunchKernel", Status.LAUNCH_OUT_OF_RESOURCES),
    ("cuLaunchKernel", Status.INVALID_VALUE),
]
STEPS = 10


def work(step: int) -> None:
    """A piece of a program on the device, one of `STEPS`."""
    x = torch.tensor(VALUES, device="cuda")
    match step % 5:
        case 0:
            (x * 2 + x.t().contiguous().view(3, 4)).cpu()
        case 1:
            x.clone()[:, 1:3].fill_(3)
            x.cpu()
        case 2:
            PROGRAM["f"](x, x)[0].cpu()
        case 3:
            torch.softmax(x.double() + 1, 1).sum().item()
        case _:
            torch.cat([x, x.clone()], 1).cpu()


@pytest.mark.parametrize(("name", "status"), FAILURES)
def test_calls_of_the_driver_that_fail(on_device: Device, name: str, status: Status) -> None:
    for step in range(5):
        work(step)
    raised = 0
    for step in range(STEPS):
        gc.collect()
        torch.cuda.empty_cache()
        before = torch.cuda.memory_allocated()
        on_device.failures[name] = status
        try:
            work(step)
        except CudaError as error:
            raised += 1
            is_full = (name, status) == FAILURES[0]
            assert isinstance(error, CudaOutOfMemoryError) == is_full
            assert str(error)
        finally:
            on_device.failures.clear()
        gc.collect()
        assert torch.cuda.memory_allocated() == before
    assert raised == STEPS or name not in ("cuMemAlloc_v2", "cuMemcpyHtoD_v2")
    work(2)
