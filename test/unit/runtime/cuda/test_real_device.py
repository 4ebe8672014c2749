"""`tools/run_tests.py --device cuda`, where there is no device: an error of its type that says what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[4] / "tools" / "run_tests.py"


def test_without_a_device_the_tool_says_so() -> None:
    done = subprocess.run(
        [sys.executable, str(TOOL), "--device", "cuda"],
        env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("CudaError: ")
    assert "pytest" not in done.stdout
