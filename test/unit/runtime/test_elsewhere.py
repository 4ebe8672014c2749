"""Where there is no machine code, on other systems and without llvmlite, all is interpreted, and nothing tries to compile."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from lowering import backend
from torchscript_dialect import torch
from torchscript_dialect.ops.recurrent import recurrent_layer
from torchscript_dialect.runtime.kernels import recurrence_kernels
from torchscript_dialect.runtime.native import cache, pool_ir, runtime_blob, thread_pool
from torchscript_dialect.utils import llvm
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.forks import at_fork

ROOT = Path(__file__).parents[3]

SCRIPT = """
import mmap, os, platform, sys
import numpy.random  # it asks for what is taken away below
import xdsl.dialects.builtin

platform.uname()
flags = {"O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY", "RTLD_NOLOAD"}
for name in flags | {"register_at_fork", "geteuid", "uname", "sched_getaffinity"}:
    if hasattr(os, name):
        delattr(os, name)
for name in dir(mmap):
    if name.startswith(("MAP_", "PROT_")):
        delattr(mmap, name)
os.supports_dir_fd = set()
sys.platform = "win32"

import torchscript_dialect as ts
from torchscript_dialect import torch

f = ts.CompilationUnit("def f(x, y):\\n    return torch.tanh(x * y).sum()\\n").f
x, y = torch.ones(3, requires_grad=True), torch.arange(3.0)
for _ in range(4):
    assert float(f(x.detach(), y)) == float(torch.tanh(y).sum())
    f(x, y).backward()
assert x.grad is not None and f.native_calls == 0
assert "interpreted, as native calls need CPython on Linux" in ts.explain(f)
lstm = torch.nn.LSTM(2, 2)
for _ in range(3):
    lstm(torch.ones(1000, 1, 2))[0].sum().backward()
torch.set_num_threads(torch.get_num_threads())
assert torch.cdist(torch.ones(50, 3), torch.ones(50, 3)).shape == (50, 50)
loaded = {name.partition(".")[0] for name in sys.modules}
assert "llvmlite" not in loaded and "lowering.compiler" not in sys.modules
"""


def test_a_program_runs_where_the_system_has_little_of_linux(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT],
        cwd=ROOT,
        env={**os.environ, "TORCHSCRIPT_DIALECT_CACHE": str(tmp_path)},
        check=True,
    )
    assert not list(tmp_path.iterdir())


def test_nothing_is_lowered_without_native_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "HAS_NATIVE_CALLS", False)
    monkeypatch.setattr(backend, "_compiler", lambda: pytest.fail("it tries to compile"))
    f = ts.CompilationUnit("def f(x):\n    return torch.tanh(x * x + 41.0)\n").f

    class Local:
        """What a call that cannot compile has in its frame."""

    def call() -> weakref.ref[Local]:
        local = Local()
        for _ in range(4):
            np.testing.assert_allclose(f(np.ones(3)), np.tanh([42.0] * 3))
        return weakref.ref(local)

    gc.disable()
    try:
        assert call()() is None
    finally:
        gc.enable()
    assert f.native_calls == 0


def test_recurrences_stay_with_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "HAS_NATIVE_CALLS", False)
    monkeypatch.setattr(backend, "_compiler", lambda: pytest.fail("it tries to compile"))
    recurrence_kernels._native.cache_clear()
    layer: Any = torch.nn.GRU(3, 2).requires_grad_(False)
    x = torch.ones(5, 1, 3)
    expected = layer(x)[0]
    monkeypatch.setattr(recurrent_layer.NATIVE, "many", -1)
    assert torch.equal(layer(x)[0], expected)
    recurrence_kernels._native.cache_clear()


def test_the_runtime_compiles_nothing_without_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_blob, "is_installed", lambda: False)
    with pytest.raises(runtime_blob.NativeUnavailable, match="llvmlite"):
        runtime_blob.load_runtime_code("new", lambda: pytest.fail("a text"), functions=["f"])


def test_who_needs_llvm_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm, "is_installed", lambda: False)
    with pytest.raises(TorchScriptError, match="llvmlite, which is not installed"):
        llvm.binding.__wrapped__()
    assert not llvm.host_features.__wrapped__()  # keys of kernels ask, with passes of a user's


def test_what_other_systems_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "register_at_fork", raising=False)
    at_fork(before=lambda: None)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.delenv("TORCHSCRIPT_DIALECT_NUM_THREADS", raising=False)
    assert thread_pool._default_threads() == min(os.cpu_count() or 1, pool_ir.MAX_THREADS)
    monkeypatch.setattr(os, "supports_dir_fd", set[Any]())
    assert cache.default_directory() is None
