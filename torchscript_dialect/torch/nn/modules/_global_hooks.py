"""Hooks of all modules (PyTorch: torch/nn/modules/module.py)."""

from __future__ import annotations

from typing import Any, NamedTuple

from torchscript_dialect.torch.nn.modules._hooks import Handle, Hook


class GlobalHook(NamedTuple):
    """A hook of all modules, and when it is called."""

    when: str
    hook: Hook
    with_kwargs: bool = False
    always_call: bool = False


CALLS: dict[int, GlobalHook] = {}
"""What is called around the calls of modules, and when gradients go through them."""
REGISTRATIONS: dict[int, GlobalHook] = {}
"""What is called when modules get parameters, buffers and submodules."""


def hooks(when: str) -> list[GlobalHook]:
    """The hooks around calls of one kind."""
    return [one for one in CALLS.values() if one.when == when]


def registered(when: str, module: Any, name: str, value: Any) -> Any:
    """What a module gets for this, as hooks say."""
    for one in REGISTRATIONS.values():
        if one.when == when:
            changed = one.hook(module, name, value)
            value = value if changed is None else changed
    return value


def _around_calls(hook: GlobalHook) -> Handle:
    handle = Handle(CALLS, hook)
    CALLS[handle.id] = hook
    return handle


def _at_registrations(hook: GlobalHook) -> Handle:
    handle = Handle(REGISTRATIONS, hook)
    REGISTRATIONS[handle.id] = hook
    return handle


def register_module_forward_pre_hook(hook: Hook) -> Handle:
    """Call `hook(module, inputs)` before the `forward` of each module, and before its own hooks."""
    return _around_calls(GlobalHook("forward_pre", hook))


def register_module_forward_hook(
    hook: Hook, *, with_kwargs: bool = False, always_call: bool = False
) -> Handle:
    """Call `hook(module, inputs, result)` after the `forward` of each module, and before its own hooks."""
    return _around_calls(GlobalHook("forward", hook, with_kwargs, always_call))


def register_module_full_backward_pre_hook(hook: Hook) -> Handle:
    """Call `hook(module, gradients of the results)` for each module."""
    return _around_calls(GlobalHook("full_backward_pre", hook))


def register_module_full_backward_hook(hook: Hook) -> Handle:
    """Call `hook(module, gradients of the inputs, those of the results)` for each module.

    Raises:
        RuntimeError: there are hooks of `register_module_backward_hook`.
    """
    _check_one_kind("backward")
    return _around_calls(GlobalHook("full_backward", hook))


def register_module_backward_hook(hook: Hook) -> Handle:
    """The same with the gradients of the last operator's inputs, as `Module.register_backward_hook`."""
    _check_one_kind("full_backward")
    return _around_calls(GlobalHook("backward", hook))


def _check_one_kind(other: str) -> None:
    if hooks(other):
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks as a "
            "global Module hook. Please use only one of them."
        )


def register_module_parameter_registration_hook(hook: Hook) -> Handle:
    """Call `hook(module, name, parameter)` when a module gets a parameter; what it returns, unless None, takes its place."""
    return _at_registrations(GlobalHook("parameter", hook))


def register_module_buffer_registration_hook(hook: Hook) -> Handle:
    """The same for buffers."""
    return _at_registrations(GlobalHook("buffer", hook))


def register_module_module_registration_hook(hook: Hook) -> Handle:
    """The same for submodules."""
    return _at_registrations(GlobalHook("module", hook))
