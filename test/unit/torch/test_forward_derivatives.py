"""`torch.func.jvp` and `jacfwd`, and rows of `vmap` that are none. Numbers and messages are PyTorch's."""

from __future__ import annotations

from math import inf, isnan, nan
from typing import Any

import pytest

from torchscript_dialect import torch
from torchscript_dialect.torch.func import grad, hessian, jacfwd, jacrev, jvp, vmap

Y = torch.tensor([[1.0, 2.0], [3.0, 4.0]])


def test_a_derivative_in_a_direction() -> None:
    (product, kept), (slope, same) = jvp(
        lambda a, b: (a * b, a), (Y, Y), (torch.ones(2, 2), torch.zeros(2, 2))
    )
    assert product.tolist() == [[1, 4], [9, 16]] and kept.tolist() == Y.tolist()
    assert slope.tolist() == Y.tolist() and same.tolist() == [[1, 1], [1, 1]]
    assert not slope.requires_grad
    found = jvp(lambda a: (a * 2, a), (Y,), (torch.ones(2, 2),), has_aux=True)
    assert len(found) == 3 and found[1].tolist() == [[2, 2], [2, 2]]
    assert jvp(lambda a: torch.ones(3), (Y,), (Y,))[1].tolist() == [0, 0, 0]


def test_they_nest() -> None:
    one = torch.tensor(1.0)

    def slope(t: Any) -> Any:
        return jvp(torch.sin, (t,), (torch.ones(()),))[1]

    assert grad(slope)(one).item() == pytest.approx(-0.84147098)
    value, second = jvp(slope, (one,), (torch.tensor(2.0),))
    assert [value.item(), second.item()] == pytest.approx([0.54030231, -1.68294197])
    rows = vmap(lambda t: jvp(torch.sin, (t,), (torch.ones(2),))[1])(Y)
    assert rows.tolist() == torch.cos(Y).tolist()
    assert hessian(lambda a: (a**3).sum())(torch.tensor([1.0, 2.0])).tolist() == [[6, 0], [0, 12]]


def test_gradients_go_on_from_them() -> None:
    weight = torch.ones(2).requires_grad_()
    slope = jvp(lambda t: t * weight, (torch.ones(2),), (torch.full((2,), 3.0),))[1]
    slope.sum().backward()
    assert weight.grad.tolist() == [3, 3]


def test_a_nan_stands_in_the_row_of_its_result() -> None:
    x = torch.tensor([nan, 1.0])
    forward, backward = jacfwd(lambda a: a * a)(x).tolist(), jacrev(lambda a: a * a)(x).tolist()
    assert [[isnan(one) for one in row] for row in forward] == [[True, True], [False, False]]
    assert [[isnan(one) for one in row] for row in backward] == [[True, False], [True, False]]
    assert forward[1] == [0, 2]
    endless = jacfwd(lambda a: a * a)(torch.tensor([inf, 1.0])).tolist()
    assert endless[0][0] == inf and isnan(endless[0][1])


def test_tables_are_shaped_as_results_and_arguments() -> None:
    by_a, by_b = jacfwd(lambda a, b: {"k": a @ b}, argnums=(0, 1))(Y, Y)["k"]
    assert by_a.shape == by_b.shape == (2, 2, 2, 2)
    assert by_a[0, 1].tolist() == [[2, 4], [0, 0]] and by_b[1, 0].tolist() == [[3, 0], [4, 0]]
    assert jacfwd(lambda a: a * 2)(torch.tensor(3.0)).tolist() == 2
    assert [one.item() for one in jacfwd(lambda a: (a * 2, a), has_aux=True)(Y[0, 0])] == [2, 1]
    for table in (jacfwd, jacrev):
        assert table(lambda a: a * 2)(torch.zeros(0)).shape == (0, 0)
        assert table(lambda a: torch.ones(2))(Y).tolist() == [[[0, 0]] * 2] * 2


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: jvp(torch.sin, Y, (Y,)), RuntimeError, "Expected primals to be a tuple"),
        (lambda: jvp(torch.sin, (), ()), RuntimeError, "to contain at least one Tensor"),
        (lambda: jvp(torch.sin, (Y,), Y), RuntimeError, "the same python structure"),
        (lambda: jvp(torch.sin, (Y,), (Y[0],)), RuntimeError, r"is of size \[2, 2\] while"),
        (lambda: jvp(lambda a: 3, (Y,), (Y,)), RuntimeError, "only tensors, got unsupported"),
        (lambda: jacfwd(lambda a: a)(torch.tensor([1])), ValueError, "but got: torch.int64"),
        (lambda: vmap(torch.sin)(torch.tensor(1.0)), ValueError, "-0 <= in_dim < 0"),
        (lambda: vmap(torch.sin, in_dims=2)(Y), ValueError, "-2 <= in_dim < 2"),
        (lambda: vmap(torch.sin)(3), ValueError, "cannot vmap over non-Tensor"),
        (lambda: vmap(torch.sin, in_dims=1.5)(Y), ValueError, "expected `in_dims` to be int"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_no_rows() -> None:
    assert vmap(torch.sin)(torch.zeros(0, 3)).shape == (0, 3)
    assert vmap(lambda a: a.sum(), in_dims=1)(torch.zeros(3, 0)).shape == (0,)
