"""Windows of images that become their largest element, their mean, or their norm; and the way back."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
# pyright: reportArgumentType=false, reportInvalidTypeArguments=false
from __future__ import annotations

from torchscript_dialect import torch
from torchscript_dialect.ops.eager.dispatch import function
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn.functional._dispatch import with_indices_or_not
from torchscript_dialect.torch.nn.functional._types import (
    BroadcastingList1,
    BroadcastingList2,
    BroadcastingList3,
    _of_rank,
)

avg_pool1d = function("avg_pool1d")
avg_pool2d = function("avg_pool2d")
avg_pool3d = function("avg_pool3d")
adaptive_avg_pool1d = function("adaptive_avg_pool1d")


def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: BroadcastingList1[int] | None = None,
    padding: BroadcastingList1[int] = 0,
    dilation: BroadcastingList1[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where it is."""
    if stride is None:
        stride = torch.jit.annotate(list[int], [])
    return torch.max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool1d(
    input: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: BroadcastingList1[int] | None = None,
    padding: BroadcastingList1[int] = 0,
    dilation: BroadcastingList1[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    """The largest element of each window."""
    if stride is None:
        stride = torch.jit.annotate(list[int], [])
    return torch.max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode)


max_pool1d = with_indices_or_not("max_pool1d", max_pool1d_with_indices, _max_pool1d)


def max_pool2d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: BroadcastingList2[int] | None = None,
    padding: BroadcastingList2[int] = 0,
    dilation: BroadcastingList2[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where it is."""
    if stride is None:
        stride = torch.jit.annotate(list[int], [])
    return torch.max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool2d(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: BroadcastingList2[int] | None = None,
    padding: BroadcastingList2[int] = 0,
    dilation: BroadcastingList2[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    """The largest element of each window."""
    if stride is None:
        stride = torch.jit.annotate(list[int], [])
    return torch.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode)


max_pool2d = with_indices_or_not("max_pool2d", max_pool2d_with_indices, _max_pool2d)


def max_pool3d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: BroadcastingList3[int] | None = None,
    padding: BroadcastingList3[int] = 0,
    dilation: BroadcastingList3[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where it is."""
    if stride is None:
        stride = torch.jit.annotate(list[int], [])
    return torch.max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool3d(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: BroadcastingList3[int] | None = None,
    padding: BroadcastingList3[int] = 0,
    dilation: BroadcastingList3[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    """The largest element of each window."""
    if stride is None:
        stride = torch.jit.annotate(list[int], [])
    return torch.max_pool3d(input, kernel_size, stride, padding, dilation, ceil_mode)


max_pool3d = with_indices_or_not("max_pool3d", max_pool3d_with_indices, _max_pool3d)


def _list_with_default(out_size: list[int], defaults: list[int]) -> list[int]:
    """Sizes, of which None stands for the size that the input has there."""
    if torch.jit.is_scripting() or isinstance(out_size, int):
        return out_size
    if len(out_size) >= len(defaults):
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    known = defaults[-len(out_size) :]
    return [size if given is None else given for given, size in zip(out_size, known, strict=True)]


def adaptive_avg_pool2d(input: Tensor, output_size: BroadcastingList2[int]) -> Tensor:
    """Means of as many parts as `output_size` says."""
    sizes = _list_with_default(output_size, input.size())
    return torch.adaptive_avg_pool2d(input, sizes)


def adaptive_avg_pool3d(input: Tensor, output_size: BroadcastingList3[int]) -> Tensor:
    """Means of as many parts as `output_size` says."""
    sizes = _list_with_default(output_size, input.size())
    return torch.adaptive_avg_pool3d(input, sizes)


def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """The largest elements of as many parts as `output_size` says, and where they are."""
    return torch.adaptive_max_pool1d(input, output_size)


def _adaptive_max_pool1d(
    input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False
) -> Tensor:
    """The largest elements of as many parts as `output_size` says."""
    return adaptive_max_pool1d_with_indices(input, output_size)[0]


adaptive_max_pool1d = with_indices_or_not(
    "adaptive_max_pool1d",
    adaptive_max_pool1d_with_indices,
    _adaptive_max_pool1d,
)


def adaptive_max_pool2d_with_indices(
    input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """The largest elements of as many parts as `output_size` says, and where they are."""
    sizes = _list_with_default(output_size, input.size())
    return torch.adaptive_max_pool2d(input, sizes)


def _adaptive_max_pool2d(
    input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False
) -> Tensor:
    """The largest elements of as many parts as `output_size` says."""
    return adaptive_max_pool2d_with_indices(input, output_size)[0]


adaptive_max_pool2d = with_indices_or_not(
    "adaptive_max_pool2d",
    adaptive_max_pool2d_with_indices,
    _adaptive_max_pool2d,
)


def adaptive_max_pool3d_with_indices(
    input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """The largest elements of as many parts as `output_size` says, and where they are."""
    sizes = _list_with_default(output_size, input.size())
    return torch.adaptive_max_pool3d(input, sizes)


def _adaptive_max_pool3d(
    input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False
) -> Tensor:
    """The largest elements of as many parts as `output_size` says."""
    return adaptive_max_pool3d_with_indices(input, output_size)[0]


adaptive_max_pool3d = with_indices_or_not(
    "adaptive_max_pool3d",
    adaptive_max_pool3d_with_indices,
    _adaptive_max_pool3d,
)


def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    output_size: BroadcastingList2[int] | None = None,
    output_ratio: BroadcastingList2[float] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The largest elements of windows of random places, and where they are."""
    if output_size is None and output_ratio is None:
        raise ValueError(
            "fractional_max_pool2d requires specifying either an output_size or an output_ratio"
        )
    if output_size is None:
        assert output_ratio is not None
        ratio = output_ratio
        if not torch.jit.is_scripting() and isinstance(output_ratio, float):
            ratio = [output_ratio] * 2
        if len(ratio) > 2:
            raise ValueError(
                "fractional_max_pool2d requires output_ratio to either be a single Int or tuple of Ints."
            )
        output_size = [
            int(input.size(-2) * ratio[0]),
            int(input.size(-1) * ratio[1]),
        ]
    if _random_samples is None:
        batch = 1 if input.dim() == 3 else input.size(0)
        _random_samples = torch.rand(
            batch, input.size(-3), 2, dtype=input.dtype, device=input.device
        )
    return torch.fractional_max_pool2d(input, kernel_size, output_size, _random_samples)


def _fractional_max_pool2d(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    output_size: BroadcastingList2[int] | None = None,
    output_ratio: BroadcastingList2[float] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Tensor:
    """The largest elements of windows of random places."""
    return fractional_max_pool2d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )[0]


fractional_max_pool2d = with_indices_or_not(
    "fractional_max_pool2d",
    fractional_max_pool2d_with_indices,
    _fractional_max_pool2d,
)


def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    output_size: BroadcastingList3[int] | None = None,
    output_ratio: BroadcastingList3[float] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The largest elements of windows of random places, and where they are."""
    if output_size is None and output_ratio is None:
        raise ValueError(
            "fractional_max_pool3d requires specifying either an output_size or an output_ratio"
        )
    if output_size is None:
        assert output_ratio is not None
        ratio = output_ratio
        if not torch.jit.is_scripting() and isinstance(output_ratio, float):
            ratio = [output_ratio] * 3
        output_size = [
            int(input.size(-3) * ratio[0]),
            int(input.size(-2) * ratio[1]),
            int(input.size(-1) * ratio[2]),
        ]
    if _random_samples is None:
        batch = 1 if input.dim() == 4 else input.size(0)
        _random_samples = torch.rand(
            batch, input.size(-4), 3, dtype=input.dtype, device=input.device
        )
    return torch.fractional_max_pool3d(input, kernel_size, output_size, _random_samples)


def _fractional_max_pool3d(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    output_size: BroadcastingList3[int] | None = None,
    output_ratio: BroadcastingList3[float] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Tensor:
    """The largest elements of windows of random places."""
    return fractional_max_pool3d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )[0]


fractional_max_pool3d = with_indices_or_not(
    "fractional_max_pool3d",
    fractional_max_pool3d_with_indices,
    _fractional_max_pool3d,
)


def _unpool_output_size(
    input: Tensor,
    kernel_size: list[int],
    stride: list[int],
    padding: list[int],
    output_size: list[int] | None,
) -> list[int]:
    """The sizes of what was pooled: those given, if they are within a stride of what the windows tell."""
    rank = len(kernel_size)
    default = torch.jit.annotate(list[int], [])
    for axis in range(rank):
        size = input.size(-rank + axis)
        default.append((size - 1) * stride[axis] + kernel_size[axis] - 2 * padding[axis])
    if output_size is None:
        return default
    if len(output_size) == rank + 2:
        output_size = output_size[2:]
    if len(output_size) != rank:
        raise ValueError(
            "output_size should be a sequence containing "
            f"{rank} or {rank + 2} elements, but it has a length of '{len(output_size)}'"
        )
    for axis in range(rank):
        least = default[axis] - stride[axis]
        most = default[axis] + stride[axis]
        if not (least < output_size[axis] < most):
            raise ValueError(
                f'invalid output_size "{output_size}" (dim {axis} must be between {least} and {most})'
            )
    return output_size


def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: BroadcastingList1[int] | None = None,
    padding: BroadcastingList1[int] = 0,
    output_size: BroadcastingList1[int] | None = None,
) -> Tensor:
    """The elements at the places that `max_pool1d` took them from, zeros elsewhere."""
    window = _of_rank(kernel_size, 1)
    steps = window if stride is None else _of_rank(stride, 1)
    edges = _of_rank(padding, 1)
    sizes = _unpool_output_size(input, window, steps, edges, output_size)
    wide = torch.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), [sizes[0], 1])
    return wide.squeeze(-1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: BroadcastingList2[int] | None = None,
    padding: BroadcastingList2[int] = 0,
    output_size: BroadcastingList2[int] | None = None,
) -> Tensor:
    """The elements at the places that `max_pool2d` took them from, zeros elsewhere."""
    window = _of_rank(kernel_size, 2)
    steps = window if stride is None else _of_rank(stride, 2)
    edges = _of_rank(padding, 2)
    sizes = _unpool_output_size(input, window, steps, edges, output_size)
    return torch.max_unpool2d(input, indices, sizes)


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: BroadcastingList3[int] | None = None,
    padding: BroadcastingList3[int] = 0,
    output_size: BroadcastingList3[int] | None = None,
) -> Tensor:
    """The elements at the places that `max_pool3d` took them from, zeros elsewhere."""
    window = _of_rank(kernel_size, 3)
    steps = window if stride is None else _of_rank(stride, 3)
    edges = _of_rank(padding, 3)
    sizes = _unpool_output_size(input, window, steps, edges, output_size)
    return torch.max_unpool3d(input, indices, sizes, steps, edges)


def lp_pool1d(
    input: Tensor,
    norm_type: int | float,
    kernel_size: int,
    stride: BroadcastingList1[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """The norm of each window."""
    if stride is not None:
        mean = torch.avg_pool1d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    else:
        mean = torch.avg_pool1d(input.pow(norm_type), kernel_size, padding=0, ceil_mode=ceil_mode)
    return (torch.sign(mean) * torch.relu(torch.abs(mean))).mul(kernel_size).pow(1.0 / norm_type)


def lp_pool2d(
    input: Tensor,
    norm_type: int | float,
    kernel_size: BroadcastingList2[int],
    stride: BroadcastingList2[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """The norm of each window."""
    window = _of_rank(kernel_size, 2)
    if stride is not None:
        mean = torch.avg_pool2d(input.pow(norm_type), window, stride, 0, ceil_mode)
    else:
        mean = torch.avg_pool2d(input.pow(norm_type), window, padding=0, ceil_mode=ceil_mode)
    return (
        (torch.sign(mean) * torch.relu(torch.abs(mean)))
        .mul(window[0] * window[1])
        .pow(1.0 / norm_type)
    )


def lp_pool3d(
    input: Tensor,
    norm_type: int | float,
    kernel_size: BroadcastingList3[int],
    stride: BroadcastingList3[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """The norm of each window."""
    window = _of_rank(kernel_size, 3)
    if stride is not None:
        mean = torch.avg_pool3d(input.pow(norm_type), window, stride, 0, ceil_mode)
    else:
        mean = torch.avg_pool3d(input.pow(norm_type), window, padding=0, ceil_mode=ceil_mode)
    return (
        (torch.sign(mean) * torch.relu(torch.abs(mean)))
        .mul(window[0] * window[1] * window[2])
        .pow(1.0 / norm_type)
    )
