"""pycuda, as it is, over the stand-in of the driver: memory, modules, launches, streams, errors."""

from __future__ import annotations

import gc
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from support.simt.driver.status import Status

Use = Callable[..., tuple[Device, Any]]

ADD = """
.version 7.0
.target sm_80
.address_size 64
.visible .entry add(
	.param .u64 x,
	.param .f32 a,
	.param .u64 y,
	.param .u32 n
)
{
	.reg .pred %p<2>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mad.lo.s32 %r4, %r2, %r3, %r1;
	ld.param.b32 %r5, [n];
	setp.ge.u32 %p1, %r4, %r5;
	@%p1 bra $end;
	ld.param.b64 %rd1, [x];
	ld.param.b64 %rd2, [y];
	ld.param.b32 %r6, [a];
	mul.wide.u32 %rd3, %r4, 4;
	add.s64 %rd1, %rd1, %rd3;
	add.s64 %rd2, %rd2, %rd3;
	ld.global.b32 %r7, [%rd1];
	add.rn.f32 %r8, %r7, %r6;
	st.global.b32 [%rd2], %r8;
$end:
	ret;
}
"""
X = np.linspace(0, 1, 300, dtype=np.float32)


def launch(cuda: Any, stream: Any, x: Any, a: float, y: Any, n: int) -> Any:
    """Launch the kernel, its parameters packed as the ABI lays them out; gives its module, which has to stay until it ran."""
    module = cuda.module_from_buffer(ADD.encode())
    function = module.get_function("add")
    parameters = struct.pack("<QfxxxxQI", int(x), a, int(y), n)
    function._launch_kernel((-(-n // 128),), (128, 1, 1), parameters, 0, stream)
    return module


def test_a_kernel_reads_and_writes_memory(use_pycuda: Use) -> None:
    device, cuda = use_pycuda()
    x, y = cuda.mem_alloc(X.nbytes), cuda.mem_alloc(X.nbytes)
    cuda.memcpy_htod(x, X)
    launch(cuda, None, x, 2.0, y, X.size)
    found = np.empty_like(X)
    cuda.memcpy_dtoh(found, y)
    np.testing.assert_array_equal(found, X + 2)
    assert device.launches == ["add"]
    assert device.memory.used == 2 * X.nbytes
    assert cuda.mem_get_info() == (device.capacity - 2 * X.nbytes, device.capacity)


def test_pycuda_packs_parameters_itself(use_pycuda: Use) -> None:
    _, cuda = use_pycuda()
    x = cuda.mem_alloc(X.nbytes)
    cuda.memcpy_htod(x, X)
    function = cuda.module_from_buffer(ADD.encode()).get_function("add")
    function.prepare("PfPI").prepared_call((3,), (128, 1, 1), x, 1.0, x, X.size)
    found = np.empty_like(X)
    cuda.memcpy_dtoh(found, x)
    np.testing.assert_array_equal(found, X + 1)


def test_what_is_asynchronous_runs_when_something_waits(use_pycuda: Use) -> None:
    device, cuda = use_pycuda()
    stream = cuda.Stream()
    x = cuda.mem_alloc(X.nbytes)
    source, target = (
        cuda.pagelocked_empty(X.shape, X.dtype),
        cuda.pagelocked_zeros(X.shape, X.dtype),
    )
    source[:] = X
    cuda.memcpy_htod_async(x, source, stream)
    module = launch(cuda, stream, x, 1.0, x, X.size)
    cuda.memcpy_dtoh_async(target, x, stream)
    assert not device.launches
    assert not stream.is_done()
    assert not target.any()
    stream.synchronize()
    assert stream.is_done()
    np.testing.assert_array_equal(target, X + 1)
    del module


def test_a_fault_of_a_kernel_is_told_by_what_waits_and_all_after_it(use_pycuda: Use) -> None:
    device, cuda = use_pycuda()
    x = cuda.mem_alloc(X.nbytes)
    module = launch(cuda, None, x, 1.0, x, X.size + 1)
    for wait in (cuda.Context.synchronize, cuda.Context.synchronize, lambda: cuda.mem_alloc(4)):
        with pytest.raises(cuda.Error, match="illegal address"):
            wait()
    (fault,) = device.faults
    assert "add, line" in fault
    assert "is out of bounds of global memory" in fault
    device.broken = None
    del module


@pytest.mark.parametrize(
    ("name", "status", "act", "error"),
    [
        ("cuMemAlloc_v2", Status.OUT_OF_MEMORY, lambda cuda: cuda.mem_alloc(16), "MemoryError"),
        ("cuMemcpyHtoD_v2", Status.INVALID_VALUE, lambda cuda: cuda.memcpy_htod(0, X), "LogicError"),
        ("cuModuleLoadDataEx", Status.UNSUPPORTED_PTX_VERSION, lambda cuda: cuda.module_from_buffer(ADD.encode()), "Error"),
        ("cuStreamCreate", Status.OUT_OF_MEMORY, lambda cuda: cuda.Stream(), "MemoryError"),
        ("cuCtxSynchronize", Status.LAUNCH_FAILED, lambda cuda: cuda.Context.synchronize(), "LaunchError"),
    ],
)  # fmt: skip
def test_functions_fail_when_they_are_told_to(
    use_pycuda: Use, name: str, status: Status, act: Callable[[Any], Any], error: str
) -> None:
    device, cuda = use_pycuda()
    device.failures[name] = status
    with pytest.raises(getattr(cuda, error)):
        act(cuda)
    assert name in device.calls
    device.failures.clear()


def test_memory_ends(use_pycuda: Use) -> None:
    _, cuda = use_pycuda(capacity=1 << 16)
    kept = cuda.mem_alloc(40_000)
    with pytest.raises(cuda.MemoryError):
        cuda.mem_alloc(40_000)
    kept.free()
    cuda.mem_alloc(40_000).free()


@pytest.mark.parametrize(
    "text", ["no PTX", ADD.replace("sm_80", "sm_90"), ADD.replace("add.rn", "%")]
)
def test_modules_that_do_not_load(use_pycuda: Use, text: str) -> None:
    _, cuda = use_pycuda(capability=(8, 0))
    with pytest.raises(cuda.Error):
        cuda.module_from_buffer(text.encode())


def test_a_machine_without_a_device(use_pycuda: Use) -> None:
    with pytest.raises(Exception, match="no device"):
        use_pycuda(count=0)


def test_what_nobody_gave_back_is_found(use_pycuda: Use) -> None:
    device, cuda = use_pycuda()
    x, stream = cuda.mem_alloc(16), cuda.Stream()
    assert sorted(device.leaks) == ["Stream", "allocation"]
    x.free()
    del stream
    assert not device.leaks


class _Freed:
    """A part of a cycle that asks the driver for something when it is collected."""

    def __init__(self, cuda: Any, asked: list[str]) -> None:
        self.cuda, self.asked, self.itself = cuda, asked, self

    def __del__(self) -> None:
        self.cuda.Context.synchronize()
        self.asked.append("synchronize")


def test_what_is_collected_while_a_kernel_runs_waits_for_its_end(use_pycuda: Use) -> None:
    device, cuda = use_pycuda()
    asked: list[str] = []
    before: list[str] = []

    def action() -> None:
        _Freed(cuda, asked)
        kept = [[] for _ in range(100_000)]
        before.extend(asked)
        del kept

    device.later(0, action)
    cuda.Context.synchronize()
    gc.collect()
    assert not before
    assert asked == ["synchronize"]
