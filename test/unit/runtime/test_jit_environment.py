"""The environment variables of the JIT mean the same whether kernels are found on disk or not."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import numpy as np
import torchscript_dialect as ts

unit = ts.CompilationUnit('''
def f(x, y):
    k = 2.0 * 3.0
    return torch.tanh(x * k) + y
''')
x = np.ones((4, 5), "float32")
for _ in range(3):
    unit.f(x, x)
print(str(unit.f.graph_for(x, x)).count("aten::mul"))
"""


def run(cache: Path, **variables: str) -> tuple[str, str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTORCH_JIT")}
    environment |= {"TORCHSCRIPT_DIALECT_CACHE": str(cache), **variables}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_logs_are_the_same_with_a_warm_cache(tmp_path: Path) -> None:
    cold = run(tmp_path, PYTORCH_JIT_LOG_LEVEL="peephole")
    assert "[DUMP peephole.py" in cold[1]
    run(tmp_path)  # fills the cache
    assert run(tmp_path, PYTORCH_JIT_LOG_LEVEL="peephole") == cold


def test_limits_are_the_same_with_a_warm_cache_and_leave_nothing_behind(tmp_path: Path) -> None:
    limited = run(tmp_path, PYTORCH_JIT_OPT_LIMIT="constant_propagation=0")
    free = run(tmp_path)
    assert limited[0] > free[0]
    assert run(tmp_path, PYTORCH_JIT_OPT_LIMIT="constant_propagation=0") == limited
    assert run(tmp_path) == free


def test_marks_before_a_name_show_more(tmp_path: Path) -> None:
    plain, marked, most = (
        run(tmp_path, PYTORCH_JIT_LOG_LEVEL=f"{marks}fuse_tensorexprs")[1]
        for marks in ("", ">", ">>")
    )
    assert "DEBUG" not in plain and "[DUMP fuse_tensorexprs.py" in plain
    assert "[DEBUG _pass.py" in marked or "[DEBUG fuse_tensorexprs.py" in marked
    assert "Before 'f', " in marked and "Before ts-fuse-tensorexprs:" not in marked
    assert "Before ts-fuse-tensorexprs:" in most
    assert len(plain) < len(marked) < len(most)


def test_names_that_mean_nothing_are_told(tmp_path: Path) -> None:
    _, errors = run(
        tmp_path,
        PYTORCH_JIT_LOG_LEVEL="peephoel:>alias_analysis",
        PYTORCH_JIT_OPT_LIMIT="fuse_tensorexpr=3:peephole=100",
    )
    assert (
        "PYTORCH_JIT_LOG_LEVEL names 'peephoel', which means nothing here; did you mean 'peephole'?"
        in errors
    )
    assert "PYTORCH_JIT_OPT_LIMIT names 'fuse_tensorexpr', which means nothing here" in errors
    assert "alias_analysis'," not in errors and errors.count("means nothing") == 2
