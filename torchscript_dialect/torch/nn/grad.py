"""`torch.nn.grad`: the gradients of convolutions, from the sizes of what they are of (PyTorch: torch/nn/grad.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from torchscript_dialect.ops.eager.dispatch import function
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn.modules.utils import of_rank

__all__ = [
    "conv1d_input",
    "conv1d_weight",
    "conv2d_input",
    "conv2d_weight",
    "conv3d_input",
    "conv3d_weight",
]

_Sizes: TypeAlias = int | Sequence[int]

_convolution_backward = function("convolution_backward")


def _of_input(rank: int) -> Callable[..., Tensor]:
    def gradient(
        input_size: Sequence[int],
        weight: Tensor,
        grad_output: Tensor,
        stride: _Sizes = 1,
        padding: _Sizes = 0,
        dilation: _Sizes = 1,
        groups: int = 1,
    ) -> Tensor:
        """The gradient of a convolution by its input. `grad_output` is the one of its result."""
        input = grad_output.new_empty(1).expand(input_size)
        windows = [of_rank(one, rank) for one in (stride, padding, dilation)]
        return _gradient(0, grad_output, input, weight, windows, groups)

    gradient.__name__ = gradient.__qualname__ = f"conv{rank}d_input"
    return gradient


def _of_weight(rank: int) -> Callable[..., Tensor]:
    def gradient(
        input: Tensor,
        weight_size: Sequence[int],
        grad_output: Tensor,
        stride: _Sizes = 1,
        padding: _Sizes = 0,
        dilation: _Sizes = 1,
        groups: int = 1,
    ) -> Tensor:
        """The gradient of a convolution by its weight. `grad_output` is the one of its result."""
        weight = grad_output.new_empty(1).expand(weight_size)
        windows = [of_rank(one, rank) for one in (stride, padding, dilation)]
        return _gradient(1, grad_output, input, weight, windows, groups)

    gradient.__name__ = gradient.__qualname__ = f"conv{rank}d_weight"
    return gradient


def _gradient(
    place: int,
    grad_output: Tensor,
    input: Tensor,
    weight: Tensor,
    windows: Iterable[Sequence[int]],
    groups: int,
) -> Tensor:
    """The gradient by the input, 0, or by the weight, 1; `windows` are stride, padding and dilation."""
    mask = [place == 0, place == 1, False]
    given = (grad_output, input, weight, None, *map(list, windows))
    return _convolution_backward(*given, False, [0], groups, mask)[place]


conv1d_input, conv1d_weight = _of_input(1), _of_weight(1)
conv2d_input, conv2d_weight = _of_input(2), _of_weight(2)
conv3d_input, conv3d_weight = _of_input(3), _of_weight(3)
