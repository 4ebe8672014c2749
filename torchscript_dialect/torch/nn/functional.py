"""`torch.nn.functional`: source that runs in Python and that the compiler compiles."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

from typing import List  # noqa: UP035

from torchscript_dialect import torch
from torchscript_dialect.ops.dispatch import function
from torchscript_dialect.tensor.tensor import Tensor

linear = function("linear")
gelu = function("gelu")
softplus = function("softplus")
logsigmoid = function("log_sigmoid")
conv1d = function("conv1d")
conv2d = function("conv2d")
conv3d = function("conv3d")
avg_pool1d = function("avg_pool1d")
avg_pool2d = function("avg_pool2d")
avg_pool3d = function("avg_pool3d")
conv_transpose1d = function("conv_transpose1d")
conv_transpose2d = function("conv_transpose2d")
conv_transpose3d = function("conv_transpose3d")
scaled_dot_product_attention = function("scaled_dot_product_attention")
max_pool1d = function("max_pool1d")
max_pool2d = function("max_pool2d")
adaptive_avg_pool1d = function("adaptive_avg_pool1d")
adaptive_avg_pool2d = function("adaptive_avg_pool2d")
adaptive_avg_pool3d = function("adaptive_avg_pool3d")
glu = function("glu")
one_hot = function("one_hot")
pad = function("pad")


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """The larger of the element and 0."""
    if inplace:
        result = torch.relu_(input)
    else:
        result = torch.relu(input)
    return result


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """The element held between 0 and 6."""
    if inplace:
        result = torch.relu6_(input)
    else:
        result = torch.relu6(input)
    return result


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """The element above 0, a fraction of it below."""
    if inplace:
        result = torch.leaky_relu_(input, negative_slope)
    else:
        result = torch.leaky_relu(input, negative_slope)
    return result


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """The element above 0, alpha (e^x - 1) below."""
    if inplace:
        result = torch.elu_(input, alpha)
    else:
        result = torch.elu(input, alpha)
    return result


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """The element held between two bounds."""
    if inplace:
        result = torch.hardtanh_(input, min_val, max_val)
    else:
        result = torch.hardtanh(input, min_val, max_val)
    return result


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x / (1 + e^-x)."""
    if inplace:
        return torch.silu_(input)
    return torch.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """x tanh(log(1 + e^x))."""
    if inplace:
        return torch.mish_(input)
    return torch.mish(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """(x + 3) / 6, held between 0 and 1."""
    if inplace:
        return torch.hardsigmoid_(input)
    return torch.hardsigmoid(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """x times `hardsigmoid` of x."""
    if inplace:
        return torch.hardswish_(input)
    return torch.hardswish(input)


def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent."""
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + e^-x)."""
    return input.sigmoid()


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Elements become 0 with probability p in training, and the others grow by 1 / (1 - p)."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        result = torch.dropout_(input, p, training)
    else:
        result = torch.dropout(input, p, training)
    return result


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: int | None = None
) -> Tensor:
    """Exponentials that add up to 1 along a dimension."""
    if dim is None:
        dim = implicit_softmax_dim(input.dim())
    if dtype is None:
        result = input.softmax(dim)
    else:
        result = input.softmax(dim, dtype=dtype)
    return result


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: int | None = None
) -> Tensor:
    """The logarithm of `softmax`."""
    if dim is None:
        dim = implicit_softmax_dim(input.dim())
    if dtype is None:
        result = input.log_softmax(dim)
    else:
        result = input.log_softmax(dim, dtype=dtype)
    return result


def implicit_softmax_dim(ndim: int) -> int:
    """The dimension that softmax works along where none is given."""
    if ndim == 0 or ndim == 1 or ndim == 3:
        result = 0
    else:
        result = 1
    return result


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of `weight` that the indices name."""
    if padding_idx is None:
        padding_idx = -1
    return torch.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def layer_norm(
    input: Tensor,
    normalized_shape: List[int],  # noqa: UP006
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Mean 0 and variance 1 over the last dimensions, then scaled and shifted."""
    return torch.layer_norm(input, normalized_shape, weight, bias, eps)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Divided by the norm along a dimension."""
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


def interpolate(
    input: Tensor,
    size: List[int] | None = None,  # noqa: UP006
    scale_factor: float | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """Images (N, C, H, W) of another size: `mode` is nearest, bilinear or bicubic."""
    if input.dim() != 4:
        raise NotImplementedError("interpolate takes images (N, C, H, W)")
    factors: List[float] | None = None  # noqa: UP006
    if scale_factor is not None:
        factors = [scale_factor, scale_factor]
    corners = align_corners is not None and align_corners
    if mode == "nearest":
        result = torch.upsample_nearest2d(input, size, factors)
    elif mode == "bilinear":
        result = torch.upsample_bilinear2d(input, size, corners, factors)
    elif mode == "bicubic":
        result = torch.upsample_bicubic2d(input, size, corners, factors)
    else:
        raise NotImplementedError(f"interpolate has no mode {mode}")
    return result


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """The pixels of images that a grid of places between -1 and 1 names."""
    modes = ["bilinear", "nearest", "bicubic"]
    paddings = ["zeros", "border", "reflection"]
    if mode not in modes or padding_mode not in paddings:
        raise ValueError(f"grid_sample has no mode {mode} or no padding mode {padding_mode}")
    corners = align_corners is not None and align_corners
    return torch.grid_sampler(input, grid, modes.index(mode), paddings.index(padding_mode), corners)


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """The squared differences, their mean or their sum."""
    gap = input - target
    squares = gap * gap
    if reduction == "mean":
        result = squares.mean()
    elif reduction == "sum":
        result = squares.sum()
    else:
        result = squares
    return result


def _name_modules() -> None:
    """Programs name these functions as PyTorch's."""
    for name, member in list(globals().items()):
        if getattr(member, "__module__", None) == __name__ and not name.startswith("_"):
            member.__module__ = "torch.nn.functional"


_name_modules()
