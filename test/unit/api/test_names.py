"""The names of the package."""

import subprocess
import sys

PROGRAM = """
import sys
import torchscript_dialect as ts
assert "torchscript_dialect.torch" not in sys.modules
assert ts.torch.zeros(2).dtype is ts.torch.float32
assert {"freeze", "trace"} <= set(ts.__all__) and ts.freeze and ts.trace
try:
    ts.nothing
except AttributeError as error:
    assert "no attribute 'nothing'" in str(error)
"""


def test_what_few_programs_need_is_imported_when_it_is_asked_for() -> None:
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)
