"""Graphs of gradients are freed as they are left, and a thousand steps of training take no more memory than some."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from collections.abc import Callable, Generator
from typing import Any

import pytest

from support.amounts import IS_LONG
from torchscript_dialect import torch
from torchscript_dialect.tensor import versions


@pytest.fixture(autouse=True)
def no_collection() -> Generator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


STEPS = 1000 if IS_LONG else 60


def watched_after(run: Callable[[], Any]) -> int:
    """How much more memory is watched once `run` is over."""
    run()
    gc.collect()
    before = len(versions._watched)
    run()
    return len(versions._watched) - before


def compiled(x, w):
    y = torch.tanh(x * w)
    if bool(y.sum() > 100):
        raise ValueError("too large")
    return torch.bincount(y.long(), y) if w.size(0) == 3 else y.sum()


def test_graphs_are_freed_without_a_collection() -> None:
    f = torch.jit.script(compiled)

    def run() -> None:
        x, w = torch.ones(2).requires_grad_(), torch.ones(2).requires_grad_()
        for _ in range(3):
            f(x, w).backward()
        (first,) = torch.autograd.grad(f(x, w), x, create_graph=True)
        first.sum().backward()
        f(x, w)  # goes nowhere

    assert watched_after(run) == 0


def test_graphs_are_freed_after_errors() -> None:
    f = torch.jit.script(compiled)

    def run() -> None:
        large = (torch.ones(200) * 10).requires_grad_()
        with pytest.raises(RuntimeError, match="too large"):
            f(large, large)
        x = torch.ones(3).requires_grad_()
        with pytest.raises(RuntimeError, match="not implemented"):
            f(x, x).sum().backward()
        with pytest.raises(RuntimeError, match="nrows > ncols"):
            torch.linalg.qr(torch.ones(3, 2).requires_grad_(), "complete")[1].sum().backward()

    assert watched_after(run) == 0


def test_nodes_do_not_outlive_their_results() -> None:
    x = torch.ones(2).requires_grad_()
    y = torch.exp(x)
    node = weakref.ref(y.grad_fn)
    view = y[:1]
    view.mul_(2)
    del y, view
    assert node() is None


def test_a_thousand_steps_take_no_more_memory() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
    model.requires_grad_()
    f = torch.jit.script(model)
    optimizer = torch.optim.Adam(model.parameters())
    x = torch.ones(16, 4)

    def train(steps: int) -> int:
        for _ in range(steps):
            optimizer.zero_grad()
            f(x).sum().backward()
            optimizer.step()
        return tracemalloc.get_traced_memory()[0] // steps

    train(20)
    tracemalloc.start()
    try:
        before = train(1)
        after = train(STEPS)
    finally:
        tracemalloc.stop()
    of_a_graph = 6000
    assert (
        after - before / STEPS < of_a_graph / 4
    )  # lists of freed objects of the interpreter fill slowly
