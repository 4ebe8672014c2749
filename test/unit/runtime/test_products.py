"""Products as programs call them: on threads, on small stacks, with operands of every layout."""

import subprocess
import sys

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect.runtime.native.thread_pool import get_num_threads, set_num_threads
from torchscript_dialect.tensor.conversion import as_tensor

pytestmark = needs_native_calls


RNG = np.random.default_rng(7)
TEXT = """
def nn(a, b, c):
    return torch.relu(torch.mm(a, b) + c)

def nt(a, b, c):
    return torch.relu(torch.mm(a, b.t()) + c)

def tn(a, b, c):
    return torch.relu(torch.mm(a.t(), b) + c)

def tt(a, b, c):
    return torch.relu(torch.mm(a.t(), b.t()) + c)
"""
ON_A_SMALL_STACK = """
import threading
import numpy as np
import torchscript_dialect as ts

f = ts.CompilationUnit("def f(a, b):\\n    return torch.relu(torch.mm(a, b))\\n").f
x = ts.Tensor(np.ones((600, 600), np.float32))
for _ in range(3):
    f(x, x)
before = f.native_calls
threading.stack_size(128 << 10)
found = []
thread = threading.Thread(target=lambda: found.append(f(x, x)))
thread.start()
thread.join()
assert f.native_calls == before + 1
assert (np.asarray(found[0]) == 600).all()
"""


@pytest.fixture(params=[1, 3])
def threads(request):
    before = get_num_threads()
    set_num_threads(request.param)
    yield
    set_num_threads(before)


@pytest.mark.parametrize("name", ["nn", "nt", "tn", "tt"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_native_products_of_every_layout_and_size(name, dtype, threads):
    function = ts.CompilationUnit(TEXT)[name]
    tolerance = 1e-4 if dtype == "float32" else 1e-11
    calls = 0
    for m, k, n in [(9, 7, 5)] * 3 + [
        (300, 410, 75),
        (64, 256, 300),
        (2, 0, 3),
        (0, 4, 3),
        (17, 900, 1),
    ]:
        a, b, c = (RNG.standard_normal(shape).astype(dtype) for shape in [(m, k), (k, n), (m, n)])
        left = np.ascontiguousarray(a.T) if name[0] == "t" else a
        right = np.ascontiguousarray(b.T) if name[1] == "t" else b
        before = function.native_calls
        got = np.asarray(function(*map(as_tensor, (left, right, c))))
        calls += function.native_calls - before
        np.testing.assert_allclose(got, np.maximum(a @ b + c, 0), rtol=tolerance, atol=tolerance)
    assert calls >= 3


def test_a_matrix_by_itself_transposed():
    """Both operands are one buffer."""
    function = ts.CompilationUnit("def f(a):\n    return torch.relu(torch.mm(a, a.t()))\n").f
    a = RNG.standard_normal((70, 40)).astype(np.float32)
    for _ in range(4):
        got = np.asarray(function(as_tensor(a)))
        np.testing.assert_allclose(got, np.maximum(a @ a.T, 0), rtol=1e-4, atol=1e-4)


def test_what_is_packed_fits_a_small_stack():
    run = subprocess.run([sys.executable, "-c", ON_A_SMALL_STACK], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
