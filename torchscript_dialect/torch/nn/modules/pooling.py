"""Layers that make one element of each window of images, and the way back."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

from typing import Any

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn import functional as F
from torchscript_dialect.torch.nn.modules._text import named
from torchscript_dialect.torch.nn.modules.module import Module
from torchscript_dialect.torch.nn.modules.utils import of_rank


class _MaxPoolNd(Module):
    __constants__ = ("kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode")

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def extra_repr(self) -> str:
        return named(self, "kernel_size", "stride", "padding", "dilation", "ceil_mode")


class MaxPool1d(_MaxPoolNd):
    """The largest element of each window of 1 dimension."""

    def forward(self, input: Tensor):
        return F.max_pool1d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )


class MaxPool2d(_MaxPoolNd):
    """The largest element of each window of 2 dimensions."""

    def forward(self, input: Tensor):
        return F.max_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )


class MaxPool3d(_MaxPoolNd):
    """The largest element of each window of 3 dimensions."""

    def forward(self, input: Tensor):
        return F.max_pool3d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )


class _MaxUnpoolNd(Module):
    rank = 0

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = of_rank(kernel_size, self.rank)
        self.stride = of_rank(kernel_size if stride is None else stride, self.rank)
        self.padding = of_rank(padding, self.rank)

    def extra_repr(self) -> str:
        return named(self, "kernel_size", "stride", "padding")


class MaxUnpool1d(_MaxUnpoolNd):
    """The elements at the places that `MaxPool1d` took them from, zeros elsewhere."""

    rank = 1

    def forward(
        self, input: Tensor, indices: Tensor, output_size: list[int] | None = None
    ) -> Tensor:
        return F.max_unpool1d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class MaxUnpool2d(_MaxUnpoolNd):
    """The elements at the places that `MaxPool2d` took them from, zeros elsewhere."""

    rank = 2

    def forward(
        self, input: Tensor, indices: Tensor, output_size: list[int] | None = None
    ) -> Tensor:
        return F.max_unpool2d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class MaxUnpool3d(_MaxUnpoolNd):
    """The elements at the places that `MaxPool3d` took them from, zeros elsewhere."""

    rank = 3

    def forward(
        self, input: Tensor, indices: Tensor, output_size: list[int] | None = None
    ) -> Tensor:
        return F.max_unpool3d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class AvgPool1d(Module):
    """The mean of each window of 1 dimension."""

    __constants__ = ("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad")

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = of_rank(kernel_size, 1)
        self.stride = of_rank(kernel_size if stride is None else stride, 1)
        self.padding = of_rank(padding, 1)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
        )

    def extra_repr(self) -> str:
        return named(self, "kernel_size", "stride", "padding")


class _AvgPoolNd(Module):
    __constants__ = (
        "kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override",
    )  # fmt: skip

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def extra_repr(self) -> str:
        return named(self, "kernel_size", "stride", "padding")


class AvgPool2d(_AvgPoolNd):
    """The mean of each window of 2 dimensions."""

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool3d(_AvgPoolNd):
    """The mean of each window of 3 dimensions."""

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool3d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class _FractionalMaxPoolNd(Module):
    __constants__ = ("kernel_size", "return_indices", "output_size", "output_ratio")
    rank = 0

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        self.kernel_size = of_rank(kernel_size, self.rank)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else of_rank(output_size, self.rank)
        is_one = isinstance(output_ratio, float)
        self.output_ratio = (output_ratio,) * self.rank if is_one else output_ratio
        if output_size is None and output_ratio is None:
            raise ValueError(
                f"{name} requires specifying either an output size, or a pooling ratio"
            )
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if self.output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")


class FractionalMaxPool2d(_FractionalMaxPoolNd):
    """The largest elements of windows of 2 dimensions at random places."""

    rank = 2

    def forward(self, input: Tensor):
        return F.fractional_max_pool2d(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            _random_samples=self._random_samples,
        )


class FractionalMaxPool3d(_FractionalMaxPoolNd):
    """The largest elements of windows of 3 dimensions at random places."""

    rank = 3

    def forward(self, input: Tensor):
        return F.fractional_max_pool3d(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            _random_samples=self._random_samples,
        )


class _LPPoolNd(Module):
    __constants__ = ("norm_type", "kernel_size", "stride", "ceil_mode")

    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def extra_repr(self) -> str:
        return named(self, "norm_type", "kernel_size", "stride", "ceil_mode")


class LPPool1d(_LPPoolNd):
    """The norm of each window of 1 dimension."""

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool1d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class LPPool2d(_LPPoolNd):
    """The norm of each window of 2 dimensions."""

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool2d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class LPPool3d(_LPPoolNd):
    """The norm of each window of 3 dimensions."""

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool3d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class _AdaptiveMaxPoolNd(Module):
    __constants__ = ("output_size", "return_indices")

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def extra_repr(self) -> str:
        return named(self, "output_size")


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """The largest elements of as many parts, in 1 dimension, as `output_size` says."""

    def forward(self, input: Tensor):
        return F.adaptive_max_pool1d(input, self.output_size, return_indices=self.return_indices)


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """The largest elements of as many parts, in 2 dimensions, as `output_size` says."""

    def forward(self, input: Tensor):
        return F.adaptive_max_pool2d(input, self.output_size, return_indices=self.return_indices)


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """The largest elements of as many parts, in 3 dimensions, as `output_size` says."""

    def forward(self, input: Tensor):
        return F.adaptive_max_pool3d(input, self.output_size, return_indices=self.return_indices)


class _AdaptiveAvgPoolNd(Module):
    __constants__ = ("output_size",)

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        return named(self, "output_size")


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """Means of as many parts, in 1 dimension, as `output_size` says."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """Means of as many parts, in 2 dimensions, as `output_size` says."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """Means of as many parts, in 3 dimensions, as `output_size` says."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, self.output_size)
