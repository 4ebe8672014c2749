"""How far predictions are from what they should be."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

import math
import warnings
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn import _reduction as _Reduction


def _different_sizes(input: Tensor, target: Tensor) -> str:
    """The warning that one of both is expanded."""
    return (
        f"Using a target size ({target.size()}) that is different to the input size ({input.size()})."
        " This will likely lead to incorrect results due to broadcasting. Please ensure they have the"
        " same size."
    )


def _reduced(loss: Tensor, number: int) -> Tensor:
    """The losses of elements, or their mean or sum."""
    if number == 1:
        return loss.mean()
    if number == 2:
        return loss.sum()
    return loss


def _weighted(loss: Tensor, weight: Tensor, number: int) -> Tensor:
    """The losses of elements times weights; the mean is by the weights."""
    if weight.size() != loss.size():
        raise ValueError("Weights and input must have the same size.")
    weighted = loss * weight
    if number == 1:
        return weighted.sum() / weight.sum()
    return _reduced(weighted, number)


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Of all ways to spell the targets, with blanks and repetitions, the negative logarithm of the probability."""
    number = _Reduction.get_enum(reduction)
    return torch.ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, number, zero_infinity
    )


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The negated elements that class indices name."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    return torch.nll_loss_nd(input, target, weight, number, ignore_index)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """`nll_loss` of the logarithm of shares; the target holds class indices or probabilities."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    return torch.cross_entropy_loss(input, target, weight, number, ignore_index, label_smoothing)


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative logarithm of the probability of counts."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    if reduction != "none" and reduction != "mean" and reduction != "sum":
        raise ValueError(reduction + " is not a valid value for reduction")
    return torch.poisson_nll_loss(input, target, log_input, full, eps, number)


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """The negative logarithm of the density of normal distributions with the variances `var`.

    Raises:
        ValueError: a variance is negative, there are not as many as there should be, or the reduction is unknown.
    """
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        variance = var * torch.ones_like(input)
    else:
        if bool(torch.any(var < 0)):
            raise ValueError("var has negative entry/entries")
        variance = var
    if variance.size() != input.size():
        different = 0
        if variance.dim() == input.dim():
            for axis in range(input.dim()):
                if variance.size(axis) != input.size(axis):
                    different += variance.size(axis)
        if input.size()[:-1] == variance.size():
            variance = torch.unsqueeze(variance, -1)
        elif different != 1:
            raise ValueError("var is of incorrect size")
    if reduction != "none" and reduction != "mean" and reduction != "sum":
        raise ValueError(reduction + " is not valid")
    variance = variance.clone()
    with torch.no_grad():
        variance.clamp_(min=eps)
    loss = 0.5 * (torch.log(variance) + (input - target) ** 2 / variance)
    if full:
        loss += 0.5 * math.log(2 * math.pi)
    return _reduced(loss, _Reduction.get_enum(reduction))


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """How far a distribution, given by logarithms, is from the target; `batchmean` is the mean over instances."""
    if size_average is not None or reduce is not None:
        number = _Reduction.legacy_get_enum(size_average, reduce)
    else:
        if reduction == "mean":
            warnings.warn(
                "reduction: 'mean' divides the total loss by both the batch size and the support size."
                "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
                "'mean' will be changed to behave the same as 'batchmean' in the next major release.",
                stacklevel=2,
            )
        if reduction == "batchmean":
            number = _Reduction.get_enum("sum")
        else:
            number = _Reduction.get_enum(reduction)
    result = torch.kl_div(input, target, number, log_target=log_target)
    if reduction == "batchmean" and input.dim() != 0:
        result = result / input.size(0)
    return result


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative logarithms of the probabilities of what the target says."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size"
            f" ({input.size()}) is deprecated. Please ensure they have the same size."
        )
    if weight is not None:
        weight = torch.broadcast_to(weight, target.size())
    return torch.binary_cross_entropy(input, target, weight, number)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """`binary_cross_entropy` of the sigmoid, without rounding between."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Squares of small differences, `l1_loss` of others."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    if target.size() != input.size():
        warnings.warn(_different_sizes(input, target), stacklevel=2)
    wide_input, wide_target = torch.broadcast_tensors(input, target)
    if beta == 0.0:
        return torch.l1_loss(wide_input, wide_target, number)
    return torch.smooth_l1_loss(wide_input, wide_target, number, beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Half the squares of differences up to delta, lines beyond."""
    if target.size() != input.size():
        warnings.warn(_different_sizes(input, target), stacklevel=2)
    wide_input, wide_target = torch.broadcast_tensors(input, target)
    number = _Reduction.get_enum(reduction)
    if weight is None:
        return torch.huber_loss(wide_input, wide_target, number, delta)
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    return _reduced(torch.huber_loss(wide_input, wide_target, 0, delta) * weight, number)


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The absolute differences."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    if target.size() != input.size():
        warnings.warn(_different_sizes(input, target), stacklevel=2)
    wide_input, wide_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return torch.l1_loss(wide_input, wide_target, number)
    return _weighted(torch.l1_loss(wide_input, wide_target, 0), weight, number)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The squared differences."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    if target.size() != input.size():
        warnings.warn(_different_sizes(input, target), stacklevel=2)
    wide_input, wide_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return torch.mse_loss(wide_input, wide_target, number)
    return _weighted(torch.mse_loss(wide_input, wide_target, 0), weight, number)


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """By how much the one that should be larger is not, with a margin."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes:"
            f" input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return torch.margin_ranking_loss(input1, input2, target, margin, number)


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The distance of what is alike, and what a distance lacks to a margin otherwise."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    return torch.hinge_embedding_loss(input, target, margin, number)


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """By how much each wrong class is not behind each right one, with a margin."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    return torch.multilabel_margin_loss(input, target, number)


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The logarithm of 1 + e^(-target input)."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    return torch.soft_margin_loss(input, target, number)


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """`binary_cross_entropy_with_logits` with the mean over classes."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    loss = -(target * torch.log_sigmoid(input) + (1 - target) * torch.log_sigmoid(-input))
    if weight is not None:
        loss = loss * weight
    last = input.dim() - 1
    return _reduced(loss.sum(dim=last) / input.size(last), number)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """1 minus the cosine of what is alike, and the cosine beyond a margin otherwise."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    return torch.cosine_embedding_loss(input1, input2, target, margin, number)


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """By how much each class is not behind the right one, with a margin."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    if p != 1 and p != 2:
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    return torch.multi_margin_loss(input, target, p, margin, weight, number)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """By how much the anchor is not nearer to the positive than to the negative, with a margin."""
    number = _Reduction.enum_of(size_average, reduce, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return torch.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Any = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """`triplet_margin_loss` with a distance of one's own: a Python function, so that programs cannot have it."""
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    ranks = (anchor.dim(), positive.dim(), negative.dim())
    if len(set(ranks)) != 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of"
            f" dimensions, but got: anchor {ranks[0]}D, positive {ranks[1]}D, and negative {ranks[2]}D"
            " inputs"
        )
    distance = torch.pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = torch.minimum(far, distance(positive, negative))
    loss = torch.clamp_min(margin + near - far, 0)
    return _reduced(loss, _Reduction.get_enum(reduction))


def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Tensor:
    """`cross_entropy` of a linear layer. Options, which say how PyTorch saves memory, change no result."""
    classes = linear_weight.size(0)
    flat = linear_weight.reshape(-1, linear_weight.size(-1))
    bias = None if linear_bias is None else linear_bias.reshape(-1)
    logits = torch.linear(input, flat, bias)
    if linear_weight.dim() > 2:
        logits = logits.reshape([input.size(0), classes, *linear_weight.shape[1:-1]])
    ignored = -100 if ignore_index is None else ignore_index
    number = _Reduction.get_enum(reduction)
    return torch.cross_entropy_loss(logits, target, weight, number, ignored, label_smoothing)
