"""The programs that `benchmarks.device` measures on a device give the results of the host; without one, it says so."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import torchscript_dialect as ts
from benchmarks import device as benchmark
from support.simt.driver.device import Device

ROOT = Path(__file__).parents[4]
SMALL = {program.name: program for program in reversed(benchmark.programs())}


@pytest.mark.parametrize("name", SMALL)
def test_programs_give_what_the_host_gives(on_device: Device, name: str) -> None:
    program = SMALL[name]
    generator = np.random.default_rng(0)
    arrays = [generator.random(shape, np.float32) for shape in program.shapes]
    system = benchmark.ours()
    found = system.build(program)(*map(system.move, arrays))
    expected = ts.CompilationUnit(program.text)["f"](*map(ts.Tensor, arrays))
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
    assert "kernel" in on_device.launches


def test_without_a_device_it_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.device"],
        cwd=ROOT,
        env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("CudaError: ")
