"""Exported text, compiled by IREE where that is installed (`pip install iree-base-compiler iree-base-runtime`), gives our results.

IREE brings upstream's MLIR, whose parser and verifier read the text first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.exported_functions import FUNCTIONS, PROGRAMS, flat, function_of

tools: Any = pytest.importorskip("iree.compiler.tools")
mlir: Any = pytest.importorskip("iree.compiler.ir")
runtime: Any = pytest.importorskip("iree.runtime")

FLAGS = ["--iree-llvmcpu-target-cpu=generic", "--iree-input-demote-f64-to-f32=false"]


def compiled(text: str) -> Any:
    """The function of a module's text."""
    verify(text)
    binary = tools.compile_str(text, target_backends=["llvm-cpu"], extra_args=FLAGS)
    context = runtime.SystemContext(config=runtime.Config("local-sync"))
    context.add_vm_module(runtime.VmModule.copy_buffer(context.instance, binary))
    return context.modules.module.forward


def verify(text: str) -> None:
    """Let upstream's MLIR read a module."""
    with mlir.Context(), mlir.Location.unknown():
        assert mlir.Module.parse(text).operation.verify()


def assert_same(results: Any, wanted: Any) -> None:
    given = list(results) if isinstance(results, (tuple, list)) else [results]
    for one, other in zip(given, flat(wanted), strict=True):
        expected = other.numpy() if isinstance(other, ts.Tensor) else other
        got = one.to_host() if hasattr(one, "to_host") else one
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_iree_gives_our_results(name: str) -> None:
    expression, args = FUNCTIONS[name]
    f = function_of(expression, len(args))
    assert_same(compiled(str(ts.to_linalg(f, args)))(*args), f(*args))


@pytest.mark.parametrize("name", PROGRAMS)
def test_iree_takes_control_flow(name: str) -> None:
    source, calls = PROGRAMS[name]
    f = ts.CompilationUnit(source).f
    forward = compiled(str(ts.to_linalg(f, calls[0])))
    for args in calls:
        assert_same(forward(*args), f(*args))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_upstream_verifies_memrefs(name: str) -> None:
    expression, args = FUNCTIONS[name]
    verify(str(ts.to_linalg(function_of(expression, len(args)), args, bufferize=True)))
