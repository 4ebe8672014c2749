"""Gradients of losses that have operators of their own (PyTorch: native/BinaryOps.cpp, PointwiseOps.cpp, LossNLL.cpp).

Those of two tensors are decompositions into pointwise operators: `norm` is 1, or one part of the mean. Like `delta`, it is rounded to
the dtype of the loss, but where PyTorch's kernel computes with float32. It is a tensor like the gradient, so that kernels hold it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.losses.nll_loss import (
    check_flat,
    check_images,
    check_target,
    native_losses,
)
from torchscript_dialect.ops.pooling.native_windows import are_native
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

_NORM = """
    norm = torch.full_like(grad_output, {}, dtype=gap.dtype)
    if reduction == 1:
        norm = norm / gap.numel()
"""


def _gradient(name: str, parameters: str, body: str) -> None:
    head = f"def {name}(grad_output: Tensor, self: Tensor, target: Tensor, {parameters}) -> Tensor:"
    composite(f"aten::{name}", head + body)


_gradient(
    "mse_loss_backward",
    "reduction: int",
    f"""
    gap = self - target
{_NORM.format(2.0)}
    return norm * gap * grad_output
""",
)
_gradient(
    "smooth_l1_loss_backward",
    "reduction: int, beta: float",
    f"""
    wide = self.dtype
    if wide == torch.float16 or wide == torch.bfloat16:
        wide = torch.float32
    gap = self.to(wide) - target.to(wide)
{_NORM.format(1.0)}
    slope = torch.where(torch.abs(gap) >= beta, torch.where(gap > 0, 1.0, -1.0), gap / beta)
    return (norm * slope * grad_output.to(wide)).to(grad_output.dtype)
""",
)
_gradient(
    "huber_loss_backward",
    "reduction: int, delta: float",
    f"""
    gap = self - target
{_NORM.format(1.0)}
    edge = torch.full_like(grad_output, delta, dtype=gap.dtype)
    return norm * torch.clamp(gap, -edge, edge) * grad_output
""",
)
_gradient(
    "soft_margin_loss_backward",
    "reduction: int",
    f"""
    gap = self - target
{_NORM.format(-1.0)}
    z = torch.exp(-target * self)
    return target * z * norm / (z + 1) * grad_output
""",
)
_gradient(
    "binary_cross_entropy_backward",
    "weight: Optional[Tensor], reduction: int",
    """
    result = grad_output * (self - target) / ((1 - self) * self).clamp_min(1e-12)
    if weight is not None:
        result = result * weight
    if reduction == 1:
        result = result / self.numel()
    return result
""",
)


@ignores_float_errors
def _nll_gradient(
    grad: Tensor,
    x: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: int,
    ignored: int,
    total: Tensor,
) -> Tensor:
    """Minus the weight of the class that a target names at its place, 0 at all others."""
    check_target(x, target, weight)
    if x.array.ndim > 1 and are_native(x) and grad.array.size in (1, target.array.size):
        made = native_losses().spread(grad, x, target, weight, reduction, ignored, total)
        if made is not None:
            return made
    array = x.array if x.array.ndim > 1 else x.array[None]
    at = target.array.astype(np.int64).reshape((array.shape[0], *array.shape[2:]))
    counts = at != ignored
    at = np.where(counts, at, 0)
    weights = counts.astype(array.dtype)
    if weight is not None:
        weights = weights * weight.array[at]
    slopes = -weights * (grad.array if reduction == 0 else grad.array.reshape(()))
    if reduction == 1:
        slopes = slopes / total.array.reshape(())
    out = np.zeros(array.shape, array.dtype)
    np.put_along_axis(out, at[:, None], np.where(counts, slopes, 0)[:, None].astype(out.dtype), 1)
    return tensor_of(out.reshape(x.array.shape))


def _like_input(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[1]), rank_known(facts[1]), facts[1])


def _declare(name: str, check: Any) -> None:
    def backward(grad: Tensor, x: Tensor, target: Tensor, *rest: Any) -> Tensor:
        check(x, target)
        return _nll_gradient(grad, x, target, *rest)

    registry.implement(f"{name}_backward", backward, shape=_like_input)


_declare("nll_loss", check_flat)
_declare("nll_loss2d", check_images)
