"""Gradients that are operators of their own, for graphs that hold them (PyTorch: FunctionsManual.cpp, DistanceOpsKernel.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite, decomposed
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.products.products import DISTANCES
from torchscript_dialect.ops.registry import Kernel
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

composite(
    "aten::value_selecting_reduction_backward",
    """
def select_back(grad: Tensor, dim: int, indices: Tensor, sizes: List[int], keepdim: bool) -> Tensor:
    if not keepdim and len(sizes) > 0:
        grad = grad.unsqueeze(dim)
        indices = indices.unsqueeze(dim)
    return torch.zeros(sizes, dtype=grad.dtype, device=grad.device).scatter(dim, indices, grad)
""",
)
composite(
    "aten::cummaxmin_backward",
    """
def running_back(grad: Tensor, input: Tensor, indices: Tensor, dim: int) -> Tensor:
    if input.numel() == 0:
        return input.clone()
    return torch.zeros_like(input).scatter_add(dim, indices, grad)
""",
)
composite(
    "aten::cumprod_backward",
    """
def products_back(grad: Tensor, input: Tensor, dim: int, output: Tensor) -> Tensor:
    if input.dim() == 0 or input.numel() <= 1:
        return grad.clone()
    if not bool((input == 0).any()):
        flowing = output.conj() * grad
        return flowing.flip([dim]).cumsum(dim).flip([dim]) / input.conj()
    result = torch.zeros_like(input)
    for place in range(input.size(dim)):
        others = input.clone()
        others.select(dim, place).fill_(1)
        count = input.size(dim) - place
        after = (others.cumprod(dim) * grad).narrow(dim, place, count)
        result.select(dim, place).copy_(after.sum(dim))
    return result
""",
)
composite(
    "aten::matrix_exp_backward",
    """
def exponential_back(self: Tensor, grad: Tensor) -> Tensor:
    size = self.size(-1)
    adjoint = self.mH
    above = torch.cat([adjoint, grad], -1)
    below = torch.cat([torch.zeros_like(adjoint), adjoint], -1)
    return torch.matrix_exp(torch.cat([above, below], -2)).narrow(-2, 0, size).narrow(-1, size, size)
""",
)
_OF_DISTANCE = """
    sign = torch.where(apart == apart, apart.sign(), apart)
    if p == 0.0:
        scaled = torch.zeros_like(apart)
    elif p == 1.0:
        scaled = slope * sign
    elif p == float("inf"):
        scaled = slope * sign * (1.0 - (apart.abs() - distance).abs().ceil().clamp(max=1.0))
    else:
        length = torch.where(distance == 0.0, torch.ones_like(distance), distance)
        if p == 2.0:
            scaled = slope * apart / length
        else:
            scaled = slope * sign * apart.abs() ** (p - 1.0) / length ** (p - 1.0)
            if p < 1.0:
                scaled = torch.where(apart == 0.0, torch.zeros_like(scaled), scaled)
        scaled = torch.where(distance == 0.0, torch.zeros_like(scaled), scaled)
"""


def _interpreted(name: str) -> Kernel:
    operator = registry.find(name)
    assert operator is not None
    return decomposed(operator)


def _between_back(grad: Tensor, x: Tensor, y: Tensor, p: float, distances: Tensor) -> Tensor:
    kernels = DISTANCES.for_work(x.array.size * y.array.shape[-2])
    found = None if kernels is None else kernels.between_back(grad, x, y, p, distances)
    return (
        _interpreted("aten::_cdist_backward")(grad, x, y, p, distances) if found is None else found
    )


def _pairs_back(grad: Tensor, x: Tensor, p: float, distances: Tensor) -> Tensor:
    kernels = DISTANCES.for_work(grad.array.size * x.array.shape[-1])
    found = None if kernels is None else kernels.pairs_back(grad, x, p, distances)
    return _interpreted("aten::_pdist_backward")(grad, x, p, distances) if found is None else found


composite(
    "aten::_cdist_backward",
    f"""
def distances_back(grad: Tensor, x1: Tensor, x2: Tensor, p: float, cdist: Tensor) -> Tensor:
    apart = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    slope = grad.unsqueeze(-1)
    distance = cdist.unsqueeze(-1)
{_OF_DISTANCE}
    return scaled.sum([-2])
""",
    kernel=_between_back,
)
composite(
    "aten::_pdist_backward",
    f"""
def pairs_back(grad: Tensor, self: Tensor, p: float, pdist: Tensor) -> Tensor:
    places = torch.triu_indices(self.size(0), self.size(0), 1, device=self.device)
    apart = self.index_select(0, places[0]) - self.index_select(0, places[1])
    slope = grad.unsqueeze(-1)
    distance = pdist.unsqueeze(-1)
{_OF_DISTANCE}
    return torch.zeros_like(self).index_add(0, places[0], scaled).index_add(0, places[1], -scaled)
""",
    kernel=_pairs_back,
)
composite(
    "aten::_masked_softmax_backward",
    """
def masked_back(grad_output: Tensor, output: Tensor, mask: Tensor, dim: Optional[int]) -> Tensor:
    axis = -1
    if dim is not None:
        axis = dim
    slope = (grad_output * output).masked_fill(mask, 0.0)
    return (slope - output * slope.sum([axis], keepdim=True)).masked_fill(mask, 0.0)
""",
)
_SLOPES = """
    levels = torch.round(self * (1.0 / steps) + zeros)
    low, high = levels < quant_min, levels > quant_max
    outside = torch.logical_or(low, high)
    inner = ((levels - zeros) * steps - self) / steps
    slope = torch.where(low, quant_min - zeros, torch.where(high, quant_max - zeros, inner))
    of_scale = grad * slope * grad_factor
    of_zero = torch.where(outside, -steps * grad, torch.zeros_like(grad)) * grad_factor
    passed = torch.where(outside, torch.zeros_like(grad), grad)
"""
composite(
    "aten::_fake_quantize_learnable_per_tensor_affine_backward",
    f"""
def learnable_back(grad: Tensor, self: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int, quant_max: int,
                   grad_factor: float) -> Tuple[Tensor, Tensor, Tensor]:
    steps = scale
    zeros = torch.clamp(torch.round(zero_point), quant_min, quant_max)
{_SLOPES}
    return passed, of_scale.sum().reshape([1]), of_zero.sum().reshape([1])
""",
)
composite(
    "aten::_fake_quantize_learnable_per_channel_affine_backward",
    f"""
def learnable_channels_back(grad: Tensor, self: Tensor, scale: Tensor, zero_point: Tensor, axis: int, quant_min: int,
                            quant_max: int, grad_factor: float) -> Tuple[Tensor, Tensor, Tensor]:
    sizes = [1 for size in self.size()]
    sizes[axis] = self.size(axis)
    others: List[int] = []
    for place in range(self.dim()):
        if place != axis % self.dim():
            others.append(place)
    steps = scale.reshape(sizes)
    zeros = torch.clamp(torch.round(zero_point), quant_min, quant_max).reshape(sizes)
{_SLOPES}
    if len(others) > 0:
        of_scale = of_scale.sum(others)
        of_zero = of_zero.sum(others)
    return passed, of_scale, of_zero
""",
)
composite(
    "aten::conv_tbc_backward",
    """
def time_back(self: Tensor, input: Tensor, weight: Tensor, bias: Tensor, pad: int) -> Tuple[Tensor, Tensor, Tensor]:
    of_input, of_weight, _ = torch.ops.aten.convolution_backward(
        self.permute([1, 2, 0]), input.permute([1, 2, 0]), weight.permute([2, 1, 0]), None, [1], [pad], [1], False, [0], 1,
        [True, True, False])
    return of_input.permute([2, 0, 1]).contiguous(), of_weight.permute([2, 1, 0]).contiguous(), self.sum([0, 1])
""",
)


# By the derivative of the operator that they belong to


def _by_derivative(
    name: str, operands: Sequence[Any], places: Sequence[int], grad: Tensor
) -> list[Tensor]:
    """The gradients of some operands of the operator `name`, all of which are given, where its result has the gradient `grad`."""
    functions = import_module("torchscript_dialect.autograd.functions")
    given = list(operands)
    for place in places:
        given[place] = tensor_of(given[place].array).requires_grad_()
    with grad_mode.enabled(True):
        operator = registry.find(f"aten::{name}")
        assert operator is not None and operator.recorded is not None
        result = operator.recorded(*given)
        wanted = [given[place] for place in places]
        return list(functions.grad(result, wanted, grad, materialize_grads=True))


@registry.kernel("_segment_reduce_backward")
def segment_reduce_backward(
    grad: Tensor,
    _output: Tensor,
    data: Tensor,
    reduce: str,
    lengths: Tensor | None,
    offsets: Tensor | None,
    axis: int,
    initial: complex | None,
) -> Tensor:
    """The gradient of the data."""
    operands = (data, reduce, lengths, None, offsets, axis, False, initial)
    return _by_derivative("segment_reduce", operands, (0,), grad)[0]


@registry.kernel("_slow_conv2d_backward.output_mask")
def slow_conv2d_backward(
    grad: Tensor,
    x: Tensor,
    weight: Tensor,
    _kernel_size: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    mask: Sequence[bool],
) -> Any:
    """The gradients of input, weight and bias that are asked for."""
    sizes = [weight.array.shape[0]]
    places = (stride, padding, [1, 1], False, [0, 0], 1, mask)
    return call("aten::convolution_backward", (grad, x, weight, sizes, *places))
