"""A child of a fork gets on, whatever other threads of its parent were compiling.

Point 3 of docs/testing.md.
"""

import functools
import subprocess
import sys
from pathlib import Path

import pytest

import torchscript_dialect
from support.amounts import IS_LONG
from torchscript_dialect.utils.properties import cached_property

FORKS = 500 if IS_LONG else 30
"""How many children are made."""

SCRIPT = """
import gc, os, sys, threading, time
from itertools import count
import numpy as np
import torchscript_dialect as ts

def program(i):
    return f'''
def f(x, n: int):
    y = torch.relu(x) + {i}
    for k in range(n):
        if k == {i % 7}:
            return y
        y = y * x - k
    return torch.cat([y, x]).sum()
'''

def compile_one(i):
    f = ts.CompilationUnit(program(i)).f
    x = np.ones(3, np.float32)
    for _ in range(4):
        assert f(x, 0).shape == ()
    assert str(f.graph)

def compile_all(start):
    for i in count(start, 2):
        compile_one(i)

limit = sys.getrecursionlimit
before = (True, limit())
for thread in range(2):
    threading.Thread(target=compile_all, args=(thread,), daemon=True).start()
for i in range(int(sys.argv[1])):
    time.sleep(0.001 * (i % 5))
    pid = os.fork()
    if pid == 0:
        assert (gc.isenabled(), limit()) == before, (gc.isenabled(), limit())
        compile_one(-i)
        os._exit(0)
    deadline = time.monotonic() + 60
    while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
        if time.monotonic() > deadline:
            os.kill(pid, 9)
            sys.exit(f"child {i} hangs")
        time.sleep(0.002)
    assert os.waitstatus_to_exitcode(ended[1]) == 0
print("parent", flush=True)
os._exit(0)
"""


def test_forks_while_other_threads_compile() -> None:
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT, str(FORKS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60 + 10 * FORKS)
    assert done.stdout == "parent\n", done.stderr


def test_no_property_of_ours_takes_a_lock_of_the_standard_library() -> None:
    """`functools.cached_property` of Python 3.11 holds a lock while it computes."""
    root = Path(torchscript_dialect.__file__).parents[1]
    for package in ("torchscript_dialect", "lowering"):
        for path in (root / package).rglob("*.py"):
            for line in path.read_text().splitlines():
                assert not (line.startswith("from functools") and "cached_property" in line), path


class Counted:
    made = 0

    @cached_property
    def value(self) -> list[int]:
        """A list."""
        self.made += 1
        return [self.made]


def test_a_property_is_computed_once() -> None:
    counted = Counted()
    assert counted.value is counted.value
    assert counted.made == 1
    assert Counted.value.__doc__ == "A list."
    assert not isinstance(Counted.value, functools.cached_property)


def test_a_property_that_raises_is_computed_again() -> None:
    class Failing:
        calls = 0

        @cached_property
        def value(self) -> int:
            self.calls += 1
            if self.calls == 1:
                raise ValueError("once")
            return self.calls

    failing = Failing()
    with pytest.raises(ValueError, match="once"):
        _ = failing.value
    assert failing.value == 2
