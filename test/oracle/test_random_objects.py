"""Random programs of classes, closures and tasks: PyTorch does what Python does, too, so that these mean the same to all three."""

import os
import subprocess
import sys
from pathlib import Path

from support.amounts import program_count

ROOT = Path(__file__).parent.parent.parent
COUNT = str(program_count(12))


def test_random_objects() -> None:
    """In a process of its own, where `torch` of the programs is PyTorch's."""
    path = os.pathsep.join(map(str, (ROOT, ROOT / "test")))
    done = subprocess.run(
        [sys.executable, "-m", "support.random_objects", COUNT],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "TORCHSCRIPT_DIALECT_EXAMPLES": "torch"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"torch: {COUNT} programs, 0 differences")
