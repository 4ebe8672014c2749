"""Schedules that go up and down, and take the momentum with them."""

# pyright: basic
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from torchscript_dialect.torch.optim.lr_scheduler.base import (
    LRScheduler,
    of_each,
    set_momentum,
    set_rate,
)
from torchscript_dialect.torch.optim.optimizer import Optimizer


class CyclicLR(LRScheduler):
    """From `base_lr` up to `max_lr` and down again, and again; the momentum goes the other way. `mode` or `scale_fn` tell how high."""

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.8,
        max_momentum: float | list[float] = 0.9,
        last_epoch: int = -1,
    ) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        base_lrs = of_each(optimizer, base_lr, "base_lr")
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, base_lrs, strict=True):
                set_rate(group, rate)
        self.max_lrs = of_each(optimizer, max_lr, "max_lr")
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode, self.gamma, self._scale_fn = mode, gamma, scale_fn
        if scale_fn is None:
            scale_mode = "iterations" if mode == "exp_range" else "cycle"
        self.scale_mode = scale_mode
        self.cycle_momentum = cycle_momentum
        if cycle_momentum and not {"momentum", "betas"} & optimizer.defaults.keys():
            raise ValueError(
                "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            )
        self.base_momentums = of_each(optimizer, base_momentum, "base_momentum")
        self.max_momentums = of_each(optimizer, max_momentum, "max_momentum")
        if last_epoch == -1:
            for number, group in enumerate(optimizer.param_groups):
                if cycle_momentum:
                    set_momentum(group, self.max_momentums[number])
                    group["max_momentum"] = self.max_momentums[number]
                    group["base_momentum"] = self.base_momentums[number]
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def state_dict(self) -> dict[str, Any]:
        """As of all schedules; a function is left out."""
        return {**super().state_dict(), "_scale_fn": None}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """As of all schedules; a function stays."""
        super().load_state_dict({**state_dict, "_scale_fn": self._scale_fn})

    def scale_fn(self, x: float) -> float:
        """How high a cycle goes, by its number, or by that of the step."""
        if self._scale_fn is not None:
            return self._scale_fn(x)
        if self.mode == "exp_range":
            return self.gamma**x
        return 1.0 if self.mode == "triangular" else 1 / 2.0 ** (x - 1)

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        share = 1.0 + self.last_epoch / self.total_size - cycle
        if share <= self.step_ratio:
            height = share / self.step_ratio
        else:
            height = (share - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            momenta = zip(self._groups, self.base_momentums, self.max_momentums, strict=True)
            for group, least, most in momenta:
                set_momentum(group, most - (most - least) * height * scale)
        return [
            base + (top - base) * height * scale
            for base, top in zip(self.base_lrs, self.max_lrs, strict=True)
        ]


class OneCycleLR(LRScheduler):
    """Up to `max_lr` and down far below the first learning rate; the momentum goes the other way."""

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        if total_steps is None and (epochs is None or steps_per_epoch is None):
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        total = total_steps if total_steps is not None else (epochs or 0) * (steps_per_epoch or 0)
        if total <= 0:
            raise ValueError(f"Expected positive integer total_steps, but got {total}")
        if not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self.total_steps = total
        self._anneal_func_type = anneal_strategy
        up = float(pct_start * total) - 1
        phases = [(up, "initial_lr", "max_lr", "max_momentum", "base_momentum")]
        if three_phase:
            phases.append(
                (
                    float(2 * pct_start * total) - 2,
                    "max_lr",
                    "initial_lr",
                    "base_momentum",
                    "max_momentum",
                )
            )
            phases.append((total - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"))
        else:
            phases.append((total - 1, "max_lr", "min_lr", "base_momentum", "max_momentum"))
        self._phases = phases
        self.cycle_momentum = cycle_momentum
        if last_epoch == -1:
            for group, top in zip(
                optimizer.param_groups, of_each(optimizer, max_lr, "max_lr"), strict=True
            ):
                group["initial_lr"], group["max_lr"] = top / div_factor, top
                group["min_lr"] = group["initial_lr"] / final_div_factor
        if cycle_momentum and not {"momentum", "betas"} & optimizer.defaults.keys():
            raise ValueError(
                "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            )
        if last_epoch == -1 and cycle_momentum:
            for group, most, least in zip(
                optimizer.param_groups,
                of_each(optimizer, max_momentum, "max_momentum"),
                of_each(optimizer, base_momentum, "base_momentum"),
                strict=True,
            ):
                set_momentum(group, most)
                group["max_momentum"], group["base_momentum"] = most, least
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"Tried to step {self.last_epoch} times. The specified number of total steps is {self.total_steps}"
            )
        starts = [0.0, *(end for end, *_ in self._phases)]
        phase = next((n for n, (end, *_) in enumerate(self._phases) if self.last_epoch <= end), -1)
        end, first, last, most, least = self._phases[phase]
        start = starts[:-1][phase]
        share = (self.last_epoch - start) / (end - start)
        if self.cycle_momentum:
            for group in self._groups:
                set_momentum(group, self._between(group[most], group[least], share))
        return [self._between(group[first], group[last], share) for group in self._groups]

    def _between(self, start: float, end: float, share: float) -> float:
        if self._anneal_func_type == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)
