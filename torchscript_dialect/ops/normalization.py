"""Normalization layers: decompositions into means, differences and products.

Statistics of float16 and bfloat16 are computed in float32, as PyTorch does, results are rounded once, and statistics have the dtype
of the parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor.strides import contiguous_strides
from torchscript_dialect.types.tensor_type import TensorProperties


def _normalized(facts: Sequence[Fact]) -> Fact:
    """As large as the first operand, and contiguous if that is."""
    x = facts[0]
    result = fresh(dtype_of(x), rank_known(x), x)
    if not isinstance(x, TensorProperties):
        return result
    sizes = tuple(size for size in x.sizes or () if size is not None)
    is_known = x.sizes is not None and len(sizes) == len(x.sizes)
    if is_known and x.strides == contiguous_strides(sizes):
        return result
    return replace(result, strides=None)


composite(
    "aten::layer_norm",
    """
def layer_norm(
    input: Tensor, normalized_shape: List[int], weight: Optional[Tensor], bias: Optional[Tensor],
    eps: float, cudnn_enable: bool
) -> Tensor:
    result, _, _ = torch.native_layer_norm(input, normalized_shape, weight, bias, eps)
    return result
""",
    shape=_normalized,
    lower="lowering.linalg.moments:LayerNorm",
)

composite(
    "aten::native_layer_norm",
    """
def native_layer_norm(
    input: Tensor, normalized_shape: List[int], weight: Optional[Tensor], bias: Optional[Tensor],
    eps: float
) -> Tuple[Tensor, Tensor, Tensor]:
    first = input.dim() - len(normalized_shape)
    assert len(normalized_shape) > 0, (
        "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element")
    if first < 0 or input.size()[first:] != normalized_shape:
        raise RuntimeError(
            "Given normalized_shape=" + str(normalized_shape) + ", expected input with shape [*, "
            + ", ".join([str(size) for size in normalized_shape]) + "], but got input of size"
            + str(input.size()))
    dims = [first + place for place in range(len(normalized_shape))]
    x, stats = input, input.dtype
    if input.dtype == torch.float16 or input.dtype == torch.bfloat16:
        x = input.to(torch.float32)
    mean = torch.mean(x, dims, True)
    centered = x - mean
    rstd = torch.rsqrt(torch.mean(centered * centered, dims, True) + eps)
    result = centered * rstd
    if weight is not None:
        result, stats = result * weight, weight.dtype
    if bias is not None:
        result, stats = result + bias, bias.dtype
    return result.to(input.dtype), mean.to(stats), rstd.to(stats)
""",
)

composite(
    "aten::rms_norm",
    """
def rms_norm(
    input: Tensor, normalized_shape: List[int], weight: Optional[Tensor], eps: Optional[float]
) -> Tensor:
    first = input.dim() - len(normalized_shape)
    assert len(normalized_shape) > 0, (
        "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, "
        "but got normalized_shape = " + str(normalized_shape))
    if first < 0 or input.size()[first:] != normalized_shape:
        raise RuntimeError(
            "Given normalized_shape=" + str(normalized_shape) + ", expected input with shape [*"
            + ", ".join([str(size) for size in normalized_shape]) + "], but got input of size"
            + str(input.size()))
    if not input.is_floating_point() and not input.is_complex():
        raise NotImplementedError("rms_norm is not implemented for dtypes that are not floating point")
    dims = [first + place for place in range(len(normalized_shape))]
    x, least = input, 1.1920928955078125e-07
    if input.dtype == torch.float16 or input.dtype == torch.bfloat16:
        x = input.to(torch.float32)
    elif input.dtype == torch.float64 or input.dtype == torch.complex128:
        least = 2.220446049250313e-16
    if eps is not None:
        least = eps
    result = x * torch.rsqrt(torch.mean(x * x, dims, True) + least)
    if weight is not None:
        if weight.size() != normalized_shape:
            raise RuntimeError(
                "Expected weight to be of same shape as normalized_shape, but got weight of shape "
                + str(weight.size()) + " and normalized_shape = " + str(normalized_shape))
        result = result * weight
    return result.to(input.dtype).contiguous()
""",
    shape=_normalized,
    lower="lowering.linalg.moments:RMSNorm",
)
