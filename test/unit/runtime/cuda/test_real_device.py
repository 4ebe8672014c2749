"""What asks for a real device, `tools/run_tests.py --device cuda` and `benchmarks.device`, where there is none: an error of its type
that says what to do.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    "command",
    [(str(ROOT / "tools" / "run_tests.py"), "--device", "cuda"), ("-m", "benchmarks.device")],
    ids=["tests", "benchmark"],
)
def test_without_a_device_it_says_so(command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("CudaError: ")
    assert "pytest" not in done.stdout
