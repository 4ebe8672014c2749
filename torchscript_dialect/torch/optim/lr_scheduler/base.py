"""What schedules have in common."""

# pyright: basic
from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.optim.optimizer import Group, Optimizer


class LRScheduler:
    """What schedules have in common: `get_lr` gives the learning rates after step number `last_epoch`."""

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
            set_rate(group, rate)
        self._last_lr = [rate_of(group) for group in self._groups]

    @property
    def _groups(self) -> list[Group]:
        return self.optimizer.param_groups

    def _times(self, factor: float) -> list[Any]:
        return [group["lr"] * factor for group in self._groups]


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
    """One value a group."""
    if not isinstance(value, (list, tuple)):
        return [value] * len(optimizer.param_groups)
    if len(value) != len(optimizer.param_groups):
        raise ValueError(f"Expected {len(optimizer.param_groups)} {name}s, but got {len(value)}")
    return list(value)


def set_momentum(group: Group, value: float) -> None:
    if "betas" in group:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value
