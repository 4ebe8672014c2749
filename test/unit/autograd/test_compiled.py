"""Gradients through compiled functions and modules: their graphs are interpreted and recorded."""

from __future__ import annotations

import sys
from threading import Thread
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.torch import nn


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


def numbers(tensor: Any) -> list[float]:
    return tensor.detach().tolist()


def polynomial(x, y):
    for i in range(3):
        x = x * y + float(i)
    return x.sum()


def filled(x, w):
    out = torch.zeros(3)
    for i in range(3):
        out[i] = x[i] * w
    return (out * out).sum()


def branching(x):
    if bool(x.sum() > 0):
        y = x * 2
    else:
        y = x * 3
    return y.sum()


def halves(x):
    a, b = torch.chunk(x, 2)
    return (a * b).sum()


def own_leaf():
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    return (x * x).sum()


def without_gradients(x):
    with torch.no_grad():
        y = x * 2
    return y


def gradient_inside(x):
    y = (x * x).sum()
    return torch.autograd.grad([y], [x])


def written(y):
    return y.add_(1)


def missing(x):
    y = x * 2
    return torch.bincount(y.long(), y)[2]


@pytest.mark.parametrize("calls", [1, 2, 5])
def test_calls_give_the_gradients_of_the_function(calls: int) -> None:
    f = torch.jit.script(polynomial)
    for _ in range(calls):  # plain calls, which end up in a kernel
        f(torch.ones(2), torch.ones(2))
    for _ in range(calls):
        x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
        f(x, y).backward()
        a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
        polynomial(a, b).backward()
        assert numbers(x.grad) == numbers(a.grad) and numbers(y.grad) == numbers(b.grad)
    assert not f(torch.ones(2), torch.ones(2)).requires_grad


def test_some_arguments_require_gradients() -> None:
    f = torch.jit.script(polynomial)
    y = leaf(3.0, 4.0)
    f(torch.ones(2), y).backward()
    assert y.grad is not None


def test_writes_in_loops() -> None:
    f = torch.jit.script(filled)
    x, w = leaf(1.0, 2.0, 3.0), torch.tensor(2.0, requires_grad=True)
    f(x, w).backward()
    assert numbers(x.grad) == [8.0, 16.0, 24.0] and w.grad.item() == 56.0


def test_branches_and_lists() -> None:
    x = leaf(-1.0, -2.0)
    torch.jit.script(branching)(x).backward()
    assert numbers(x.grad) == [3.0, 3.0]
    y = leaf(1.0, 2.0, 3.0, 4.0)
    torch.jit.script(halves)(y).backward()
    assert numbers(y.grad) == [3.0, 4.0, 1.0, 2.0]


def test_programs_make_leaves_of_their_own() -> None:
    f = torch.jit.script(own_leaf)
    for _ in range(3):
        y = f()
        assert y.requires_grad
        y.backward()


def test_programs_turn_gradients_off() -> None:
    f = torch.jit.script(without_gradients)
    assert not f(leaf(1.0)).requires_grad


def test_programs_ask_for_gradients() -> None:
    f = torch.jit.script(gradient_inside)
    for _ in range(3):
        (found,) = f(leaf(1.0, 2.0))
        assert numbers(found) == [2.0, 4.0]


def test_writes_of_compiled_functions_are_counted() -> None:
    f, y, x = torch.jit.script(written), torch.ones(2), leaf(1.0, 2.0)
    for _ in range(4):
        f(y)
    z = (x * y).sum()
    f(y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


def test_missing_derivative_tells_the_place() -> None:
    y = torch.jit.script(missing)(leaf(1.0))
    with pytest.raises(
        RuntimeError, match=r"aten::bincount is not implemented \(at .*test_compiled"
    ):
        y.backward()


def test_settings_do_not_matter() -> None:
    f = torch.jit.script(polynomial)
    with ts.fuser("none"), ts.optimized_execution(False):
        x = leaf(1.0)
        f(x, torch.ones(1)).backward()
    assert numbers(x.grad) == [1.0]


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(torch.tanh(self.first(x)))


def test_compiled_modules_are_trained() -> None:
    torch.manual_seed(0)
    model = torch.jit.script(Net()).requires_grad_()
    x = torch.randn(8, 3)
    target = x.sum(1, keepdim=True)
    losses: list[float] = []
    for _ in range(60):
        loss = nn.functional.mse_loss(model(x), target)
        losses.append(loss.item())
        for parameter in model.parameters():
            parameter.grad = None
        loss.backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.sub_(parameter.grad * 0.1)
    assert losses[-1] < losses[0] / 10
    with torch.no_grad():
        assert not model(x).requires_grad


def test_eager_and_compiled_modules_agree() -> None:
    torch.manual_seed(0)
    net, x = Net().requires_grad_(), torch.ones(2, 3)
    net(x).sum().backward()
    eager = numbers(net.first.weight.grad)
    net.zero_grad()
    torch.jit.script(net)(x).sum().backward()
    np.testing.assert_allclose(numbers(net.first.weight.grad), eager, 1e-6)


def test_writes_to_views_from_before_are_errors() -> None:
    """Nobody knows of which tensor such a view is."""
    y = torch.zeros(3)
    view = type(y)(y.array[:1])
    with pytest.raises(RuntimeError, match="a view whose base is not known"):
        view.copy_(leaf(1.0))


def test_writes_to_memory_that_nobody_watches_are_not_recorded() -> None:
    f, x = torch.jit.script(written), leaf(1.0, 2.0)
    kept, other = torch.ones(2), torch.ones(2)
    z = (x * kept).sum()
    is_recorded = f._executor.is_recorded
    assert is_recorded([kept], is_tracked=False)
    assert not is_recorded([other], is_tracked=False)
    del z
    assert not is_recorded([kept], is_tracked=False)


def product_of_three(x, w, n: float):
    return torch.tanh(x * w) * n, x + w


def ready(f: Any, *args: Any) -> None:
    for _ in range(4):
        f(*args)


@needs_native_calls
def test_a_call_that_is_one_graph_needs_no_plan() -> None:
    f = torch.jit.script(product_of_three)
    x, w = leaf(0.5, 1.5), leaf(2.0, -1.0)
    ready(f, x, w, 3.0)
    calls = f._executor.calls
    for n in (3.0, 4.0):
        first, second = f(x, w, n)
        found = torch.autograd.grad((first.sum(), second.sum()), (x, w))
        expected = product_of_three(x, w, n)
        wanted = torch.autograd.grad((expected[0].sum(), expected[1].sum()), (x, w))
        assert [numbers(one) for one in found] == pytest.approx(
            [pytest.approx(numbers(one), rel=1e-5) for one in wanted]
        )
    assert f._executor.calls == calls


def test_calls_that_a_graph_was_not_made_for_find_their_own_plan() -> None:
    f = torch.jit.script(product_of_three)
    x, w = leaf(0.5, 1.5), leaf(2.0, -1.0)
    ready(f, x, w, 3.0)
    plain = torch.tensor([2.0, -1.0])
    wide = torch.ones(3, 2, dtype=torch.float64, requires_grad=True)
    for args in ((x, plain, 3.0), (wide, w, 3.0), (x, w, 3.0), (plain, plain, 3.0)):
        found, expected = f(*args), product_of_three(*args)
        for one, other in zip(found, expected, strict=True):
            assert one.requires_grad == other.requires_grad and one.dtype == other.dtype
            assert one.detach().numpy() == pytest.approx(other.detach().numpy(), rel=1e-5)


def test_settings_are_heard_of_by_a_function_that_is_one_graph() -> None:
    f = torch.jit.script(product_of_three)
    x, w = leaf(0.5, 1.5), leaf(2.0, -1.0)
    ready(f, x, w, 3.0)
    with ts.fuser("none"):
        f(x, w, 3.0)
        assert not f._executor.gradient_plans and not f._executor.whole_graphs


@needs_native_calls
def test_a_thread_that_wants_no_gradients_is_served_natively() -> None:
    f = torch.jit.script(product_of_three)
    x, w = leaf(0.5, 1.5), leaf(2.0, -1.0)
    is_native = (
        "torch" not in sys.modules
    )  # where PyTorch is loaded, its own mode decides, which Python asks for
    with torch.no_grad():
        ready(f, x, w, 3.0)
        before = f.native_calls
        results = f(x, w, 3.0)
        assert f.native_calls == before + is_native
        assert not any(one.requires_grad for one in results)
        with torch.enable_grad():
            assert all(one.requires_grad for one in f(x, w, 3.0))
        assert f.native_calls == before + is_native
    assert all(one.requires_grad for one in f(x, w, 3.0))


def test_threads_want_gradients_each_for_itself() -> None:
    f = torch.jit.script(product_of_three)
    x, w = leaf(0.5, 1.5), leaf(2.0, -1.0)
    with torch.no_grad():
        ready(f, x, w, 3.0)

    def without_end() -> None:
        torch.set_grad_enabled(False)
        seen.append([one.requires_grad for one in f(x, w, 3.0)])

    def with_gradients() -> None:
        seen.append([one.requires_grad for one in f(x, w, 3.0)])

    seen: list[list[bool]] = []
    for target in (without_end, with_gradients, with_gradients):
        thread = Thread(target=target)
        thread.start()
        thread.join()
    assert seen == [[False, False], [True, True], [True, True]]
    with torch.no_grad():
        thread = Thread(target=with_gradients)
        thread.start()
        thread.join()
        assert seen[-1] == [True, True]
        assert [one.requires_grad for one in f(x, w, 3.0)] == [False, False]


def resized(x, like):
    y = x * 2
    y.resize_(2)
    return y.resize_as_(like)


def test_what_requires_a_gradient_is_not_resized_at_any_call() -> None:
    """Calls that are recorded as usual ones did so from the second on."""
    for call in (resized, ts.script(resized)):
        for _ in range(4):
            with pytest.raises(RuntimeError, match="cannot resize variables that require grad"):
                call(leaf(1.0, 2.0, 3.0), torch.zeros(2))
        assert numbers(call(torch.ones(3), torch.zeros(2))) == [2.0, 2.0]


def test_arrays_are_given_where_gradients_are_off() -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match=r"Can't call numpy\(\)"):
        x.numpy()
    with torch.no_grad():
        x.numpy()[0] = 5.0
        assert np.asarray(x).tolist() == [5.0, 2.0]
    assert x.requires_grad


def test_results_without_gradients_may_be_written_to_out() -> None:
    x, mask, place = leaf(1.0, 2.0) * 1, torch.zeros(2, dtype=torch.bool), torch.tensor(0)
    torch.gt(x, 1.5, out=mask)
    torch.argmax(x, 0, out=place)
    assert (mask.tolist(), place.item(), mask.requires_grad) == ([False, True], 1, False)
    with pytest.raises(RuntimeError, match="arguments don't support automatic"):
        torch.exp(x, out=torch.zeros(2))
