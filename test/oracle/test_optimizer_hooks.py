"""Hooks around the states of optimizers, and what schedules tell, beside PyTorch."""

from importlib import import_module
from typing import Any

import torch

from torchscript_dialect import torch as stand_in


def _optimizer(t: Any) -> Any:
    p = t.nn.Parameter(t.ones(2))
    optimizer = t.optim.SGD([p], lr=0.5, momentum=0.9)
    p.grad = t.ones(2)
    optimizer.step()
    return optimizer


def _hooked(t: Any) -> list[Any]:
    seen: list[Any] = []
    optimizer, other = _optimizer(t), _optimizer(t)

    def renamed(one: Any, state: dict[str, Any]) -> dict[str, Any]:
        seen.append((one is optimizer, sorted(state)))
        groups = [{**group, "lr": group["lr"] / 2} for group in state["param_groups"]]
        return {**state, "param_groups": groups}

    optimizer.register_state_dict_pre_hook(lambda one: seen.append(("saves", one is optimizer)))
    optimizer.register_state_dict_post_hook(renamed)
    optimizer.register_state_dict_post_hook(lambda *_: seen.append("first"), prepend=True)
    given = optimizer.state_dict()
    seen.append(given["param_groups"][0]["lr"])
    other.register_load_state_dict_pre_hook(renamed)
    handle = other.register_load_state_dict_pre_hook(lambda _, state: state.pop("extra"))
    handle.remove()
    other.register_load_state_dict_pre_hook(lambda _, state: state.update(extra=1), prepend=True)
    other.register_load_state_dict_post_hook(
        lambda one: seen.append(one.param_groups[0]["lr"]), prepend=True
    )
    other.load_state_dict(given)
    return [*seen, sorted(given)]


def test_hooks_around_states() -> None:
    """What is loaded is a copy, which hooks may change."""
    assert _hooked(stand_in) == _hooked(torch)


def _stepped(t: Any) -> list[Any]:
    seen: list[Any] = []
    optimizer = _optimizer(t)

    def note(name: str) -> Any:
        return lambda one, args, kwargs: seen.append((name, one is optimizer, len(args), kwargs))

    module = import_module(f"{t.__name__}.optim.optimizer")
    handles = [
        module.register_optimizer_step_post_hook(note("after all")),
        optimizer.register_step_post_hook(note("after")),
        optimizer.register_step_pre_hook(note("before")),
        module.register_optimizer_step_pre_hook(note("before all")),
    ]
    optimizer.step()
    _optimizer(t)
    for handle in handles:
        handle.remove()
    optimizer.step()
    return seen


def test_hooks_of_all_optimizers() -> None:
    assert _stepped(stand_in) == _stepped(torch)


def _cooling(t: Any) -> list[Any]:
    schedule = t.optim.lr_scheduler.ReduceLROnPlateau(_optimizer(t), patience=0, cooldown=2)
    found: list[Any] = []
    for _ in range(6):
        schedule.step(1.0)
        found.append((schedule.in_cooldown, schedule.get_last_lr()))
    return found


def test_a_schedule_tells_whether_it_cools_down() -> None:
    assert _cooling(stand_in) == _cooling(torch)
