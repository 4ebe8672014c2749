"""Hundreds of faults: whichever call of the driver fails, there is one typed error, nothing is left allocated, and the next call works."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import torchscript_dialect as ts
from support.simt.driver.device import Device, Failure
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
UNASKED = ("cuGetErrorString", "cuGetErrorName", "cuCtxGetCurrent", "cuCtxGetDevice")
"""Functions that a program does not see: what the driver says of an error, and what pycuda looks at when it gives back."""
GIVES_BACK = ("cuMemFree_v2", "cuModuleUnload", "cuStreamDestroy_v2", "cuEventDestroy_v2")
"""Functions that pycuda only warns of: nobody waits for what they answer, and what they would have given back stays."""
DEPTH = 3
"""How many calls of a function fail, each alone."""


def work(step: int) -> None:
    """A piece of a program on the device, one of `STEPS`."""
    x = torch.tensor(VALUES, device="cuda")
    match step % 6:
        case 0:
            (x * 2 + x.t().contiguous().view(3, 4)).cpu()
        case 1:
            x.clone()[:, 1:3].fill_(3)
            x.cpu()
        case 2:
            PROGRAM["f"](x, x)[0].cpu()
        case 3:
            torch.softmax(x.double() + 1, 1).sum().item()
        case 4:
            torch.cat([x, x.clone()], 1).cpu()
        case _:
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                y = x.neg()
            event = stream.record_event()
            event.synchronize()
            torch.cuda.current_stream().wait_event(event)
            torch.cuda.synchronize()
            y.cpu()


@contextmanager
def nothing_left() -> Iterator[None]:
    """What is allocated is what was before."""
    gc.collect()
    torch.cuda.empty_cache()
    before = torch.cuda.memory_allocated()
    yield
    gc.collect()
    assert torch.cuda.memory_allocated() == before


@pytest.mark.parametrize(("name", "status"), FAILURES)
def test_calls_of_the_driver_that_fail(on_device: Device, name: str, status: Status) -> None:
    for step in range(6):
        work(step)
    raised = 0
    for step in range(STEPS):
        with nothing_left():
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
    assert raised == STEPS or name not in ("cuMemAlloc_v2", "cuMemcpyHtoD_v2")
    work(2)


@pytest.mark.parametrize("step", range(6))
def test_one_call_that_fails(on_device: Device, step: int) -> None:
    """Each of the first calls of each function that a piece of a program calls."""
    work(step)
    on_device.calls.clear()
    work(step)
    called = [
        name for name in dict.fromkeys(on_device.calls) if name not in (*UNASKED, *GIVES_BACK)
    ]
    count = 0
    for name in called:
        for after in range(min(DEPTH, on_device.calls.count(name))):
            with nothing_left():
                on_device.failure = Failure(name, Status.INVALID_VALUE, after)
                try:
                    work(step)
                except CudaError as error:
                    count += 1
                    assert "invalid value" in str(error)
                finally:
                    on_device.failure = None
            work(step)
    assert count >= 3


def test_memory_that_is_kept_goes_before_there_is_none(on_device: Device) -> None:
    kept = torch.tensor(VALUES, device="cuda")
    del kept
    gc.collect()
    assert torch.cuda.memory_reserved() > torch.cuda.memory_allocated()
    on_device.failure = Failure("cuMemAlloc_v2", Status.OUT_OF_MEMORY, times=2)
    on_device.calls.clear()
    x = torch.zeros(5000, device="cuda")  # for which pycuda asks twice
    assert on_device.calls.count("cuMemAlloc_v2") == 3 and "cuMemFree_v2" in on_device.calls
    on_device.failure = None
    assert x.sum().item() == 0
    on_device.failures["cuMemAlloc_v2"] = Status.OUT_OF_MEMORY
    with pytest.raises(CudaOutOfMemoryError, match=r"bytes, with \d+ in use; let go of tensors"):
        torch.zeros(1 << 20, device="cuda")
    on_device.failures.clear()


@pytest.mark.parametrize(
    ("name", "make"),
    [("cuStreamCreate", torch.cuda.Stream), ("cuEventCreate", torch.cuda.Event)],
)
def test_streams_and_events_that_are_not_made(
    on_device: Device, name: str, make: type[torch.cuda.Stream | torch.cuda.Event]
) -> None:
    on_device.failures[name] = Status.OUT_OF_MEMORY
    with pytest.raises(
        CudaOutOfMemoryError, match=r"^CUDA out of memory: making an? (stream|event)"
    ):
        make()
    on_device.failures.clear()
    make().synchronize()


def test_a_text_that_is_not_taken_is_told_with_the_log(on_device: Device) -> None:
    f = ts.CompilationUnit("def f(x):\n    return (x * 1.5).tanh() * x.exp()\n")["f"]
    x = torch.tensor(VALUES, device="cuda")
    assert not on_device.log
    on_device.log = "ptxas application ptx input, line 7; error: Unknown symbol"
    with pytest.raises(
        CudaError, match="line 7; error: Unknown symbol; a newer driver may take it"
    ):
        for _ in range(3):
            f(x)
    on_device.log = ""
    for _ in range(3):
        f(x)
    assert torch.isfinite(f(x)).all()
