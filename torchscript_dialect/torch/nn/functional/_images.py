"""Images of other sizes and shapes."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
# pyright: reportArgumentType=false, reportInvalidTypeArguments=false
from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.ops.eager.dispatch import function
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.functional import OVERLOADS_MARK

pixel_shuffle = function("pixel_shuffle")
pixel_unshuffle = function("pixel_unshuffle")
channel_shuffle = function("channel_shuffle")
native_channel_shuffle = function("native_channel_shuffle")


def pad(
    input: Tensor, pad: list[int], mode: str = "constant", value: float | None = None
) -> Tensor:
    """More elements on both sides of the last dimensions: `pad` has two numbers for each, the last dimension first."""
    return torch.pad(input, pad, mode, value)


def _interpolate(
    input: Tensor,
    sizes: list[int] | None,
    factors: list[float] | None,
    mode: str,
    align_corners: bool | None,
    recompute: bool,
    antialias: bool,
) -> Tensor:
    """`interpolate` with one size or one factor for each dimension."""
    rank = input.dim() - 2
    corners = False
    if mode == "nearest" or mode == "area" or mode == "nearest-exact":
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear |"
                " bicubic | trilinear"
            )
    elif align_corners is not None:
        corners = align_corners
    if sizes is not None and factors is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if sizes is None and factors is None:
        raise ValueError("either size or scale_factor should be defined")
    if recompute and sizes is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if antialias and not (input.dim() == 4 and (mode == "bilinear" or mode == "bicubic")):
        raise ValueError(
            "Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as"
            " input"
        )
    if mode == "area" and sizes is None:
        recompute = True
    if recompute and factors is not None:
        grown = torch.jit.annotate(list[int], [])
        for axis in range(rank):
            grown.append(int(input.size(axis + 2) * factors[axis]))
        sizes = grown
        factors = None

    if mode == "nearest":
        if rank == 1:
            return torch.upsample_nearest1d(input, sizes, factors)
        if rank == 2:
            return torch.upsample_nearest2d(input, sizes, factors)
        if rank == 3:
            return torch.upsample_nearest3d(input, sizes, factors)
    if mode == "nearest-exact":
        if rank == 1:
            return torch._upsample_nearest_exact1d(input, sizes, factors)
        if rank == 2:
            return torch._upsample_nearest_exact2d(input, sizes, factors)
        if rank == 3:
            return torch._upsample_nearest_exact3d(input, sizes, factors)
    if mode == "area":
        assert sizes is not None
        if rank == 1:
            return torch.adaptive_avg_pool1d(input, sizes)
        if rank == 2:
            return torch.adaptive_avg_pool2d(input, sizes)
        if rank == 3:
            return torch.adaptive_avg_pool3d(input, sizes)
    if mode == "linear" and rank == 1:
        return torch.upsample_linear1d(input, sizes, corners, factors)
    if mode == "bilinear" and rank == 2:
        if antialias:
            return torch._upsample_bilinear2d_aa(input, sizes, corners, factors)
        return torch.upsample_bilinear2d(input, sizes, corners, factors)
    if mode == "bicubic" and rank == 2:
        if antialias:
            return torch._upsample_bicubic2d_aa(input, sizes, corners, factors)
        return torch.upsample_bicubic2d(input, sizes, corners, factors)
    if mode == "trilinear" and rank == 3:
        return torch.upsample_trilinear3d(input, sizes, corners, factors)
    raise NotImplementedError(
        "Input Error: Only 3D, 4D and 5D input Tensors supported"
        f" (got {input.dim()}D) for the modes: nearest | linear | bilinear | bicubic | trilinear |"
        f" area | nearest-exact (got {mode})"
    )


def _one_size_one_factor(
    input: Tensor,
    size: int | None = None,
    scale_factor: float | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    sizes: list[int] | None = None
    factors: list[float] | None = None
    if size is not None:
        sizes = [size for _ in range(input.dim() - 2)]
    if scale_factor is not None:
        factors = [scale_factor for _ in range(input.dim() - 2)]
    recompute = recompute_scale_factor is not None and recompute_scale_factor
    return _interpolate(input, sizes, factors, mode, align_corners, recompute, antialias)


def _sizes_one_factor(
    input: Tensor,
    size: list[int] | None = None,
    scale_factor: float | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    factors: list[float] | None = None
    if scale_factor is not None:
        factors = [scale_factor for _ in range(input.dim() - 2)]
    recompute = recompute_scale_factor is not None and recompute_scale_factor
    return _interpolate(input, size, factors, mode, align_corners, recompute, antialias)


def _one_size_factors(
    input: Tensor,
    size: int | None = None,
    scale_factor: list[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    sizes: list[int] | None = None
    if size is not None:
        sizes = [size for _ in range(input.dim() - 2)]
    recompute = recompute_scale_factor is not None and recompute_scale_factor
    return _interpolate(input, sizes, scale_factor, mode, align_corners, recompute, antialias)


def _sizes_factors(
    input: Tensor,
    size: list[int] | None = None,
    scale_factor: list[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    recompute = recompute_scale_factor is not None and recompute_scale_factor
    return _interpolate(input, size, scale_factor, mode, align_corners, recompute, antialias)


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Images (N, C, ...) of another size: of the size given, or of their own times a factor.

    Raises:
        ValueError: options that exclude each other; as many sizes or factors as there are no dimensions.
        NotImplementedError: the mode is unknown, or images of this rank do not have it.
    """
    rank = input.dim() - 2
    for name, given in (("size", size), ("scale_factor", scale_factor)):
        if isinstance(given, (list, tuple)) and len(given) != rank:
            kind = "output size" if name == "size" else "scale factors"
            raise ValueError(
                f"Input and {name} must have the same number of spatial dimensions, but got input with"
                f" spatial dimensions of {list(input.shape[2:])} and {kind} of {given}."
            )
    sizes = [size] * rank if isinstance(size, int) else size
    is_list = scale_factor is None or isinstance(scale_factor, (list, tuple))
    factors = scale_factor if is_list else [scale_factor] * rank
    recompute = bool(recompute_scale_factor)
    return _interpolate(input, sizes, factors, mode, align_corners, recompute, antialias)


def _warn_of_older(name: str) -> None:
    warnings.warn(
        f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.",
        stacklevel=3,
    )


def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """The older name of `interpolate`."""
    _warn_of_older("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def _upsample_of_one_size_one_factor(
    input: Tensor,
    size: int | None = None,
    scale_factor: float | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    _warn_of_older("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def _upsample_of_sizes_one_factor(
    input: Tensor,
    size: list[int] | None = None,
    scale_factor: float | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    _warn_of_older("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
) -> Tensor:
    """`interpolate` without mixing pixels."""
    _warn_of_older("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


def _upsample_nearest_of_one_size_one_factor(
    input: Tensor,
    size: int | None = None,
    scale_factor: float | None = None,
) -> Tensor:
    _warn_of_older("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


def _upsample_nearest_of_sizes_one_factor(
    input: Tensor,
    size: list[int] | None = None,
    scale_factor: float | None = None,
) -> Tensor:
    _warn_of_older("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
) -> Tensor:
    """`interpolate` by lines between pixels, with corners kept."""
    _warn_of_older("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def _upsample_bilinear_of_one_size_one_factor(
    input: Tensor,
    size: int | None = None,
    scale_factor: float | None = None,
) -> Tensor:
    _warn_of_older("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def _upsample_bilinear_of_sizes_one_factor(
    input: Tensor,
    size: list[int] | None = None,
    scale_factor: float | None = None,
) -> Tensor:
    _warn_of_older("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def _upsample_bilinear_of_one_size_factors(
    input: Tensor,
    size: int | None = None,
    scale_factor: list[float] | None = None,
) -> Tensor:
    _warn_of_older("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def _upsample_bilinear_of_sizes_factors(
    input: Tensor,
    size: list[int] | None = None,
    scale_factor: list[float] | None = None,
) -> Tensor:
    _warn_of_older("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def _set_overloads(function: Callable[..., Tensor], *overloads: Callable[..., Tensor]) -> None:
    """What a compiled program calls instead, by the types of its arguments."""
    for overload in overloads:
        overload.__name__ = overload.__qualname__ = function.__name__
    setattr(function, OVERLOADS_MARK, overloads)


_set_overloads(
    interpolate, _one_size_factors, _sizes_factors, _one_size_one_factor, _sizes_one_factor
)
_set_overloads(upsample, _upsample_of_one_size_one_factor, _upsample_of_sizes_one_factor)
_set_overloads(
    upsample_nearest,
    _upsample_nearest_of_one_size_one_factor,
    _upsample_nearest_of_sizes_one_factor,
)
_set_overloads(
    upsample_bilinear,
    _upsample_bilinear_of_one_size_one_factor,
    _upsample_bilinear_of_sizes_one_factor,
    _upsample_bilinear_of_one_size_factors,
    _upsample_bilinear_of_sizes_factors,
)


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
    if mode not in modes:
        raise ValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but"
            f" got: '{mode}'"
        )
    if padding_mode not in paddings:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or"
            f" 'reflection', but got: '{padding_mode}'"
        )
    corners = align_corners is not None and align_corners
    return torch.grid_sampler(input, grid, modes.index(mode), paddings.index(padding_mode), corners)


def affine_grid(theta: Tensor, size: list[int], align_corners: bool | None = None) -> Tensor:
    """The grid for `grid_sample` of affine maps (N, 2, 3), or (N, 3, 4) for volumes."""
    corners = align_corners is not None and align_corners
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    if len(size) == 4:
        if theta.dim() != 3 or theta.size(-2) != 2 or theta.size(-1) != 3:
            raise ValueError(
                f"Expected a batch of 2D affine matrices of shape Nx2x3 for size {size}. Got"
                f" {theta.shape}."
            )
    elif len(size) == 5:
        if theta.dim() != 3 or theta.size(-2) != 3 or theta.size(-1) != 4:
            raise ValueError(
                f"Expected a batch of 3D affine matrices of shape Nx3x4 for size {size}. Got"
                f" {theta.shape}."
            )
    else:
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively."
            f" Got size {size}."
        )
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return torch.affine_grid_generator(theta, size, corners)
