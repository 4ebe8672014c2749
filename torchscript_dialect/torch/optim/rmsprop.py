"""RMSprop (PyTorch: torch/optim/rmsprop.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torchscript_dialect.torch.optim.optimizer import Group, Optimizer, check_at_least

_NUMBERS = "minus_lr: float, weight_decay: float, alpha: float, new: float, eps: float, momentum: float, maximize: bool, decays: bool"
_BEGIN = """
    if maximize:
        g = -g
    if decays:
        g = g.add(p, alpha=weight_decay)
    square = (square * alpha).addcmul(g, g, value=new)
"""
_CENTER = """    mean = mean.lerp(g, new)
    root = square.addcmul(mean, mean, value=-1).sqrt() + eps
"""
_ROOT = "    root = square.sqrt() + eps\n"
_MOMENTUM = """    buffer = (buffer * momentum).addcdiv(g, root)
    p = p.add(buffer, alpha=minus_lr)
"""
_STEP = "    p = p.addcdiv(g, root, value=minus_lr)\n"


def _source(is_centered: bool, has_momentum: bool) -> str:
    states = ["square", *(["mean"] if is_centered else []), *(["buffer"] if has_momentum else [])]
    parameters = ", ".join(f"{name}: Tensor" for name in ("p", "g", *states))
    body = (_CENTER if is_centered else _ROOT) + (_MOMENTUM if has_momentum else _STEP)
    result = ", ".join(["Tensor"] * (1 + len(states)))
    head = f"def update({parameters}, {_NUMBERS}) -> Tuple[{result}]:"
    return f"{head}{_BEGIN}{body}    return p, {', '.join(states)}\n"


class RMSprop(Optimizer):
    """Steps over roots of running means of squared gradients."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_at_least("learning rate", lr)
        check_at_least("epsilon value", eps)
        check_at_least("momentum value", momentum)
        check_at_least("weight_decay value", weight_decay)
        check_at_least("alpha value", alpha)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: Group) -> None:
        is_centered, momentum = bool(group["centered"]), float(group["momentum"])
        decay, alpha = float(group["weight_decay"]), float(group["alpha"])
        numbers = (-float(group["lr"]), decay, alpha, 1 - alpha, float(group["eps"]), momentum)
        names = ["square_avg"]
        if is_centered:
            names.append("grad_avg")
        if momentum > 0:
            names.append("momentum_buffer")
        self._update(
            group,
            _source(is_centered, momentum > 0),
            tuple(names),
            lambda step: numbers,
            (bool(group["maximize"]), decay != 0),
        )
