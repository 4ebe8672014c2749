"""Batch and instance normalization (PyTorch: aten/src/ATen/native/Normalization.cpp).

In training a channel's mean and variance are those of the batch, and running statistics move towards them; else the running ones
count. 16-bit floats compute in float32 and round once. That running statistics are written to is told in norm.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.layouts import laid_out, laid_out_strides
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.layout import channels_last, channels_last_3d, contiguous_format
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorProperties

Array = NDArray[Any]
Parameter = Tensor | None


def _check(
    x: Tensor,
    weight: Parameter,
    bias: Parameter,
    running_mean: Parameter,
    running_var: Parameter,
    training: bool,
) -> dtype:
    """The dtype in which statistics are given."""
    array = x.array
    given = {
        "running_mean": running_mean,
        "running_var": running_var,
        "weight": weight,
        "bias": bias,
    }
    if array.ndim < 2:
        raise RuntimeError(
            f"batch_norm expects an input of at least 2 dimensions, but got {array.ndim}"
        )
    for name in ("running_mean", "running_var"):
        if given[name] is None and not training:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
    for name, parameter in given.items():
        if parameter is not None and parameter.array.size != array.shape[1]:
            raise RuntimeError(
                f"{name} should contain {array.shape[1]} elements not {parameter.array.size}"
            )
        if parameter is not None and parameter.array.ndim != 1:
            raise RuntimeError(f"{name} must have one dimension, not {parameter.array.ndim}")
    if (running_mean is None) != (running_var is None):
        raise ValueError("running_mean and running_var must either both be None or neither be None")
    if not x.dtype.is_floating_point:
        raise NotImplementedError(f"\"batch_norm\" not implemented for '{x.dtype.type_name}'")
    first = next((p.dtype for p in given.values() if p is not None), x.dtype)
    if first is not x.dtype and not (x.dtype.itemsize < 4 and first is dtypes.float32):
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    for parameter in given.values():
        if parameter is not None and parameter.dtype is not first:
            raise RuntimeError(
                f"expected scalar type {first.type_name} but found {parameter.dtype.type_name}"
            )
    return first


def _is_in_order(x: Tensor) -> bool:
    """Whether the elements lie without gaps, channels behind or before the other sizes."""
    last = {4: channels_last, 5: channels_last_3d}.get(x.array.ndim, contiguous_format)
    return x.is_contiguous() or x.is_contiguous(last)


def _over_channels(values: Array, rank: int) -> Array:
    return values.reshape(1, -1, *(1,) * (rank - 2))


def _moved(running: Parameter, to: Array, momentum: float) -> None:
    """Move running statistics towards those of the batch, which are float64."""
    if running is not None:
        kept = running.array.astype(np.float64, copy=False)
        running.array[...] = (momentum * to + (1 - momentum) * kept).astype(running.array.dtype)


def _moments(wide: Array) -> tuple[Array, Array, int]:
    """Of each channel the mean and the sum of the squared distances to it, in float64, and the number of elements."""
    axes = (0, *range(2, wide.ndim))
    count = wide.size // max(wide.shape[1], 1)
    if not count:
        raise RuntimeError(
            f"input tensor must have at least one element, but got input_sizes = {list(wide.shape)}"
        )
    mean: Array = wide.mean(axes, dtype=np.float64)
    near = mean.astype(wide.dtype)
    squares = np.square(wide - _over_channels(near, wide.ndim)).sum(axes, dtype=np.float64)
    return mean, squares - count * np.square(mean - near), count


def _like_input(facts: Sequence[Fact]) -> TensorProperties:
    x = facts[0]
    if not isinstance(x, TensorProperties):
        return NOTHING
    if x.sizes is None:
        return fresh(dtype_of(x), None, x)
    return fresh(dtype_of(x), x.sizes, x, strides=laid_out_strides(x, x.sizes))


def _with_statistics(facts: Sequence[Fact]) -> tuple[TensorProperties, ...]:
    first, training = _like_input(facts), facts[5]
    if first.sizes is None or len(first.sizes) < 2 or not is_known(training):
        return (first, NOTHING, NOTHING)
    given = [f for f in (*facts[3:5], *facts[1:3]) if f is not None]
    element = dtype_of(first)
    is_of_all = element is not None and element.itemsize >= 4
    if given and not is_of_all:
        element = dtype_of(given[0]) if _are_tensors(given) else None
    statistics = fresh(element, (first.sizes[1] if training else 0,), first)
    return (first, statistics, statistics)


def _are_tensors(given: Sequence[Fact]) -> bool:
    """Whether all of these are known to be tensors."""
    return all(isinstance(fact, TensorProperties) for fact in given)


_LOWER = "lowering.linalg.batch_norm:BatchNorm"


@registry.kernel("native_batch_norm", shape=_with_statistics, lower=_LOWER)
@ignores_float_errors
def native_batch_norm(
    x: Tensor,
    weight: Parameter,
    bias: Parameter,
    running_mean: Parameter,
    running_var: Parameter,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """The result, and in training the means and the inverse standard deviations of the batch.

    Raises:
        RuntimeError: sizes or dtypes do not fit, or evaluation has no running statistics.
        NotImplementedError: the dtype is not a real floating point one.
        ValueError: there is one of the running statistics only.
    """
    stored = _check(x, weight, bias, running_mean, running_var, training).numpy_dtype
    array, rank = x.array, x.array.ndim
    compute = opmath(x.dtype).numpy_dtype
    wide = array.astype(compute, copy=False)
    if training:
        mean, squares, count = _moments(wide)
        inverse = (1 / np.sqrt(squares / count + eps)).astype(compute)
        _moved(running_mean, mean, momentum)
        _moved(running_var, squares / np.float64(count - 1), momentum)
        mean = mean.astype(compute)
    else:
        assert running_mean is not None
        assert running_var is not None
        mean = running_mean.array.astype(compute, copy=False)
        var = running_var.array.astype(compute, copy=False)
        inverse = 1 / np.sqrt(var + compute.type(eps))
    scale = inverse if weight is None else inverse * weight.array.astype(compute, copy=False)
    added = None if bias is None else bias.array.astype(compute, copy=False)
    if _is_in_order(x):
        shift = -mean * scale if added is None else added - mean * scale
        result = wide * _over_channels(scale, rank)
    else:  # PyTorch folds the mean only where it runs over memory in order
        shift = added
        result = (wide - _over_channels(mean, rank)) * _over_channels(scale, rank)
    if shift is not None:
        result += _over_channels(shift, rank)
    if not training:
        mean = inverse = np.empty(0, compute)
    return (
        tensor_of(laid_out(result, array)),
        tensor_of(mean.astype(stored)),
        tensor_of(inverse.astype(stored)),
    )


@registry.kernel("batch_norm", shape=_like_input, lower=_LOWER)
def batch_norm(x: Tensor, *arguments: Any) -> Tensor:
    """The result alone; the last argument chooses a library. Of no elements there are no statistics to take, and what a gradient needs
    of a weight and a bias is their first element.
    """
    weight, bias, mean, var, training, *rest, _ = arguments
    if not x.array.size:
        if any(one is not None and not one.array.size for one in (weight, bias)):
            raise IndexError("select(): index 0 out of range for tensor of size [0] at dimension 0")
        return tensor_of(laid_out(x.array, x.array))
    return native_batch_norm(x, weight, bias, mean, var, training, *rest)[0]


def _with_index(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    return (*_with_statistics(facts), fresh(dtypes.uint8, (0,), facts[0]), 0)


@registry.kernel("_batch_norm_impl_index", shape=_with_index, lower=_LOWER)
def batch_norm_impl_index(x: Tensor, *arguments: Any) -> tuple[Tensor, Tensor, Tensor, Tensor, int]:
    """As `batch_norm`, with what the way back needs: the statistics of the batch, and room and the number of a library."""
    weight, bias, mean, var, training, *rest, _ = arguments
    room = tensor_of(np.empty(0, np.uint8))
    if not x.array.size:
        stored = _check(x, weight, bias, mean, var, training).numpy_dtype
        nothing = tensor_of(np.empty(0, stored))
        return tensor_of(laid_out(x.array, x.array)), nothing, nothing, room, 0
    return *native_batch_norm(x, weight, bias, mean, var, training, *rest), room, 0


@registry.kernel("_native_batch_norm_legit", shape=_with_statistics)
def native_batch_norm_legit(x: Tensor, *arguments: Any) -> tuple[Tensor, Tensor, Tensor]:
    return native_batch_norm(x, *arguments)


@registry.kernel("_batch_norm_with_update")
def batch_norm_with_update(
    x: Tensor,
    weight: Parameter,
    bias: Parameter,
    mean: Tensor,
    var: Tensor,
    momentum: float,
    eps: float,
) -> tuple[Tensor, ...]:
    """Training; the last result is room that another device's gradient asks for."""
    results = native_batch_norm(x, weight, bias, mean, var, True, momentum, eps)
    return *results, tensor_of(np.empty(0, np.uint8))


@registry.kernel("_native_batch_norm_legit.no_stats")
def native_batch_norm_legit_no_stats(
    x: Tensor, weight: Parameter, bias: Parameter, training: bool, momentum: float, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    return native_batch_norm(x, weight, bias, None, None, training, momentum, eps)


@registry.kernel("_native_batch_norm_legit_no_training")
def native_batch_norm_legit_no_training(
    x: Tensor,
    weight: Parameter,
    bias: Parameter,
    mean: Tensor,
    var: Tensor,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    return native_batch_norm(x, weight, bias, mean, var, False, momentum, eps)


def _of_channels(facts: Sequence[Fact]) -> tuple[TensorProperties, ...]:
    sizes = rank_known(facts[0])
    found = fresh(None, sizes[1:2] if sizes and len(sizes) > 1 else None, facts[0])
    return found, found


@registry.kernel("batch_norm_update_stats", shape=_of_channels)
@ignores_float_errors
def batch_norm_update_stats(
    x: Tensor, running_mean: Parameter, running_var: Parameter, momentum: float
) -> tuple[Tensor, Tensor]:
    """Mean and biased variance of each channel of the batch; running statistics move towards them."""
    array = x.array
    if array.ndim < 2:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    if not x.dtype.is_floating_point:
        raise NotImplementedError(
            f"\"batch_norm_update_stats_cpu\" not implemented for '{x.dtype.type_name}'"
        )
    compute = opmath(x.dtype).numpy_dtype
    mean, squares, count = _moments(array.astype(compute, copy=False))
    given = next((p for p in (running_mean, running_var) if p is not None), x)
    stored = given.dtype.numpy_dtype
    _moved(running_mean, mean, momentum)
    _moved(running_var, squares / np.float64(count - 1), momentum)
    var = squares / count
    return tensor_of(mean.astype(stored)), tensor_of(var.astype(stored))


# Instances: every image a batch of its own


def _contiguous_like_input(facts: Sequence[Fact]) -> TensorProperties:
    x = facts[0]
    return fresh(dtype_of(x), x.sizes, x) if isinstance(x, TensorProperties) else NOTHING


def _repeated(parameter: Parameter, times: int) -> Parameter:
    return None if parameter is None else tensor_of(np.tile(parameter.array, times))


@registry.kernel(
    "instance_norm",
    shape=_contiguous_like_input,
    lower="lowering.linalg.instance_norm:InstanceNorm",
)
@ignores_float_errors
def instance_norm(
    x: Tensor,
    weight: Parameter,
    bias: Parameter,
    running_mean: Parameter,
    running_var: Parameter,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    _cudnn_enabled: bool,
) -> Tensor:
    """Each channel of each image with its own statistics; running ones move towards the mean over the images."""
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError(
            "Expected running_mean and running_var to be defined when use_input_stats is false"
        )
    array = x.array
    if array.ndim < 2:
        raise RuntimeError(
            f"instance_norm expects an input of at least 2 dimensions, but got {array.ndim}"
        )
    n, channels = array.shape[:2]
    images = tensor_of(np.ascontiguousarray(array).reshape(1, n * channels, *array.shape[2:]))
    mean, var = _repeated(running_mean, n), _repeated(running_var, n)
    result = batch_norm(
        images,
        _repeated(weight, n),
        _repeated(bias, n),
        mean,
        var,
        use_input_stats,
        momentum,
        eps,
        _cudnn_enabled,
    )
    for running, moved in ((running_mean, mean), (running_var, var)):
        if running is not None and moved is not None and use_input_stats:
            wide = moved.array.astype(opmath(moved.dtype).numpy_dtype, copy=False)
            total = wide.reshape(n, channels).sum(0)
            running.array[...] = (total / total.dtype.type(n)).astype(running.array.dtype)
    return tensor_of(result.array.reshape(array.shape))
