"""Compiled programs whose arguments are on a device."""

from __future__ import annotations

import warnings
from typing import Any, cast

import numpy as np
import pytest

import torchscript_dialect as ts
from support.simt.driver.device import Device
from support.simt.driver.status import Status
from torchscript_dialect import torch
from torchscript_dialect.runtime.cuda.driver import CudaError, CudaOutOfMemoryError
from torchscript_dialect.runtime.cuda.executable import CudaKernel

VALUES = np.arange(12, dtype=np.float32).reshape(3, 4) / 7


def program(body: str, arguments: str = "x, y") -> ts.ScriptFunction:
    lines = "\n    ".join(body.strip().split("\n"))
    return ts.CompilationUnit(f"def f({arguments}):\n    {lines}\n")["f"]


def there(array: np.ndarray[Any, Any] = VALUES) -> ts.Tensor:
    return torch.tensor(array, device="cuda")


def test_groups_are_kernels_of_the_device_by_themselves(on_device: Device) -> None:
    f = program("return torch.tanh(x * y) + x")
    expected = f(VALUES, VALUES).numpy()
    copies = on_device.calls.count("cuMemcpyHtoD_v2")
    x = there()
    for _ in range(3):
        found = f(x, x)
    (plan,) = (
        plan for plan in f.get_debug_state().execution_plans.values() if plan.kernel is not None
    )
    assert isinstance(plan.kernel, CudaKernel)
    assert on_device.calls.count("cuMemcpyHtoD_v2") == copies + 1
    assert found.is_cuda
    assert found.cpu().numpy().tobytes() == expected.tobytes()
    assert on_device.launches[-1] == "kernel"


def test_one_function_serves_both_sides(on_device: Device) -> None:
    f = program("return (x + 1) * y")
    for _ in range(4):
        for one in (torch.tensor(VALUES), there(), there().t()):
            found = f(one, one)
            assert found.device == one.device
            expected = (one.cpu().numpy() + 1) * one.cpu().numpy()
            np.testing.assert_array_equal(found.cpu().numpy(), expected)
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        f(there(), torch.tensor(VALUES))
    np.testing.assert_array_equal(f(there(), torch.tensor(2.0)).cpu().numpy(), (VALUES + 1) * 2)


def test_programs_move_tensors(on_device: Device) -> None:
    f = program(
        "z = x.to('cuda') + 1\nreturn (z * z).cpu(), z.is_cuda, z.device, torch.zeros([2], device=z.device)",
        "x",
    )
    for _ in range(4):
        found, is_cuda, device, zeros = f(torch.tensor(VALUES))
        assert (found.is_cuda, is_cuda, str(device), zeros.is_cuda) == (False, True, "cuda:0", True)
        np.testing.assert_array_equal(found.numpy(), (VALUES + 1) ** 2)


def test_programs_take_devices(on_device: Device) -> None:
    unit = ts.CompilationUnit("def f(x, device: Device):\n    return x.to(device) * 2 + 1\n")
    for device in ("cpu", "cuda", "cpu", "cuda:0"):
        assert (
            unit["f"](torch.ones(2), torch.device(device)).device.type == device.partition(":")[0]
        )


def test_control_flow_and_writes(on_device: Device) -> None:
    f = program("""
out = torch.zeros_like(x)
for i in range(x.size(0)):
    if bool(x[i].sum() > 1.5):
        out[i] += y[i] * 2
    else:
        out[i, 1:3] = torch.ones_like(x[i, 1:3])
return out, x.size(1)""")
    expected, size = f(VALUES, VALUES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            found, there_size = f(there(), there())
            np.testing.assert_allclose(found.cpu().numpy(), expected.numpy(), rtol=1e-6)
    assert size == there_size


def test_gradients_of_programs(on_device: Device) -> None:
    f = program("return (torch.sigmoid(x * y) + y).sum()")

    def gradients(where: str) -> list[np.ndarray[Any, Any]]:
        x, y = (cast(Any, torch.tensor(VALUES, device=where, requires_grad=True)) for _ in range(2))
        for _ in range(4):
            x.grad = y.grad = None
            f(x, y).backward()
        found: list[Any] = [x.grad, y.grad]
        assert [one.device.type for one in found] == [where, where]
        return [one.cpu().numpy() for one in found]

    for one, other in zip(gradients("cuda"), gradients("cpu"), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


@pytest.mark.parametrize("fuser", ["none", "llvm", "ptx"])
def test_the_fuser_of_the_settings_is_for_the_host(on_device: Device, fuser: str) -> None:
    f = program("return (x - y).exp() * 0.25 + x")
    with ts.fuser(fuser):
        for _ in range(3):
            found = f(there(), there(VALUES * 2))
    np.testing.assert_allclose(found.cpu().numpy(), np.exp(-VALUES) * 0.25 + VALUES, rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "status", "error", "message"),
    [
        ("cuMemAlloc_v2", Status.OUT_OF_MEMORY, CudaOutOfMemoryError, "CUDA out of memory"),
        ("cuLaunchKernel", Status.LAUNCH_OUT_OF_RESOURCES, CudaError, "launching 'kernel' failed"),
        ("cuModuleLoadDataEx", Status.INVALID_PTX, CudaError, "loading the PTX of 'kernel' failed"),
    ],
)
@pytest.mark.parametrize("calls", [1, 3])
def test_errors_of_the_device_keep_their_type(
    on_device: Device, name: str, status: Status, error: type[Exception], message: str, calls: int
) -> None:
    f = program(f"return torch.atan(x * {len(name) + calls}.5) + y * {calls}")
    x = there()
    f(x, x)  # the next call compiles
    torch.cuda.empty_cache()
    on_device.failures[name] = status
    try:
        for _ in range(calls):
            with pytest.raises(error, match=message):
                f(x, x)
    finally:
        on_device.failures.clear()
    assert f(x, x).is_cuda


class Causal(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.Transformer.generate_square_subsequent_mask(2, device=x.device) + x


def test_masks_of_transformers_are_where_they_are_asked_for(on_device: Device) -> None:
    """The device was not looked at, and programs could not call it."""
    found = torch.jit.script(Causal())(torch.zeros(1).cuda())
    assert found.is_cuda and found.cpu().tolist() == [[0.0, float("-inf")], [0.0, 0.0]]


def test_programs_ask_for_gradients(on_device: Device) -> None:
    """The tensors were copied to the host, where they had no histories."""
    f = program(
        "y = (x * x).sum()\ng = torch.autograd.grad([y], [x])[0]\nassert g is not None\nreturn g",
        "x",
    )
    x = torch.ones(2).cuda().requires_grad_()
    assert f(x).is_cuda and f(x).cpu().tolist() == [2.0, 2.0]
