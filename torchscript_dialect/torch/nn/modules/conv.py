"""Convolutions of one, two and three dimensions, and those that undo their strides."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
# pyright: reportArgumentType=false, reportInvalidTypeArguments=false
# Annotations are not postponed: those of attributes are types of programs, which PyTorch takes as objects only.
import math
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn import functional as F
from torchscript_dialect.torch.nn import init
from torchscript_dialect.torch.nn.modules.lazy import LazyModuleMixin
from torchscript_dialect.torch.nn.modules.module import Module
from torchscript_dialect.torch.nn.modules.utils import of_rank
from torchscript_dialect.torch.nn.parameter import Parameter, UninitializedParameter

_MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Module):
    """Weights (out, in / groups, *kernel_size), or with in and out exchanged where the convolution is transposed."""

    __constants__ = (
        "stride", "padding", "dilation", "groups", "padding_mode", "output_padding", "in_channels",
        "out_channels", "kernel_size",
    )  # fmt: skip
    rank = 0
    bias: Tensor | None

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, ...],
        stride: tuple[int, ...],
        padding: Any,
        dilation: tuple[int, ...],
        transposed: bool,
        output_padding: tuple[int, ...],
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        _check(in_channels, out_channels, groups, stride, padding, padding_mode)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = _sides(padding, kernel_size, dilation)
        outer, inner = (in_channels, out_channels) if transposed else (out_channels, in_channels)
        shape = [outer, inner // groups, *kernel_size]
        self.weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        rank = len(self.kernel_size)
        shown = [
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}",
            f"stride={self.stride}",
        ]
        usual = {
            "padding": (0,) * rank, "dilation": (1,) * rank, "output_padding": (0,) * rank,
            "groups": 1,
        }  # fmt: skip
        for name, value in usual.items():
            if getattr(self, name) != value:
                shown.append(f"{name}={getattr(self, name)}")
        if self.bias is None:
            shown.append("bias=False")
        if self.padding_mode != "zeros":
            shown.append(f"padding_mode={self.padding_mode}")
        return ", ".join(shown)


def _check(
    in_channels: int,
    out_channels: int,
    groups: int,
    stride: tuple[int, ...],
    padding: Any,
    padding_mode: str,
) -> None:
    if groups <= 0:
        raise ValueError("groups must be a positive integer")
    if in_channels % groups != 0:
        raise ValueError("in_channels must be divisible by groups")
    if out_channels % groups != 0:
        raise ValueError("out_channels must be divisible by groups")
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise ValueError(
                f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}"
            )
        if padding == "same" and any(step != 1 for step in stride):
            raise ValueError("padding='same' is not supported for strided convolutions")
    if padding_mode not in _MODES:
        raise ValueError(
            f"padding_mode must be one of {set(_MODES)}, but got padding_mode='{padding_mode}'"
        )


def _sides(padding: Any, kernel_size: tuple[int, ...], dilation: tuple[int, ...]) -> Any:
    """The padding as `F.pad` takes it: two numbers for each dimension, the last one first."""
    if padding == "valid":
        return [0, 0] * len(kernel_size)
    if padding != "same":
        return tuple(side for each in reversed(padding) for side in (each, each))
    sides: list[int] = []
    for size, step in reversed(list(zip(kernel_size, dilation, strict=True))):
        total = step * (size - 1)
        sides += [total // 2, total - total // 2]
    return sides


class _DirectConvNd(_ConvNd):
    """As `_ConvNd`, with PyTorch's order of parameters; `_conv_forward` computes it."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        rank = self.rank
        super().__init__(
            in_channels,
            out_channels,
            of_rank(kernel_size, rank),
            of_rank(stride, rank),
            padding if isinstance(padding, str) else of_rank(padding, rank),
            of_rank(dilation, rank),
            False,
            of_rank(0, rank),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_DirectConvNd):
    """(N, C, L) to (N, out_channels, L')."""

    rank = 1

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        if self.padding_mode != "zeros":
            padded = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            return F.conv1d(padded, weight, bias, self.stride, 0, self.dilation, self.groups)
        return F.conv1d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)


class Conv2d(_DirectConvNd):
    """(N, C, H, W) to (N, out_channels, H', W')."""

    rank = 2

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        if self.padding_mode != "zeros":
            padded = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            return F.conv2d(padded, weight, bias, self.stride, 0, self.dilation, self.groups)
        return F.conv2d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)


class Conv3d(_DirectConvNd):
    """(N, C, D, H, W) to (N, out_channels, D', H', W')."""

    rank = 3

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        if self.padding_mode != "zeros":
            padded = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            return F.conv3d(padded, weight, bias, self.stride, 0, self.dilation, self.groups)
        return F.conv3d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)


def _listed(sizes: list[int]) -> list[int]:
    return sizes


class _ConvTransposeNd(_ConvNd):
    """As `_ConvNd`, with PyTorch's order of parameters, and sizes of the output that may be asked for."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            name = type(self).__name__
            raise ValueError(f'Only "zeros" padding mode is supported for {name}')
        rank = self.rank
        super().__init__(
            in_channels,
            out_channels,
            of_rank(kernel_size, rank),
            of_rank(stride, rank),
            of_rank(padding, rank),
            of_rank(dilation, rank),
            True,
            of_rank(output_padding, rank),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _output_padding(
        self,
        input: Tensor,
        output_size: list[int] | None,
        stride: list[int],
        padding: list[int],
        kernel_size: list[int],
        num_spatial_dims: int,
        dilation: list[int],
    ) -> list[int]:
        """What is added to the smallest output to get the one that is asked for; ValueError if a stride is not enough."""
        if output_size is None:
            return _listed(self.output_padding)
        outer = input.dim() - num_spatial_dims
        if len(output_size) == outer + num_spatial_dims:
            output_size = output_size[outer:]
        if len(output_size) != num_spatial_dims:
            raise ValueError(
                f"ConvTranspose{num_spatial_dims}D: for {input.dim()}D input, output_size must have"
                f" {num_spatial_dims} or {outer + num_spatial_dims} elements (got {len(output_size)})"
            )
        result = torch.jit.annotate(list[int], [])
        for axis in range(num_spatial_dims):
            window = dilation[axis] * (kernel_size[axis] - 1) + 1
            least = (input.size(axis + outer) - 1) * stride[axis] - 2 * padding[axis] + window
            extra = output_size[axis] - least
            if extra < 0 or extra >= stride[axis]:
                raise ValueError(
                    f"requested an output size of {output_size}, but valid sizes of dimension {axis}"
                    f" range from {least} to {least + stride[axis] - 1} (for an input of"
                    f" {input.size()[2:]})"
                )
            result.append(extra)
        return result


class ConvTranspose1d(_ConvTransposeNd):
    """`Conv1d` from its output to its input."""

    rank = 1

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        output_padding = self._output_padding(
            input,
            output_size,
            self.stride,
            self.padding,
            self.kernel_size,
            1,
            self.dilation,
        )
        return F.conv_transpose1d(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            output_padding,
            self.groups,
            self.dilation,
        )


class ConvTranspose2d(_ConvTransposeNd):
    """`Conv2d` from its output to its input."""

    rank = 2

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        output_padding = self._output_padding(
            input,
            output_size,
            self.stride,
            self.padding,
            self.kernel_size,
            2,
            self.dilation,
        )
        return F.conv_transpose2d(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            output_padding,
            self.groups,
            self.dilation,
        )


class ConvTranspose3d(_ConvTransposeNd):
    """`Conv3d` from its output to its input."""

    rank = 3

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        output_padding = self._output_padding(
            input,
            output_size,
            self.stride,
            self.padding,
            self.kernel_size,
            3,
            self.dilation,
        )
        return F.conv_transpose3d(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            output_padding,
            self.groups,
            self.dilation,
        )


class _LazyConv(LazyModuleMixin):
    """A convolution that takes `in_channels` from its first input."""

    def _wait(self, out_channels: int, bias: bool, device: Any, dtype: Any) -> None:
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor, *args: Any, **kwargs: Any) -> None:
        rank = self.rank
        if input.dim() not in (rank + 1, rank + 2):
            raise RuntimeError(
                f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to"
                f" {type(self).__name__}, but got input of size: {input.shape}"
            )
        self.in_channels = input.size(-1 - rank)
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        outer, inner = self.in_channels, self.out_channels
        if not self.transposed:
            outer, inner = inner, outer
        self.weight = self.weight.materialize((outer, inner // self.groups, *self.kernel_size))
        if self.bias is not None:
            self.bias = self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class _LazyDirectConv(_LazyConv):
    """`_DirectConvNd` without `in_channels`."""

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode)
        self._wait(out_channels, bias, device, dtype)


class _LazyTransposedConv(_LazyConv):
    """`_ConvTransposeNd` without `in_channels`."""

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            0,
            0,
            kernel_size,
            stride,
            padding,
            output_padding,
            groups,
            False,
            dilation,
            padding_mode,
        )
        self._wait(out_channels, bias, device, dtype)


class LazyConv1d(_LazyDirectConv, Conv1d):
    """`Conv1d` that takes `in_channels` from its first input."""

    cls_to_become = Conv1d


class LazyConv2d(_LazyDirectConv, Conv2d):
    """`Conv2d` that takes `in_channels` from its first input."""

    cls_to_become = Conv2d


class LazyConv3d(_LazyDirectConv, Conv3d):
    """`Conv3d` that takes `in_channels` from its first input."""

    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyTransposedConv, ConvTranspose1d):
    """`ConvTranspose1d` that takes `in_channels` from its first input."""

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyTransposedConv, ConvTranspose2d):
    """`ConvTranspose2d` that takes `in_channels` from its first input."""

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyTransposedConv, ConvTranspose3d):
    """`ConvTranspose3d` that takes `in_channels` from its first input."""

    cls_to_become = ConvTranspose3d
