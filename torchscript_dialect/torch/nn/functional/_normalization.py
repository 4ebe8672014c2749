"""Inputs with mean 0 and variance 1: over a batch, an instance, the last dimensions, or groups of channels."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
# pyright: reportArgumentType=false, reportInvalidTypeArguments=false
from __future__ import annotations

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor


def _verify_batch_size(size: list[int]) -> None:
    """ValueError where a channel has one value, whose variance is 0."""
    values = size[0]
    for extent in size[2:]:
        values *= extent
    if values == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {size}"
        )


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Mean 0 and variance 1 for each channel: of the batch in training, of the running statistics otherwise."""
    if training:
        _verify_batch_size(input.size())
    if training and eps <= 0.0:
        raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    elif eps < 0.0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")
    return torch.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, True
    )


def _verify_spatial_size(size: list[int]) -> None:
    """ValueError where an instance has one value in a channel, whose variance is 0."""
    values = 1
    for extent in size[2:]:
        values *= extent
    if values == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {size}"
        )


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Mean 0 and variance 1 for each channel of each instance."""
    if use_input_stats:
        _verify_spatial_size(input.size())
    return torch.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True
    )


def layer_norm(
    input: Tensor,
    normalized_shape: list[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Mean 0 and variance 1 over the last dimensions, then scaled and shifted."""
    return torch.layer_norm(input, normalized_shape, weight, bias, eps, True)


def rms_norm(
    input: Tensor,
    normalized_shape: list[int],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    """Divided by the root of the mean square over the last dimensions, then scaled."""
    return torch.rms_norm(input, normalized_shape, weight, eps)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Mean 0 and variance 1 over groups of the channels."""
    if input.dim() < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {input.dim()}"
        )
    size = input.size()
    grouped = [size[0] * size[1] // num_groups, num_groups]
    for extent in size[2:]:
        grouped.append(extent)
    _verify_batch_size(grouped)
    return torch.group_norm(input, num_groups, weight, bias, eps, True)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divided by what grows with the squares of neighbouring channels."""
    rank = input.dim()
    if rank < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality                          input (got {rank} dimensions)"
        )
    if input.numel() == 0:
        return input
    squares = input.mul(input)
    if rank == 3:
        squares = torch.pad(squares.unsqueeze(1), [0, 0, size // 2, (size - 1) // 2])
        mean = torch.avg_pool2d(squares, [size, 1], stride=1).squeeze(1)
    else:
        sizes = input.size()
        squares = squares.view(sizes[0], 1, sizes[1], sizes[2], -1)
        squares = torch.pad(squares, [0, 0, 0, 0, size // 2, (size - 1) // 2])
        mean = torch.avg_pool3d(squares, [size, 1, 1], stride=1).squeeze(1)
        mean = mean.view(sizes)
    return input / mean.mul(alpha).add(k).pow(beta)


def normalize(
    input: Tensor,
    p: float = 2.0,
    dim: int = 1,
    eps: float = 1e-12,
    out: Tensor | None = None,
) -> Tensor:
    """Divided by the norm along a dimension."""
    length = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    if out is None:
        return input / length
    return torch.div(input, length, out=out)
