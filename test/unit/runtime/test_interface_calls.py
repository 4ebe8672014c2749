"""Methods that are called of an interface are compiled by themselves: Note [Calls that stay] in runtime/executor/graph_executor.py."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
import torchscript_dialect.torch as torch
from support.native_calls import needs_native_calls
from torchscript_dialect.torch import nn


@torch.jit.interface
class Step(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:  # pyright: ignore[reportReturnType]
        pass


class Twice(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x + x) * 0.5


class Weighted(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.full((3,), 2.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x * self.weight) * 0.5


class Loop(nn.Module):
    step: Step

    def __init__(self, step: nn.Module) -> None:
        super().__init__()
        self.step = step

    def forward(self, x: torch.Tensor, times: int) -> torch.Tensor:
        for _ in range(times):
            x = self.step(x)
        return x


@pytest.fixture(autouse=True)
def calls_wait_for_kernels() -> Iterator[None]:
    with ts.background_compilation(False):
        yield


def expected(x: np.ndarray, times: int) -> np.ndarray:
    for _ in range(times):
        x = np.tanh(2 * x) * np.float32(0.5)
    return x


def called(module: Any, calls: int = 4) -> Any:
    x = torch.tensor([0.25, -1.0, 3.0])
    result = None
    for _ in range(calls):
        result = module(x, 5)
        np.testing.assert_allclose(
            result.detach().numpy(), expected(x.numpy(), 5), rtol=1e-6, atol=1e-7
        )
    return result


@needs_native_calls
def test_a_method_of_an_interface_is_a_kernel() -> None:
    module = ts.script(Loop(Twice()))
    called(module)
    told = ts.explain(module)
    assert "called of an interface, and compiled by itself: " in told
    assert "group 0, native: aten::add, aten::tanh, aten::mul" in told


@pytest.mark.parametrize("wants", [True, False])
def test_parameters_of_its_object_get_gradients_where_they_are_wanted(wants: bool) -> None:
    module = ts.script(Loop(Weighted()))
    with torch.set_grad_enabled(wants):
        result = called(module)
    assert result.requires_grad is wants
    if wants:
        result.sum().backward()
        again = torch.tensor([0.25, -1.0, 3.0])
        weight = torch.full((3,), 2.0, requires_grad=True)
        y = again
        for _ in range(5):
            y = torch.tanh(y * weight) * 0.5
        y.sum().backward()
        grad = dict(module.named_parameters())["step.weight"].grad
        np.testing.assert_allclose(grad.numpy(), weight.grad.numpy(), rtol=1e-5)


class Chained(nn.Module):
    next: Step

    def __init__(self, next: nn.Module) -> None:
        super().__init__()
        self.next = next

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.next(x) + 1.0


def test_methods_call_each_other_through_interfaces() -> None:
    module = ts.script(Chained(Chained(Chained(Twice()))))
    x = np.array([0.25, -1.0, 3.0], np.float32)
    for _ in range(4):
        np.testing.assert_allclose(
            module(torch.tensor(x)).numpy(), np.tanh(2 * x) * np.float32(0.5) + 3, rtol=1e-6
        )


def test_an_object_of_another_class_takes_its_place() -> None:
    first, second = ts.script(Loop(Twice())), ts.script(Loop(Weighted()))
    called(first)
    with torch.no_grad():
        called(second)
        first.step = second.step
        called(first)
    assert "Weighted.forward" in ts.explain(first)


class Plain(nn.Module):
    def __init__(self, step: nn.Module) -> None:
        super().__init__()
        self.step = step

    def forward(self, x: torch.Tensor, times: int) -> torch.Tensor:
        for _ in range(times):
            x = self.step(x)
        return x


def test_nothing_takes_the_place_of_a_submodule_of_another_class() -> None:
    first, second = ts.script(Plain(Twice())), ts.script(Plain(Weighted()))
    with pytest.raises(RuntimeError, match=r"of type '__torch__.*Twice' for field 'step', but"):
        first.step = second.step
    called(first)
    first.step = ts.script(Plain(Twice())).step
    called(first)


def test_what_has_not_the_methods_of_an_interface_does_not_stand_for_it() -> None:
    module = ts.script(Loop(Twice()))
    with pytest.raises(RuntimeError, match="Step' for field 'step', but found"):
        module.step = ts.script(Plain(Twice()))  # it takes two arguments
    called(module)


@torch.jit.interface
class Whole:
    def forward(self, x: torch.Tensor) -> torch.Tensor:  # pyright: ignore[reportReturnType]
        pass


class NoModule:
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1


class Number(nn.Module):
    def forward(self, x: int) -> int:
        return x


def both(steps: list[Step], x: torch.Tensor) -> torch.Tensor:
    return steps[0].forward(x) + steps[1].forward(x)


def step_of_class(step: Whole, x: torch.Tensor) -> torch.Tensor:
    return step.forward(x)


def same(step: Step) -> Step:
    return step


def counter(start: int) -> Any:
    class Count(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.n = start

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.n += 1
            return x * self.n

    return ts.script(Count())


def test_modules_of_other_programs_are_arguments() -> None:
    x = torch.tensor([0.25, -1.0, 3.0])
    first, second = ts.script(Twice()), ts.script(Weighted())
    function = ts.script(both)
    for _ in range(3):
        with torch.no_grad():
            np.testing.assert_allclose(function([first, second], x), first(x) + second(x), 1e-6)
        np.testing.assert_allclose(ts.script(step_of_class)(first, x), first(x), 1e-6)
    assert ts.script(same)(first) is first


def test_modules_whose_classes_share_a_name_keep_their_methods_and_state() -> None:
    class Count(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return -x

    counts, negates = counter(2), ts.script(Count())
    function = ts.script(both)
    assert function([negates, counts], torch.ones(1)).item() == 2
    assert function([counts, negates], torch.ones(1)).item() == 3
    assert counts.n == 4


@pytest.mark.parametrize("wrong", [NoModule(), ts.script(Number())])
def test_objects_without_the_methods_are_refused(wrong: Any) -> None:
    with pytest.raises(RuntimeError, match=r"is not compatible with interface .*Step"):
        ts.script(same)(wrong)
