"""Channels to pixels and back (PyTorch: native/PixelShuffle.cpp). Channels come last in the result where they do in the input."""

from __future__ import annotations

from collections.abc import Sequence

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.layouts import laid_out, laid_out_strides
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, known_ints
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types.tensor_type import TensorProperties


def _check(name: str, x: Tensor, what: str, factor: int) -> None:
    if x.array.ndim < 3:
        raise RuntimeError(
            f"{name} expects input to have at least 3 dimensions, but got input with "
            f"{x.array.ndim} dimension(s)"
        )
    if factor <= 0:
        raise RuntimeError(f"{name} expects a positive {what}, but got {factor}")


def _known(x: Fact, sizes: tuple[int, ...]) -> TensorProperties:
    return fresh(dtype_of(x), sizes, x, strides=laid_out_strides(x, sizes))


def _shuffled(facts: Sequence[Fact]) -> TensorProperties:
    x, r = facts
    sizes = known_ints(x.sizes) if isinstance(x, TensorProperties) else None
    if sizes is None or len(sizes) < 3 or not isinstance(r, int) or r <= 0 or sizes[-3] % (r * r):
        return NOTHING
    *batch, c, h, w = sizes
    return _known(x, (*batch, c // (r * r), h * r, w * r))


def _unshuffled(facts: Sequence[Fact]) -> TensorProperties:
    x, r = facts
    sizes = known_ints(x.sizes) if isinstance(x, TensorProperties) else None
    if sizes is None or len(sizes) < 3 or not isinstance(r, int) or r <= 0 or 0 in sizes:
        return NOTHING
    *batch, c, h, w = sizes
    return NOTHING if h % r or w % r else _known(x, (*batch, c * r * r, h // r, w // r))


@registry.kernel("pixel_shuffle", shape=_shuffled)
def pixel_shuffle(x: Tensor, r: int) -> Tensor:
    """(..., C r r, H, W) as (..., C, H r, W r)."""
    _check("pixel_shuffle", x, "upscale_factor", r)
    *batch, c, h, w = x.array.shape
    if c % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
            f"upscale_factor, but input.size(-3)={c} is not divisible by {r * r}"
        )
    parts = x.array.reshape(*batch, c // (r * r), r, r, h, w)
    moved = parts.transpose(*range(len(batch) + 1), -2, -4, -1, -3)
    return tensor_of(laid_out(moved.reshape(*batch, c // (r * r), h * r, w * r), x.array))


@registry.kernel("pixel_unshuffle", shape=_unshuffled)
def pixel_unshuffle(x: Tensor, r: int) -> Tensor:
    """(..., C, H r, W r) as (..., C r r, H, W); a copy of what is empty."""
    _check("pixel_unshuffle", x, "downscale_factor", r)
    *batch, c, h, w = x.array.shape
    for name, dim, size in (("height", -2, h), ("width", -1, w)):
        if size % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but "
                f"input.size({dim})={size} is not divisible by {r}"
            )
    if not x.array.size:
        return tensor_of(laid_out(x.array, x.array))
    parts = x.array.reshape(*batch, c, h // r, r, w // r, r)
    moved = parts.transpose(*range(len(batch) + 1), -3, -1, -4, -2)
    return tensor_of(laid_out(moved.reshape(*batch, c * r * r, h // r, w // r), x.array))
