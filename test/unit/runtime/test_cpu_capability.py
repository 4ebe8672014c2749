"""Kernels for a lesser processor than this one give the same results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.native_calls import needs_native_calls
from torchscript_dialect.runtime.native import cache
from torchscript_dialect.utils import llvm

PROGRAM = """
import numpy as np
import torchscript_dialect as ts
unit = ts.CompilationUnit('''
def exact(x):
    return torch.gelu(x * 1)
def by_tanh(x):
    return torch.gelu(x * 1, approximate="tanh")
''')
x = np.array([np.inf, -np.inf, np.nan, 1e30, -1e30, 3e38, 0.0, 1.0], np.float32)
for function in (unit.exact, unit.by_tanh):
    for _ in range(3):
        print(*[f"{value:.4g}" for value in function(x).numpy()])
    assert function.native_calls
"""


def results(capability: str, folder: Path) -> list[str]:
    """What the program prints with kernels for a processor."""
    environment = {
        **os.environ,
        "TORCHSCRIPT_DIALECT_CPU_CAPABILITY": capability,
        "TORCHSCRIPT_DIALECT_CACHE": str(folder),
    }
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


@needs_native_calls
@pytest.mark.parametrize("capability", llvm.CAPABILITIES)
def test_gelu_of_infinity_is_the_same_on_every_processor(capability: str, tmp_path: Path) -> None:
    """Interpreted and native: PyTorch's is NaN where oneDNN finds AVX-512."""
    found = results(capability, tmp_path)
    assert (
        found
        == ["inf nan nan 1e+30 -0 3e+38 0 0.8413"] * 3 + ["inf nan nan 1e+30 -0 3e+38 0 0.8412"] * 3
    )


def test_kernels_for_one_processor_are_not_taken_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys = set[bytes]()
    for name in llvm.CAPABILITIES:
        monkeypatch.setenv("TORCHSCRIPT_DIALECT_CPU_CAPABILITY", name)
        keys.add(cache.environment.__wrapped__())
    assert len(keys) == len(llvm.CAPABILITIES)


def test_features_that_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CPU_CAPABILITY", "AVX2")
    features = llvm.host_features.__wrapped__()
    assert features
    assert not [name for name, on in features.items() if on and name.startswith("avx512")]
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CPU_CAPABILITY", "avx3")
    with pytest.raises(ValueError, match="may be avx2, default, not avx3"):
        llvm.capability()
