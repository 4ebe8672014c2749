"""Cubins beside PTX: made where ptxas is found, kept on disk, loaded where they are for the device."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import torchscript_dialect as ts
from lowering.ptx import assemble
from support.simt.driver.device import Device
from support.simt.driver.functions import BINARY
from torchscript_dialect import torch
from torchscript_dialect.runtime.cuda.driver import driver
from torchscript_dialect.runtime.cuda.executable import CudaKernel
from torchscript_dialect.runtime.cuda.memory import allocator
from torchscript_dialect.runtime.kernels.kernels import of_target

VALUES = np.arange(12, dtype=np.float32)


@pytest.fixture
def ptxas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in the place of ptxas, whose cubins the stand-in of the driver takes."""
    program = tmp_path / "ptxas"
    program.write_text(
        f"""#!{sys.executable}
import sys
arch, source, _, target = sys.argv[1:]
assert arch == "-arch=sm_80"
open(target, "wb").write({BINARY!r} + open(source, "rb").read() + b"\\0")
"""
    )
    program.chmod(0o700)
    monkeypatch.setenv(assemble.VARIABLE, str(program))
    return program


def kernel_of(body: str) -> CudaKernel:
    """The kernel of a program of the device."""
    f = ts.CompilationUnit(f"def f(x):\n    return {body}\n")["f"]
    x = torch.tensor(VALUES, device="cuda")
    for _ in range(3):
        f(x)
    (kernel,) = [
        plan.kernel for plan in f.get_debug_state().execution_plans.values() if plan.kernel
    ]
    assert isinstance(kernel, CudaKernel)
    return kernel


def run(kernel: CudaKernel) -> np.ndarray:
    call = kernel.bind([torch.tensor(VALUES, device="cuda")])
    assert call is not None
    result = kernel.launch(call)
    assert isinstance(result, ts.Tensor)
    return result.cpu().numpy()


def test_a_cubin_is_made_kept_and_loaded(on_device: Device, ptxas: Path) -> None:
    kernel = kernel_of("(x + 1.25).neg() * 3")
    assert kernel.cubin.startswith(BINARY)
    again = CudaKernel.from_bytes(kernel.serialize())
    assert (again.cubin, again.sm, again.ptx) == (kernel.cubin, 80, kernel.ptx)
    again.ptx = ".target sm_80 and nothing else"
    np.testing.assert_array_equal(run(again), -(VALUES + 1.25) * 3)


@pytest.mark.parametrize("change", ["another device", "damaged"])
def test_ptx_stands_in_for_a_cubin(on_device: Device, ptxas: Path, change: str) -> None:
    kernel = kernel_of(f"(x + {len(change)}.5).neg() * 3")
    if change == "damaged":
        kernel.cubin = b"\x7fELF and nothing else"
    else:
        kernel.sm = 90
    again = CudaKernel.from_bytes(kernel.serialize())
    np.testing.assert_array_equal(run(again), -(VALUES + len(change) + 0.5) * 3)
    allocator().empty_cache()


def test_kernels_are_kept_by_the_kind_of_device(
    on_device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = set[str]()
    for capability in ((8, 0), (9, 0), (8, 0)):
        monkeypatch.setattr(driver(), "capability", capability)
        keys.add(of_target("some key", "ptx"))
    assert len(keys) == 2
    assert of_target("some key", "llvm") == "some key"


def test_without_ptxas_there_is_none(
    on_device: Device, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert kernel_of("(x + 7.5).neg() * 2").cubin == b""
    monkeypatch.setenv(assemble.VARIABLE, str(tmp_path / "missing"))
    assert assemble.assemble(".version 7.0", 80) == b""
    monkeypatch.delenv(assemble.VARIABLE)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert assemble.assemble(".version 7.0", 80) == b""
