"""Rprop and ASGD (PyTorch: torch/optim/rprop.py, asgd.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.torch.optim.optimizer import Group, Optimizer, check_at_least

_RPROP = """
def update(
        p: Tensor, g: Tensor, before: Tensor, size: Tensor, less: float, more: float, smallest: float, largest: float,
        maximize: bool
) -> Tuple[Tensor, Tensor, Tensor]:
    if maximize:
        g = -g
    turn = g * before
    grown, shrunk = size * more, size * less
    size = torch.where(turn > 0, grown, torch.where(turn < 0, shrunk, size)).clamp(smallest, largest)
    g = torch.where(turn < 0, torch.zeros_like(g), g)
    return p.addcmul(g.sign(), size, value=-1), g, size
"""


class Rprop(Optimizer):
    """Steps by the signs of gradients, larger as long as these stay."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_at_least("learning rate", lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _begin(
        self, group: Group, tensor: Tensor, state: dict[str, Any], names: tuple[str, ...]
    ) -> None:
        super()._begin(group, tensor, state, names)
        lr = float(group["lr"])
        state["step_size"].array[...] = complex(lr, lr) if tensor.dtype.is_complex else lr

    def _step_group(self, group: Group) -> None:
        numbers = (*map(float, group["etas"]), *map(float, group["step_sizes"]))
        switches = (bool(group["maximize"]),)
        self._update(group, _RPROP, ("prev", "step_size"), lambda step: numbers, switches)


_ASGD = """
def update(
        p: Tensor, g: Tensor, mean: Tensor, weight_decay: float, shrunk: float, minus_size: float, share: float,
        maximize: bool, decays: bool, averages: bool
) -> Tuple[Tensor, Tensor]:
    if maximize:
        g = -g
    if decays:
        g = g.add(p, alpha=weight_decay)
    p = (p * shrunk).add(g, alpha=minus_size)
    if averages:
        mean = mean + (p - mean) * share
    else:
        mean = p.clone()
    return p, mean
"""


class ASGD(Optimizer):
    """Gradient descent whose mean over the last steps is kept, too."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_at_least("learning rate", lr)
        check_at_least("weight_decay value", weight_decay)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _begin(
        self, group: Group, tensor: Tensor, state: dict[str, Any], names: tuple[str, ...]
    ) -> None:
        super()._begin(group, tensor, state, names)
        state["eta"] = tensor_of(np.full((), float(group["lr"]), np.float32))
        state["mu"] = tensor_of(np.ones((), np.float32))

    def _step_group(self, group: Group) -> None:
        decay, fade = float(group["weight_decay"]), float(group["lambd"])
        lr, alpha, begin = float(group["lr"]), float(group["alpha"]), float(group["t0"])
        tensors = [tensor for tensor in group["params"] if tensor.grad is not None]
        sizes: dict[float, tuple[float, float]] = {}
        for tensor in tensors:
            state = self.state[tensor]
            if not state:
                self._begin(group, tensor, state, ("ax",))
            sizes[state["step"].array.item() + 1] = state["eta"].item(), state["mu"].item()

        def numbers(step: float) -> tuple[float, ...]:
            size, share = sizes[step]
            return decay, 1 - fade * size, -size, share

        self._update(
            group,
            _ASGD,
            ("ax",),
            numbers,
            (bool(group["maximize"]), decay != 0),
            lambda step: (sizes[step][1] != 1,),
        )
        for tensor in tensors:
            state = self.state[tensor]
            step = state["step"].array.item()
            state["eta"].array[...] = lr / (1 + fade * lr * step) ** alpha
            state["mu"].array[...] = 1 / max(1, step - begin)
