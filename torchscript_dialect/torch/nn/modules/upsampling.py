"""Layers that make images larger."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

from typing import Any

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn import functional as F
from torchscript_dialect.torch.nn.modules.module import Module


class Upsample(Module):
    """Images of another size: of the size given, or of their own times a factor."""

    __constants__ = (
        "size", "scale_factor", "mode", "align_corners", "name", "recompute_scale_factor",
    )  # fmt: skip

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        if isinstance(scale_factor, tuple):
            self.scale_factor = tuple(float(factor) for factor in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            self.recompute_scale_factor,
        )

    def extra_repr(self) -> str:
        if self.scale_factor is not None:
            return f"scale_factor={self.scale_factor!r}, mode={self.mode!r}"
        return f"size={self.size!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """`Upsample` without mixing pixels."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """`Upsample` by lines between pixels, with corners kept."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
