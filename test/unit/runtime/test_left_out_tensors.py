"""Kernels of operators and formulas that are compiled while a tensor is left out do not run calls that give one, nor the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.autograd import formulas
from torchscript_dialect.ops.eager import often
from torchscript_dialect.runtime.kernels import small_kernels
from torchscript_dialect.tensor.tensor import Tensor

CALLS = {
    "nll_loss": "torch.nll_loss_nd(x, t, w)",
    "cross_entropy": "torch.nn.functional.cross_entropy(x, t, w)",
    "smooth": "torch.nn.functional.cross_entropy(x, t, w, label_smoothing=0.1)",
    "bce": "torch.nn.functional.binary_cross_entropy_with_logits(x, x.sigmoid(), w)",
    "layer_norm": "torch.layer_norm(x, [x.size(1)], w, None).sum()",
    "bias": "torch.layer_norm(x, [x.size(1)], None, w).sum()",
    "linear": "torch.nn.functional.linear(x, x, w).sum()",
    "batch_norm": "torch.batch_norm(x, w, None, None, None, True, 0.1, 1e-5, False).pow(2).sum()",
    "clamp": "torch.clamp(x, w, x + 1).sum()",
}


@pytest.fixture(autouse=True)
def compiled_soon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Operators and formulas are compiled at their first call."""
    monkeypatch.setattr(often, "OFTEN", 1)
    monkeypatch.setattr(often, "OFTEN_IN_PROGRAMS", 1)
    monkeypatch.setattr(formulas, "PATIENCE", -1)
    formulas.plain.cache_clear()
    yield
    formulas.plain.cache_clear()


def gradient(f: Any, x: Tensor, t: Tensor, w: Tensor | None) -> tuple[float, np.ndarray[Any, Any]]:
    given = x.detach().requires_grad_()
    found = f(given, t, w)
    found.backward()
    assert given.grad is not None
    with torch.no_grad():
        assert abs(f(x, t, w).item() - found.item()) <= 1e-4 * max(1.0, abs(found.item()))
    return found.item(), given.grad.numpy()


@pytest.mark.parametrize("first", ["left out", "given"])
@pytest.mark.parametrize("name", CALLS)
def test_a_tensor_may_be_left_out(name: str, first: str) -> None:
    f = ts.CompilationUnit(f"def f(x, t, w: Optional[Tensor]):\n    return {CALLS[name]}\n")["f"]
    eager = eval(f"lambda x, t, w: {CALLS[name]}", {"torch": torch})
    torch.manual_seed(0)
    for size in (5, 40, 5):
        x, t, w = torch.randn(size, size), torch.randint(0, size, (size,)), torch.rand(size) + 0.5
        for weight in (None, w, None, w * 2) if first == "left out" else (w, None, w * 2, None):
            for _ in range(4):
                value, slope = gradient(f, x, t, weight)
            expected, wanted = gradient(eager, x, t, weight)
            assert abs(value - expected) <= 1e-4 * max(1.0, abs(expected))
            np.testing.assert_allclose(slope, wanted, rtol=1e-3, atol=1e-5)


def test_a_weight_that_is_written_to_is_no_constant() -> None:
    f = ts.CompilationUnit(
        "def f(x, t, w: Optional[Tensor]):\n    return torch.nll_loss_nd(x, t, w)\n"
    )["f"]
    x, t, w = torch.randn(4, 1), torch.zeros(4, dtype=torch.int64), torch.ones(1)
    for _ in range(8):
        f(x, t, None)
    for number in range(1, 8):
        w.fill_(number)
        assert abs(f(x, t, w).item() + x.mean().item()) < 1e-5
        given = x.detach().requires_grad_()
        (f(given, t, w) * w).sum().backward()
        assert given.grad is not None
        np.testing.assert_allclose(given.grad.numpy(), np.full((4, 1), -number / 4), rtol=1e-5)


@pytest.mark.parametrize("count", [3, 11, 13])
def test_operands_in_another_order(count: int) -> None:
    """As many as a formula may have: `a10` is not `a1`."""
    order = [*range(1, count, 2), *range(0, count, 2)]
    given = tuple(range(count))
    run = small_kernels.in_order(lambda *operands: operands, order)
    turned = small_kernels.reordered(run, order)
    assert run(*order) == given and turned(*given) == given
