"""Adafactor (PyTorch: torch/optim/_adafactor.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.torch.limits import finfo
from torchscript_dialect.torch.optim.optimizer import Group, Optimizer, zeros_like


class Adafactor(Optimizer):
    """Steps in the scale of the parameters; of squared gradients of matrices it keeps means of rows and of columns."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        """Raises ValueError for numbers out of their range."""
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        for name, value, is_fit in (
            ("Learning rate should be >= 0", lr, lr >= 0.0),
            ("beta2_decay should be <= 0", beta2_decay, beta2_decay <= 0.0),
            ("epsilon1 should be >= 0", eps[0], eps[0] is None or eps[0] >= 0.0),
            ("epsilon2 should be >= 0", eps[1], eps[1] >= 0.0),
            ("Clipping threshold d should be >= 1", d, d >= 1.0),
            ("weight_decay should be >= 0", weight_decay, weight_decay >= 0.0),
        ):
            if not is_fit:
                raise ValueError(f"{name} but is: {value}")
        options = {
            "lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize,
        }  # fmt: skip
        super().__init__(params, options)

    def _step_group(self, group: Group) -> None:
        eps1, _ = group["eps"]
        with grad_mode.enabled(False):
            for tensor in group["params"]:
                if tensor.grad is None:
                    continue
                if tensor.is_complex():
                    raise RuntimeError("Adafactor does not support complex parameters")
                if eps1 is None:
                    eps1 = finfo(tensor.dtype).eps  # of the first one, as PyTorch has it
                self._step_one(group, tensor, tensor.grad, eps1)

    def _step_one(self, group: Group, tensor: Any, grad: Any, eps1: float) -> None:
        state = self.state[tensor]
        if not state:
            _begin_state(state, grad)
        grad = -grad if group["maximize"] else grad
        lr, decay = float(group["lr"]), group["weight_decay"]
        state["step"] += 1
        step = state["step"].item()
        size = max(group["eps"][1], tensor.norm(2).item() / tensor.numel() ** 0.5)
        size *= min(lr, 1 / step**0.5)
        if decay != 0:
            tensor.mul_(1 - lr * decay)
        update = _variance(state, grad, step ** group["beta2_decay"], eps1)
        update = update.clamp_(min=eps1 * eps1).rsqrt_().mul_(grad)
        root = update.norm(2).item() / (update.numel() ** 0.5 * group["d"])
        tensor.add_(update, alpha=-size / max(1.0, root))


def _begin_state(state: dict[str, Any], grad: Any) -> None:
    """The state of a parameter before its first step."""
    state["step"] = tensor_of(np.zeros((), np.float32))
    if grad.dim() <= 1:
        state["variance"] = zeros_like(grad)
        return
    shape = list(grad.shape)
    state["row_var"] = grad.new_zeros([*shape[:-1], 1])
    state["col_var"] = grad.new_zeros([*shape[:-2], 1, shape[-1]])


def _variance(state: dict[str, Any], grad: Any, new: float, eps1: float) -> Any:
    """The running mean of the squared gradient, told by those of its rows and columns."""
    if grad.dim() <= 1:
        return state["variance"].lerp_(grad * grad, new).clone()
    for name, dim in (("row_var", -1), ("col_var", -2)):
        mean = grad.norm(dim=dim, keepdim=True).square_().div_(grad.size(dim))
        state[name].lerp_(mean, new)
    rows = state["row_var"]
    return (rows @ state["col_var"]).div_(rows.mean(dim=-2, keepdim=True).clamp_(min=eps1))
