"""Programs whose groups are kernels of a GPU: the same results as from those of the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.random_kernels import Function
from support.simt.driver.device import Device
from support.simt.driver.status import Status
from support.simt.moving import on_cuda
from torchscript_dialect.runtime.cuda.driver import CudaError
from torchscript_dialect.runtime.cuda.executable import CudaKernel
from torchscript_dialect.runtime.cuda.memory import allocator
from torchscript_dialect.tensor.conversion import as_tensor

RNG = np.random.default_rng(0)
X, Y, B = (RNG.standard_normal(size).astype(np.float32) for size in ((9, 33), (9, 33), (33,)))
LONG = RNG.standard_normal((3, 1037)).astype(np.float32)
IMAGE, FILTERS = (
    RNG.standard_normal(size).astype(np.float32) for size in ((2, 3, 7, 6), (3, 1, 3, 3))
)
SPECIAL = np.array(
    [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-42, -1e-42, 3e38, 88.0, -104.0, 0.5, 1.0], np.float32
)

EXACT = {
    "broadcast": ("torch.tanh(x + b) * 2.5", (X, Y, B)),
    "sigmoid": ("torch.sigmoid(x) * y + b", (X, Y, B)),
    "exp_log": ("torch.exp(x) + torch.log(torch.abs(y) + 1)", (X, Y, B)),
    "sin_cos": ("torch.sin(x) * torch.cos(y * 50.0)", (X, Y, B)),
    "where": ("torch.where(x > y, x.relu(), y.neg()) - 1", (X, Y, B)),
    "erf": ("torch.erf(x) + torch.nn.functional.gelu(y)", (X, Y, B)),
    "round": ("torch.floor(x * 3) + torch.round(y * 3) - torch.trunc(x)", (X, Y, B)),
    "special": ("(torch.sqrt(x) + torch.rsqrt(y), torch.maximum(x, y) + 1, (x / y).exp())", (SPECIAL, SPECIAL[::-1].copy(), B)),
    "turned": ("(x.t() + y.t()).exp()", (X, Y, B)),
    "strided": ("(x + y).sigmoid() * 3", (X[::2, ::3], Y[::2, 1::3], B)),
    "empty": ("(x + y).exp() * 2", (X[:0], Y[:0], B)),
    "zero_dim": ("(x + y).exp() * 2", (X[0, :1].reshape(()), Y[0, :1].reshape(()), B)),
    "float64": ("torch.exp(x) * y + 1", (X.astype(np.float64), Y.astype(np.float64), B)),
    "integers": ("(x * y + 3, x > y, x // 2 + y)", ((X * 9).astype(np.int32), (Y * 9).astype(np.int32), B)),
    "several": ("(x + y, (x + y).exp(), (x * b).tanh())", (X, Y, B)),
    "chunk": ("torch.chunk(x, 3, 1)[0].exp() + torch.chunk(y, 3, 1)[2].tanh()", (X, Y, B)),
    "cat": ("torch.cat([x.exp(), y.tanh() * 2], 1) + 1", (X, Y, B)),
    "depthwise": (
        "torch.relu(torch.conv2d(x, y, b, [2, 1], [1, 1], [1, 1], 3)) * 2",
        (IMAGE, FILTERS, B[:3]),
    ),
}  # fmt: skip
CLOSE = {
    "sum": ("(x * y).sum(1) + 1", (X, Y, B)),
    "softmax": ("torch.softmax(x * 2 + b, 1) * y", (X, Y, B)),
    "mean_var": ("(x - x.mean(1, True)) / (x.var(1, keepdim=True) + 1e-5).sqrt()", (X, Y, B)),
    "layer_norm": ("torch.layer_norm(x + y, [33], b, b) * 2", (X, Y, B)),
    "largest": ("(x + y).amax(1) * 2", (X, Y, B)),
    "long_rows": (
        "(torch.softmax(x, 1) * y, (x * y).sum(1), x.amin(1) - b[0])",
        (LONG, LONG[::-1].copy(), B),
    ),
    "whole": ("(x * y).sum() + b.mean()", (LONG, LONG[::-1].copy(), B)),
    "integers_of_rows": (
        "((x * 3).sum(1), (x > 0).sum(1), (x + y).prod(1))",
        ((LONG * 2).astype(np.int64), (X[:3, :1] * 3).astype(np.int64), B),
    ),
}


def results(
    body: str, arguments: tuple[Any, ...], calls: int = 3
) -> tuple[list[np.ndarray], ts.ScriptFunction]:
    """What a program gives in the last of some calls, and the program."""
    f = ts.CompilationUnit(f"def f(x, y, b):\n    return {body}\n")["f"]
    found: Any = None
    for _ in range(calls):
        found = f(*map(as_tensor, arguments))
    return [one.numpy() for one in (found if isinstance(found, tuple) else (found,))], f


@pytest.mark.parametrize("name", [*EXACT, *CLOSE])
def test_programs_give_what_kernels_of_the_cpu_give(on_device: Device, name: str) -> None:
    body, arguments = (EXACT | CLOSE)[name]
    expected, _ = results(body, arguments)
    with ts.fuser("ptx"):
        found, _ = results(body, arguments)
    assert not on_device.faults
    assert bool(on_device.launches) == (name != "empty")
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        if name in EXACT:
            assert one.shape == other.shape
            assert one.tobytes() == other.tobytes()
        else:
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_random_kernels(on_device: Device, seed: int) -> None:
    function = Function(seed, ("float32", "float64", "int64", "int32")[seed % 4])
    arguments = function.arguments(0)
    texts: list[list[Any]] = []
    for fuser in ("none", "ptx"):
        with ts.fuser(fuser):
            main = ts.CompilationUnit(function.text)["main"]
            try:
                for _ in range(3):
                    found = main(
                        *(
                            as_tensor(one) if isinstance(one, np.ndarray) else one
                            for one in arguments
                        )
                    )
            except RuntimeError as error:
                found = (type(error).__name__,)
        texts.append(
            [
                one.numpy() if isinstance(one, ts.Tensor) else one
                for one in (found if isinstance(found, tuple) else (found,))
            ]
        )
    assert not on_device.faults
    for one, other in zip(*texts, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_kernel_comes_back_from_the_disk(on_device: Device) -> None:
    with ts.fuser("ptx"):
        first, f = results("(x - y).tanh() * 7", (X, Y, B))
        (plan,) = f.get_debug_state().execution_plans.values()
        kernel = plan.kernel
        assert isinstance(kernel, CudaKernel)
        loads = on_device.calls.count("cuModuleLoadDataEx")
        again = CudaKernel.from_bytes(kernel.serialize())
        assert (again.spec, again.ptx, again.threads) == (kernel.spec, kernel.ptx, kernel.threads)
        call = again.bind([as_tensor(X), as_tensor(Y), as_tensor(B)])
        assert call is not None
        result = again.launch(call)
        assert isinstance(result, ts.Tensor)
        np.testing.assert_array_equal(result.numpy(), first[0])
        assert on_device.calls.count("cuModuleLoadDataEx") == loads + 1
    for data in (
        b"",
        b"[]\n[]\n",
        kernel.serialize()[:-7],
        kernel.serialize().replace(b"sm_80", b"sm_90"),
    ):
        with pytest.raises(ValueError, match=r".+"):
            CudaKernel.from_bytes(data)


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [
        ("cuMemAlloc_v2", Status.OUT_OF_MEMORY, "CUDA out of memory: tried to allocate 1536 bytes"),
        (
            "cuLaunchKernel",
            Status.LAUNCH_OUT_OF_RESOURCES,
            "launching 'kernel' failed on the device",
        ),
        (
            "cuModuleLoadDataEx",
            Status.INVALID_PTX,
            "loading the PTX of 'kernel' failed on the device",
        ),
        ("cuMemcpyDtoH_v2", Status.LAUNCH_FAILED, "a copy from the device failed on the device"),
    ],
)
def test_a_device_that_fails(on_device: Device, name: str, status: Status, message: str) -> None:
    allocator().empty_cache()
    with ts.fuser("ptx"):
        on_device.failures[name] = status
        with pytest.raises(CudaError, match=message):
            results(f"(x + y).exp() * {len(name)}", (X, Y, B))
        on_device.failures.clear()


def test_without_a_device_a_call_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Any:
        raise CudaError("pycuda is not installed: somewhere")

    monkeypatch.setattr("torchscript_dialect.runtime.cuda.driver.driver", missing)
    monkeypatch.setattr("lowering.ptx.compiler.driver", missing)
    with ts.fuser("ptx"), pytest.raises(CudaError, match="pycuda is not installed"):
        results("(x + y).exp() * 41", (X, Y, B))


@pytest.mark.parametrize("offset", range(4))
def test_four_elements_at_once_where_they_are_aligned(on_device: Device, offset: int) -> None:
    """Numbers of elements around multiples of four, of tensors that begin behind aligned addresses."""
    f = ts.CompilationUnit("def f(x, y, n: int):\n    return torch.tanh(x * y) + x > n\n")["f"]
    values = RNG.standard_normal(1100).astype(np.float32)
    for size in (1, 3, 4, 5, 8, 1023, 1025):
        x, y = values[offset : offset + size], values[4 : 4 + size]
        for _ in range(3):
            expected, found = f(x, y, 0), f(on_cuda(x), on_cuda(y), 0)
        assert found.cpu().numpy().tobytes() == expected.numpy().tobytes()
    assert not on_device.faults
