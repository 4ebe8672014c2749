"""Gradients at zeros, infinities and NaN: those of PyTorch, where another formula is as right everywhere else. For a NaN PyTorch's
vectors and what is left behind them give different gradients of relu6, hardtanh and the shrinks; those of vectors stand here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch

F = torch.nn.functional
NAN, INF = float("nan"), float("inf")


def at_both(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """A function of two, of which one is 0 and the other what is given."""
    return lambda x: function(x, torch.zeros(x.size(), dtype=x.dtype))


@pytest.mark.parametrize(
    ("function", "given", "wanted"),
    [
        (at_both(torch.atan2), [0.0, -0.0, 2.0], [0.0, 0.0, 0.0]),
        (F.relu6, [NAN, 0.0, 6.0, 1.0], [0.0, 0.0, 0.0, 1.0]),
        (F.hardtanh, [NAN, -1.0, 1.0, 0.5], [0.0, 0.0, 0.0, 1.0]),
        (F.hardshrink, [NAN, 0.5, 0.6], [0.0, 0.0, 1.0]),
        (F.softshrink, [NAN, -0.5, -0.6], [0.0, 0.0, 1.0]),
        (at_both(lambda x, y: F.smooth_l1_loss(x, y, reduction="sum")), [NAN, 0.5, 3.0], [NAN, 0.5, 1.0]),
        (torch.special.entr, [-1.0, 0.0, 1.0, NAN], [NAN, INF, -1.0, NAN]),
        (lambda x: torch.amax(x, [0]), [1.0, NAN], [NAN, NAN]),
        (lambda x: torch.amin(x, [0]), [1.0, 1.0], [0.5, 0.5]),
        (torch.max, [1.0, NAN], [0.0, 1.0]),
        (lambda x: torch.norm(x, -1), [0.0, 1.0, 2.0], [0.0, 0.0, 0.0]),
        (lambda x: torch.norm(x, 0.5), [0.0, 0.0], [0.0, 0.0]),
        (lambda x: torch.norm(x, 2), [0.0, 0.0], [0.0, 0.0]),
        (lambda x: torch.norm(x, INF), [NAN, 1.0, 2.0], [0.0, 0.0, 0.0]),
        (lambda x: torch.linalg.vector_norm(x, -INF), [NAN, INF, 0.0], [0.0, 0.0, 0.0]),
        (torch.prod, [INF, 2.0, 3.0], [NAN, INF, INF]),
        (lambda x: torch.prod(x, 0), [NAN, 1.0, 2.0], [NAN, NAN, NAN]),
        (lambda x: torch.prod(x, 0), [3.0, 0.0, 2.0], [0.0, 6.0, 0.0]),
        (lambda x: torch.cumprod(x, 0), [INF, 2.0, 3.0], [NAN, INF, INF]),
        (lambda x: torch.cumprod(x, 0), [2.0, 0.0, 3.0, 0.0, 5.0], [1.0, 8.0, 0.0, 0.0, 0.0]),
    ],
)  # fmt: skip
def test_gradients_at_special_values(
    function: Callable[..., Any], given: list[float], wanted: list[float]
) -> None:
    x = torch.tensor(given, dtype=torch.float64, requires_grad=True)
    function(x).sum().backward()
    np.testing.assert_array_equal(x.grad.tolist(), wanted)


def test_a_loss_of_nan_has_a_gradient_of_nan() -> None:
    """`smooth_l1_loss_backward` gave a slope of 1, which hides what went wrong."""
    x = torch.tensor([NAN, 0.5, -3.0])
    found = torch.ops.aten.smooth_l1_loss_backward(
        torch.tensor(1.0), x, torch.zeros_like(x), 2, 1.0
    )
    np.testing.assert_array_equal(found.tolist(), [NAN, 0.5, -1.0])


@pytest.mark.parametrize(
    ("given", "wanted"),
    [([2.0, 3.0, 4.0], [136.0, 184.0, 136.0]), ([2.0, 0.0, 4.0], [100.0, 10.0, 40.0]), ([0.0, 0.0, 4.0], [0.0, 10.0, 0.0])],
)  # fmt: skip
def test_gradients_of_products_have_gradients(given: list[float], wanted: list[float]) -> None:
    x = torch.tensor(given, dtype=torch.float64, requires_grad=True)
    (gradient,) = torch.autograd.grad(torch.cumprod(x, 0).sum(), [x], create_graph=True)
    (second,) = torch.autograd.grad((gradient * gradient).sum(), [x])
    np.testing.assert_allclose(second.tolist(), wanted)
