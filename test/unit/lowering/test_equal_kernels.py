"""Groups of one function that have the same kernel: it is compiled once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from lowering import compiler
from lowering.compiler import compile_modules
from torchscript_dialect.dialects import prim
from torchscript_dialect.passes.lists import current
from torchscript_dialect.runtime.kernels.kernels import module_of

LAYERS = """
def f(x, v, w):
    x = torch.relu(torch.mm(x, v) + 1)
    x = torch.relu(torch.mm(torch.cumsum(x, 0), w) + {number})
    return x
"""


def floats(*shape: int) -> Any:
    return np.sin(np.arange(np.prod(shape), dtype=np.float32)).reshape(shape)


def outcomes(source: str, *args: Any) -> list[Any]:
    """The kernels of the groups of a function."""
    graph = ts.CompilationUnit(source).f.graph_for(*args)
    groups = [op for op in graph.module_op.walk() if isinstance(op, prim.TensorExprGroupOp)]
    assert len(groups) == 2
    return compile_modules([module_of(group.body) for group in groups], current())


ARGS = (floats(3, 4), floats(4, 5), floats(5, 6))


def test_layers_of_other_sizes_share_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    lowered: list[Any] = []

    def compiled(module: Any, *rest: Any, **named: Any) -> Any:
        lowered.append(module)
        return compile_module(module, *rest, **named)

    compile_module = compiler.compile_module
    monkeypatch.setattr(compiler, "compile_module", compiled)
    first, second = outcomes(LAYERS.format(number=1), *ARGS)
    assert first is second
    assert len(lowered) == 1


def test_kernels_that_compute_something_else_are_others() -> None:
    first, second = outcomes(LAYERS.format(number=2), *ARGS)
    assert first is not second


def test_sizes_that_broadcast_make_another_kernel() -> None:
    source = "def f(x, y):\n    x = torch.exp(x * y) + 1\n    z = torch.cumsum(x, 0)\n    return torch.exp(z * z) + 1, x\n"
    first, second = outcomes(source, floats(3, 4), floats(3, 1))
    assert first is not second


def test_a_function_of_equal_kernels_gives_what_numpy_gives() -> None:
    x, v, w = ARGS
    f = ts.CompilationUnit(LAYERS.format(number=1)).f
    hidden = np.maximum(x @ v + 1, 0)
    wanted = np.maximum(np.cumsum(hidden, 0) @ w + 1, 0)
    for _ in range(3):
        np.testing.assert_allclose(f(x, v, w).numpy(), wanted, rtol=1e-5)
