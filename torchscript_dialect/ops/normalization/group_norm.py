"""Group normalization: the channels of an image in groups, each with its own statistics (PyTorch: native/group_norm.cpp).

16-bit floats compute in float32 and round once; statistics have the dtype of the parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.layouts import laid_out, laid_out_strides
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.strides import (
    element_strides,
    is_contiguous,
    suggest_memory_format,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorProperties


def _check(x: Tensor, weight: Tensor | None, bias: Tensor | None, groups: int) -> dtype:
    """The dtype of statistics."""
    shape = x.array.shape
    if len(shape) < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {len(shape)}"
        )
    if groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {groups}")
    if shape[1] % groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of "
            f"shape {list(shape)} and num_groups={groups}"
        )
    for name, parameter in (("weight", weight), ("bias", bias)):
        if parameter is not None and parameter.array.shape != shape[1:2]:
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, "
                f"but got {name} of shape {list(parameter.array.shape)} and input of shape "
                f"{list(shape)}"
            )
    if not x.dtype.is_floating_point:
        raise NotImplementedError(
            f"\"GroupNormKernelImpl\" not implemented for '{x.dtype.type_name}'"
        )
    given = [parameter.dtype for parameter in (weight, bias) if parameter is not None]
    first = given[0] if given else x.dtype
    mixed = x.dtype.itemsize < 4 and first is dtypes.float32
    if any(other is not first for other in given) or not (first is x.dtype or mixed):
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    return first


@ignores_float_errors
def _normalized(
    x: Tensor, weight: Tensor | None, bias: Tensor | None, groups: int, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    stored = _check(x, weight, bias, groups).numpy_dtype
    array = x.array
    n, channels = array.shape[:2]
    compute = opmath(x.dtype).numpy_dtype
    size = channels // groups * prod(array.shape[2:])
    wide = array.astype(compute, copy=False).reshape(n, groups, size)
    mean = wide.mean(-1) if size else np.zeros((n, groups), compute)
    centered = wide - mean[..., None]
    inverse = 1 / np.sqrt(
        np.square(centered).sum(-1) / compute.type(max(size, 1)) + compute.type(eps)
    )
    result: NDArray[Any] = (centered * inverse[..., None]).reshape(array.shape)
    over = (1, channels, *(1,) * (array.ndim - 2))
    if weight is not None:
        result = result * weight.array.astype(compute, copy=False).reshape(over)
    if bias is not None:
        result = result + bias.array.astype(compute, copy=False).reshape(over)
    return (
        tensor_of(laid_out(result, array)),
        tensor_of(mean.astype(stored)),
        tensor_of(inverse.astype(stored)),
    )


def _shape(facts: Sequence[Fact]) -> TensorProperties:
    x = facts[0]
    if not isinstance(x, TensorProperties):
        return NOTHING
    strides = None if x.sizes is None else laid_out_strides(x, x.sizes)
    return fresh(dtype_of(x), x.sizes, x, strides=strides)


@registry.kernel("group_norm", shape=_shape, lower="lowering.linalg.group_norm:GroupNorm")
def group_norm(
    x: Tensor,
    groups: int,
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
    _cudnn_enabled: bool,
) -> Tensor:
    """Mean 0 and variance 1 over each group of channels of an image, then scaled and shifted by channel."""
    return _normalized(x, weight, bias, groups, eps)[0]


def _native_shape(facts: Sequence[Fact]) -> tuple[TensorProperties, ...]:
    x, weight, bias, _, _, _, groups, _ = facts
    sizes = rank_known(x)
    first = next((given for given in (weight, bias) if given is not None), x)
    element = dtype_of(first) if isinstance(first, TensorProperties) else None
    is_told = sizes is not None and len(sizes) > 1 and is_known(groups)
    statistics = fresh(element, (*sizes[:1], groups) if sizes and is_told else None, x)
    return (_shape(facts), statistics, statistics)


@registry.kernel(
    "native_group_norm",
    shape=_native_shape,
    lower="lowering.linalg.group_norm:GroupNormWithMoments",
)
def native_group_norm(
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    n: int,
    channels: int,
    elements: int,
    groups: int,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """The result, and mean and inverse standard deviation of each group.

    Raises:
        RuntimeError: `n`, `channels` and `elements` are not those of the input, the input has gaps or another order, or the
            parameters do not fit.
    """
    shape, strides = x.array.shape, element_strides(x.array)
    if not is_contiguous(shape, strides, suggest_memory_format(shape, strides)):
        raise RuntimeError("Expected X.is_contiguous(memory_format) to be true, but got false.")
    if shape[:2] != (n, channels) or prod(shape) != n * channels * elements:
        raise RuntimeError(
            f"native_group_norm: sizes N={n}, C={channels}, HxW={elements} are not those of the input "
            f"{list(shape)}"
        )
    return _normalized(x, weight, bias, groups, eps)
