"""The programs that `benchmarks.device` measures on a device give the results of the host."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import torchscript_dialect as ts
from benchmarks import device as benchmark
from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.tensor.conversion import as_tensor

SMALL = {program.name: program for program in reversed(benchmark.programs())}


@pytest.mark.parametrize("name", SMALL)
def test_programs_give_what_the_host_gives(on_device: Device, name: str) -> None:
    program = SMALL[name]
    generator = np.random.default_rng(0)
    arrays = [generator.random(shape, np.float32) for shape in program.shapes]
    system = benchmark.ours()
    found = system.build(program)(*(system.move(one, "float32") for one in arrays))
    expected = ts.CompilationUnit(program.text)["f"](*map(as_tensor, arrays))
    for one, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (found, expected))):
        assert one.is_cuda
        np.testing.assert_allclose(one.cpu().numpy(), other.numpy(), rtol=1e-4, atol=1e-5)


def test_figures_are_those_of_the_device(
    on_device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "SECONDS", 0.0)
    program = replace(SMALL["tanh"], shapes=((3, 4),))
    medians = benchmark.measure(program, [benchmark.ours()], rounds=1)
    assert list(medians) == ["ours"]
    assert medians["ours"] > 0
    assert benchmark.bytes_a_second(1024) > 0
    for dtype in benchmark.CORES:
        text = benchmark.reached(
            replace(SMALL["product"], dtype=dtype), {"ours": 1.0, "torch": 0.5}, 1.0
        )
        assert text.endswith(", 50% of torch")
    assert benchmark.reached(program, medians, 1.0).endswith("% of copies")


@pytest.mark.parametrize("dtype", ["tf32", "float16"])
def test_products_of_a_dtype(
    on_device: Device, monkeypatch: pytest.MonkeyPatch, dtype: str
) -> None:
    monkeypatch.setattr(benchmark, "SECONDS", 0.0)
    program = replace(SMALL["product"], shapes=((3, 4), (4, 5)), dtype=dtype)
    assert benchmark.measure(program, [benchmark.ours()], rounds=1)["ours"] > 0
    assert torch.get_float32_matmul_precision() == "highest"
    assert not on_device.faults

    assert "kernel" in on_device.launches
