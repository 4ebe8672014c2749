"""`torch.optim.swa_utils`: means of parameters over steps (PyTorch: torch/optim/swa_utils.py)."""

# pyright: basic
from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch import nn
from torchscript_dialect.torch.nn.modules.batchnorm import _BatchNorm
from torchscript_dialect.torch.optim.lr_scheduler.base import LRScheduler, of_each
from torchscript_dialect.torch.optim.optimizer import Optimizer

__all__ = [
    "SWALR",
    "AveragedModel",
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]
Average = Callable[[Tensor, Tensor, Any], Tensor]
MultiAverage = Callable[[list[Tensor], list[Tensor], Any], None]


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """What moves a mean by `1 - decay` of the way to a parameter; ValueError for a decay that is not from 0 to 1."""
    if not 0.0 <= decay <= 1.0:
        raise ValueError(
            f"Invalid decay value {decay} provided. Please provide a value in [0,1] range."
        )

    def update(mean: Tensor, now: Tensor, count: Any) -> Tensor:
        return decay * mean + (1 - decay) * now

    return update


def get_swa_avg_fn() -> Average:
    """What gives the mean of a parameter and of `count` earlier ones."""

    def update(mean: Tensor, now: Tensor, count: Any) -> Tensor:
        return mean + (now - mean) / (count + 1)

    return update


def _of_several(average: Average) -> MultiAverage:
    def update(means: list[Tensor], now: list[Tensor], count: Any) -> None:
        with grad_mode.enabled(False):
            for one, other in zip(means, now, strict=True):
                one.copy_(average(one, other, count))

    return update


def get_ema_multi_avg_fn(decay: float = 0.999) -> MultiAverage:
    """`get_ema_avg_fn` for several parameters, whose means it writes to."""
    return _of_several(get_ema_avg_fn(decay))


def get_swa_multi_avg_fn() -> MultiAverage:
    """`get_swa_avg_fn` for several parameters, whose means it writes to."""
    return _of_several(get_swa_avg_fn())


class AveragedModel(nn.Module):
    """A copy of a model whose parameters are means of those that `update_parameters` is given."""

    n_averaged: Tensor

    def __init__(
        self,
        model: Any,
        device: Any = None,
        avg_fn: Average | None = None,
        multi_avg_fn: MultiAverage | None = None,
        use_buffers: bool = False,
    ) -> None:
        """With `use_buffers` buffers are averaged, too; otherwise they are those of the model."""
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", as_tensor(0))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the copy gives."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Any) -> None:
        """Take a model into the mean; the first is the mean."""
        own, other = list(self.module.parameters()), list(model.parameters())
        if self.use_buffers:
            own, other = [*own, *self.module.buffers()], [*other, *model.buffers()]
        means = [one.detach() for one in own]
        now = [one.detach() for one in other]
        with grad_mode.enabled(False):
            if not self.n_averaged.item():
                for one, value in zip(means, now, strict=True):
                    one.copy_(value)
            elif self.multi_avg_fn is not None:
                self.multi_avg_fn(means, now, self.n_averaged)
            else:
                _of_several(self.avg_fn or get_swa_avg_fn())(means, now, self.n_averaged)
            if not self.use_buffers:
                for one, value in zip(self.module.buffers(), model.buffers(), strict=True):
                    one.detach().copy_(value.detach())
            self.n_averaged += 1


def update_bn(loader: Iterable[Any], model: Any, device: Any = None) -> None:
    """Compute the statistics of the model's batch normalizations anew, over all batches of `loader`: tensors, or sequences whose first
    element is one.
    """
    layers = [one for one in model.modules() if isinstance(one, _BatchNorm)]
    if not layers:
        return
    momenta, was_training = [one.momentum for one in layers], model.training
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None
    model.train()
    with grad_mode.enabled(False):
        for batch in loader:
            first = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(first if device is None else first.to(device))
    for layer, momentum in zip(layers, momenta, strict=True):
        layer.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """From what the learning rate is to `swa_lr` in `anneal_epochs` steps, and no further."""

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float | list[float],
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        rates = of_each(optimizer, swa_lr, "swa_lr")
        for rate, group in zip(rates, optimizer.param_groups, strict=True):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy, self.anneal_epochs = anneal_strategy, anneal_epochs
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """See `LRScheduler.get_lr`."""
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._share(step - 1), self._share(step)
        found: list[Any] = []
        for group in self._groups:
            to = group["swa_lr"]
            start = to if before == 1 else (group["lr"] - before * to) / (1 - before)
            found.append(to * now + start * (1 - now))
        return found

    def _share(self, step: int) -> float:
        """How much of the way is gone."""
        share = max(0, min(1, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * share)) / 2 if self._anneal_strategy == "cos" else share
