"""Exported text, compiled by IREE where that is installed (`pip install iree-base-compiler iree-base-runtime`), gives our results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from unit.lowering.test_export import FUNCTIONS, flat, function_of

tools: Any = pytest.importorskip("iree.compiler.tools")
runtime: Any = pytest.importorskip("iree.runtime")

FLAGS = ["--iree-llvmcpu-target-cpu=generic", "--iree-input-demote-f64-to-f32=false"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_iree_gives_our_results(name: str) -> None:
    expression, args = FUNCTIONS[name]
    f = function_of(expression, len(args))
    text = str(ts.to_linalg(f, args))
    compiled = tools.compile_str(text, target_backends=["llvm-cpu"], extra_args=FLAGS)
    context = runtime.SystemContext(config=runtime.Config("local-sync"))
    context.add_vm_module(runtime.VmModule.copy_buffer(context.instance, compiled))
    results = context.modules.module.forward(*args)
    given = list(results) if isinstance(results, (tuple, list)) else [results]
    for one, other in zip(given, flat(f(*args)), strict=True):
        wanted = other.numpy() if isinstance(other, ts.Tensor) else other
        got = one.to_host() if hasattr(one, "to_host") else one
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)
