"""Adagrad (PyTorch: torch/optim/adagrad.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.torch.optim.optimizer import Group, Optimizer, check_at_least

_ADAGRAD = """
def update(
        p: Tensor, g: Tensor, total: Tensor, minus_size: float, weight_decay: float, eps: float, maximize: bool, decays: bool
) -> Tuple[Tensor, Tensor]:
    if maximize:
        g = -g
    if decays:
        g = g.add(p, alpha=weight_decay)
    total = total.addcmul(g, g)
    return p.addcdiv(g, total.sqrt() + eps, value=minus_size), total
"""


class Adagrad(Optimizer):
    """Steps over roots of sums of squared gradients."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_at_least("learning rate", lr)
        check_at_least("lr_decay value", lr_decay)
        check_at_least("weight_decay value", weight_decay)
        check_at_least("initial_accumulator_value value", initial_accumulator_value)
        check_at_least("epsilon value", eps)
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for tensor in group["params"]:
                self._begin(group, tensor, self.state[tensor], ("sum",))

    def _begin(
        self, group: Group, tensor: Tensor, state: dict[str, Any], names: tuple[str, ...]
    ) -> None:
        super()._begin(group, tensor, state, names)
        first = group["initial_accumulator_value"]
        state["sum"].array[...] = complex(first, first) if tensor.is_complex() else first

    def _step_group(self, group: Group) -> None:
        lr, fade = float(group["lr"]), float(group["lr_decay"])
        eps, decay = float(group["eps"]), float(group["weight_decay"])
        self._update(
            group,
            _ADAGRAD,
            ("sum",),
            lambda step: (-lr / (1 + (step - 1) * fade), decay, eps),
            (bool(group["maximize"]), decay != 0),
        )

    def _step_one_sparsely(self, group: Group, tensor: Tensor, grad: UnstridedTensor) -> None:
        if group["fused"]:
            raise RuntimeError("`fused` does not support sparse grad or complex param")
        if group["weight_decay"] != 0:
            raise RuntimeError("weight_decay option is not compatible with sparse gradients")
        state = self.state[tensor]
        made = state["step"].array
        lr = float(group["lr"]) / (1 + made.item() * float(group["lr_decay"]))
        made += 1
        used: Any = (-grad if group["maximize"] else grad).coalesce()
        rows = used._values()
        state["sum"].add_(used.twin((rows * rows).array))
        roots = state["sum"].sparse_mask(used)._values().sqrt() + float(group["eps"])
        tensor.add_(used.twin((rows / roots).array), alpha=-lr)
