"""Elements, channels or rows that become 0 at random in training."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

import warnings

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Elements become 0 with probability p in training, and the others grow by 1 / (1 - p)."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        result = torch.dropout_(input, p, training)
    else:
        result = torch.dropout(input, p, training)
    return result


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Elements become what `selu` tends to, and the rest is scaled to keep mean and variance."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        result = torch.alpha_dropout_(input, p, training)
    else:
        result = torch.alpha_dropout(input, p, training)
    return result


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """`alpha_dropout` of whole channels."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        result = torch.feature_alpha_dropout_(input, p, training)
    else:
        result = torch.feature_alpha_dropout(input, p, training)
    return result


def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Whole channels of (N, C, L) or (C, L) become 0."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    rank = input.dim()
    if rank not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {rank}D input. Note that dropout1d exists"
            " to provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension,"
            " and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    is_batched = rank == 3
    if not is_batched:
        input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = (
        torch.feature_dropout_(input, p, training)
        if inplace
        else torch.feature_dropout(input, p, training)
    )
    if not is_batched:
        result = result.squeeze_(0) if inplace else result.squeeze(0)
    return result


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Whole channels of (N, C, H, W) become 0."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    rank = input.dim()
    if rank not in (3, 4):
        warnings.warn(
            f"dropout2d: Received a {rank}-D input to dropout2d, which is deprecated and will result in an"
            " error in a future release. To retain the behavior and silence this warning, please use"
            " dropout instead. Note that dropout2d exists to provide channel-wise dropout on inputs with"
            " 2 spatial dimensions, a channel dimension, and an optional batch dimension (i.e. 3D or 4D"
            " inputs).",
            stacklevel=2,
        )
    if rank == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior"
            " is desired - input is interpreted as shape (N, C, L), where C is the channel dim. This"
            " behavior will change in a future release to interpret the input as one without a batch"
            " dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, please"
            " switch to using dropout1d instead.",
            stacklevel=2,
        )
    if inplace:
        result = torch.feature_dropout_(input, p, training)
    else:
        result = torch.feature_dropout(input, p, training)
    return result


def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Whole channels of (N, C, D, H, W) or (C, D, H, W) become 0."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    rank = input.dim()
    if rank not in (4, 5):
        warnings.warn(
            f"dropout3d: Received a {rank}-D input to dropout3d, which is deprecated and will result in an"
            " error in a future release. To retain the behavior and silence this warning, please use"
            " dropout instead.",
            stacklevel=2,
        )
    is_batched = rank == 5
    if not is_batched:
        input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = (
        torch.feature_dropout_(input, p, training)
        if inplace
        else torch.feature_dropout(input, p, training)
    )
    if not is_batched:
        result = result.squeeze_(0) if inplace else result.squeeze(0)
    return result
