"""Gradients where elements are zero, infinite, NaN or equal, as PyTorch 2.13 gives them.

Point 6 of docs/testing.md.
"""

from collections.abc import Callable
from math import inf, isnan, nan
from typing import Any

import pytest

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor


def gradient(f: Callable[[Tensor], Any], x: Any) -> list[Any]:
    given = torch.tensor(x, requires_grad=True)
    f(given).sum().backward()
    assert given.grad is not None
    return given.grad.reshape(-1).tolist()


def agree(got: list[float], wanted: list[float]) -> bool:
    return all(
        g == pytest.approx(w, rel=1e-6) or (isnan(g) and isnan(w))
        for g, w in zip(got, wanted, strict=True)
    )


@pytest.mark.parametrize(
    ("x", "whole", "along", "scanned"),
    [
        ([0.0, inf, 2.0], [inf, 0.0, nan], [inf, 0.0, nan], [inf, 0.0, 0.0]),
        ([0.0, nan, 2.0], [nan, 0.0, nan], [nan, 0.0, nan], [nan, 0.0, 0.0]),
        ([0.0, 0.0, inf], [0.0, 0.0, 0.0], [nan, nan, 0.0], [1.0, 0.0, 0.0]),
        ([0.0, inf, 0.0, nan], [0.0] * 4, [nan] * 4, [nan, 0.0, 0.0, 0.0]),
        ([nan, 0.0], [0.0, nan], [0.0, nan], [nan, nan]),
        ([3.0, 0.0, 2.0, 0.0, 5.0], [0.0] * 5, [0.0] * 5, [1.0, 9.0, 0.0, 0.0, 0.0]),
    ],
)
def test_products_with_zeros(
    x: list[float], whole: list[float], along: list[float], scanned: list[float]
) -> None:
    assert agree(gradient(torch.prod, x), whole)
    assert agree(gradient(lambda x: torch.prod(x, 0), x), along)
    assert agree(gradient(lambda x: torch.cumprod(x, 0), x), scanned)


def test_first_and_second_gradients_of_cumprod_agree_where_one_element_of_each_row_is_zero() -> (
    None
):
    x = torch.tensor([[2.0, 0.0, 3.0], [0.0, 4.0, 5.0], [1.0, 2.0, 0.5]], dtype=torch.float64)
    for dim in (0, 1):
        first, second = (x.clone().requires_grad_() for _ in range(2))
        torch.cumprod(first, dim).sum().backward()
        torch.cumprod(second, dim).sum().backward(create_graph=True)
        assert first.grad.tolist() == second.grad.tolist()


@pytest.mark.parametrize(
    ("p", "x", "wanted"),
    [
        (2.0, [[1.0, 2.0], [nan, 1.0], [inf, 1.0]], [0.178885445, -0.08944269, 1, 1, nan, nan]),
        (1.0, [[1.0, 2.0], [0.1, 0.2]], [1.111111e-08, 1.111111e-08, 1.0, 1.0]),
        (inf, [[1.0, 2.0], [3.0, 3.0]], [0.5, -0.25, 1.111111e-08, 1.111111e-08]),
    ],
)
def test_renorm(p: float, x: list[list[float]], wanted: list[float]) -> None:
    got = gradient(lambda x: torch.renorm(x, p, 0, 1.0), x)
    assert agree([round(g, 14) for g in got], [round(w, 14) for w in wanted])


@pytest.mark.parametrize(
    ("x", "k", "place"),
    [
        ([1.0, 1.0, 1.0, 2.0], 2, 0),
        ([2.0, 1.0, 3.0, 2.0, 2.0], 3, 0),
        ([0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 0.0, 0.0], 6, 5),
        ([2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0], 3, 7),
    ],
)
def test_kthvalue_of_equal_elements(x: list[float], k: int, place: int) -> None:
    assert torch.kthvalue(torch.tensor(x), k)[1].item() == place
    wanted = [float(i == place) for i in range(len(x))]
    assert gradient(lambda x: torch.kthvalue(x, k)[0], x) == wanted


@pytest.mark.parametrize(
    ("f", "x", "wanted"),
    [
        (lambda x: torch.atan2(x[0], x[1]), [1e-30, 0.0], [0.0, 0.0]),
        (lambda x: torch.atan2(x[0], x[1]), [0.0, 1e-30], [0.0, 0.0]),
        (lambda x: torch.atan2(x[0], x[1]), [1e-15, 1e-15], [5e14, -5e14]),
        (torch.sinc, [1e-30, -1e-30, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0]),
        (torch.logit, [0.0, -0.0, 1.0, 2.0], [inf, inf, inf, nan]),
    ],
)
def test_squares_below_the_smallest_number(
    f: Callable[[Tensor], Any], x: list[float], wanted: list[float]
) -> None:
    assert agree(gradient(f, x), wanted)


def test_targets_of_certain_chances_have_infinite_gradients() -> None:
    """The logarithms were clamped, as the loss's are."""
    chances = torch.tensor([0.0, 1.0, 0.5])
    loss = torch.nn.functional.binary_cross_entropy
    got = gradient(lambda y: loss(chances, y, reduction="none"), [0.0, 1.0, 0.5])
    assert got == [inf, -inf, 0.0]
