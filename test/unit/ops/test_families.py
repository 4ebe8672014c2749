"""Families are loaded with their operators: Note [Families on demand] in ops/families.py."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.fourier import windows

ROOT = Path(__file__).resolve().parents[3]

PROGRAM = """
import sys
import numpy as np
import torchscript_dialect as ts
from torchscript_dialect.ops.families import FAMILIES

def loaded():
    return {family for family in FAMILIES if f"torchscript_dialect.ops.{family}" in sys.modules}

before = loaded()
unit = ts.CompilationUnit("def f(x):\\n    return torch.%s(x) * 2\\n")
for _ in range(3):
    unit.f(np.array([[2.0, 1.0], [1.0, 2.0]]))
print(*sorted(loaded() - before))
"""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, cwd=ROOT
    )


def test_the_families_of_operators_are_up_to_date() -> None:
    done = run("tools/generate_operator_families.py", "--check")
    assert done.returncode == 0, done.stderr


def test_an_import_that_was_interrupted_is_made_again() -> None:
    attached = list(registry.attached())
    importlib.reload(windows)
    assert [name for name, _ in registry.attached()] == [name for name, _ in attached]


@pytest.mark.parametrize(
    ("operator", "families"),
    [
        ("sum", {"pointwise.arithmetic", "reduction.reduction"}),
        ("linalg_inv", {"pointwise.arithmetic", "linalg.linalg"}),
        # Large tensors run aten::sigmoid, which has a kernel for quantized ones.
        (
            "sigmoid_",
            {"pointwise.arithmetic", "pointwise.elementary", "quantized.quantized_operators"},
        ),
    ],
)
def test_families_are_loaded_with_their_operators(operator: str, families: set[str]) -> None:
    done = run("-c", PROGRAM % operator)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == families
