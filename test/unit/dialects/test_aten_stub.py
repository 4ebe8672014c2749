"""The generated stub of the aten dialect is that of the operator table."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_stub_is_up_to_date():
    command = [sys.executable, str(ROOT / "tools" / "generate_aten_stub.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
