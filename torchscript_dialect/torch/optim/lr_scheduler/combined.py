"""Schedules of several others."""

# pyright: basic
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from torchscript_dialect.torch.optim.lr_scheduler.base import LRScheduler, rate_of, set_rate
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
            set_rate(group, group["initial_lr"])
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
        self._last_lr = [rate_of(group) for group in self._groups]

    def step(self, epoch: int | None = None) -> None:
        """Set the next learning rates."""
        for scheduler in self._schedulers:
            scheduler._advance()
        self._last_lr = [rate_of(group) for group in self._groups]

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
