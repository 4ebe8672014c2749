"""Losses of margins and distances, as decompositions (PyTorch: native/Loss.cpp, native/Distance.cpp).

`reduction` is 0 for the elements themselves, 1 for the mean, 2 for the sum.
"""

from __future__ import annotations

from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.losses.losses import REDUCED

composite(
    "aten::soft_margin_loss",
    """
def soft_margin_loss(self: Tensor, target: Tensor, reduction: int) -> Tensor:
    loss = torch.log1p(torch.exp(-self * target)).to(self.dtype)
"""
    + REDUCED,
)
composite(
    "aten::hinge_embedding_loss",
    """
def hinge_embedding_loss(self: Tensor, target: Tensor, margin: float, reduction: int) -> Tensor:
    zeros = torch.zeros_like(self)
    gap = torch.full_like(self, margin) - self
    below = torch.where(target != 1, gap.clamp_min(0), zeros)
    loss = below + torch.where(target != -1, self, zeros)
"""
    + REDUCED,
)
composite(
    "aten::margin_ranking_loss",
    """
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float, reduction: int
) -> Tensor:
    loss = (-target * (input1 - input2) + margin).clamp_min(0)
"""
    + REDUCED,
)
composite(
    "aten::cosine_embedding_loss",
    """
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float, reduction: int
) -> Tensor:
    if target.dim() != 0 and target.dim() != 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if target.dim() == 1 and input1.dim() != 2:
        raise RuntimeError(
            "1D target tensor expects 2D input tensors, but found inputs with sizes "
            + str(input1.size()) + " and " + str(input2.size()) + ".")
    if target.dim() == 0 and input1.dim() != 1:
        raise RuntimeError(
            "0D target tensor expects 1D input tensors, but found inputs with sizes "
            + str(input1.size()) + " and " + str(input2.size()) + ".")
    dim = target.dim()
    product = (input1 * input2).sum(dim)
    scale = ((input1 * input1).sum(dim) + 1e-12) * ((input2 * input2).sum(dim) + 1e-12)
    cosine = product / torch.sqrt(scale)
    zeros = torch.zeros_like(cosine)
    loss = torch.where(target == 1, 1 - cosine, zeros)
    loss = loss + torch.where(target == -1, (cosine - margin).clamp_min(0), zeros)
"""
    + REDUCED,
)
composite(
    "aten::triplet_margin_loss",
    """
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float, p: float, eps: float,
    swap: bool, reduction: int
) -> Tensor:
    if margin <= 0:
        raise RuntimeError("triplet_margin_loss: margin has to be greater than 0")
    if anchor.dim() != positive.dim() or anchor.dim() != negative.dim():
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            "dimensions, but got: anchor " + str(anchor.dim()) + "D, positive "
            + str(positive.dim()) + "D, and negative " + str(negative.dim()) + "D inputs")
    near = torch.pairwise_distance(anchor, positive, p, eps)
    far = torch.pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = torch.minimum(far, torch.pairwise_distance(positive, negative, p, eps))
    loss = (margin + near - far).clamp_min(0)
"""
    + REDUCED,
)
composite(
    "aten::poisson_nll_loss",
    """
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int
) -> Tensor:
    if log_input:
        loss = torch.exp(input) - target * input
    else:
        loss = input - target * torch.log(input + eps)
    if full:
        stirling = target * torch.log(target) - target + 0.5 * torch.log(2 * 3.141592653589793 * target)
        loss = loss + stirling.masked_fill(target <= 1, 0)
"""
    + REDUCED,
)
composite(
    "aten::pairwise_distance",
    """
def pairwise_distance(x1: Tensor, x2: Tensor, p: float, eps: float, keepdim: bool) -> Tensor:
    dim = max(x1.dim(), x2.dim()) - 1
    return torch.norm(x1 - x2 + eps, p, [dim], keepdim)
""",
)
composite(
    "aten::cosine_similarity",
    """
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int, eps: float) -> Tensor:
    is_floating = x1.is_floating_point() or x2.is_floating_point()
    if not is_floating or x1.is_complex() or x2.is_complex():
        raise RuntimeError("expected common dtype to be floating point, yet common dtype is not")
    x, y = x1, x2
    if not x1.is_floating_point():
        x = x1.to(torch.result_type(x1, x2))
    if not x2.is_floating_point():
        y = x2.to(torch.result_type(x1, x2))
    x, y = torch.broadcast_tensors([x, y])
    x = x / torch.linalg_vector_norm(x, 2, [dim], True).clamp_min(eps)
    y = y / torch.linalg_vector_norm(y, 2, [dim], True).clamp_min(eps)
    return (x * y).sum(dim)
""",
)
