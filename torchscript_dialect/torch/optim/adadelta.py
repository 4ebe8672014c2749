"""Adadelta (PyTorch: torch/optim/adadelta.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torchscript_dialect.torch.optim.optimizer import Group, Optimizer, check_at_least

_ADADELTA = """
def update(
        p: Tensor, g: Tensor, square: Tensor, moved: Tensor, minus_lr: float, weight_decay: float, rho: float, new: float,
        eps: float, maximize: bool, decays: bool
) -> Tuple[Tensor, Tensor, Tensor]:
    if maximize:
        g = -g
    if decays:
        g = g.add(p, alpha=weight_decay)
    square = (square * rho).addcmul(g, g, value=new)
    delta = (moved + eps).sqrt() / (square + eps).sqrt() * g
    moved = (moved * rho).addcmul(delta, delta, value=new)
    return p.add(delta, alpha=minus_lr), square, moved
"""


class Adadelta(Optimizer):
    """Steps as large as the last ones were, in relation to gradients."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_at_least("learning rate", lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_at_least("epsilon value", eps)
        check_at_least("weight_decay value", weight_decay)
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: Group) -> None:
        rho, decay = float(group["rho"]), float(group["weight_decay"])
        numbers = (-float(group["lr"]), decay, rho, 1 - rho, float(group["eps"]))
        self._update(
            group,
            _ADADELTA,
            ("square_avg", "acc_delta"),
            lambda step: numbers,
            (bool(group["maximize"]), decay != 0),
        )
