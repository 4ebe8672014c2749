"""Normalization layers: decompositions into means, differences and products.

Statistics of float16 and bfloat16 are computed in float32, as PyTorch does, results are rounded once, and statistics have the dtype
of the parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite, decomposed
from torchscript_dialect.ops.registry import Kernel
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types.tensor_type import TensorProperties


def _normalized(facts: Sequence[Fact]) -> Fact:
    """As large as the first operand, and contiguous."""
    return fresh(dtype_of(facts[0]), rank_known(facts[0]), facts[0])


def _normalized_with_moments(facts: Sequence[Fact]) -> tuple[TensorProperties, ...]:
    """A contiguous result, and the means and the inverse standard deviations of rows, in the dtype of the last parameter."""
    x, sizes, weight, bias, _ = facts
    given = [fact for fact in (bias, weight, x) if fact is not None]
    element = dtype_of(given[0]) if isinstance(given[0], TensorProperties) else None
    whole = rank_known(x)
    if whole is None or not isinstance(sizes, list):
        moments = fresh(element, None, x)
    else:
        count = len(cast("list[Any]", sizes))
        moments = fresh(element, (*whole[: len(whole) - count], *(1,) * count), x)
    return fresh(dtype_of(x), whole, x), moments, moments


_NATIVE = "aten::native_layer_norm"
_PLAIN = (dtypes.float32, dtypes.float64)


@cache
def _interpreted() -> Kernel:
    operator = registry.find(_NATIVE)
    assert operator is not None
    return decomposed(operator)


def _check_mixed(x: Tensor, *parameters: Tensor | None) -> None:
    """Refuse parameters of another dtype than the input's, but those of float32 for floats of 16 bits."""
    others = [one.dtype for one in parameters if one is not None and one.dtype is not x.dtype]
    given = [one.dtype for one in parameters if one is not None] if others else []
    if any(one is not dtypes.float32 for one in given):
        raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
    if given and x.dtype not in (dtypes.float16, dtypes.bfloat16):
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


def _native_layer_norm(
    x: Tensor, sizes: Sequence[int], weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """What the decomposition computes, in few calls of NumPy's where input and parameters have one float dtype."""
    first = x.array.ndim - len(sizes)
    is_plain = x.dtype in _PLAIN and 0 <= first < x.array.ndim and x.array.size
    same = all(each is None or each.array.dtype is x.array.dtype for each in (weight, bias))
    if not is_plain or not same or x.array.shape[first:] != tuple(sizes):
        _check_mixed(x, weight, bias)
        return _interpreted()(x, sizes, weight, bias, eps)
    for name, each in (("weight", weight), ("bias", bias)):
        if each is not None and each.array.shape != tuple(sizes):
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(each.array.shape)} and normalized_shape = {list(sizes)}"
            )
    return _moments(np.ascontiguousarray(x.array), first, weight, bias, eps)


@ignores_float_errors
def _moments(
    array: NDArray[Any], first: int, weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    axes, count = tuple(range(first, array.ndim)), prod(array.shape[first:])
    mean = np.add.reduce(array, axis=axes, keepdims=True) / count
    result = array - mean
    rstd = 1 / np.sqrt(np.add.reduce(result * result, axis=axes, keepdims=True) / count + eps)
    result *= rstd
    if weight is not None:
        result *= weight.array
    if bias is not None:
        result += bias.array
    return tensor_of(result), tensor_of(mean), tensor_of(rstd)


def _layer_norm(
    x: Tensor, sizes: Sequence[int], weight: Any, bias: Any, eps: float, _: bool
) -> Tensor:
    return _native_layer_norm(x, sizes, weight, bias, eps)[0]


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
    kernel=_layer_norm,
    shape=_normalized,
    lower="lowering.linalg.moments:LayerNorm",
)

composite(
    _NATIVE,
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
    return result.to(input.dtype).contiguous(), mean.to(stats), rstd.to(stats)
""",
    kernel=_native_layer_norm,
    shape=_normalized_with_moments,
    lower="lowering.linalg.moments:LayerNormWithMoments",
)

_BY_SQUARES = """
    dims = [first + place for place in range(len(normalized_shape))]
    x, least = input, 1.1920928955078125e-07
    if input.dtype == torch.float16 or input.dtype == torch.bfloat16:
        x = input.to(torch.float32)
    elif input.dtype == torch.float64 or input.dtype == torch.complex128:
        least = 2.220446049250313e-16
    if eps is not None:
        least = eps
    rstd = torch.rsqrt(torch.mean(x * x, dims, True) + least)
    result = x * rstd
"""

composite(
    "aten::rms_norm",
    f"""
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
{_BY_SQUARES}    if weight is not None:
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

composite(
    "aten::_fused_rms_norm",
    f"""
def fused_rms_norm(
    input: Tensor, normalized_shape: List[int], weight: Optional[Tensor], eps: Optional[float]
) -> Tuple[Tensor, Tensor]:
    first = input.dim() - len(normalized_shape)
    if not input.is_floating_point() and not input.is_complex():
        raise NotImplementedError("rms_norm is not implemented for dtypes that are not floating point")
{_BY_SQUARES}
    if weight is not None:
        result = result * weight
    return result.to(input.dtype), rstd
""",
)
