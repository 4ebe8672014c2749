"""In large functions what is called often is compiled once, by itself: Note [Calls that stay]."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect.ir import Graph
from torchscript_dialect.ir.module import functions_of
from torchscript_dialect.runtime.executor import graph_executor

LINES = 40
LAYER = "def layer(x, mask: Optional[Tensor]):\n" + "".join(
    f"    x = torch.tanh(x) + {number}.5\n" for number in range(LINES)
)
LAYER += "    if mask is not None:\n        x = x * mask\n    return x\n"
STACK = "def f(x, mask: Optional[Tensor] = None):\n" + "    x = layer(x, mask)\n" * 6
STACK += "    return x\n"


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Small functions are large, and calls wait for what they need."""
    monkeypatch.setattr(graph_executor, "LARGE", 500)
    monkeypatch.setattr(graph_executor, "REPEATED", 50)
    with ts.background_compilation(False):
        yield


def compiled() -> Any:
    return ts.CompilationUnit(LAYER + STACK)["f"]


def expected(x: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
    for _ in range(6):
        for number in range(LINES):
            x = np.tanh(x) + np.float32(number + 0.5)
        x = x if mask is None else x * mask
    return x


@needs_native_calls
def test_equal_layers_are_compiled_once() -> None:
    f, x = compiled(), np.ones((2, 3), np.float32)
    for size in (3, 3, 3, 5):
        rows = np.full((2, size), 0.25, np.float32)
        np.testing.assert_allclose(f(rows), expected(rows), rtol=1e-5)
    text = str(f.graph_for(x))
    assert text.count("prim::CallFunction") == 6 and "aten::tanh" not in text
    told = ts.explain(f)
    assert "called so often that it is compiled once, by itself: layer" in told
    assert told.count("group 0, native") == 1


def test_what_callees_are_given_still_decides() -> None:
    f, x = compiled(), np.ones((2, 3), np.float32)
    for mask in (None, x * 2, x[:1] * 3, None):
        for _ in range(3):
            found = f(x) if mask is None else f(x, mask)
            np.testing.assert_allclose(found, expected(x, mask), rtol=1e-5)


def test_a_mistake_is_told_with_both_places() -> None:
    f, x = compiled(), np.ones((2, 3), np.float32)
    wrong = np.ones((7, 9), np.float32)
    for _ in range(3):
        with pytest.raises(RuntimeError) as told:
            f(x, wrong)
    text = str(told.value)
    assert "in f\n" in text and "in layer\n" in text


def test_settings_and_edits_are_followed() -> None:
    f, x = compiled(), np.ones((2, 3), np.float32)
    for _ in range(3):
        f(x)
    with ts.fuser("none"):
        np.testing.assert_allclose(f(x), expected(x), rtol=1e-5)
    (layer,) = [op for op in functions_of(f.module_op) if op.sym_name.data == "layer"]
    graph = Graph(layer)
    for node in graph.findAllNodes("aten::tanh"):
        new = graph.create("aten::neg", node.inputs()).insertBefore(node)
        node.output().replaceAllUsesWith(new.output())
        node.destroy()
    wanted = x
    for _ in range(6):
        for number in range(LINES):
            wanted = -wanted + np.float32(number + 0.5)
    for _ in range(3):
        np.testing.assert_allclose(f(x), wanted, rtol=1e-5)
