"""Muon (PyTorch: torch/optim/_muon.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.dtype import bfloat16
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.optim.optimizer import Group, Optimizer, zeros_like

_LR_BY_SHAPE = {
    "original": lambda rows, columns: max(1, rows / columns) ** 0.5,
    "match_rms_adamw": lambda rows, columns: 0.2 * max(rows, columns) ** 0.5,
}


class Muon(Optimizer):
    """Steps of matrices along gradients whose singular values are nearly one."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.7750, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        """Raises ValueError for numbers out of their range, and for parameters that are no matrices."""
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        for name, value in (
            ("Learning rate", lr),
            ("momentum", momentum),
            ("weight decay", weight_decay),
        ):
            if not value >= 0.0:
                raise ValueError(f"{name} should be >= 0 but is: {value}")
        if adjust_lr_fn is not None and adjust_lr_fn not in _LR_BY_SHAPE:
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        options = {
            "lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov,
            "ns_coefficients": ns_coefficients, "eps": eps, "ns_steps": ns_steps,
            "adjust_lr_fn": adjust_lr_fn,
        }  # fmt: skip
        super().__init__(params, options)
        for group in self.param_groups:
            for tensor in group["params"]:
                if tensor.ndim != 2:
                    raise ValueError(
                        f"Muon only supports 2D parameters whereas we found a parameter with size: {tensor.size()}"
                    )

    def _step_group(self, group: Group) -> None:
        with grad_mode.enabled(False):
            for tensor in group["params"]:
                if tensor.grad is None:
                    continue
                if tensor.is_complex():
                    raise RuntimeError("Muon does not support complex parameters")
                self._step_one(group, tensor, tensor.grad)

    def _step_one(self, group: Group, tensor: Any, grad: Any) -> None:
        state, momentum, lr = self.state[tensor], group["momentum"], float(group["lr"])
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = zeros_like(grad)
        buffer = state["momentum_buffer"].lerp_(grad, 1 - momentum)
        update = grad.lerp(buffer, momentum) if group["nesterov"] else buffer
        update = _orthogonal(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
        by_shape = _LR_BY_SHAPE[group["adjust_lr_fn"] or "original"]
        tensor.mul_(1 - lr * group["weight_decay"])
        tensor.add_(update, alpha=-lr * by_shape(*tensor.shape))


def _orthogonal(grad: Any, coefficients: tuple[float, float, float], steps: int, eps: float) -> Any:
    """A matrix with its singular values moved towards one, by steps of Newton and Schulz.

    Raises:
        ValueError: there are too many steps, or coefficients are missing.
    """
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    is_tall = grad.size(0) > grad.size(1)
    found = grad.to(bfloat16, copy=True)
    found = found.t() if is_tall else found
    found = found.div_(found.norm().clamp(min=eps))
    for _ in range(steps):
        gram = found @ found.t()
        polynomial = call("aten::addmm", (gram, gram, gram), {"beta": b, "alpha": c})
        found = call("aten::addmm", (found, polynomial, found), {"beta": a})
    return found.t() if is_tall else found
