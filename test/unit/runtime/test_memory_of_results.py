"""The memory of results that are gone is that of the next ones."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from support.native_calls import needs_native_calls

pytestmark = needs_native_calls


PROGRAM = """
import resource
import numpy as np
import torchscript_dialect as ts

f = ts.CompilationUnit('''
def f(x):
    return x + 1.0, x + 2.0, x + 3.0, x + 4.0, x + 5.0, x + 6.0, x + 7.0, x + 8.0
''')["f"]
x = np.zeros((100, 1000), np.float32)
for _ in range(5):
    f(x)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    f(x)
assert f.native_calls >= 20
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
PAGES = 20 * 8 * 100 * 1000 * 4 // 4096


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="of the C library of GNU")
def test_results_of_a_call_take_the_pages_of_those_before() -> None:
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < PAGES // 10
