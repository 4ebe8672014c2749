"""Modules that look the same share a type, and all that was made of it: Note [Concrete types] in api/concrete_types.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
import torchscript_dialect.torch as torch
from torchscript_dialect.torch import nn
from torchscript_dialect.torch.nn import functional as F

X = np.arange(6, dtype=np.float32).reshape(2, 3)


class Scale:
    def __init__(self, by: int):
        self.by = by

    def of(self, n: int) -> int:
        return n * self.by


class Net(nn.Module):
    __constants__ = ("fixed",)

    def __init__(
        self,
        width: int = 3,
        fixed: int = 2,
        shift: Any = 1.5,
        activation: Callable[..., Any] = F.relu,
        eps: float = 1e-3,
        by: int = 1,
        depth: int = 1,
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, width) for _ in range(depth)])
        self.make_norm = partial(nn.LayerNorm, eps=eps)
        self.norm = self.make_norm(width)
        self.fixed = fixed
        self.shift = shift
        self.sizes = [width, 1]
        self.activation = activation
        self.scale = Scale(by)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            y = self.activation(self.norm(layer(x)))
            x = y if y.shape == x.shape else x
        return x * self.fixed + self.shift + self.sizes[0] + self.scale.of(2)


def plain(x: torch.Tensor) -> torch.Tensor:
    return x


def has_type_of(one: Any, other: Any) -> bool:
    return one.forward._compiled is other.forward._compiled


def by_hand(module: Net, x: np.ndarray) -> np.ndarray:
    with torch.no_grad():
        return module(torch.from_numpy(x)).numpy()


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"shift": 2.5},
        {"by": 3},
    ],
)
def test_values_of_attributes_are_each_modules_own(given: dict[str, Any]) -> None:
    nets = [Net(), Net(**given)]
    first, second = map(ts.script, nets)
    assert has_type_of(first, second)
    with torch.no_grad():
        for _ in range(3):
            for module, net in ((first, nets[0]), (second, nets[1])):
                np.testing.assert_allclose(module(X).numpy(), by_hand(net, X), rtol=1e-5)


@pytest.mark.parametrize(
    "given",
    [
        {"fixed": 3},
        {"width": 4},
        {"shift": 1},
        {"depth": 2},
        {"activation": plain},
        {"eps": 1e-2},
    ],
)
def test_another_type_is_compiled_by_itself(given: dict[str, Any]) -> None:
    net = Net(**given)
    first, second = ts.script(Net()), ts.script(net)
    assert not has_type_of(first, second)
    with torch.no_grad():
        np.testing.assert_allclose(second(X).numpy(), by_hand(net, X), rtol=1e-5)


def test_a_module_with_hooks_or_a_method_of_its_own_has_a_type_of_its_own() -> None:
    first, hooked, other = Net(), Net(), Net()
    hooked.register_forward_hook(hook)
    other.forward = other.forward
    assert not has_type_of(ts.script(first), ts.script(hooked))
    assert not has_type_of(ts.script(first), ts.script(other))


def hook(self: Net, x: tuple[torch.Tensor], result: torch.Tensor) -> torch.Tensor:
    return result + 1


class Adder:
    def __init__(self, by: int):
        self.by = by

    def __call__(self, n: int) -> int:
        return n + self.by


def test_functions_that_are_objects_make_types_of_their_own() -> None:
    first, second = Constant(), Constant()
    for by, module in enumerate((first, second)):
        module.call = partial(Adder(by), 1)
    assert not has_type_of(ts.script(first), ts.script(second))


class Constant(nn.Module):
    __constants__ = ("by",)
    by = 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.by


def test_a_class_that_has_changed_is_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ts.script(Constant())
    monkeypatch.setattr(Constant, "by", 3)
    second = ts.script(Constant())
    monkeypatch.setattr(Constant, "forward", forward)
    third = ts.script(Constant())
    assert [module(X).numpy()[0, 1] for module in (first, second, third)] == [2, 3, -1]


def forward(self: Constant, x: torch.Tensor) -> torch.Tensor:
    return -x


@pytest.mark.parametrize(
    "change",
    [
        lambda module: ts.PassPipeline("ts-constant-pooling").run(module.graph),
        lambda module: module.graph.module_op,
        lambda module: module.define("def g(self, x):\n  return x\n"),
    ],
)
def test_what_somebody_may_have_changed_is_shared_no_more(change: Callable[[Any], Any]) -> None:
    first = ts.script(Constant())
    assert has_type_of(first, ts.script(Constant()))
    change(first)
    assert not has_type_of(first, ts.script(Constant()))


def test_passes_of_a_users_own_are_for_what_was_compiled_with_them() -> None:
    first = ts.script(Constant())
    passes = ts.pipelines.extended(lambda graph: None)
    assert not has_type_of(first, ts.script(Constant(), pipeline=passes))
    with ts.add_pass(lambda graph: None):
        assert not has_type_of(first, ts.script(Constant()))
    assert has_type_of(first, ts.script(Constant()))


def test_parents_tell_children_with_methods_of_their_own_apart() -> None:
    """Both children ran the method of the first."""

    class Part(nn.Module):
        def forward(self, x):
            return x

    class Parent(nn.Module):
        def __init__(self, first, second):
            super().__init__()
            self.first, self.second = first, second

        def forward(self, x):
            return self.first.scaled(x), self.second.scaled(x)

    parts = [ts.script(Part()), ts.script(Part())]
    parts[0].define("def scaled(self, x):\n    return x * 2")
    parts[1] = ts.script(Part())
    parts[1].define("def scaled(self, x):\n    return x * 3")
    first, second = ts.script(Parent(*parts))(torch.ones(1))
    assert [first.item(), second.item()] == [2, 3]
