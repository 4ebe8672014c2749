"""Hooks of all modules, and the older hooks of gradients, beside PyTorch: what they see, change, and in which order."""

import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.modules.module

from torchscript_dialect import torch as stand_in


def plain(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if hasattr(value, "tolist"):
        return (value * 8).round().tolist()
    return None if value is None else type(value).__name__


def both(program: Callable[[Any], Any]) -> None:
    """Both libraries give the same."""
    assert program(stand_in) == program(torch)


def made(t: Any, *parts: Any) -> Any:
    """Layers with known weights."""
    net = t.nn.Sequential(*parts)
    with t.no_grad():
        for number, parameter in enumerate(net.parameters()):
            parameter.copy_(t.arange(parameter.numel()).reshape(parameter.shape) / 8 - number / 4)
    return net


def test_calls_and_gradients() -> None:
    def program(t: Any) -> list[Any]:
        hooks, seen = t.nn.modules.module, []

        def note(kind: str, result: Callable[..., Any] = lambda *_: None) -> Callable[..., Any]:
            def hook(module: Any, *values: Any) -> Any:
                seen.append((kind, type(module).__name__, plain(list(values))))
                return result(*values)

            return hook

        net = made(t, t.nn.Tanh(), t.nn.Linear(2, 2))
        net[1].register_forward_hook(note("own"))
        net[1].register_forward_pre_hook(note("own before"))
        net[1].register_full_backward_hook(note("own backward"))
        net[1].register_full_backward_pre_hook(note("own backward before"))
        handles = [
            hooks.register_module_forward_pre_hook(note("before", lambda args: args[0] + 1)),
            hooks.register_module_forward_hook(note("after", lambda _, result: result * 2)),
            hooks.register_module_forward_hook(note("with", lambda *_: None), with_kwargs=True),
            hooks.register_module_full_backward_hook(note("backward")),
            hooks.register_module_full_backward_pre_hook(note("backward before")),
        ]
        x = t.tensor([[0.5, -0.25]], requires_grad=True)
        net(x).sum().backward()
        seen.append(plain(x.grad))
        for handle in handles:
            handle.remove()
        seen.append(plain(net(x)))
        return seen

    both(program)


def test_hooks_that_are_always_called() -> None:
    class Fails(Exception):
        pass

    def program(t: Any) -> list[Any]:
        seen: list[Any] = []

        class Failing(t.nn.Module):
            def forward(self, x: Any) -> Any:
                raise Fails

        def hook(module: Any, args: Any, result: Any) -> None:
            seen.append((type(module).__name__, plain(args), plain(result)))

        for always in (True, False):
            register = t.nn.modules.module.register_module_forward_hook
            with register(hook, always_call=always), pytest.raises(Fails):
                Failing()(t.ones(2))
        return seen

    both(program)


def test_registrations() -> None:
    def program(t: Any) -> list[Any]:
        hooks, seen = t.nn.modules.module, []

        def note(module: Any, name: str, value: Any) -> Any:
            seen.append((type(module).__name__, name, plain(value)))

        with (
            hooks.register_module_parameter_registration_hook(note),
            hooks.register_module_buffer_registration_hook(note),
            hooks.register_module_module_registration_hook(note),
        ):
            outer = t.nn.Module()
            outer.weight = t.nn.Parameter(t.ones(2))
            outer.register_buffer("mean", t.zeros(1))
            outer.inner = t.nn.Identity()
            outer.add_module("other", t.nn.Tanh())
        outer.unseen = t.nn.Identity()
        with hooks.register_module_parameter_registration_hook(
            lambda module, name, value: t.nn.Parameter(value.detach() * 3)
        ):
            outer.scale = t.nn.Parameter(t.ones(1))
        return [*seen, plain(outer.scale)]

    both(program)


def test_older_hooks_of_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.nn.modules.module, "_global_is_full_backward_hook", None)

    def program(t: Any) -> list[Any]:
        seen: list[Any] = []

        def hook(module: Any, grad_input: Any, grad_output: Any) -> None:
            seen.append((type(module).__name__, plain(grad_output)))

        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            net = made(t, t.nn.Linear(2, 2), t.nn.Tanh())
            for part in (net, *net):
                part.register_backward_hook(hook)
            x = t.tensor([[0.5, -0.25]])
            net(x).sum().backward()
            handle = t.nn.modules.module.register_module_backward_hook(hook)
            net[1](x.requires_grad_()).sum().backward()
            seen.append(refused(lambda: net.register_full_backward_hook(hook)))
            register = t.nn.modules.module.register_module_full_backward_hook
            seen.append(refused(lambda: register(hook)))
            handle.remove()
            other = t.nn.Tanh()
            other.register_full_backward_hook(hook)
            seen.append(refused(lambda: other.register_backward_hook(hook)))
        said = sorted({str(one.message) for one in told if one.category is FutureWarning})
        return [*seen, said]

    both(program)


def refused(run: Callable[[], Any]) -> str:
    with pytest.raises(RuntimeError) as caught:
        run()
    return str(caught.value)


def test_to_empty() -> None:
    def program(t: Any) -> Any:
        net = t.nn.BatchNorm1d(3)
        weight = net.weight
        assert net.to_empty(device="cpu") is net
        assert net.weight is weight
        return [(name, list(one.shape), str(one.dtype)) for name, one in net.state_dict().items()]

    both(program)
