"""Families are loaded in two steps: Note [Two loads] in ops/families.py."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

PROGRAM = """
import sys
import numpy as np
import torchscript_dialect as ts
from torchscript_dialect.ops.families import FIRST, LATER

unit = ts.CompilationUnit("def f(x):\\n    return torch.{0}(x) * 2\\n")
unit.f(np.array([[2.0, 1.0], [1.0, 2.0]]))
loaded = [family for family in LATER if f"torchscript_dialect.ops.{{family}}" in sys.modules]
sys.exit(0 if bool(loaded) == {1} else f"loaded {{loaded}}")
"""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, cwd=ROOT
    )


def test_the_names_of_later_operators_are_up_to_date() -> None:
    done = run("tools/generate_later_operators.py", "--check")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("operator", "is_later"), [("tanh", False), ("linalg_inv", True)])
def test_later_families_are_loaded_when_asked_for(operator: str, is_later: bool) -> None:
    done = run("-c", PROGRAM.format(operator, is_later))
    assert done.returncode == 0, done.stderr
