"""Launches from native calls: which calls are native, what they give, and what becomes of errors."""

from __future__ import annotations

import gc
from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.simt.driver.device import Device
from support.simt.driver.status import Status
from support.simt.moving import on_cuda
from torchscript_dialect import torch
from torchscript_dialect.runtime.cuda.driver import CudaError, CudaOutOfMemoryError
from torchscript_dialect.tensor.device_array import DeviceArray

NATIVE = True
"""Launches on a real device are native here, and not noted."""
RNG = np.random.default_rng(0)
PROGRAMS: dict[str, tuple[str, list[Any]]] = {
    "pointwise": ("def f(x, y):\n    return torch.tanh(x * y) + x", [(4, 5), (5,)]),
    "numbers": ("def f(x, a: float, n: int, flag: bool):\n    return x * a + n", [(4, 5), 2.5, 3, True]),
    "results": ("def f(x, y):\n    return x + y, x.sum(1), (x * y).exp()", [(4, 5), (5,)]),
    "parts": ("def f(x, y):\n    z = torch.softmax(x, 1)\n    return torch.mm(z, y)", [(4, 5), (5, 6)]),
    "derived": ("def f(x, y):\n    return torch.cat([x, y], 0) * 2", [(4, 5), (3, 5)]),
    "nothing": ("def f(x, y):\n    return x * y + 1", [(0, 5), (5,)]),
    "single": ("def f(x, y):\n    return x * y + 1", [(), ()]),
    "large": ("def f(x, y):\n    return x * y + 1", [(600, 600), (600,)]),
}  # fmt: skip


def function(name: str) -> tuple[Any, list[Any]]:
    """A program, and its arguments on the host."""
    text, given = PROGRAMS[name]
    arguments = [
        RNG.standard_normal(one).astype(np.float32) if isinstance(one, tuple) else one
        for one in given
    ]
    return ts.CompilationUnit(text + "\n")["f"], arguments


def there(arguments: list[Any]) -> list[Any]:
    return [on_cuda(one) if isinstance(one, np.ndarray) else one for one in arguments]


def arrays(result: Any) -> list[Any]:
    found = result if isinstance(result, tuple) else (result,)
    assert all(one.is_cuda for one in found)
    return [one.cpu().numpy() for one in found]


def is_told_by(f: Any, call: Callable[[], Any]) -> bool:
    """Whether a call is native."""
    before = f.native_calls
    call()
    return f.native_calls > before


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_native_call_gives_what_the_slow_path_gives(on_device: Device, name: str) -> None:
    f, given = function(name)
    arguments = there(given)
    with ts.fuser("ptx"):
        slow = arrays(f(*arguments))
        for _ in range(3):
            f(*arguments)
        before = f.native_calls
        fast = arrays(f(*arguments))
    assert f.native_calls == before + (name != "parts")
    for one, other in zip(fast, slow, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)
    assert not on_device.faults


def test_memory_of_results_is_kept_and_counted(on_device: Device) -> None:
    f, given = function("pointwise")
    x, y = there(given)
    for _ in range(4):
        f(x, y)
    gc.collect()
    torch.cuda.reset_peak_memory_stats()
    allocated, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
    for _ in range(100):
        assert is_told_by(f, lambda: f(x, y))
    assert torch.cuda.memory_allocated() == allocated
    assert torch.cuda.memory_reserved() <= reserved + 512
    kept = [f(x, y) for _ in range(5)]
    assert torch.cuda.memory_allocated() == torch.cuda.max_memory_allocated() == allocated + 5 * 512
    assert len({one.data_ptr() for one in kept}) == 5
    assert all(
        one.array.__class__ is DeviceArray and one.array.memory is x.array.memory for one in kept
    )
    del kept
    assert torch.cuda.memory_allocated() == allocated
    torch.cuda.empty_cache()
    assert is_told_by(f, lambda: f(x, y))


def test_calls_that_are_not_native(on_device: Device) -> None:
    """Those of other streams and threads, and of arguments that are elsewhere; they give the same."""
    f, given = function("pointwise")
    x, y = there(given)
    for _ in range(4):
        expected = arrays(f(x, y))[0]
    found: list[Any] = []

    def elsewhere() -> None:
        found.append(f(x, y))

    def in_stream() -> None:
        with torch.cuda.stream(torch.cuda.Stream()):
            found.append(f(x, y))

    def in_thread() -> None:
        thread = Thread(target=elsewhere)
        thread.start()
        thread.join()

    assert is_told_by(f, elsewhere)
    assert not is_told_by(f, in_stream)
    assert not is_told_by(f, in_thread)
    assert is_told_by(f, elsewhere)
    torch.cuda.synchronize()
    for one in found:
        np.testing.assert_array_equal(one.cpu().numpy(), expected)


def test_errors_of_native_calls(on_device: Device) -> None:
    f, given = function("large")
    x, y = there(given)
    for _ in range(4):
        f(x, y)
    gc.collect()
    before = torch.cuda.memory_allocated()
    on_device.failures["cuLaunchKernel"] = Status.LAUNCH_OUT_OF_RESOURCES
    with pytest.raises(
        CudaError, match=r"^launching 'kernel' failed on the device: launch out of resources"
    ):
        f(x, y)
    torch.cuda.empty_cache()
    on_device.failures["cuMemAlloc_v2"] = Status.OUT_OF_MEMORY
    with pytest.raises(
        CudaOutOfMemoryError, match=r"^CUDA out of memory: tried to allocate 2097152 bytes"
    ):
        f(x, y)
    on_device.failures.clear()
    assert torch.cuda.memory_allocated() == before
    assert is_told_by(f, lambda: f(x, y))
