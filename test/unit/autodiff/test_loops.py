"""Gradients of loops in differentiable graphs (Note [Gradients of loops]): the same as those of eager operators on the tape."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

PROGRAMS = {
    "carries one": """
def f(x, w, b, n: int):
    h = x
    for i in range(n):
        h = torch.tanh(h.mm(w) + b) * 0.9
    return h
""",
    "passes a value on": """
def f(x, w, b, n: int):
    h = x
    p = x
    for i in range(n):
        q = h
        h = torch.tanh(h.mm(w) + b) + p * 0.1
        p = q
    return h * p
""",
    "reads the trip number": """
def f(x, w, b, n: int):
    h = x
    for i in range(n):
        h = torch.tanh(h * w.sum() + b) * float(i) * 0.1 + h
    return h
""",
    "writes over what it carries": """
def f(x, w, b, n: int):
    h = x
    g = x
    for i in range(n):
        g = torch.tanh(x.mm(w) + b) + g.sum() * 0.001
        h = torch.sin(x) * torch.exp(w)
    return h + g
""",
    "carries what grows": """
def f(x, w, b, n: int):
    h = x
    for i in range(n):
        h = torch.cat([h, torch.tanh(h[:4] * w + b)])
    return h
""",
    "holds another loop": """
def f(x, w, b, n: int):
    h = x
    for i in range(n):
        g = h
        for j in range(n + 1):
            g = torch.sin(g * 0.5 + b) * 0.9 - torch.tanh(h) * 0.01
        h = torch.tanh(g.mm(w)) + h * 0.1
    return h
""",
}
PROGRAMS |= {
    "multiplies by matrices that all trips read": """
def f(x, w, b, n: int):
    h = x
    g = x
    for i in range(n):
        g = torch.tanh(x.mm(w.t()) + h.mm(w.t()) + b) + g.mm(w) * 0.1
        h = torch.sin(g.mm(x)) * 0.5
    return h + g
""",
    "makes forty trips": """
def f(x, w, b, n: int):
    h = x
    for i in range(40):
        h = torch.tanh(x.mm(w.t()) + h.mm(w.t()) + b) * 0.5
    return h * float(n)
""",
    "holds a loop with products": """
def f(x, w, b, n: int):
    h = x
    for i in range(3):
        for j in range(n):
            h = torch.tanh(h.mm(w.t()) + x.mm(w) + b)
        for k in range(70):
            h = torch.sin(h.mm(w) * 0.1 + x.mm(w) * 0.1 + b * 0.1)
    return h
""",
}
TRIPS = (3, 3, 3, 0, 5, 3, -2)
FEW = {"holds a loop with products": 3}
"""How many of them long programs are tried with."""
SHAPES = ((4, 4), (4, 4), (4,))
ALL = (True, True, True)


def _leaves(requires: tuple[bool, ...] = ALL) -> list[Any]:
    numbers = np.random.default_rng(0)
    arrays = [numbers.standard_normal(shape).astype(np.float32) * 0.5 for shape in SHAPES]
    return [torch.tensor(a, requires_grad=needs) for a, needs in zip(arrays, requires, strict=True)]


def _eager(source: str) -> Any:
    names: dict[str, Any] = {"torch": torch}
    exec(source, names)
    return names["f"]


def _gradients(function: Any, args: list[Any], trips: int) -> list[Any]:
    """The result, and the first and the second derivatives; None for what has no gradient."""
    wanted = [one for one in args if one.requires_grad]
    result = function(*args, trips)
    if not result.requires_grad:
        return [result]
    first = torch.autograd.grad(
        (result * result).sum(), wanted, create_graph=True, allow_unused=True
    )
    total = sum((one * one).sum() for one in first if one is not None)
    second = torch.autograd.grad(total, wanted, allow_unused=True)
    plain = torch.autograd.grad(function(*args, trips).sum(), wanted, allow_unused=True)
    return [result, *first, *second, *plain]


@pytest.mark.parametrize(
    ("name", "requires"),
    [*((name, ALL) for name in PROGRAMS), ("passes a value on", (False, True, False))],
)
def test_gradients_are_those_of_the_tape(name: str, requires: tuple[bool, ...]) -> None:
    source = PROGRAMS[name]
    compiled, eager = ts.CompilationUnit(source)["f"], _eager(source)
    for trips in TRIPS[: FEW.get(name)]:
        found = _gradients(compiled, _leaves(requires), trips)
        expected = _gradients(eager, _leaves(requires), trips)
        for one, other in zip(found, expected, strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(
                    one.detach().numpy(), other.detach().numpy(), rtol=2e-4, atol=1e-5
                )


def test_a_matrix_that_all_trips_multiply_by_has_one_product_as_its_gradient() -> None:
    compiled, leaves = _ready()
    node: Any = compiled(*leaves, 5).grad_fn
    text = str(node.graph.executor.function)
    inside, _, after = text.partition("prim.Loop")[2].partition("aten.cat")
    assert inside.count("aten.append") == 2
    assert after.count("aten.mm") == 1


def _ready(name: str = "carries one") -> tuple[Any, list[Any]]:
    """A compiled function that has a plan, and its arguments."""
    compiled = ts.CompilationUnit(PROGRAMS[name])["f"]
    for _ in range(5):
        compiled(*_leaves(), 5).sum().backward()
    return compiled, _leaves()


def test_a_loop_is_one_node_of_the_tape() -> None:
    compiled, leaves = _ready()
    node = compiled(*leaves, 5).grad_fn
    assert node.name().endswith("::DifferentiableGraphBackward")
    assert [to.name() for to, _ in node.next_functions] == ["torch::autograd::AccumulateGrad"] * 3


def test_a_result_that_a_trip_needs_is_watched() -> None:
    source = (
        "def f(x, n: int):\n    for i in range(n):\n        x = torch.tanh(x * 2.0)\n    return x\n"
    )
    compiled = ts.CompilationUnit(source)["f"]
    for _ in range(5):
        leaf = torch.ones(3, requires_grad=True)
        result = compiled(leaf, 4)
        result.sum().backward()
    result = compiled(leaf, 4)
    assert result.grad_fn.name().endswith("::DifferentiableGraphBackward")
    result.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result.sum().backward()


def test_what_a_loop_begins_with_is_watched() -> None:
    compiled, (_, w, b) = _ready()
    x = torch.ones(4, 4)
    for _ in range(4):
        result = compiled(x, w, b, 5)
    assert result.grad_fn.name().endswith("::DifferentiableGraphBackward")
    x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result.sum().backward()


def test_sizes_that_a_later_trip_changes_are_not_those_of_the_first() -> None:
    """A size of 1 was taken for that of all trips, where gradients were wanted."""
    source = """
def f(x, rows, places, n: int):
    for i in range(n):
        y = x * 2
        flat = y.view([y.size(0) * y.size(1)])
        x = rows.index_select(0, places) + flat.sum()
    return x
"""
    compiled = ts.CompilationUnit(source)["f"]
    with ts.background_compilation(False):
        for _ in range(4):
            x = torch.ones(1, 1, requires_grad=True)
            rows = torch.ones(7, 1, requires_grad=True)
            result = compiled(x, rows, torch.tensor([1, 2, 3]), 2)
            result.sum().backward()
            assert result.tolist() == [[19.0]] * 3
            assert x.grad.tolist() == [[36.0]]
            assert rows.grad[:, 0].tolist() == [0.0, 7.0, 7.0, 7.0, 0.0, 0.0, 0.0]


def test_a_graph_with_a_loop_is_retained() -> None:
    compiled, (x, w, b) = _ready()
    result = compiled(x, w, b, 5).sum()
    result.backward(retain_graph=True)
    once = w.grad.numpy().copy()
    result.backward()
    np.testing.assert_allclose(w.grad.numpy(), 2 * once, rtol=1e-6)
    with pytest.raises(RuntimeError, match="second time"):
        result.backward()


def test_a_graph_with_a_loop_is_freed_without_collection() -> None:
    compiled, leaves = _ready("passes a value on")
    gc.collect()
    gc.disable()
    try:
        for goes_back in (False, True):
            result = compiled(*leaves, 5)
            if goes_back:
                result.sum().backward()
            node = weakref.ref(result.grad_fn)
            del result
            assert node() is None
    finally:
        gc.enable()


def test_steps_that_append_what_they_compute_are_kernels() -> None:
    """Which one of the elements a trip takes says nothing of its sizes."""
    unit = ts.CompilationUnit("""
def f(x, h, w):
    ways: List[Tensor] = []
    for step in range(x.size(0)):
        h = torch.tanh(torch.linear(h, w) + x[step]) * torch.sigmoid(x[step])
        ways.append(h)
    return torch.stack(ways)
""")
    f = unit["f"]
    x, h = torch.ones(3, 2, 4), torch.zeros(2, 4)
    w = torch.full((4, 4), 0.5).requires_grad_()
    with ts.background_compilation(False), ts.tiered_compilation(False):
        for _ in range(3):
            f(x, h, w).sum().backward()
        assert "forward by 1 groups" in ts.explain(f)
