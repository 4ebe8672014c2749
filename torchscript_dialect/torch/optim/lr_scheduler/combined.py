"""Schedules of several others."""

# pyright: basic
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from torchscript_dialect.torch.optim.lr_scheduler.base import LRScheduler, rate_of, set_rate
from torchscript_dialect.torch.optim.lr_scheduler.plateau import ReduceLROnPlateau
from torchscript_dialect.torch.optim.optimizer import Optimizer


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
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler, but got no scheduler."
            )
        _check(self, schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone "
                f"points, but got number of schedulers {len(schedulers)} and the number of milestones to be equal to "
                f"{len(milestones)}"
            )
        self.optimizer, self._schedulers, self._milestones = optimizer, schedulers, milestones
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            set_rate(group, group["initial_lr"])
        self.recursive_undo()
        schedulers[bisect_right(milestones, 0)]._initial_step()
        self._last_lr = schedulers[bisect_right(milestones, 0)].get_last_lr()

    def recursive_undo(self, sched: Any = None) -> None:
        """Take back the first steps of schedules, and of those in them."""
        own: Any = self if sched is None else sched
        if hasattr(own, "_schedulers"):
            for one in own._schedulers:
                self.recursive_undo(one)
        elif hasattr(own, "last_epoch"):
            own.last_epoch -= 1

    def step(self) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Set the next learning rates."""
        self.last_epoch += 1
        place = bisect_right(self._milestones, self.last_epoch)
        chosen = self._schedulers[place]
        if place > 0 and self._milestones[place - 1] == self.last_epoch:
            chosen._update_lr(0)
        else:
            chosen.step()
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
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler to be chained, but got no scheduler."
            )
        self.optimizer = schedulers[0].optimizer if optimizer is None else optimizer
        _check(self, schedulers, self.optimizer)
        self._schedulers = list(schedulers)
        self._last_lr = [rate_of(group) for group in self._groups]

    def step(self) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Set the next learning rates."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = [rate_of(group) for group in self._groups]

    def state_dict(self) -> dict[str, Any]:
        """As of all schedules, with those of its own."""
        return _with_states(super().state_dict(), self._schedulers)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """As of all schedules."""
        _load_states(self, state_dict, self._schedulers)


def _check(of: LRScheduler, schedulers: Sequence[Any], optimizer: Optimizer) -> None:
    """ValueError, or TypeError, for schedules that cannot be combined."""
    name = type(of).__name__
    for place, one in enumerate(schedulers):
        if not hasattr(one, "optimizer"):
            raise TypeError(f"{name} at index {place} should have `optimizer` as its attribute.")
        if isinstance(one, ReduceLROnPlateau):
            raise ValueError(
                f"{name} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to be specified when "
                f"calling `step`, but got one at index {place} in the given schedulers sequence."
            )
        if optimizer is not one.optimizer:
            raise ValueError(
                f"{name} expects all schedulers to belong to the same optimizer, but got scheduler {type(one).__name__} at "
                f"index {place} has {one.optimizer}, which is different from {type(optimizer).__name__}."
            )


def _with_states(state: dict[str, Any], schedulers: Sequence[LRScheduler]) -> dict[str, Any]:
    return {**state, "_schedulers": [scheduler.state_dict() for scheduler in schedulers]}


def _load_states(of: LRScheduler, state: dict[str, Any], schedulers: Sequence[LRScheduler]) -> None:
    of.__dict__.update({key: value for key, value in state.items() if key != "_schedulers"})
    for scheduler, saved in zip(schedulers, state["_schedulers"], strict=True):
        scheduler.load_state_dict(saved)
