"""`torch.autograd.functional`, `torch.func` and `torch.autograd.gradcheck`. Numbers are PyTorch's or what the derivatives are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.torch import func
from torchscript_dialect.torch.autograd import functional, gradcheck, gradgradcheck
from torchscript_dialect.torch.autograd.gradcheck import GradcheckError


def row(*values: float) -> Any:
    return torch.tensor(list(values), dtype=torch.float64)


X, Y = row(0.5, 1.0, 1.5), row(2.0, 3.0)


def cubes(x: Any, y: Any) -> Any:
    return x.pow(3).sum() * y.sum()


def test_jacobian() -> None:
    table = functional.jacobian(lambda x: (x.outer(x)).sum(1), X)
    wanted = np.diag([3.0] * 3) + np.outer(X.numpy(), np.ones(3))
    np.testing.assert_allclose(table.numpy(), wanted)
    by_x, by_y = functional.jacobian(lambda x, y: x * y.sum(), (X, Y))
    np.testing.assert_allclose(by_x.numpy(), np.eye(3) * 5)
    np.testing.assert_allclose(by_y.numpy(), np.outer(X.numpy(), [1, 1]))
    ((none,),) = (functional.jacobian(lambda x: (torch.ones(2),), (X,)),)
    assert none[0].shape == (2, 3) and not none[0].any()


def test_products_with_jacobians() -> None:
    results, back = functional.vjp(lambda x: x.pow(2), X, row(1.0, 2.0, 3.0))
    assert results.tolist() == [0.25, 1.0, 2.25] and back.tolist() == [1.0, 4.0, 9.0]
    results, along = functional.jvp(lambda x: x.cumsum(0), X, row(1.0, 2.0, 3.0))
    assert along.tolist() == [1.0, 3.0, 6.0] and not along.requires_grad


def test_hessians() -> None:
    (xx, xy), (yx, yy) = functional.hessian(cubes, (X, Y))
    np.testing.assert_allclose(xx.numpy(), np.diag(6 * X.numpy() * 5))
    np.testing.assert_allclose(xy.numpy(), np.outer(3 * X.numpy() ** 2, [1, 1]))
    np.testing.assert_allclose(yx.numpy(), xy.numpy().T)
    assert not yy.any()
    for product in (functional.hvp, functional.vhp):
        value, (by_x, by_y) = product(cubes, (X, Y), (X, Y))
        np.testing.assert_allclose(value.item(), cubes(X, Y).item())
        np.testing.assert_allclose(by_x.numpy(), 30 * X.numpy() ** 2 + 3 * X.numpy() ** 2 * 5)
        np.testing.assert_allclose(by_y.numpy(), [(3 * X.numpy() ** 3).sum()] * 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: functional.vjp(torch.exp, X), "The vector v can only be None if the user-provided function returns a single"),
        (lambda: functional.jvp(torch.exp, X), "The vector v can only be None if the input to the user-provided function"),
        (lambda: functional.vjp(torch.exp, X, Y), r"v has invalid size: should be torch.Size\(\[3\]\) but got torch.Size\(\[2\]\)"),
        (lambda: functional.hessian(torch.exp, X), "The Tensor returned by the function given to hessian should contain a single"),
        (lambda: functional.jacobian(lambda x, y: x * 2, (X, Y), strict=True), "Output 0 of the user-provided function is independent of input 1"),
        (lambda: functional.hvp(lambda x: x.sum(), X, X, strict=True), "the jacobian of the user-provided function with respect to input 0"),
    ],
)  # fmt: skip
def test_what_is_refused(call: Any, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        call()


def test_what_is_no_tensor() -> None:
    with pytest.raises(TypeError, match="the value at index 1 has type <class 'int'>"):
        functional.jacobian(torch.exp, (X, 3))


def test_gradients_of_functions_nest() -> None:
    assert func.grad(lambda x: x.pow(3).sum())(X).tolist() == [0.75, 3.0, 6.75]
    second = func.grad(func.grad(lambda x: x.sin()))(torch.tensor(1.0))
    np.testing.assert_allclose(second.item(), -np.sin(1), rtol=1e-6)
    assert not second.requires_grad
    # the inner function takes what the outer one differentiates by from around it
    mixed = func.grad(lambda w: func.grad(lambda x: w * x * x)(row(3.0)[0]) * w)(row(2.0)[0])
    np.testing.assert_allclose(mixed.item(), 24.0)
    slopes, value = func.grad_and_value(lambda x, y: (x * 2).sum() + y.sum(), argnums=(0, 1))(X, Y)
    assert slopes[0].tolist() == [2.0] * 3 and slopes[1].tolist() == [1.0] * 2
    assert value.item() == 11.0
    slopes, aux = func.grad(lambda x: (x.sum(), x * 2), has_aux=True)(X)
    assert aux.tolist() == [1.0, 2.0, 3.0] and not aux.requires_grad
    with pytest.raises(RuntimeError, match="to return a scalar tensor, got tensor with 1 dims"):
        func.grad(torch.exp)(X)


def test_gradients_reach_parameters_around_the_function() -> None:
    w = row(2.0).requires_grad_()
    inner = func.grad(lambda x: (w * x * x).sum())(row(3.0))
    inner.backward(torch.ones(1, dtype=torch.float64))
    assert inner.tolist() == [12.0] and w.grad.tolist() == [6.0]


def test_dictionaries_of_parameters() -> None:
    layer = torch.nn.Linear(3, 2).double()
    parameters = dict(layer.named_parameters())
    slopes = func.grad(lambda p, x: func.functional_call(layer, p, (x,)).sum())(parameters, X)
    assert slopes["bias"].tolist() == [1.0, 1.0]
    np.testing.assert_allclose(slopes["weight"].numpy(), [X.numpy()] * 2)


class _Tied(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = torch.nn.Parameter(torch.ones(2))
        self.b = self.a
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls = self.calls + 1
        return self.a * x + self.b


def test_calls_with_other_tensors() -> None:
    module, x = _Tied(), torch.ones(2)
    buffers = {"calls": torch.tensor([5.0])}
    assert func.functional_call(module, ({"a": torch.zeros(2)}, buffers), x).tolist() == [0, 0]
    func.functional_call(module, buffers, x)
    assert (buffers["calls"].item(), module.calls.item()) == (6, 0)
    with pytest.raises(ValueError, match="appeared in multiple dictionaries"):
        func.functional_call(module, (buffers, buffers), x)
    with pytest.raises(ValueError, match=r"keys \['a', 'b'\], which are tied"):
        func.functional_call(module, {"a": x, "b": torch.zeros(2)}, x)
    with pytest.raises(RuntimeError, match="can't be used with Jitted modules"):
        func.functional_call(torch.jit.script(torch.nn.ReLU()), {}, x)


def test_rows() -> None:
    a, b = torch.ones(3, 2), torch.tensor([1.0, 2.0])
    assert func.vmap(torch.dot)(a, a).tolist() == [2.0] * 3
    assert func.vmap(torch.mul, in_dims=(0, None))(a, b).tolist() == [[1.0, 2.0]] * 3
    columns, sums = func.vmap(lambda x: (x, x.sum()), in_dims=1, out_dims=(1, 0))(a * b)
    assert columns.tolist() == (a * b).tolist() and sums.tolist() == [3.0, 6.0]
    slopes = func.vmap(func.grad(lambda w, x: (w * x).sum() ** 2), in_dims=(None, 0))(b, a)
    assert slopes.tolist() == [[6.0, 6.0]] * 3
    with pytest.raises(ValueError, match=r"same size in the mapped dimension, got sizes \[2, 3\]"):
        func.vmap(torch.mul)(a, b)


def test_jacobians_of_functions() -> None:
    np.testing.assert_allclose(func.jacrev(lambda x: x**2)(X).numpy(), np.diag(2 * X.numpy()))
    np.testing.assert_allclose(
        func.hessian(lambda x: (x**3).sum())(X).numpy(), np.diag(6 * X.numpy())
    )
    results, back = func.vjp(torch.sin, X)
    np.testing.assert_allclose(back(torch.ones_like(X))[0].numpy(), np.cos(X.numpy()))
    np.testing.assert_allclose(results.numpy(), np.sin(X.numpy()))


class _Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 3


def test_gradcheck() -> None:
    x, y = X.clone().requires_grad_(), (X + 1).requires_grad_()
    assert gradcheck(lambda a, b: (a * b).sin(), (x, y))
    assert gradgradcheck(lambda a, b: (a * b).sin(), (x, y))
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex128, requires_grad=True)
    assert gradcheck(lambda a: a * a.conj(), z) and gradgradcheck(torch.exp, z)
    assert gradcheck(lambda a: a.abs(), z)
    with pytest.raises(GradcheckError, match="Jacobian mismatch for output 0 with respect to input 0,\nnumerical:tensor"):  # fmt: skip
        gradcheck(_Wrong.apply, x)
    assert not gradcheck(_Wrong.apply, x, raise_exception=False)
    with pytest.raises(GradcheckError, match="Numerical gradient for function expected to be zero"):
        gradcheck(lambda a: a.detach() * 2, x)
    with pytest.raises(ValueError, match="expects at least one input tensor to require gradient"):
        gradcheck(torch.exp, X)
    with pytest.raises(RuntimeError, match="The 0th input has a dimension with stride 0"):
        gradcheck(torch.exp, x[:1].expand(3))


def test_checks_of_what_has_no_elements() -> None:
    """NumPy's strides of it are 0, as those of what repeats are."""
    x = torch.empty(0, 2, dtype=torch.float64).requires_grad_()
    assert torch.autograd.gradcheck(torch.sin, (x,))
