"""Formulas that compute much are kernels, and give what they give when interpreted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.autograd import formulas, recording
from torchscript_dialect.ops.eager import often
from torchscript_dialect.runtime.executor import formula_kernels
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS
from torchscript_dialect.tensor import unstrided

pytestmark = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")
EXPRESSIONS = (
    "torch.nn.functional.gelu(x)",
    "torch.nn.functional.gelu(x, approximate='tanh')",
    "torch.nn.functional.leaky_relu(x, 0.2)",
    "torch.nn.functional.leaky_relu(x, -0.0)",
    "torch.nn.functional.elu(x, 0.7)",
    "torch.nn.functional.softplus(x, 2.0, 1.0)",
    "torch.nn.functional.hardsigmoid(x)",
    "torch.nn.functional.hardtanh(x, -0.5, 1.0)",
    "torch.relu(x)",
    "torch.erf(x)",
    "torch.sigmoid(x)",
    "torch.atan2(x, y)",
    "torch.lerp(x, y, 0.3)",
    "torch.where(x > y, x, y)",
    "torch.maximum(x, y)",
    "torch.pow(x, 2.5)",
    "x / y",
)


@pytest.fixture(autouse=True)
def strided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Operators are recorded as in a process that has made no sparse tensors."""
    monkeypatch.setattr(unstrided._Made, "any", False)  # pyright: ignore[reportPrivateUsage]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What runs formulas by kernels, in the order in which it is made, where a formula is compiled at its first call; and `None` for
    each call that goes on to be interpreted.
    """
    made: list[Any] = []
    find = formula_kernels.kernels_of

    def kernels_of(formula: Any, run: Callable[..., Any], *rest: Any) -> Callable[..., Any] | None:
        def interpreted(*operands: Any) -> Any:
            made.append(None)
            return run(*operands)

        found = find(formula, interpreted, *rest)
        made.append(found)
        return found

    monkeypatch.setattr(formula_kernels, "kernels_of", kernels_of)
    _forget(-1)
    yield made
    _forget(1 << 23)


def _forget(patience: int) -> None:
    """Let all operators be recorded anew, and formulas be compiled once they have computed so much."""
    formulas.PATIENCE = patience
    formulas.plain.cache_clear()
    for one in list(recording._made):  # pyright: ignore[reportPrivateUsage]
        one.usual.clear()


def _elements(dtype: str) -> list[Any]:
    """Two tensors of numbers, some of which are equal, zeros, infinite or none."""
    rng = np.random.default_rng(0)
    special = [0.0, -0.0, np.nan, np.inf, -np.inf, 0.5, -0.5, 1.0, 3.0, -3.0]
    x, y = (rng.standard_normal((6, 8)).astype(np.float32) for _ in range(2))
    x.reshape(-1)[: len(special)] = special
    y.reshape(-1)[4:9] = x.reshape(-1)[4:9]
    return [torch.tensor(one).to(getattr(torch, dtype)) for one in (x, y)]


def _eager(expression: str) -> Callable[..., Any]:
    """An operator on the tape: a compiled function of one is a differentiable graph."""
    return eval(f"lambda x, y=None, z=None: {expression}", {"torch": torch})


def _gradients(expression: str, operands: Sequence[Any], calls: int) -> list[Any]:
    """The gradients of the last of some calls of a function."""
    function = _eager(expression)
    given = [one.clone().requires_grad_() for one in operands]
    for _ in range(calls):
        for one in given:
            one.grad = None
        result = function(*given)
        result.backward(torch.arange(result.numel()).reshape(result.shape).to(result.dtype))
    return [one.grad for one in given if one.grad is not None]


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_kernels_give_what_is_interpreted(expression: str, dtype: str, made: list[Any]) -> None:
    operands = _elements(dtype)
    layouts = (operands, [one.t() for one in operands], [one[:0] for one in operands])
    for place, given in enumerate(layouts):
        _forget(1 << 40)
        interpreted = _gradients(expression, given, 1)
        _forget(-1)
        made.clear()
        found = _gradients(expression, given, 5)
        assert made and (place or dtype == "bfloat16" or None not in made)
        for one, other in zip(interpreted, found, strict=True):
            assert one.dtype == other.dtype and one.stride() == other.stride()
            tolerance = {"float64": 1e-12, "float32": 2e-5, "bfloat16": 2e-2}[dtype]
            np.testing.assert_allclose(
                one.double().numpy(), other.double().numpy(), tolerance, tolerance
            )


def test_a_formula_is_compiled_once(made: list[Any]) -> None:
    operands = _elements("float32")
    _gradients("torch.nn.functional.elu(x, 0.7)", operands, 5)
    assert len(made) == 1 and made[0] is not None


def test_formulas_of_several_gradients_are_kernels(made: list[Any]) -> None:
    x, weight, bias = (torch.randn(shape, requires_grad=True) for shape in ((6, 8), (8,), (8,)))
    function = _eager("torch.layer_norm(x, [8], y, z)")
    grads: list[list[Any]] = []
    for _ in range(5):
        grads.append(
            list(
                torch.autograd.grad(function(x, weight, bias), [x, weight, bias], torch.ones(6, 8))
            )
        )
    assert made and None not in made
    for one, other in zip(grads[0], grads[-1], strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), 1e-4, 1e-5)


def test_what_is_no_kernel_stays_interpreted(made: list[Any]) -> None:
    operands = _elements("float32")
    _gradients("torch.cumsum(x, 0)", operands, 3)
    assert made and set(made) == {None}


def test_views_stay_views(made: list[Any]) -> None:
    for expression in ("x.unsqueeze(0)", "x.transpose(0, 1)", "x.reshape([-1])"):
        _gradients(expression, _elements("float32")[:1] * 2, 3)
    assert set(made) <= {None}


def test_gradients_of_gradients_are_recorded(made: list[Any]) -> None:
    function = _eager("torch.erf(x)")
    x = torch.tensor([0.5, -1.0], dtype=torch.float64, requires_grad=True)
    for _ in range(3):
        (first,) = torch.autograd.grad(function(x).sum(), x)
    (first,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    expected = -2 * x.detach() * first.detach()
    np.testing.assert_allclose(second.numpy(), expected.numpy(), 1e-12)


def test_recorded_operators_that_compute_much_are_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(often, "OFTEN", 4)
    _forget(1 << 23)
    x = torch.ones(2048, requires_grad=True)
    function = _eager("torch.erf(x)")
    asked: list[Any] = []
    look = often.Counted.look

    def looked(counted: often.Counted, *operands: Any) -> None:
        look(counted, *operands)
        asked.append(counted.run)

    monkeypatch.setattr(often.Counted, "look", looked)
    results = [function(x) for _ in range(6)]
    assert len(asked) == 1 and asked[0].native_calls > 0
    for one in results[1:]:
        np.testing.assert_allclose(one.detach().numpy(), results[0].detach().numpy(), 1e-6)


def test_what_kernels_do_not_compute_runs_in_compiled_functions() -> None:
    """`polygamma` is a loop, for which kernels of the CPU have no form."""
    function = ts.CompilationUnit("def f(x):\n    return torch.polygamma(1, x)\n").f
    x = torch.tensor([0.5, 1.0, 2.5], dtype=torch.float64)
    results = [function(x).numpy() for _ in range(4)]
    for one in results:
        np.testing.assert_allclose(
            one, [4.9348022005446793, 1.6449340668482264, 0.4903577561002348]
        )


OF_SIZES = (
    "x.mean()",
    "x.mean(1).sum()",
    "x.var()",
    "x.std(0).sum()",
    "(x - x.mean()).pow(2).mean()",
    "torch.nn.functional.mse_loss(x, x * 0.5)",
    "torch.nn.functional.binary_cross_entropy_with_logits(x, x.sigmoid().detach(), x[0].detach().exp())",
    "torch.nn.functional.soft_margin_loss(x, x.detach().sign())",
    "torch.nn.functional.kl_div(x, x.softmax(1).detach(), reduction='batchmean')",
    "torch.nn.functional.layer_norm(x, [x.size(1)]).pow(3).sum()",
    "torch.nn.functional.group_norm(x.reshape(1, -1, 1, x.size(1)), 1, x[:, 0], x[0]).pow(3).sum()",
    "torch.nn.functional.batch_norm(x, None, None, training=True).pow(3).sum()",
    "(x * x[0]).sum() + (x / x[:1].exp()).sum()",
    "x.logsumexp(0).sum() + x.amax(1).sum() + x.prod()",
    "x.diag().pow(2).sum() + x.trace()",
)


@pytest.mark.parametrize("expression", OF_SIZES)
def test_sizes_are_no_constants(made: list[Any], expression: str) -> None:
    """A formula that computes with the sizes of its operands is right for others."""
    f = eval(f"lambda x: {expression}", {"torch": torch})
    values = {size: torch.randn(size, size) for size in (5, 40, 7)}

    def gradient(size: int) -> np.ndarray[Any, Any]:
        x = values[size].detach().requires_grad_()
        f(x).backward()
        assert x.grad is not None
        return x.grad.numpy()

    found = {size: [gradient(size) for _ in range(3)][-1] for size in values}
    _forget(1 << 62)
    for size in values:
        np.testing.assert_allclose(found[size], gradient(size), rtol=1e-4, atol=1e-5)


NORMS = (
    "torch.nn.functional.group_norm(x, 2, y, z)",
    "torch.nn.functional.group_norm(x, 4)",
    "x.std()",
    "x.var((0, 2), keepdim=True)",
    "x.mean()",
)


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
@pytest.mark.parametrize("expression", NORMS)
def test_formulas_that_ask_for_sizes_have_plans(
    expression: str, dtype: str, made: list[Any]
) -> None:
    f, of = _eager(expression), getattr(torch, dtype)
    shapes = ((2, 4, 5, 5), (3, 4, 2, 7), (1, 4, 1, 3), (2, 4, 5, 5))
    cases = [[torch.randn(*shape).to(of), *torch.randn(2, 4).to(of)] for shape in shapes]
    cases.append([cases[0][0].transpose(2, 3), *cases[0][1:]])
    cases.append([cases[0][0].transpose(0, 1)[:, :1].expand(4, 4, 5, 5), *cases[0][1:]])

    def gradients(given: Sequence[Any]) -> list[Any]:
        leaves = [one.detach().requires_grad_() for one in given]
        result = f(*leaves)
        result.backward(torch.ones_like(result) * 0.5 + result.detach() * 0)
        return [one.grad for one in leaves if one.grad is not None]

    found = [[gradients(given) for _ in range(3)][-1] for given in cases]
    assert any(one is not None for one in made) or "group" not in expression or dtype != "float32"
    _forget(1 << 62)
    for given, grads in zip(cases, found, strict=True):
        for one, other in zip(grads, gradients(given), strict=True):
            assert one.dtype == other.dtype and one.stride() == other.stride()
            tolerance = {"float64": 1e-10, "float32": 1e-4, "bfloat16": 3e-2}[dtype]
            np.testing.assert_allclose(
                one.double().numpy(), other.double().numpy(), tolerance, tolerance
            )


def test_plans_leave_complex_numbers_and_other_constants_to_the_formula(made: list[Any]) -> None:
    x = torch.randn(4, 5)
    z = torch.complex(x, x.exp())
    for one in (x, x.double(), z, z.to(torch.complex128)):
        for dims in ([0], [1], [0, 1]):
            leaf = one.detach().requires_grad_()
            for _ in range(3):
                leaf.grad = None
                result = leaf.mean(dims)
                result.backward(torch.ones_like(result))
            assert leaf.grad is not None
            count = {1: 4 if dims == [0] else 5, 2: 20}[len(dims)]
            np.testing.assert_allclose(leaf.grad.numpy(), np.full((4, 5), 1 / count), 1e-6)
            assert leaf.grad.dtype is one.dtype
    assert made


def test_the_last_plan_is_that_of_a_function(made: list[Any]) -> None:
    """A formula's own plan is nothing that a program ran."""
    function = ts.CompilationUnit("def f(x):\n    return torch.tanh(x) * x\n").f
    x = torch.randn(3, 4)
    for _ in range(3):
        function(x)
    before = str(torch.jit.last_executed_optimized_graph())
    y = torch.randn(2, 4, 3, requires_grad=True)
    for _ in range(4):
        torch.nn.functional.group_norm(y, 2).sum().backward()
    assert any(made) and str(torch.jit.last_executed_optimized_graph()) == before


RELU_OF_NAN = [0, 0, 1, 1]
"""Gradients of relu at -1, 0, 2 and NaN, as PyTorch gives them."""


def test_a_function_of_one_operator_is_two_kernels() -> None:
    function = ts.CompilationUnit("def f(x):\n    return torch.relu(x)\n").f
    x = torch.tensor([-1.0, 0.0, 2.0, np.nan], requires_grad=True)
    for _ in range(6):
        (grad,) = torch.autograd.grad(function(x), [x], torch.ones(4))
        np.testing.assert_array_equal(grad.numpy(), RELU_OF_NAN)
    assert len(function.get_debug_state().execution_plans) == 1
