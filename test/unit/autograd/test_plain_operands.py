"""Calls that need no gradients while something in the process does: what they follow, and that kernels serve them."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from torchscript_dialect import torch
from torchscript_dialect.autograd.history import FEW_VIEWS, known
from torchscript_dialect.ops.eager import often
from torchscript_dialect.ops.eager.call_cache import cached_calls, forget_cached_calls
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS, NativeCallable
from torchscript_dialect.torch import autograd

FEW = 4

needs_native_calls = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="needs native calls")


@pytest.fixture(autouse=True)
def in_use(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Kernels after few calls, in a process where gradients are in use."""
    monkeypatch.setattr(often, "OFTEN", FEW)
    forget_cached_calls()
    yield torch.ones(1, requires_grad=True)
    forget_cached_calls()


def chosen(name: str) -> list[Any]:
    """What runs the calls of an operator."""
    return [cached.kernel for cached in cached_calls(name).values()]


def test_views_of_plain_tensors_begin_to_require_gradients_with_their_base() -> None:
    for _ in range(FEW + 2):
        x = torch.zeros(2, 2)
        row, turned = x[0], x.t().unsqueeze(0)
        w = torch.tensor(3.0, requires_grad=True)
        x.mul_(0).add_(w)
        assert row.requires_grad and turned.requires_grad
        (gradient,) = autograd.grad(row.sum() + 10 * turned.sum(), w)
        assert gradient is not None
        assert gradient.item() == 42


def test_a_write_to_a_plain_view_goes_through_its_base() -> None:
    for _ in range(FEW + 2):
        x = torch.zeros(4)
        part = x.view(2, 2)[1]
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        part.copy_(w)
        (gradient,) = autograd.grad((x * x).sum(), w)
        assert gradient is not None
        assert gradient.tolist() == [2, 4]
        assert part._base is x


def test_views_of_several_and_of_no_grad_must_not_be_written_to() -> None:
    w = torch.ones(2, requires_grad=True)
    for _ in range(FEW + 2):
        x = torch.zeros(4)
        first, _ = x.split(2)
        with pytest.raises(RuntimeError, match="returns multiple views"):
            first.add_(w)
        with torch.no_grad():
            view = x.view(2, 2)
        with pytest.raises(RuntimeError, match="created in no_grad mode"):
            view.add_(w)


def test_copies_are_no_views() -> None:
    for _ in range(FEW + 2):
        x = torch.zeros(2, 3)
        flat = x.t().reshape(6)
        assert flat._base is None
        assert x.reshape(6)._base is x
        assert x.contiguous() is x


def test_plain_writes_to_what_a_gradient_needs_are_counted() -> None:
    w = torch.ones(2, requires_grad=True)
    for _ in range(FEW + 2):
        x = torch.ones(2)
        y = (w * x).sum()
        x.add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.backward()


def test_views_that_are_gone_are_forgotten() -> None:
    x = torch.zeros(2)
    held = x[0]
    for _ in range(10 * FEW_VIEWS):
        x.view(1, 2)
    own = known(x)
    assert own is not None
    assert len(own.views) <= FEW_VIEWS
    assert held is not None


@needs_native_calls
def test_operators_on_what_requires_gradients_are_native_where_none_are_wanted(
    in_use: Any,
) -> None:
    x, w = torch.ones(2, 2), torch.ones(2, 2, requires_grad=True)
    for _ in range(FEW + 1):
        assert torch.add(x, w).requires_grad
    with torch.no_grad():
        for _ in range(4 * FEW):
            assert not torch.add(x, w).requires_grad
    (kernel,) = (k for k in chosen("aten::add") if isinstance(k, NativeCallable))
    before = kernel.native_calls
    with torch.no_grad():
        torch.add(x, w)
    is_alone = (
        "torch" not in sys.modules
    )  # beside PyTorch the mode is PyTorch's, and is asked for in Python
    assert kernel.native_calls == before + is_alone
    assert torch.add(x, w).requires_grad
    assert kernel.native_calls == before + is_alone


@needs_native_calls
def test_views_and_writes_of_plain_tensors_have_native_programs() -> None:
    x = torch.ones(2, 2)
    for _ in range(FEW + 1):
        x.view(4)
        x.add_(1)
    before = x.sum().item()
    assert x.view(4)._base is x
    x.add_(1)
    assert x.sum().item() == before + 4
