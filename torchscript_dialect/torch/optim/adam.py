"""Adam, AdamW and Adamax (PyTorch: torch/optim/adam.py, adamw.py, adamax.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.torch.optim.optimizer import (
    Group,
    Optimizer,
    check_at_least,
    check_betas,
    numbers_of_betas,
)

MEANS = """
    if maximize:
        g = -g
    if decays:
        g = g.add(p, alpha=weight_decay)
    if shrinks:
        p = p * shrunk
    mean = mean.lerp(g, new1)
    square = (square * beta2).addcmul(g, g, value=new2)
"""
"""The beginning of updates by running means of gradients and of their squares."""
_ADAM = f"""
def update(
        p: Tensor, g: Tensor, mean: Tensor, square: Tensor, minus_size: float, weight_decay: float, shrunk: float, new1: float,
        beta2: float, new2: float, root: float, eps: float, maximize: bool, decays: bool, shrinks: bool
) -> Tuple[Tensor, Tensor, Tensor]:{MEANS}
    return p.addcdiv(mean, square.sqrt() / root + eps, value=minus_size), mean, square
"""
_AMSGRAD = f"""
def update(
        p: Tensor, g: Tensor, mean: Tensor, square: Tensor, largest: Tensor, minus_size: float, weight_decay: float,
        shrunk: float, new1: float, beta2: float, new2: float, root: float, eps: float, maximize: bool, decays: bool, shrinks: bool
) -> Tuple[Tensor, Tensor, Tensor, Tensor]:{MEANS}
    largest = torch.maximum(largest, square)
    return p.addcdiv(mean, largest.sqrt() / root + eps, value=minus_size), mean, square, largest
"""
_ADAMAX = """
def update(
        p: Tensor, g: Tensor, mean: Tensor, largest: Tensor, minus_size: float, weight_decay: float, new1: float, beta2: float,
        eps: float, maximize: bool, decays: bool
) -> Tuple[Tensor, Tensor, Tensor]:
    if maximize:
        g = -g
    if decays:
        g = g.add(p, alpha=weight_decay)
    mean = mean.lerp(g, new1)
    largest = torch.maximum(largest * beta2, g.abs() + eps)
    return p.addcdiv(mean, largest, value=minus_size), mean, largest
"""


def check_options(lr: Any, betas: tuple[Any, Any], eps: float, weight_decay: float) -> None:
    """ValueError for options of these optimizers that are out of their ranges."""
    check_at_least("learning rate", lr)
    check_at_least("epsilon value", eps)
    check_betas(betas)
    check_at_least("weight_decay value", weight_decay)


def switches_of(group: Group) -> tuple[bool, bool, bool]:
    """Whether to maximize, whether weights decay by way of the gradient, and whether by themselves."""
    has_decay, is_apart = group["weight_decay"] != 0, bool(group["decoupled_weight_decay"])
    return bool(group["maximize"]), has_decay and not is_apart, has_decay and is_apart


class Adam(Optimizer):
    """Steps by running means of gradients over roots of running means of their squares."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        betas: tuple[Any, Any] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        if isinstance(lr, Tensor) and foreach and not capturable:
            raise ValueError(
                "lr as a Tensor is not supported for capturable=False and foreach=True"
            )
        check_options(lr, betas, eps, weight_decay)
        betas = numbers_of_betas(betas, foreach, capturable)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: Group) -> None:
        beta1, beta2 = map(float, group["betas"])
        lr, eps, decay = float(group["lr"]), float(group["eps"]), float(group["weight_decay"])

        def numbers(step: float) -> tuple[float, ...]:
            size = lr / (1 - beta1**step)
            root = (1 - beta2**step) ** 0.5
            return -size, decay, 1 - lr * decay, 1 - beta1, beta2, 1 - beta2, root, eps

        switches = switches_of(group)
        names = ("exp_avg", "exp_avg_sq")
        if group["amsgrad"]:
            self._update(group, _AMSGRAD, (*names, "max_exp_avg_sq"), numbers, switches)
        else:
            self._update(group, _ADAM, names, numbers, switches)

    def _step_one_sparsely(self, group: Group, tensor: Tensor, grad: UnstridedTensor) -> None:
        raise RuntimeError(
            "Adam does not support sparse gradients, please consider SparseAdam instead"
        )


class AdamW(Adam):
    """Adam whose weights decay by themselves, not by way of the gradient."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        betas: tuple[Any, Any] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        **options: Any,
    ) -> None:
        options["decoupled_weight_decay"] = True
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **options)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True


class Adamax(Optimizer):
    """Adam by the largest gradient instead of the mean of squares."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_options(lr, betas, eps, weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: Group) -> None:
        beta1, beta2 = map(float, group["betas"])
        lr, eps, decay = float(group["lr"]), float(group["eps"]), float(group["weight_decay"])
        self._update(
            group,
            _ADAMAX,
            ("exp_avg", "exp_inf"),
            lambda step: (-lr / (1 - beta1**step), decay, 1 - beta1, beta2, eps),
            (bool(group["maximize"]), decay != 0),
        )
