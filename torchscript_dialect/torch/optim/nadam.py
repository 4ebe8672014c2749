"""NAdam and RAdam (PyTorch: torch/optim/nadam.py, radam.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.torch.optim.adam import MEANS, check_options, switches_of
from torchscript_dialect.torch.optim.optimizer import Group, Optimizer, check_at_least

_PARAMETERS = """p: Tensor, g: Tensor, mean: Tensor, square: Tensor, weight_decay: float, shrunk: float, new1: float,
        beta2: float, new2: float, eps: float"""
_SWITCHES = "maximize: bool, decays: bool, shrinks: bool"
_NADAM = f"""
def update(
        {_PARAMETERS}, correction: float, by_grad: float, by_mean: float, {_SWITCHES}
) -> Tuple[Tensor, Tensor, Tensor]:{MEANS}
    root = (square / correction).sqrt() + eps
    p = p.addcdiv(g, root, value=by_grad)
    return p.addcdiv(mean, root, value=by_mean), mean, square
"""
_RADAM = f"""
def update(
        {_PARAMETERS}, correction: float, lr: float, root: float, rectified: float, {_SWITCHES}, is_rectified: bool
) -> Tuple[Tensor, Tensor, Tensor]:{MEANS}
    step = mean / correction * lr
    if is_rectified:
        step = step * (root / (square.sqrt() + eps)) * rectified
    return p.add(step, alpha=-1.0), mean, square
"""


def _common(group: Group) -> tuple[float, ...]:
    """The numbers that both begin with."""
    beta1, beta2 = map(float, group["betas"])
    lr, decay = float(group["lr"]), float(group["weight_decay"])
    return decay, 1 - lr * decay, 1 - beta1, beta2, 1 - beta2, float(group["eps"])


class NAdam(Optimizer):
    """Adam with Nesterov momentum."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_options(lr, betas, eps, weight_decay)
        check_at_least("momentum_decay value", momentum_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _begin(
        self, group: Group, tensor: Tensor, state: dict[str, Any], names: tuple[str, ...]
    ) -> None:
        super()._begin(group, tensor, state, names)
        state["mu_product"] = tensor_of(np.ones((), np.float32))

    def _step_group(self, group: Group) -> None:
        names = ("exp_avg", "exp_avg_sq")
        beta1, beta2 = map(float, group["betas"])
        lr, fade = float(group["lr"]), float(group["momentum_decay"])
        common = _common(group)

        def momentum(step: float) -> float:
            return beta1 * (1.0 - 0.5 * 0.96 ** (step * fade))

        products: dict[float, float] = {}
        for tensor in group["params"]:
            if tensor.grad is None:
                continue
            state = self.state[tensor]
            if not state:
                self._begin(group, tensor, state, names)
            if state["mu_product"].requires_grad:
                raise NotImplementedError("NAdam has no gradients by its product of momenta")
            step, product = state["step"].array.item() + 1, state["mu_product"].array
            product *= np.float32(momentum(step))
            products[step] = product.item()

        def numbers(step: float) -> tuple[float, ...]:
            now, following, product = momentum(step), momentum(step + 1), products[step]
            by_grad = -lr * (1.0 - now) / (1.0 - product)
            by_mean = -lr * following / (1.0 - product * following)
            return *common, 1 - beta2**step, by_grad, by_mean

        self._update(group, _NADAM, names, numbers, switches_of(group))


class RAdam(Optimizer):
    """Adam whose first steps are those of gradients, until it knows how much these vary."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_options(lr, betas, eps, weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: Group) -> None:
        beta1, beta2 = map(float, group["betas"])
        lr, common, longest = float(group["lr"]), _common(group), 2 / (1 - beta2) - 1

        def length(step: float) -> float:
            return longest - 2 * step * beta2**step / (1 - beta2**step)

        def numbers(step: float) -> tuple[float, ...]:
            now, rectified = length(step), 0.0
            if now > 5.0:
                share = (now - 4) * (now - 2) * longest / ((longest - 4) * (longest - 2) * now)
                rectified = share**0.5
            return *common, 1 - beta1**step, lr, (1 - beta2**step) ** 0.5, rectified

        self._update(
            group,
            _RADAM,
            ("exp_avg", "exp_avg_sq"),
            numbers,
            switches_of(group),
            lambda step: (length(step) > 5.0,),
        )
