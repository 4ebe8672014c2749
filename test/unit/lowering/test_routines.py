"""Functions that kernels share: compiled once in a process, kept on disk, in one module with what passes of a user touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

import torchscript_dialect as ts
from lowering import routines
from lowering.compiler import compile_modules
from lowering.llvm import object as llvm_object
from support.native_calls import needs_native_calls
from torchscript_dialect.dialects import prim
from torchscript_dialect.passes.lists import current
from torchscript_dialect.runtime.kernels.kernels import module_of
from torchscript_dialect.runtime.native.executable import NativeKernel
from torchscript_dialect.utils.memo import Memo

pytestmark = needs_native_calls


SCALED = "def f(x, w):\n    return torch.relu(torch.mm(x, w.t())) * {}\n"
MOVED = "def f(x, w):\n    return torch.tanh(torch.mm(torch.exp(x), w.t()) - {})\n"
X = np.sin(np.arange(12, dtype=np.float32)).reshape(3, 4)
W = np.cos(np.arange(20, dtype=np.float32)).reshape(5, 4)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What LLVM compiles from now on, in a process that knows no routine, with an empty cache."""
    seen: list[str] = []

    def counted(text: str, *others: Any) -> bytes:
        seen.append(text)
        return compile_ir(text, *others)

    compile_ir = llvm_object.compile_ir
    monkeypatch.setattr(llvm_object, "compile_ir", counted)
    monkeypatch.setattr(routines, "_known", Memo(8))
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CACHE", str(tmp_path))
    return seen


def scaled(number: int) -> None:
    """Compile and check a product; each test takes other numbers, as a process keeps what it has compiled."""
    check(SCALED.format(number), np.maximum(X @ W.T, 0) * number)


def moved(number: int) -> None:
    """The same for another program."""
    check(MOVED.format(number), np.tanh(np.exp(X) @ W.T - number))


def check(source: str, expected: Any) -> None:
    function = ts.CompilationUnit(source).f
    for _ in range(3):
        np.testing.assert_allclose(function(X, W).numpy(), expected, rtol=1e-5, atol=1e-6)


def products(compiled: list[str]) -> int:
    return sum("define void @matmul_f32_ntn(" in text for text in compiled)


def test_two_kernels_share_a_product(compiled: list[str]) -> None:
    scaled(2)
    moved(2)
    assert (len(compiled), products(compiled)) == (3, 1)


def test_another_process_finds_routines_on_disk(
    compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scaled(3)
    monkeypatch.setattr(routines, "_known", Memo(8))
    moved(3)
    assert (len(compiled), products(compiled)) == (3, 1)


def test_passes_of_a_user_see_a_kernel_with_its_products(compiled: list[str]) -> None:
    seen: list[str] = []

    class Look(ModulePass):
        name = "look"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            seen.extend(one.sym_name.data for one in op.ops if isinstance(one, FuncOp))

    with ts.add_pass(Look(), after="ts-matmul-to-loops"):
        scaled(4)
    assert "matmul_f32_ntn" in seen
    assert (len(compiled), "define internal void @matmul_f32_ntn(" in compiled[0]) == (1, True)


def test_the_bytes_of_a_kernel_hold_its_routines() -> None:
    graph = ts.CompilationUnit(SCALED.format(5)).f.graph_for(X, W)
    (group,) = [op for op in graph.module_op.walk() if isinstance(op, prim.TensorExprGroupOp)]
    (kernel,) = compile_modules([module_of(group.body)], current())
    assert isinstance(kernel, NativeKernel)
    blob = NativeKernel.from_bytes(kernel.serialize()).blob
    assert ("matmul_f32_ntn" in blob.symbols, blob.imports) == (True, [])
