"""Groups are made of what kernels can be given: once a function is compiled, none runs its nodes one by one at each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support import models
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.runtime.executor.group_runners import LazyInterpreter
from torchscript_dialect.torch import nn

pytestmark = needs_native_calls


Tensor = torch.Tensor


class Missed:
    """Counts the calls that no kernel of a group took."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        serve = LazyInterpreter.__call__

        def call(runner: LazyInterpreter, *args: Any) -> Any:
            self.count += runner.group.KIND == "prim::TensorExprGroup"
            return serve(runner, *args)

        monkeypatch.setattr(LazyInterpreter, "__call__", call)

    def during(self, run: Callable[[], Any]) -> int:
        before = self.count
        run()
        return self.count - before


@pytest.fixture
def missed(monkeypatch: pytest.MonkeyPatch) -> Missed:
    return Missed(monkeypatch)


def compiled(module: nn.Module, *args: Any) -> Any:
    scripted = ts.script(module)
    with ts.background_compilation(False), torch.no_grad():
        for _ in range(6):
            scripted(*args)
    return scripted


@pytest.mark.parametrize("trains", [False, True])
@pytest.mark.parametrize("name", ["convnext", "transducer"])
def test_models(name: str, trains: bool, missed: Missed) -> None:
    file = models.load(name, "ours")
    model = ts.script(models.make(file))
    for parameter in model.parameters():
        parameter.requires_grad_(trains)
    args = models.convert(file.CALLS[0], torch.from_numpy)

    def step() -> None:
        results = [one for one in models.leaves(model(*args)) if isinstance(one, Tensor)]
        if trains:
            tracked = [one for one in results if one.requires_grad]
            torch.autograd.backward([one.sum() for one in tracked])

    with ts.background_compilation(False), torch.set_grad_enabled(trains):
        for _ in range(7):
            step()
        assert not missed.during(step)


class Like(nn.Module):
    """Makes tensors of the dtype and on the device of a buffer, whose type is observed."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("state", torch.ones(3, 4))

    def forward(self, n: int) -> tuple[Tensor, Tensor]:
        state = self.state
        made = torch.zeros([n, 4], dtype=state.dtype, device=state.device)
        return (made + 1) * 2, torch.full([n, 4], 2.5, dtype=state.dtype) * 2


def test_dtype_and_device_of_another_tensor(missed: Missed) -> None:
    """The kernel is given that tensor: the number of its dtype was one more argument, and results had the dtype of the first calls."""
    module = compiled(Like(), 3)
    with torch.no_grad():
        assert not missed.during(lambda: module(5))
        for dtype in (torch.float64, torch.int64, torch.float32):
            module.state = torch.ones(3, 4, dtype=dtype)
            first, second = module(2)
            assert (first.dtype, second.dtype) == (dtype, dtype)
            np.testing.assert_array_equal(first.numpy(), np.full((2, 4), 2))


class View(nn.Module):
    """A view whose sizes are an attribute: numbers that a kernel is given."""

    def __init__(self) -> None:
        super().__init__()
        self.shape = (2, 3, 4)

    def forward(self, x: Tensor) -> Tensor:
        return torch.tanh((x * 2).view(self.shape)) * 2


SERVED = [
    ((2, 3, 4), 24),
    ((-1, 3, 4), 24),
    ((2, -1, 4), 24),
    ((2, 3, -1), 36),
    ((1, 1, 1), 1),
    ((1, 1, -1), 1),
    ((-1, 2, 4), 0),
    ((3, 4, 0), 0),
]
REFUSED = [
    ((-1, -1, 4), 24),
    ((-1, -1, -1), 1),
    ((-1, 5, 4), 24),
    ((0, -1, 4), 0),
    ((0, -1, 0), 0),
    ((2, -2, -6), 24),
    ((-2, -3, 4), 24),
    ((2, 3, 5), 24),
]


def test_one_of_the_sizes_of_a_view_may_follow_from_the_others(missed: Missed) -> None:
    module = compiled(View(), torch.ones(24))
    with torch.no_grad():
        for shape, count in SERVED:
            module.shape = shape
            x = torch.arange(count).float()
            before = missed.count
            result = module(x)
            assert missed.count == before
            np.testing.assert_allclose(result.numpy(), x.mul(2).view(shape).tanh().mul(2).numpy())
        for shape, count in REFUSED:
            module.shape = shape
            x = torch.arange(count).float()
            with pytest.raises(RuntimeError) as told:
                x.view(shape)
            with pytest.raises(RuntimeError, match=str(told.value).splitlines()[-1][-20:-2]):
                module(x)


SUMMED = """
def f(x, w):
    return (torch.tanh(x * w) * w).sum()
"""


def test_gradients_are_summed_to_sizes_that_are_the_same_in_every_call(missed: Missed) -> None:
    """Sizes of 1 are constants of a plan: what sums to these was in groups, and what gives these was not."""
    f = ts.CompilationUnit(SUMMED).f
    w = torch.full([1, 1], 0.5, requires_grad=True)
    x = torch.arange(12).float().view(3, 4) / 12

    def step() -> None:
        w.grad = None
        f(x, w).backward()

    with ts.background_compilation(False):
        for _ in range(6):
            step()
        assert not missed.during(step)
    product = x.numpy() * 0.5
    expected = (np.tanh(product) + 0.5 * x.numpy() / np.cosh(product) ** 2).sum()
    np.testing.assert_allclose(w.grad.numpy(), [[expected]], rtol=1e-5)
