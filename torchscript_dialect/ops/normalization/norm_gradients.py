"""The gradients of normalization layers, from the statistics that their forward operators give (PyTorch: native/Normalization.cpp,
layer_norm.cpp, group_norm.cpp), and weight normalization.

With x' the normalized input and g the gradient times the weight, the input's gradient is (g - mean(g) - x' mean(g x')) / deviation.
16-bit floats compute in float32 and round once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.layouts import laid_out, laid_out_strides
from torchscript_dialect.ops.shapes import UNKNOWN, Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorProperties

Array = NDArray[Any]
Ints = Sequence[int]
Gradients = tuple[Tensor | None, Tensor | None, Tensor | None]
Maybe = Tensor | None


def _wide(x: Tensor) -> Array:
    return x.array.astype(opmath(x.dtype).numpy_dtype, copy=False)


def _through(g: Array, normal: Array, scale: Array, axes: tuple[int, ...]) -> Array:
    """The gradient of the input of a normalization over `axes`."""
    mean = g.mean(axes, keepdims=True)
    return (g - mean - normal * (g * normal).mean(axes, keepdims=True)) * scale


def _check_same(name: str, grad: Tensor, x: Tensor) -> None:
    if grad.array.shape != x.array.shape:
        raise RuntimeError(
            f"{name}: grad_output of size {list(grad.array.shape)} is not of the size of the input, "
            f"{list(x.array.shape)}"
        )
    if not x.dtype.is_floating_point:
        raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")


def _like(fact: Fact, is_wanted: bool) -> Fact:
    """What is known of the gradient of an operand that may be None."""
    if not is_wanted or fact is None:
        return None
    known = isinstance(fact, TensorProperties)
    return fresh(dtype_of(fact), rank_known(fact), fact) if known else UNKNOWN


def _of_rows(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """What is known of the gradients of a layer norm."""
    _, x, _, _, _, weight, bias, wanted = facts
    if not is_known(wanted):
        return UNKNOWN, UNKNOWN, UNKNOWN
    return tuple(map(_like, (x, weight, bias), wanted))


def _of_batches(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """What is known of the gradients of a batch norm."""
    return _of_channels(facts[1], facts[2], facts[-1])


def _of_groups(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """What is known of the gradients of a group norm."""
    return _of_channels(facts[1], facts[4], facts[-1])


def _of_channels(x: Fact, weight: Fact, wanted: Fact) -> tuple[Fact, ...]:
    """What is known of gradients where parameters are numbers of channels."""
    if not is_known(wanted) or not isinstance(weight, TensorProperties | None):
        return UNKNOWN, UNKNOWN, UNKNOWN
    sizes, element = rank_known(x), dtype_of(x if weight is None else weight)
    strides = None if sizes is None else laid_out_strides(x, sizes)
    channels = None if sizes is None or len(sizes) < 2 else sizes[1:2]
    of_channels = fresh(element, channels, x)
    found = (fresh(dtype_of(x), sizes, x, strides=strides), of_channels, of_channels)
    return tuple(fact if is_wanted else None for fact, is_wanted in zip(found, wanted))


@registry.kernel(
    "native_layer_norm_backward",
    shape=_of_rows,
    lower="lowering.linalg.norm_gradients:LayerNormGradients",
)
@ignores_float_errors
def native_layer_norm_backward(
    grad: Tensor,
    x: Tensor,
    normalized: Ints,
    mean: Tensor,
    rstd: Tensor,
    weight: Maybe,
    bias: Maybe,
    wanted: Sequence[bool],
) -> Gradients:
    """Over the last dimensions."""
    _check_same("native_layer_norm_backward", grad, x)
    rank = x.array.ndim - len(normalized)
    outer, inner = tuple(range(rank)), tuple(range(rank, x.array.ndim))
    scale = _wide(rstd)
    normal, given = (_wide(x) - _wide(mean)) * scale, _wide(grad)
    results: list[Tensor | None] = [None, None, None]
    if wanted[0]:
        g = given if weight is None else given * _wide(weight)
        raw = _through(g, normal, scale, inner)
        results[0] = tensor_of(np.ascontiguousarray(raw, x.array.dtype))
    if wanted[1] and weight is not None:
        results[1] = tensor_of(np.asarray((given * normal).sum(outer), weight.array.dtype))
    if wanted[2] and bias is not None:
        results[2] = tensor_of(np.asarray(given.sum(outer), bias.array.dtype))
    return results[0], results[1], results[2]


@registry.kernel(
    "native_group_norm_backward",
    shape=_of_groups,
    lower="lowering.linalg.group_norm:GroupNormGradients",
)
@ignores_float_errors
def native_group_norm_backward(
    grad: Tensor,
    x: Tensor,
    mean: Tensor,
    rstd: Tensor,
    weight: Maybe,
    n: int,
    channels: int,
    size: int,
    groups: int,
    wanted: Sequence[bool],
) -> Gradients:
    """Over the channels of each group of each sample."""
    _check_same("native_group_norm_backward", grad, x)
    if mean.array.shape != (n, groups) or rstd.array.shape != (n, groups):
        raise RuntimeError(
            f"Expect mean and rstd to be of size {[n, groups]}, but got {list(mean.array.shape)} and "
            f"{list(rstd.array.shape)}"
        )
    grouped = (n, groups, channels // groups, size)
    scale = _wide(rstd).reshape(n, groups, 1, 1)
    normal = (_wide(x).reshape(grouped) - _wide(mean).reshape(n, groups, 1, 1)) * scale
    given = _wide(grad).reshape(grouped)
    results: list[Tensor | None] = [None, None, None]
    if wanted[0]:
        g = given if weight is None else given * _wide(weight).reshape(groups, -1, 1)
        raw = _through(g, normal, scale, (2, 3)).reshape(x.array.shape)
        results[0] = tensor_of(laid_out(raw, x.array))
    element = x.array.dtype if weight is None else weight.array.dtype
    if wanted[1]:
        total = (given * normal).sum((0, 3)).reshape(channels)
        results[1] = tensor_of(np.asarray(total, element))
    if wanted[2]:
        results[2] = tensor_of(np.asarray(given.sum((0, 3)).reshape(channels), element))
    return results[0], results[1], results[2]


def _of_nothing(x: Tensor, weight: Maybe, wanted: Sequence[bool]) -> Gradients:
    """The gradients of a normalization of no elements, which has no statistics."""
    element: np.dtype[Any] = x.array.dtype if weight is None else weight.array.dtype
    of_x: Array = np.zeros(x.array.shape, x.array.dtype)
    of_channels: list[Array] = [np.zeros(x.array.shape[1], element) for _ in range(2)]
    found = map(tensor_of, (of_x, *of_channels))
    first, second, third = (one if is_wanted else None for one, is_wanted in zip(found, wanted))
    return first, second, third


@registry.kernel(
    "native_batch_norm_backward",
    shape=_of_batches,
    lower="lowering.linalg.norm_gradients:BatchNormGradients",
)
@ignores_float_errors
def native_batch_norm_backward(
    grad: Tensor,
    x: Tensor,
    weight: Maybe,
    running_mean: Maybe,
    running_var: Maybe,
    mean: Maybe,
    rstd: Maybe,
    train: bool,
    eps: float,
    wanted: Sequence[bool],
) -> Gradients:
    """Over all dimensions but the channels: those of the batch in training, else with the running statistics."""
    _check_same("batch_norm_backward", grad, x)
    if not x.array.size:
        return _of_nothing(x, weight, wanted)
    axes = (0, *range(2, x.array.ndim))
    shape = (1, -1, *(1,) * (x.array.ndim - 2))
    if train:
        assert mean is not None and rstd is not None
        centre, scale = _wide(mean), _wide(rstd)
    else:
        assert running_mean is not None and running_var is not None
        variance = _wide(running_var)
        centre, scale = _wide(running_mean), 1 / np.sqrt(variance + variance.dtype.type(eps))
    scale = scale.reshape(shape)
    given, normal = _wide(grad), (_wide(x) - centre.reshape(shape)) * scale
    element = x.array.dtype if weight is None else weight.array.dtype
    total = np.add.reduce(given, axes) if train or wanted[2] else None
    along = np.add.reduce(given * normal, axes) if train or wanted[1] else None
    results: list[Tensor | None] = [None, None, None]
    if wanted[0]:
        if total is not None and along is not None and train:
            count = given.dtype.type(given.size // given.shape[1])
            normal *= (along / count).reshape(shape)
            given = given - normal
            given -= (total / count).reshape(shape)
        raw = given * (scale if weight is None else scale * _wide(weight).reshape(shape))
        results[0] = tensor_of(laid_out(raw, x.array))
    if wanted[1]:
        results[1] = tensor_of(np.asarray(along, element))
    if wanted[2]:
        results[2] = tensor_of(np.asarray(total, element))
    return results[0], results[1], results[2]


@registry.kernel("batch_norm_backward")
def batch_norm_backward(
    grad: Tensor,
    x: Tensor,
    weight: Tensor,
    running_mean: Maybe,
    running_var: Maybe,
    mean: Maybe,
    rstd: Maybe,
    update: bool,
    eps: float,
    wanted: Sequence[bool],
    _reserve: Tensor,
) -> Gradients:
    return native_batch_norm_backward(
        grad, x, weight, running_mean, running_var, mean, rstd, update, eps, wanted
    )


# Weights by direction and length

composite(
    "aten::norm_except_dim",
    """
def norm_except_dim(v: Tensor, pow: int, dim: int) -> Tensor:
    result = v
    if dim == -1:
        result = torch.norm(v, pow)
    else:
        dims = [(dim + 1 + place) % v.dim() for place in range(v.dim() - 1)]
        if len(dims) == 0:
            result = torch.abs(v)
        else:
            result = torch.norm(v, pow, dims, True)
    return result
""",
)
composite(
    "aten::_weight_norm",
    """
def _weight_norm(v: Tensor, g: Tensor, dim: int) -> Tensor:
    return v * (g / torch.norm_except_dim(v, 2, dim))
""",
)
composite(
    "aten::_weight_norm_interface",
    """
def _weight_norm_interface(v: Tensor, g: Tensor, dim: int) -> Tuple[Tensor, Tensor]:
    norms = torch.norm_except_dim(v, 2, dim)
    return v * (g / norms), norms.detach()
""",
)
_WEIGHT_NORM_GRADIENT = """
def {name}(
    grad_w: Tensor, saved_v: Tensor, saved_g: Tensor, saved_norms: Tensor, dim: int
) -> Tuple[Tensor, Tensor]:
    dims = [(dim + 1 + place) % saved_v.dim() for place in range(saved_v.dim() - 1)]
    along = (grad_w * saved_v).sum(dims, True)
    of_v = (saved_g / saved_norms) * (grad_w - saved_v * (along / (saved_norms * saved_norms)))
    return of_v, along / saved_norms
"""
for _name in ("_weight_norm_interface_backward", "_weight_norm_differentiable_backward"):
    composite(f"aten::{_name}", _WEIGHT_NORM_GRADIENT.format(name=_name))
