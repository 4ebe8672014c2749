"""Hooks that see gradients go through modules, beside PyTorch: what they are given, what they change, and what is refused."""

import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch

import torchscript_dialect as ts
from torchscript_dialect import torch as stand_in

LIBRARIES: tuple[Any, Any] = (torch, stand_in)


def numbers(given: Any) -> Any:
    return [None if one is None else one.tolist() for one in given]


def module_of(t: Any, run: Callable[..., Any]) -> Any:
    class Of(t.nn.Module):
        def forward(self, *args: Any) -> Any:
            return run(*args)

    return Of()


def same(program: Callable[[Any], Any]) -> None:
    theirs, ours = (program(library) for library in LIBRARIES)
    assert ours == theirs


def scaled(factor: float) -> Callable[..., Any]:
    """A hook that scales the gradients that it may change."""
    return lambda module, grads, *_: tuple(None if one is None else one * factor for one in grads)


def test_gradients_of_arguments_and_results() -> None:
    """Of values that are no tensors there are none; hooks change what comes after them, the first ones first."""

    def program(t: Any) -> Any:
        seen: list[Any] = []
        m = module_of(t, lambda a, k, b: (a * b, k, a.detach(), b + 1))
        m.register_full_backward_hook(lambda _, *grads: seen.append([*map(numbers, grads)]))
        m.register_full_backward_hook(scaled(2), prepend=True)
        m.register_full_backward_pre_hook(lambda _, grads: seen.append(numbers(grads)))
        handle = m.register_full_backward_pre_hook(scaled(3), prepend=True)
        a, b = t.ones(2).requires_grad_(), t.tensor([2.0, 3.0])
        for needs in (False, True):
            b.requires_grad_(needs)
            results = m(a, 5, b)
            (results[0].sum() + results[3].sum()).backward()
            seen += [numbers((a.grad, b.grad)), [one.requires_grad for one in results[2:]]]
            handle.remove()
        with t.no_grad():
            assert not m(a, 5, b)[0].requires_grad
        return seen

    same(program)


def test_modules_without_arguments_that_need_gradients() -> None:
    def program(t: Any) -> Any:
        seen: list[Any] = []
        layer = t.nn.Linear(2, 1)
        t.nn.init.ones_(layer.weight)
        handle = layer.register_full_backward_hook(lambda _, *g: seen.extend(map(numbers, g)))
        with pytest.warns(UserWarning, match="since no inputs require gradients"):
            layer(t.ones(1, 2)).sum().backward()
        handle.remove()
        layer(t.ones(1, 2)).sum().backward()
        return seen, layer.weight.grad.tolist()

    same(program)


def _wrong(needs: bool, before: bool) -> Callable[[Any], Any]:
    def program(t: Any) -> None:
        layer = t.nn.Linear(2, 1)
        register = layer.register_full_backward_hook
        if before:
            register = layer.register_full_backward_pre_hook
        register(lambda *_: (1, 2))
        layer(t.ones(1, 2).requires_grad_(needs)).sum().backward()

    return program


@pytest.mark.filterwarnings("ignore:Full backward hook is firing")
def test_what_hooks_may_not_give() -> None:
    for needs, before in ((True, False), (False, False), (True, True)):
        told: list[str] = []
        for t in LIBRARIES:
            with pytest.raises(RuntimeError) as caught:
                _wrong(needs, before)(t)
            told.append(str(caught.value))
        assert told[0] == told[1]


def test_modules_with_hooks_are_scripted_without_them_and_not_traced() -> None:
    traces: tuple[Any, Any] = (torch.jit.trace, ts.trace)
    scripts: tuple[Any, Any] = (torch.jit.script, ts.script)
    told: list[str] = []
    for t, trace, script in zip(LIBRARIES, traces, scripts, strict=True):
        net = t.nn.Sequential(t.nn.Linear(2, 2), t.nn.ReLU())
        net[0].register_full_backward_hook(scaled(2))
        assert script(net)(t.ones(1, 2)).shape == (1, 2)
        with pytest.raises(ValueError, match="backward hooks") as caught:
            trace(net, t.ones(1, 2))
        told.append(str(caught.value))
        listed = module_of(t, lambda x: [x * 2])
        listed.register_full_backward_hook(scaled(2))
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            listed(t.ones(1).requires_grad_())
        told.append(str(heard[0].message))
    assert told[:2] == told[2:]
