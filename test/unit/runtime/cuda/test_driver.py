"""What is said where there is no device, and launches of kernels."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from support.simt.driver.status import Status
from torchscript_dialect.runtime.cuda import driver as cuda_driver
from torchscript_dialect.runtime.cuda.driver import CudaError, Driver
from torchscript_dialect.runtime.cuda.kernel import Geometry, Kernel
from torchscript_dialect.runtime.cuda.memory import Allocator

Connect = Callable[..., tuple[Device, Driver]]
NEGATE = """
.version 7.0
.target sm_80
.address_size 64
.visible .entry negate(
	.param .u64 x
)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<4>;
	ld.param.b64 %rd1, [x];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.b32 %r2, [%rd3];
	neg.f32 %r2, %r2;
	st.global.b32 [%rd3], %r2;
	ret;
}
"""


def test_a_kernel_is_loaded_and_launched(connect: Connect) -> None:
    device, driver = connect()
    allocator = Allocator(driver)
    x = np.arange(8, dtype=np.float32)
    block = allocator.to_device(x)
    kernel = Kernel(driver, NEGATE, "negate")
    assert not device.launches
    kernel.launch(Geometry((1, 1, 1), (8, 1, 1)), struct.pack("<Q", block.address))
    found = np.empty_like(x)
    allocator.to_host(block, found)
    np.testing.assert_array_equal(found, -x)
    del block, kernel
    allocator.empty_cache()


def test_a_kernel_that_fails_is_told_by_what_waits(connect: Connect) -> None:
    device, driver = connect()
    kernel = Kernel(driver, NEGATE, "negate")
    kernel.launch(Geometry((1, 1, 1), (8, 1, 1)), struct.pack("<Q", 64))
    with pytest.raises(
        CudaError, match=r"^what was launched before failed on the device: .*illegal address"
    ):
        driver.synchronize()
    with pytest.raises(CudaError, match=r"^launching 'negate' failed"):
        kernel.launch(Geometry((1, 1, 1), (8, 1, 1)), struct.pack("<Q", 64))
    device.broken = None


def test_kernels_that_cannot_be_launched(connect: Connect) -> None:
    device, driver = connect()
    with pytest.raises(CudaError, match=r"^loading the PTX of 'negate' failed"):
        Kernel(driver, NEGATE.replace("sm_80", "sm_90"), "negate")
    with pytest.raises(CudaError, match=r"^finding 'other' failed"):
        Kernel(driver, NEGATE, "other")
    kernel = Kernel(driver, NEGATE, "negate")
    for geometry in (
        Geometry((0, 1, 1), (8, 1, 1)),
        Geometry((1, 1, 1), (2048, 1, 1)),
        Geometry((1, 1, 1), (1, 1, 1), 1 << 20),
    ):
        with pytest.raises(CudaError, match=r"^launching 'negate' failed"):
            kernel.launch(geometry, struct.pack("<Q", 64))
    device.failures["cuLaunchKernel"] = Status.LAUNCH_OUT_OF_RESOURCES
    with pytest.raises(CudaError, match=r"^launching 'negate' failed"):
        kernel.launch(Geometry((1, 1, 1), (8, 1, 1)), struct.pack("<Q", 64))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 0}, "no CUDA device can be used: the driver says '.*no device'"),
        ({"version": 10020}, "the driver is of CUDA 10.2, and 11.0 is wanted: install a newer one"),
        ({"capability": (7, 0)}, r"is of compute capability \(7, 0\), and \(7, 5\) is wanted"),
        ({"failures": {"cuInit": Status.SYSTEM_DRIVER_MISMATCH}}, "the driver says '.*system driver mismatch'"),
        ({"failures": {"cuDeviceGetCount": Status.INVALID_VALUE}}, "the driver says '.*invalid value'"),
    ],
)  # fmt: skip
def test_devices_that_cannot_be_used(
    use_device: Callable[..., Device], options: dict[str, Any], message: str
) -> None:
    use_device(**options)
    with pytest.raises(CudaError, match=message):
        Driver()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            ModuleNotFoundError("No module named 'pycuda'", name="pycuda"),
            r"pycuda is not installed: `pip install",
        ),
        (
            ImportError("libcuda.so.1: cannot open shared object file"),
            "the CUDA driver is not installed, .*libcuda",
        ),
    ],
)
def test_a_machine_without_pycuda_or_a_driver(
    monkeypatch: pytest.MonkeyPatch, error: ImportError, message: str
) -> None:
    def fail(name: str) -> Any:
        raise error

    monkeypatch.setattr(cuda_driver, "import_module", fail)
    cuda_driver.driver.cache_clear()
    with pytest.raises(CudaError, match=message):
        cuda_driver.driver()
    assert not cuda_driver.is_available()
