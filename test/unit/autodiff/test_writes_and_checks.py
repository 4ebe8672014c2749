"""Writes of tensors that may not fit, and checks that only raise, leave differentiable graphs whole, and are the errors that they are."""

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


def adds(x, w):
    y = torch.mm(x, x)
    y += w
    return torch.relu_(y)


def scales(x, w):
    y = torch.tanh(x * 2)
    z = y - 1
    z *= torch.exp(w)
    return z.sum() + y.mean()


def checks(x, w):
    y = torch.mm(x, x)
    if y.size(0) != w.size(0):
        raise ValueError(f"{y.size(0)} rows and {w.size(0)} weights")
    z = torch.tanh(y + w)
    if z.dim() != 2:
        raise ValueError("no matrix")
    return z * 2


def taken(*shape: int) -> Any:
    return torch.tensor(
        np.random.default_rng(0).normal(size=shape).astype(np.float32)
    ).requires_grad_()


def gradients(function: Any, x: Any, w: Any) -> list[list[Any]]:
    x.grad = w.grad = None
    result = function(x, w)
    result.sum().backward()
    kept: tuple[Any, ...] = (result, x.grad, w.grad)
    return [one.tolist() for one in kept]


def graphs_of(script: Any) -> list[int]:
    """How many graphs each plan of a function has."""
    return [len(plan.graphs) for plan in script._executor.gradient_plans.values()]


@pytest.mark.parametrize("function", [adds, scales, checks])
@pytest.mark.parametrize("shape", [(3, 3), (3,), (3, 1), (1, 3)])
def test_one_graph_gives_what_eager_operators_give(function: Any, shape: tuple[int, ...]) -> None:
    if function is checks and shape[0] != 3:
        return
    script = torch.jit.script(function)
    x, w = taken(3, 3), taken(*shape)
    expected = gradients(function, x, w)
    for _ in range(8):
        np.testing.assert_allclose(gradients(script, x, w)[1], expected[1], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(gradients(script, x, w)[2], expected[2], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(gradients(script, x, w)[0], expected[0], rtol=1e-5, atol=1e-6)
    assert graphs_of(script) == [1]


@pytest.mark.parametrize("function", [adds, scales])
@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((2, 3, 3), r"output with shape \[3, 3\] doesn't match the broadcast shape \[2, 3, 3\]"),
        (
            (2,),
            r"The size of tensor a \(3\) must match the size of tensor b \(2\) at non-singleton dimension 1",
        ),
    ],
)
def test_what_does_not_fit_is_the_error_of_the_write(
    function: Any, shape: tuple[int, ...], message: str
) -> None:
    script = torch.jit.script(function)
    for _ in range(8):
        gradients(script, taken(3, 3), taken(3))
    for _ in range(8):
        with pytest.raises(RuntimeError, match=message):
            script(taken(3, 3), taken(*shape))


def test_a_size_of_one_that_others_do_not_fit() -> None:
    script = torch.jit.script(scales)
    for _ in range(8):
        gradients(script, taken(3, 3), taken(3))
    for _ in range(8):
        with pytest.raises(RuntimeError, match=r"output with shape \[3, 1\] doesn't match"):
            script(taken(3, 1), taken(3, 3))


def test_checks_raise_what_they_raise_and_where() -> None:
    script = torch.jit.script(checks)
    with pytest.raises(RuntimeError) as first:
        script(taken(3, 3), taken(2, 1))
    for _ in range(8):
        gradients(script, taken(3, 3), taken(3, 1))
    assert graphs_of(script) == [1]
    for _ in range(8):
        with pytest.raises(RuntimeError, match="3 rows and 2 weights") as later:
            script(taken(3, 3), taken(2, 1))
        assert str(later.value) == str(first.value)
        assert type(later.value) is type(first.value)


def test_results_that_are_constants_beside_a_write() -> None:
    unit = ts.CompilationUnit("""
def f(x):
    y = x.view(3, 3)
    y.copy_(y)
    if bool(y.sum() > 0):
        s = x.sum()
    else:
        s = y.sum()
    return torch.full([2], 0.5), torch.zeros([3])
""")
    for _ in range(8):
        half, zeros = unit.f(taken(3, 3) * 1)
        assert half.tolist() == [0.5, 0.5]
        assert zeros.tolist() == [0, 0, 0]
