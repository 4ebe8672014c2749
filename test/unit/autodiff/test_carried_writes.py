"""Writes to what loops carry, or give: new tensors where nothing has kept the old ones for the way back, and errors where something has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch


@pytest.fixture(autouse=True)
def compiled_at_once() -> Iterator[None]:
    with ts.background_compilation(False):
        yield


WHOLE = {
    "two writes in each trip": """
def f(x, w, n: int):
    s = x[0] + w
    for i in range(n):
        s += x[i] * w
        s += torch.tanh(x[i])
    return s
""",
    "a write behind the loop": """
def f(x, w, n: int):
    s = x[0] + w
    for i in range(n):
        s = torch.where(x[i] > 0, torch.sin(s + w), s)
    s += w
    return s * s
""",
    "in and behind the loop": """
def f(x, w, n: int):
    s = x[0] + w
    for i in range(n):
        s += x[i] * w
    s *= 2.0
    t = torch.sin(s * 0.1)
    t += w
    return t * s
""",
    "a mask that was written before": """
def f(x, w, n: int):
    mask = torch.ones(4)
    for i in range(n):
        mask[i] = 0.0
    s = x[0] + w
    for i in range(n):
        s = torch.where(mask[:3] > 0, torch.sin(s + w), s * mask[1])
    return s
""",
}
ELSEWHERE = {
    "the mask is written later": """
def f(x, w, n: int):
    mask = torch.ones(4)
    s = x[0] + w
    for i in range(n):
        s = torch.where(mask[:3] > 0, torch.sin(s + w), s)
        mask[i] = 0.0
    return s, mask
""",
    "what the loop begins with is seen": """
def f(x, w, n: int):
    r = x[0] + w
    s = r
    for i in range(n):
        s = s + x[i]
    s += w
    return s, r
""",
    "a view of it is seen": """
def f(x, w, n: int):
    r = x[0] + w
    s = r
    v = r[:2]
    for i in range(n):
        s += x[i]
    return s, v
""",
    "another name is carried, too": """
def f(x, w, n: int):
    s = x[0] + w
    t = s
    for i in range(n):
        s += x[i]
        t = s
    s += w
    return s, t
""",
    "a list holds it": """
def f(x, w, n: int):
    s = x[0] + w
    kept = [s]
    for i in range(n):
        s += x[i]
    return s, kept[0]
""",
    "each of two loops": """
def f(x, w, n: int):
    s = x[0] + w
    for i in range(n):
        r = s
        for j in range(n):
            r += x[j]
        s = s + 1.0
    return s
""",
}
KEPT = {
    "a product keeps what the next trip writes to": """
def f(x, w, n: int):
    s = x[0] + w
    y = x[0] * 0.0
    for i in range(n):
        s += x[i]
        y = y + s * w
    return y
""",
    "the maker keeps what the next trip writes to": """
def f(x, w, n: int):
    s = x[0] + w
    for i in range(n):
        s += x[i]
        s = torch.tanh(s)
    s += w
    return s
""",
    "a trip keeps what is written to behind the loop": """
def f(x, w, n: int):
    s = x[0] + w
    y = x[0] * 0.0
    for i in range(n):
        s = s + x[i]
        y = y + s * w
    s += 1.0
    return y + s
""",
    "a product with itself": """
def f(x, w, n: int):
    s = x[0] + w
    for i in range(n):
        s = s + x[i]
    s *= s
    return s
""",
    "a view is kept": """
def f(x, w, n: int):
    s = x[0] + w
    y = x[0] * 0.0
    for i in range(n):
        y = y + s.view(-1) * w
        s += x[i]
    return y
""",
}
TRIPS = (2, 2, 2, 2, 2, 3, 0, 2)


def eager(source: str) -> Any:
    names: dict[str, Any] = {"torch": torch}
    exec(source, names)
    return names["f"]


def outcome(function: Any, trips: int) -> list[Any]:
    """The results and gradients of a call, or the error."""
    numbers = np.random.default_rng(0)
    x, w = (torch.tensor(numbers.normal(size=s).astype(np.float32)) for s in ((4, 3), (3,)))
    x.requires_grad_()
    w.requires_grad_()
    found = function(x, w, trips)
    results = found if isinstance(found, tuple) else (found,)
    try:
        torch.stack([one.sum() for one in results]).sum().backward()
    except RuntimeError as error:
        assert "modified by an inplace operation" in str(error)
        return ["modified"]
    gradients = [None if one.grad is None else one.grad.numpy() for one in (x, w)]
    return [*(one.detach().numpy() for one in results), *gradients]


@pytest.mark.parametrize("name", [*WHOLE, *ELSEWHERE, *KEPT])
def test_outcomes_are_those_of_eager_operators(name: str) -> None:
    source = (WHOLE | ELSEWHERE | KEPT)[name]
    compiled, plain = ts.CompilationUnit(source)["f"], eager(source)
    raised = 0
    for trips in TRIPS:
        found, wanted = outcome(compiled, trips), outcome(plain, trips)
        assert len(found) == len(wanted)
        raised += wanted == ["modified"]
        for one, other in zip(found, wanted, strict=True):
            if isinstance(other, np.ndarray):
                np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
            else:
                assert one == other
    assert bool(raised) == (name in KEPT)


@pytest.mark.parametrize("name", WHOLE)
def test_one_graph_holds_the_loop(name: str) -> None:
    compiled = ts.CompilationUnit(WHOLE[name])["f"]
    for trips in TRIPS:
        outcome(compiled, trips)
    plans = compiled._executor.gradient_plans.values()  # pyright: ignore[reportPrivateUsage]
    assert [len(plan.graphs) for plan in plans] == [1]


class Sums(torch.nn.Module):
    def __init__(self, sets: bool) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3) * 0.5)
        self.sets = sets
        self.scale = 1.0

    def forward(self, x, n: int):
        s = torch.sin(x[0] * self.weight)
        for i in range(n):
            s = torch.tanh(s * self.weight + x[i]) * self.scale
            if self.sets:
                self.scale = self.scale * 0.5
        return s


@pytest.mark.parametrize("sets", [False, True])
def test_attributes_are_read_before_a_loop_that_sets_none(sets: bool) -> None:
    script, plain = torch.jit.script(Sums(sets)), Sums(sets)
    x = torch.tensor(np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3))
    for trips in TRIPS:
        found: list[Any] = []
        for module in (script, plain):
            module.weight.grad, module.scale = None, 1.0
            module(x, trips).sum().backward()
            found.append(module.weight.grad)
        np.testing.assert_allclose(found[0].numpy(), found[1].numpy(), rtol=1e-5, atol=1e-6)
    if not sets:
        plans = script.forward._executor.gradient_plans.values()
        assert [len(plan.graphs) for plan in plans] == [1]


STACKED = """
def f(x, w, n: int):
    made = []
    for i in range(n):
        made.append(torch.tanh(x[i] * w))
    return torch.sigmoid(torch.stack(made).mm(w.view(3, 1))) * 2.0
"""


def test_what_is_made_of_a_list_that_a_loop_fills_is_known_from_runs() -> None:
    """The empty list holds nothing that requires a gradient, and what is appended to it does."""
    compiled, plain = ts.CompilationUnit(STACKED)["f"], eager(STACKED)
    for _ in range(6):
        for one, other in zip(outcome(compiled, 3), outcome(plain, 3), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    (plan,) = compiled._executor.gradient_plans.values()  # pyright: ignore[reportPrivateUsage]
    assert any("aten.mm" in str(graph) for graph in plan.graphs)
