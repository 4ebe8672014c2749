"""Schedules of learning rates (PyTorch: torch/optim/lr_scheduler.py).

A schedule changes `group["lr"]` of each group at each `step()`, from what it is, so that several may work on one optimizer.
"""

# pyright: basic
from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from torchscript_dialect.torch.optim.optimizer import Group, Optimizer


class LRScheduler:
    """What schedules have in common: `get_lr` gives the learning rates after step number `last_epoch`."""

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(
                    "param 'initial_lr' is not specified in "
                    f"param_groups[{number}] when resuming scheduler with last_epoch >= 0."
                )
        self.base_lrs: list[Any] = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._step_count = 0
        self._advance()

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[Any]:
        """The learning rates that were set last."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """The learning rate of each group after step number `last_epoch`."""
        raise NotImplementedError

    def step(self, epoch: int | None = None) -> None:
        """Set the next learning rates."""
        if self._step_count == 1 and not self.optimizer._steps:  # pyright: ignore[reportPrivateUsage]
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call "
                "them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in "
                "PyTorch skipping the first value of the learning rate schedule.",
                UserWarning,
                stacklevel=2,
            )
        self._advance(epoch)

    def _advance(self, epoch: int | None = None) -> None:
        self._step_count += 1
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        closed = getattr(self, "_closed_form", None)
        self._set(self.get_lr() if epoch is None or closed is None else closed())

    def _set(self, rates: Sequence[Any]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate
        self._last_lr = list(rates)

    @property
    def _groups(self) -> list[Group]:
        return self.optimizer.param_groups

    def _times(self, factor: float) -> list[Any]:
        return [group["lr"] * factor for group in self._groups]


def _of_each(optimizer: Optimizer, value: Any, name: str) -> list[Any]:
    """One value a group."""
    if not isinstance(value, (list, tuple)):
        return [value] * len(optimizer.param_groups)
    if len(value) != len(optimizer.param_groups):
        raise ValueError(f"Expected {len(optimizer.param_groups)} {name}s, but got {len(value)}")
    return list(value)


class LambdaLR(LRScheduler):
    """The first learning rate times a function of the number of steps."""

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | list[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        self.lr_lambdas = _of_each(optimizer, lr_lambda, "lr_lambda")
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        """As of all schedules; functions are left out."""
        state = super().state_dict()
        return {**state, "lr_lambdas": [None] * len(self.lr_lambdas)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """As of all schedules; functions stay."""
        super().load_state_dict({**state_dict, "lr_lambdas": self.lr_lambdas})

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        return [
            base * function(self.last_epoch)
            for function, base in zip(self.lr_lambdas, self.base_lrs, strict=True)
        ]


class MultiplicativeLR(LambdaLR):
    """The learning rate times a function of the number of steps."""

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        if self.last_epoch == 0:
            return self._times(1)
        return [
            group["lr"] * function(self.last_epoch)
            for function, group in zip(self.lr_lambdas, self._groups, strict=True)
        ]


class StepLR(LRScheduler):
    """Times `gamma` every `step_size` steps."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        holds = self.last_epoch == 0 or self.last_epoch % self.step_size
        return self._times(1 if holds else self.gamma)

    def _closed_form(self) -> list[Any]:
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Times `gamma` at each of some steps."""

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Iterable[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        if self.last_epoch not in self.milestones:
            return self._times(1)
        return self._times(self.gamma ** self.milestones[self.last_epoch])

    def _closed_form(self) -> list[Any]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Times `gamma` at each step."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        return self._times(1 if self.last_epoch == 0 else self.gamma)

    def _closed_form(self) -> list[Any]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Times `factor` for the first `total_iters` steps."""

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 <= factor <= 1:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        if self.last_epoch == 0:
            return self._times(self.factor)
        return self._times(1.0 / self.factor if self.last_epoch == self.total_iters else 1)

    def _closed_form(self) -> list[Any]:
        factor = self.factor if self.last_epoch < self.total_iters else 1
        return [base * factor for base in self.base_lrs]


class LinearLR(LRScheduler):
    """From `start_factor` to `end_factor` times the learning rate in `total_iters` steps."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less or equal to 1."
            )
        if not 0 <= end_factor <= 1:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        if self.last_epoch == 0:
            return self._times(self.start_factor)
        if self.last_epoch > self.total_iters:
            return self._times(1)
        gap = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * gap
        return self._times(1.0 + gap / before)

    def _closed_form(self) -> list[Any]:
        share = min(self.total_iters, self.last_epoch) / self.total_iters
        factor = self.start_factor + (self.end_factor - self.start_factor) * share
        return [base * factor for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Down to zero in `total_iters` steps, as a power of what is left of them."""

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        if self.last_epoch == 0 or self.last_epoch > self.total_iters:
            return self._times(1)
        left = 1.0 - self.last_epoch / self.total_iters
        return self._times((left / (1.0 - (self.last_epoch - 1) / self.total_iters)) ** self.power)

    def _closed_form(self) -> list[Any]:
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left**self.power for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Down to `eta_min` along half a cosine of `T_max` steps, and up again."""

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        if self.last_epoch == 0:
            return self._times(1)
        if self._step_count == 1 and self.last_epoch > 0:
            return self._closed_form()
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [
                group["lr"] + (base - self.eta_min) * rise
                for base, group in zip(self.base_lrs, self._groups, strict=True)
            ]
        now = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        before = 1 + math.cos(math.pi * (self.last_epoch - 1) / self.T_max)
        return [
            now / before * (group["lr"] - self.eta_min) + self.eta_min for group in self._groups
        ]

    def _closed_form(self) -> list[Any]:
        share = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Down to `eta_min` along half a cosine, again and again, each time `T_mult` times as long."""

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0, self.T_i, self.T_mult, self.eta_min = T_0, T_0, T_mult, eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        share = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * share / 2 for base in self.base_lrs]

    def _advance(self, epoch: float | None = None) -> None:
        self._step_count += 1
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        elif epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        else:
            self._go_to(epoch)
        self.last_epoch = math.floor(epoch)
        self._set(self.get_lr())

    def _go_to(self, epoch: float) -> None:
        rounds, self.T_cur, self.T_i = 0, epoch, self.T_0
        if epoch >= self.T_0 and self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        elif epoch >= self.T_0:
            rounds = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**rounds - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**rounds


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
        if cycle_momentum and not {"momentum", "betas"} & optimizer.defaults.keys():
            raise ValueError(
                "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            )
        if last_epoch == -1:
            for group, top, most, least in zip(
                optimizer.param_groups,
                _of_each(optimizer, max_lr, "max_lr"),
                _of_each(optimizer, max_momentum, "max_momentum"),
                _of_each(optimizer, base_momentum, "base_momentum"),
                strict=True,
            ):
                group["initial_lr"] = top / div_factor
                group["max_lr"] = top
                group["min_lr"] = group["initial_lr"] / final_div_factor
                if cycle_momentum:
                    _set_momentum(group, most)
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
                _set_momentum(group, self._between(group[most], group[least], share))
        return [self._between(group[first], group[last], share) for group in self._groups]

    def _between(self, start: float, end: float, share: float) -> float:
        if self._anneal_func_type == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)


def _set_momentum(group: Group, value: float) -> None:
    if "betas" in group:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value


class ReduceLROnPlateau(LRScheduler):
    """Times `factor` when what is given to `step` has not become better for `patience` steps."""

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | list[float] = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        self.mode, self.factor, self.patience = mode, factor, patience
        self.threshold, self.threshold_mode = threshold, threshold_mode
        self.cooldown, self.eps = cooldown, eps
        self.min_lrs = _of_each(optimizer, min_lr, "min_lr")
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def step(self, metrics: Any, epoch: int | None = None) -> None:
        """Take note of what is to become better."""
        now = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.is_better(now, self.best):
            self.best, self.num_bad_epochs = now, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            for group, least in zip(self._groups, self.min_lrs, strict=True):
                wanted = max(group["lr"] * self.factor, least)
                if group["lr"] - wanted > self.eps:
                    group["lr"] = wanted
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = [group["lr"] for group in self._groups]

    def is_better(self, a: float, best: float) -> bool:
        """Whether a value counts as better than the best."""
        sign = -1 if self.mode == "min" else 1
        if self.threshold_mode == "abs":
            return sign * a > sign * best + self.threshold
        return sign * a > sign * best * (1 + sign * self.threshold)


class SequentialLR(LRScheduler):
    """One schedule after another, the next one from each of `milestones` on."""

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: list[LRScheduler],
        milestones: list[int],
        last_epoch: int = -1,
    ) -> None:
        if not schedulers:
            raise ValueError(f"{type(self).__name__} expects at least one scheduler to be chained")
        for scheduler in schedulers:
            if scheduler.optimizer is not optimizer:
                raise ValueError(
                    f"{type(self).__name__} expects all schedulers to belong to the same optimizer"
                )
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone "
                f"points, but got number of schedulers {len(schedulers)} and the number of milestones to be equal to "
                f"{len(milestones)}"
            )
        self.optimizer, self._schedulers, self._milestones = optimizer, schedulers, milestones
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for scheduler in schedulers:
            scheduler.last_epoch -= 1
        schedulers[0]._advance()
        self._last_lr = schedulers[0].get_last_lr()

    def step(self, epoch: int | None = None) -> None:
        """Set the next learning rates."""
        self.last_epoch += 1
        place = bisect_right(self._milestones, self.last_epoch)
        chosen = self._schedulers[place]
        if place > 0 and self._milestones[place - 1] == self.last_epoch:
            chosen._advance(0)
        else:
            chosen._advance()
        self._last_lr = chosen.get_last_lr()

    def state_dict(self) -> dict[str, Any]:
        """As of all schedules, with those of its own."""
        return _with_states(super().state_dict(), self._schedulers)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """As of all schedules."""
        _load_states(self, state_dict, self._schedulers)


class ChainedScheduler(LRScheduler):
    """All schedules at each step."""

    def __init__(
        self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None
    ) -> None:
        if not schedulers:
            raise ValueError(f"{type(self).__name__} expects at least one scheduler to be chained")
        self.optimizer = schedulers[0].optimizer if optimizer is None else optimizer
        self._schedulers = list(schedulers)
        self._last_lr = [group["lr"] for group in self._groups]

    def step(self, epoch: int | None = None) -> None:
        """Set the next learning rates."""
        for scheduler in self._schedulers:
            scheduler._advance()
        self._last_lr = [group["lr"] for group in self._groups]

    def state_dict(self) -> dict[str, Any]:
        """As of all schedules, with those of its own."""
        return _with_states(super().state_dict(), self._schedulers)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """As of all schedules."""
        _load_states(self, state_dict, self._schedulers)


def _with_states(state: dict[str, Any], schedulers: Sequence[LRScheduler]) -> dict[str, Any]:
    return {**state, "_schedulers": [scheduler.state_dict() for scheduler in schedulers]}


def _load_states(of: LRScheduler, state: dict[str, Any], schedulers: Sequence[LRScheduler]) -> None:
    of.__dict__.update({key: value for key, value in state.items() if key != "_schedulers"})
    for scheduler, saved in zip(schedulers, state["_schedulers"], strict=True):
        scheduler.load_state_dict(saved)
