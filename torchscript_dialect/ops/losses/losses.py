"""Losses, as decompositions: the loss of each element, then its mean or its sum.

`reduction` is 0 for the elements themselves, 1 for the mean, 2 for the sum. Elements of 16-bit floats are rounded where PyTorch's
kernels round: after each step, or once, of what float32 gives.
"""

from __future__ import annotations

from collections.abc import Sequence

from torchscript_dialect.ops.composite import composite

_OPERANDS = """
    x, y = self, target
    if self.dtype == torch.bool:
        x = self.to(target.dtype)
    if target.dtype == torch.bool:
        y = target.to(self.dtype)
"""
_WIDE = """
    if self.dtype == torch.{dtype}:
        x = self.to(torch.float32)
    if target.dtype == torch.{dtype}:
        y = target.to(torch.float32)
"""
_CHECKED = """
    if {unfit}:
        raise NotImplementedError("{name} is not implemented for dtypes that are not floating point")
"""
_BOTH = "not self.is_floating_point() or not target.is_floating_point()"
_EITHER = "not self.is_floating_point() and not target.is_floating_point()"
_ROUNDED = """
    if self.dtype == target.dtype:
        loss = loss.to(self.dtype)
    else:
        loss = loss.to({dtype})
"""
REDUCED = """
    if reduction == 1:
        result = loss.mean()
    elif reduction == 2:
        result = loss.sum()
    else:
        result = loss
    return result
"""


def _loss(
    name: str,
    parameters: str,
    elements: str,
    unfit: str = _BOTH,
    dtype: str = "torch.result_type(self, target)",
    wide: Sequence[str] = (),
) -> None:
    """A loss of two tensors from the statements that compute `loss` of `x` and `y`; `unfit` tells dtypes that it does not take,
    `dtype` what it gives for different ones, and `wide` of which dtypes it is computed in float32.
    """
    head = f"def {name}(self: Tensor, target: Tensor, {parameters}) -> Tensor:"
    rounded = _ROUNDED.replace("{dtype}", dtype)
    checked = _CHECKED.replace("{name}", name).replace("{unfit}", unfit)
    operands = _OPERANDS + "".join(_WIDE.replace("{dtype}", one) for one in wide)
    composite(f"aten::{name}", head + checked + operands + elements + rounded + REDUCED)


_loss(
    "mse_loss",
    "reduction: int",
    """
    gap = x - y
    loss = gap * gap
""",
    _EITHER,
)
_loss(
    "smooth_l1_loss",
    "reduction: int, beta: float",
    """
    if not beta >= 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    gap = torch.abs(x - y)
    loss = gap
    if beta > 0:
        near = torch.where(gap >= beta, 0, gap)  # whose square has a slope beside an infinite gap
        if gap.dtype == torch.float16:
            edge = torch.full([], beta, dtype=gap.dtype, device=gap.device)
            loss = torch.where(gap < edge, 0.5 * near * near / edge, gap - 0.5 * edge)
        else:
            loss = torch.where(gap < beta, 0.5 * near * near / beta, gap - 0.5 * beta)
""",
    _EITHER,
    wide=["bfloat16"],
)
_loss(
    "huber_loss",
    "reduction: int, delta: float",
    """
    if not delta > 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    gap = torch.abs(x - y)
    near = torch.where(gap > delta, 0, gap)  # whose square has a slope beside an infinite gap
    if gap.dtype == torch.bfloat16:
        edge = torch.full([], delta, dtype=gap.dtype, device=gap.device)
        loss = torch.where(gap <= edge, 0.5 * near * near, edge * (gap - 0.5 * edge))
    else:
        loss = torch.where(gap <= delta, 0.5 * near * near, delta * (gap - 0.5 * delta))
""",
    "not self.is_floating_point()",
    "self.dtype",
    wide=["float16"],
)
_loss(
    "binary_cross_entropy_with_logits",
    "weight: Optional[Tensor], pos_weight: Optional[Tensor], reduction: int",
    """
    if self.size() != target.size():
        raise RuntimeError(
            "target size " + str(target.size()) + " does not match input size " + str(self.size()))
    likely = torch.log_sigmoid(x)
    if pos_weight is not None:
        likely = ((pos_weight - 1) * y + 1) * likely
    loss = (1 - y) * x - likely
    if weight is not None:
        loss = loss * weight
""",
    dtype="target.dtype",
)
_loss(
    "binary_cross_entropy",
    "weight: Optional[Tensor], reduction: int",
    """
    if self.dtype != target.dtype:
        raise RuntimeError("binary_cross_entropy expects input and target of one dtype")
    if not bool(torch.all((x >= 0) & (x <= 1))):
        raise RuntimeError("all elements of input should be between 0 and 1")
    if not bool(torch.all((y >= 0) & (y <= 1))):
        raise RuntimeError("all elements of target should be between 0 and 1")
    loss = torch.clamp(torch.log1p(-x), -100) * (y - 1) - torch.clamp(torch.log(x), -100) * y
    if weight is not None:
        loss = loss * weight
""",
    wide=["float16", "bfloat16"],
)
composite(
    "aten::l1_loss",
    """
def l1_loss(self: Tensor, target: Tensor, reduction: int) -> Tensor:
    loss = torch.abs(self - target)
"""
    + REDUCED,
)
composite(
    "aten::kl_div",
    """
def kl_div(self: Tensor, target: Tensor, reduction: int, log_target: bool) -> Tensor:
    if not self.is_floating_point() or not target.is_floating_point():
        raise NotImplementedError("kl_div is not implemented for dtypes that are not floating point")
    if log_target:
        loss = torch.exp(target) * (target - self)
    else:
        loss = torch.xlogy(target, target) - target * self
"""
    + REDUCED,
)
