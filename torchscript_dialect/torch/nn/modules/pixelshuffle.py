"""Layers that exchange channels for pixels."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn import functional as F
from torchscript_dialect.torch.nn.modules._text import named
from torchscript_dialect.torch.nn.modules.module import Module


class PixelShuffle(Module):
    """(*, C r^2, H, W) to (*, C, H r, W r)."""

    __constants__ = ("upscale_factor",)

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        return named(self, "upscale_factor")


class PixelUnshuffle(Module):
    """(*, C, H r, W r) to (*, C r^2, H, W)."""

    __constants__ = ("downscale_factor",)

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        return named(self, "downscale_factor")
