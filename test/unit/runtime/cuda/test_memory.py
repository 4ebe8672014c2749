"""Memory of a device: kept blocks, copies, what happens when there is no more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from support.simt.driver.device import Device
from support.simt.driver.status import Status
from torchscript_dialect.runtime.cuda.driver import CudaError, CudaOutOfMemoryError, Driver
from torchscript_dialect.runtime.cuda.memory import Allocator

Connect = Callable[..., tuple[Device, Driver]]


def test_freed_memory_is_kept_for_the_next(connect: Connect) -> None:
    device, driver = connect()
    allocator = Allocator(driver)
    block = allocator.allocate(1000)
    assert (block.size, allocator.allocated, allocator.reserved) == (1024, 1024, 1024)
    address = block.address
    del block
    assert (allocator.allocated, allocator.reserved) == (0, 1024)
    again = allocator.allocate(700)
    assert again.address == address
    assert device.calls.count("cuMemAlloc_v2") == 1
    del again
    allocator.empty_cache()
    assert allocator.reserved == device.memory.used == 0


def test_large_blocks_are_of_whole_megabytes(connect: Connect) -> None:
    _, driver = connect()
    allocator = Allocator(driver)
    sizes = [allocator.allocate(size).size for size in (0, 1, 512, 513, 1 << 20, (1 << 21) + 1)]
    assert sizes == [512, 512, 512, 1024, 1 << 21, 1 << 22]
    allocator.empty_cache()


def test_kept_blocks_go_before_memory_ends(connect: Connect) -> None:
    device, driver = connect(capacity=(1 << 22) + 4096)
    allocator = Allocator(driver)
    allocator.allocate(1 << 21)
    kept = allocator.allocate((1 << 20) + 1)  # of the same size as the one that is free
    assert device.calls.count("cuMemAlloc_v2") == 1
    del kept
    large = allocator.allocate(1 << 22)
    assert allocator.reserved == large.size
    with pytest.raises(
        CudaOutOfMemoryError,
        match=r"^CUDA out of memory: tried to allocate \d+ bytes, with \d+ in use",
    ):
        allocator.allocate(1 << 21)
    del large
    allocator.empty_cache()


@pytest.mark.parametrize("array", [np.arange(7.0), np.zeros((0, 3)), np.float32(2.5) * np.ones(())])
def test_arrays_go_there_and_come_back(connect: Connect, array: np.ndarray) -> None:
    _, driver = connect()
    allocator = Allocator(driver)
    found = np.empty_like(array)
    allocator.to_host(allocator.to_device(array), found)
    np.testing.assert_array_equal(found, array)
    allocator.empty_cache()


def test_copies_that_fail(connect: Connect) -> None:
    device, driver = connect()
    allocator = Allocator(driver)
    for name, what in (("cuMemcpyHtoD_v2", "to"), ("cuMemcpyDtoH_v2", "from")):
        device.failures[name] = Status.INVALID_VALUE
        with pytest.raises(CudaError, match=f"^a copy {what} the device failed on the device"):
            allocator.to_host(allocator.to_device(np.zeros(3)), np.zeros(3))
        device.failures.clear()
        assert allocator.allocated == 0
    allocator.empty_cache()
