"""Exported text, read by upstream's MLIR where torch-mlir is installed (`pip install --no-deps torch-mlir`).

Its verifier takes tensors and memrefs, and its passes go on with them down to the llvm dialect.
"""

from __future__ import annotations

from typing import Any

import pytest

import torchscript_dialect as ts
from support.exported_functions import FUNCTIONS, PROGRAMS, function_of

mlir: Any = pytest.importorskip("torch_mlir.ir")
passes: Any = pytest.importorskip("torch_mlir.passmanager")

TO_LLVM = (
    "builtin.module(one-shot-bufferize{bufferize-function-boundaries=true allow-return-allocs-from-loops=true},"
    "func.func(convert-linalg-to-loops),expand-strided-metadata,lower-affine,convert-scf-to-cf,"
    "func.func(convert-math-to-llvm),convert-math-to-libm,finalize-memref-to-llvm,convert-arith-to-llvm,"
    "convert-index-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
)


def assert_upstream_takes(exported: Any) -> None:
    with mlir.Context(), mlir.Location.unknown():
        module = mlir.Module.parse(str(exported))
        assert module.operation.verify()
        passes.PassManager.parse(TO_LLVM).run(module.operation)
        names: set[str] = set()
        module.operation.walk(lambda op: (names.add(op.name), mlir.WalkResult.ADVANCE)[1])
    assert {name.split(".")[0] for name in names} == {"builtin", "llvm"}


@pytest.mark.parametrize("bufferize", [False, True])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_upstream_takes_functions(name: str, bufferize: bool) -> None:
    expression, args = FUNCTIONS[name]
    assert_upstream_takes(
        ts.to_linalg(function_of(expression, len(args)), args, bufferize=bufferize)
    )


@pytest.mark.parametrize("bufferize", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_upstream_takes_control_flow(name: str, bufferize: bool) -> None:
    source, calls = PROGRAMS[name]
    f = ts.CompilationUnit(source).f
    assert_upstream_takes(ts.to_linalg(f, calls[0], bufferize=bufferize))


@pytest.mark.parametrize("bufferize", [False, True])
def test_upstream_takes_sizes_that_may_be_others(bufferize: bool) -> None:
    f = function_of("torch.cat([x.softmax(2), x * 2], 1)[1:]", 1)
    _, args = FUNCTIONS["sum_middle"]
    text = ts.to_linalg(f, args, dynamic={"x": [1]}, bufferize=bufferize)
    assert_upstream_takes(text)
