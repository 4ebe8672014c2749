"""What schedules have in common."""

# pyright: basic
from __future__ import annotations

import functools
import warnings
import weakref
from collections.abc import Sequence
from typing import Any

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.optim.optimizer import Group, Optimizer

_ADVICE = "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"


class LRScheduler:
    """What schedules have in common: `get_lr` gives the learning rates after step number `last_epoch`."""

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", rate_of(group))
            elif "initial_lr" not in group:
                raise KeyError(
                    "param 'initial_lr' is not specified in "
                    f"param_groups[{number}] when resuming scheduler with last_epoch >= 0."
                )
        self.base_lrs: list[Any] = [
            rate_of(group, "initial_lr") for group in optimizer.param_groups
        ]
        self.last_epoch = last_epoch
        _note_steps(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

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
        if self._step_count == 1:
            self._warn_of_order()
        self._step_count += 1
        if epoch is not None:
            warnings.warn(
                "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
                "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed "
                "form is used instead of the new chainable form, where available. Please open an issue if you are unable to "
                "replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose.",
                UserWarning,
                stacklevel=2,
            )
        self._update_lr(epoch)

    def _warn_of_order(self) -> None:
        if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
            warnings.warn(
                "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make "
                "sure to call `optimizer.step()` before `lr_scheduler.step()`. See more details at "
                + _ADVICE,
                UserWarning,
                stacklevel=3,
            )
        elif not getattr(self.optimizer, "_opt_called", False):
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call "
                "them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in "
                "PyTorch skipping the first value of the learning rate schedule. See more details at "
                + _ADVICE,
                UserWarning,
                stacklevel=3,
            )

    def _update_lr(self, epoch: int | None = None) -> None:
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        closed = getattr(self, "_get_closed_form_lr", None)
        self._get_lr_called_within_step = True
        try:
            rates = self.get_lr() if epoch is None or closed is None else closed()
        finally:
            self._get_lr_called_within_step = False
        self._set(rates)

    def _set(self, rates: Sequence[Any]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            set_rate(group, rate)
        self._last_lr = [rate_of(group) for group in self._groups]

    @property
    def _groups(self) -> list[Group]:
        return self.optimizer.param_groups

    def _times(self, factor: float) -> list[Any]:
        return [group["lr"] * factor for group in self._groups]


def _note_steps(optimizer: Optimizer) -> None:
    """Have an optimizer note that it has made a step; `step` is no method of the class any more."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    step: Any = optimizer.step
    function, own = step.__func__, weakref.ref(optimizer)

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Any:
        one: Any = own()
        one._opt_called = True
        return function(one, *args, **kwargs)

    noted._wrapped_by_lr_sched = True  # pyright: ignore[reportAttributeAccessIssue]
    optimizer.step = noted


def rate_of(group: Group, name: str = "lr") -> Any:
    """A learning rate of a group as it is now; a copy of one that is a tensor."""
    rate = group[name]
    return rate.clone() if isinstance(rate, Tensor) else rate


def set_rate(group: Group, rate: Any) -> None:
    """Give a group a learning rate; one that is a tensor stays it, and has another value."""
    if isinstance(group["lr"], Tensor):
        group["lr"].fill_(float(rate))
    else:
        group["lr"] = rate


def of_each(optimizer: Optimizer, value: Any, name: str) -> list[Any]:
    """One value a group; copies of those that are tensors."""
    groups = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        value = [value] * groups
    if len(value) != groups:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, "
            f"param_groups has {groups}."
        )
    return [one.clone() if isinstance(one, Tensor) else one for one in value]


def set_momentum(group: Group, value: float) -> None:
    if "betas" in group:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value
