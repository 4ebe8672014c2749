"""How many objects a compiled layer leaves behind: Python looks through all of them for garbage, while the program waits."""

import gc
import weakref
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.ir import edit
from torchscript_dialect.runtime.interpreter.interpreter import interpret
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.types.core import TorchScriptType

KEPT, GARBAGE = 1250, 30
"""Objects of a layer: those that stay, and those that only a search for garbage finds. On 2026-11-23 there were 391 and 153 (before
reverse graphs and what is compiled was taken apart: 882 and some 730), and later on that day fewer than 40 of the second kind.
On 2026-11-27 there were 1,130 that stay: the norm became a part of the differentiable graph, whose reverse graph is kept until it is run.
On 2026-11-30 there were 20 of the second kind, 25 with Python 3.14, whose collector tracks empty dictionaries.
"""

ROWS = np.linspace(-1, 1, 4 * 8, dtype=np.float32).reshape(4, 8)


class Layer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm(8)
        self.up = torch.nn.Linear(8, 8)
        self.down = torch.nn.Linear(8, 8)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))


class Network(torch.nn.Module):
    def __init__(self, layers: int) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList([Layer() for _ in range(layers)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@pytest.fixture(autouse=True)
def _alone() -> Generator[None]:
    """No collection but those of the test, and no compilation that goes on beside it."""
    was_on = gc.isenabled()
    gc.disable()
    with ts.background_compilation(False):
        yield
    if was_on:
        gc.enable()


def compiled(layers: int) -> tuple[Any, int, int]:
    """A compiled network, and how many objects it keeps and left behind."""
    gc.collect()
    start = len(gc.get_objects())
    network = torch.jit.script(Network(layers))
    x = as_tensor(ROWS)
    for _ in range(4):
        network(x)
    garbage = gc.collect()
    return network, len(gc.get_objects()) - start, garbage


@needs_native_calls
def test_objects_of_a_layer() -> None:
    compiled(3)  # what is imported and made once
    _, kept, garbage = compiled(10)
    _, kept_of_more, garbage_of_more = compiled(30)
    assert (kept_of_more - kept) / 20 < KEPT
    assert (garbage_of_more - garbage) / 20 < GARBAGE


def test_what_is_released_needs_no_search() -> None:
    unit = ts.CompilationUnit(
        "def f(x):\n    for i in range(3):\n        x = x + i\n    return x\n"
    )
    module = unit["f"].module_op.clone()
    gc.collect()
    edit.release(module)
    del module
    assert gc.collect() == 0


def test_erased_ops_need_no_search() -> None:
    unit = ts.CompilationUnit("def f(x):\n    if bool(x):\n        x = x + 1\n    return x\n")
    module = unit["f"].module_op.clone()
    ops: list[Operation] = [op for op in module.walk() if isinstance(op, prim.IfOp)]
    gc.collect()
    while ops:
        op = ops.pop()
        edit.replace_uses(op.results[0], edit.terminator(op.regions[1].block).operands[0])
        edit.erase(op)
    del op
    assert gc.collect() == 0


def test_what_interprets_needs_no_search() -> None:
    unit = ts.CompilationUnit("def f(x: int):\n    return x + 1\n")
    function = unit["f"].module_op.body.block.first_op
    assert isinstance(function, FuncOp)
    run = interpret(function)
    assert run(1) == 2
    gone = weakref.ref(run.source)
    del run
    assert gone() is None


def test_asking_for_classes_keeps_nothing() -> None:
    class Other:
        pass

    before = weakref.getweakrefcount(Other)
    assert not issubclass(Other, TorchScriptOp)
    assert not isinstance(Other(), TorchScriptType)
    assert weakref.getweakrefcount(Other) == before
