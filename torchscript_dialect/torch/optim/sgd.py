"""Gradient descent with momentum (PyTorch: torch/optim/sgd.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.torch.optim import updates
from torchscript_dialect.torch.optim.optimizer import Group, Optimizer, check_at_least, zeros_like

_PLAIN = """
def update(p: Tensor, g: Tensor, minus_lr: float, weight_decay: float, maximize: bool, decays: bool) -> Tensor:
    if maximize:
        g = -g
    if decays:
        g = g.add(p, alpha=weight_decay)
    return p.add(g, alpha=minus_lr)
"""
_MOMENTUM = """
def update(
        p: Tensor, g: Tensor, buffer: Tensor, minus_lr: float, weight_decay: float, momentum: float, new: float,
        maximize: bool, decays: bool, nesterov: bool, begins: bool
) -> Tuple[Tensor, Tensor]:
    if maximize:
        g = -g
    if decays:
        g = g.add(p, alpha=weight_decay)
    if begins:
        buffer = g.clone()
    else:
        buffer = (buffer * momentum).add(g, alpha=new)
    if nesterov:
        g = g.add(buffer, alpha=momentum)
    else:
        g = buffer
    return p.add(g, alpha=minus_lr), buffer
"""


class SGD(Optimizer):
    """Stochastic gradient descent."""

    RECORDS_LISTS = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_at_least("learning rate", lr)
        check_at_least("momentum value", momentum)
        check_at_least("weight_decay value", weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: Group) -> None:
        lr, decay = float(group["lr"]), float(group["weight_decay"])
        momentum, dampening = float(group["momentum"]), float(group["dampening"])
        switches = (bool(group["maximize"]), decay != 0)
        tensors = [tensor for tensor in group["params"] if tensor.grad is not None]
        if momentum == 0:
            update = updates.compiled(_PLAIN, 0, 2, switches)
            pairs = [[tensor, tensor.grad] for tensor in tensors]
            self._apply(group, update, pairs, (-lr, decay))
            return
        rows: dict[bool, list[list[Tensor]]] = {True: [], False: []}
        for tensor in tensors:
            state = self.state[tensor]
            begins = state.get("momentum_buffer") is None
            if begins:
                state["momentum_buffer"] = zeros_like(tensor)
            rows[begins].append([tensor, tensor.grad, state["momentum_buffer"]])
        for begins, some in rows.items():
            if some:
                known = (*switches, bool(group["nesterov"]), begins)
                update = updates.compiled(_MOMENTUM, 1, 4, known)
                given = (-lr, decay, momentum, 1 - dampening)
                self._apply(group, update, some, given)

    def _step_one_sparsely(self, group: Group, tensor: Tensor, grad: UnstridedTensor) -> None:
        if group["fused"]:
            raise RuntimeError("`_fused_sgd` does not support sparse gradients")
        lr, momentum = float(group["lr"]), float(group["momentum"])
        change: Any = -grad if group["maximize"] else grad
        if group["weight_decay"] != 0:
            change = change.add(tensor, alpha=float(group["weight_decay"]))
        if momentum != 0:
            state = self.state[tensor]
            buffer = state.get("momentum_buffer")
            if buffer is None:
                buffer = state["momentum_buffer"] = change.clone()
            else:
                buffer.mul_(momentum).add_(change, alpha=1 - float(group["dampening"]))
            change = change.add(buffer, alpha=momentum) if group["nesterov"] else buffer
        tensor.add_(change, alpha=-lr)
