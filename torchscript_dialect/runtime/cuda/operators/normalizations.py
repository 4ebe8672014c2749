"""Normalizations on the device that no kernel is compiled for as they are, and the gradients of all: made of reductions and pointwise
operators, floats of 16 bits as float32 in between. Follows native/cpu/layer_norm_kernel.cpp and native/Normalization.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import opmath

Own = Callable[[Any, Sequence[Any]], Any]
Wanted = Sequence[bool]
"""Which gradients are asked for: of input, weight and bias."""


def _softmax(name: str) -> Callable[..., Any]:
    """`aten::_softmax` and `aten::_log_softmax`."""

    def run(x: Tensor, dim: int, widens: bool) -> Any:
        return NOTHING if widens else call(name, (x, dim))

    return run


def _softmax_of(name: str) -> Callable[..., Any]:
    """`aten::softmax` and `aten::log_softmax` of a dtype that is told."""

    def run(x: Tensor, dim: int, wanted: int | None) -> Any:
        if wanted is None:
            return NOTHING
        return call(name, (transfers.of_dtype(x, dtypes.from_scalar_type(wanted)), dim))

    return run


def _wide(x: Tensor) -> Tensor:
    return transfers.of_dtype(x, opmath(x.dtype))


def _softmax_backward(grad: Tensor, result: Tensor, dim: int, wanted: int) -> Any:
    """`aten::_softmax_backward_data`."""
    if dtypes.from_scalar_type(wanted) is not grad.dtype or not grad.array.ndim:
        return NOTHING
    scaled, wide = _wide(grad).mul(_wide(result)), _wide(result)
    return transfers.of_dtype(scaled.sub(wide.mul(scaled.sum([dim], True))), grad.dtype)


def _log_softmax_backward(grad: Tensor, result: Tensor, dim: int, wanted: int) -> Any:
    """`aten::_log_softmax_backward_data`."""
    if dtypes.from_scalar_type(wanted) is not grad.dtype or not grad.array.ndim:
        return NOTHING
    wide = _wide(grad)
    found = wide.sub(_wide(result).exp().mul(wide.sum([dim], True)))
    return transfers.of_dtype(found, grad.dtype)


def _rows_backward(grad: Tensor, hat: Tensor, rstd: Tensor, dims: list[int]) -> Tensor:
    """The gradient of `hat = (x - mean) * rstd`, whose statistics are over dimensions, by that of `hat`."""
    count = prod(hat.array.shape[dim] for dim in dims)
    mean, along = grad.mean(dims, True), grad.mul(hat).mean(dims, True)
    return grad.sub(mean).sub(hat.mul(along)).mul(rstd) if count else grad


def _given(values: Sequence[Callable[[], Tensor]], wanted: Wanted, of: dtype) -> tuple[Any, ...]:
    """The gradients that are asked for, None for the others."""
    pairs = zip(values, wanted, strict=True)
    return tuple(transfers.of_dtype(make(), of) if is_wanted else None for make, is_wanted in pairs)


def _layer_norm_backward(
    grad: Tensor,
    x: Tensor,
    shape: list[int],
    mean: Tensor,
    rstd: Tensor,
    weight: Tensor | None,
    _: Tensor | None,
    wanted: Wanted,
) -> Any:
    """`aten::native_layer_norm_backward`."""
    rank, rows = x.array.ndim, x.array.ndim - len(shape)
    if not x.array.size or not x.dtype.is_floating_point:
        return NOTHING
    dims, outer = list(range(rows, rank)), list(range(rows))
    scale = _wide(rstd)
    hat, given = _wide(x).sub(_wide(mean)).mul(scale), _wide(grad)
    scaled = given if weight is None else given.mul(_wide(weight))

    def summed(values: Tensor) -> Tensor:
        return values.sum(outer) if outer else values

    made = (
        lambda: _rows_backward(scaled, hat, scale, dims),
        lambda: summed(given.mul(hat)),
        lambda: summed(given),
    )
    return _given(made, [bool(one) for one in wanted], x.dtype)


def _grouped(x: Tensor, images: int, groups: int) -> Tensor:
    return x.reshape([images, groups, -1])


def _channels(x: Tensor, rank: int) -> Tensor:
    """A vector of channels that fits tensors of a rank."""
    return x.view([1, -1, *[1] * (rank - 2)])


def _group_norm(
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    images: int,
    channels: int,
    count: int,
    groups: int,
    eps: float,
) -> Any:
    """`aten::native_group_norm`."""
    if not x.array.size or not x.dtype.is_floating_point or channels % groups:
        return NOTHING
    rows = _grouped(_wide(x), images, groups)
    mean = rows.mean([2], True)
    away = rows.sub(mean)
    rstd = away.mul(away).mean([2], True).add(eps).rsqrt()
    found = away.mul(rstd).view([*x.array.shape])
    if weight is not None:
        found = found.mul(_channels(_wide(weight), x.array.ndim))
    if bias is not None:
        found = found.add(_channels(_wide(bias), x.array.ndim))
    stored = x.dtype if weight is None else weight.dtype
    statistics = [transfers.of_dtype(one.view([images, groups]), stored) for one in (mean, rstd)]
    return transfers.of_dtype(found, x.dtype), *statistics


def _group_norm_backward(
    grad: Tensor,
    x: Tensor,
    mean: Tensor,
    rstd: Tensor,
    weight: Tensor | None,
    images: int,
    channels: int,
    count: int,
    groups: int,
    wanted: Wanted,
) -> Any:
    """`aten::native_group_norm_backward`."""
    if not x.array.size or grad.array.shape != x.array.shape:
        return NOTHING
    scale = _wide(rstd).view([images, groups, 1])
    hat = _grouped(_wide(x), images, groups).sub(_wide(mean).view([images, groups, 1])).mul(scale)
    given = _wide(grad)
    scaled = given if weight is None else given.mul(_channels(_wide(weight), x.array.ndim))
    by_channel = given.reshape([images, channels, count])
    made = (
        lambda: _rows_backward(_grouped(scaled, images, groups), hat, scale, [2]).view(
            [*x.array.shape]
        ),
        lambda: by_channel.mul(hat.reshape([images, channels, count])).sum([0, 2]),
        lambda: by_channel.sum([0, 2]),
    )
    return _given(made, [bool(one) for one in wanted], x.dtype)


def _batch_norm_backward(
    grad: Tensor,
    x: Tensor,
    weight: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    save_mean: Tensor | None,
    save_invstd: Tensor | None,
    train: bool,
    eps: float,
    wanted: Wanted,
    *_: Any,
) -> Any:
    """`aten::native_batch_norm_backward`, and `aten::batch_norm_backward`, which asks for room beside."""
    rank = x.array.ndim
    mean = save_mean if train else running_mean
    if mean is None or not x.array.size or rank < 2 or grad.array.shape != x.array.shape:
        return NOTHING
    if train and save_invstd is not None:
        invstd = _wide(save_invstd)
    elif not train and running_var is not None:
        invstd = _wide(running_var).add(eps).rsqrt()
    else:
        return NOTHING
    dims = [0, *range(2, rank)]
    scale = _channels(invstd, rank)
    hat = _wide(x).sub(_channels(_wide(mean), rank)).mul(scale)
    given = _wide(grad)
    scaled = given if weight is None else given.mul(_channels(_wide(weight), rank))
    made = (
        lambda: _rows_backward(scaled, hat, scale, dims) if train else scaled.mul(scale),
        lambda: given.mul(hat).sum(dims),
        lambda: given.sum(dims),
    )
    is_wanted = [bool(one) for one in wanted]
    of_input, *_others = _given(made, is_wanted, x.dtype)
    stored = x.dtype if weight is None else weight.dtype
    return of_input, *_given(made, [False, *is_wanted[1:]], stored)[1:]


def _update_stats(
    x: Tensor, running_mean: Tensor | None, running_var: Tensor | None, momentum: float
) -> Any:
    """`aten::batch_norm_update_stats`: mean and variance of the batch, towards which what runs moves."""
    rank = x.array.ndim
    if rank < 2 or not x.array.size or not x.dtype.is_floating_point:
        return NOTHING
    dims = [0, *range(2, rank)]
    wide = _wide(x)
    mean = wide.mean(dims)
    away = wide.sub(_channels(mean, rank))
    squares = away.mul(away).sum(dims)
    count = x.array.size // x.array.shape[1]
    given = next((one for one in (running_mean, running_var) if one is not None), x)
    for running, value in ((running_mean, mean), (running_var, squares.div(float(count - 1)))):
        if running is not None:
            moved = _wide(running).mul(1 - momentum).add(value.mul(momentum))
            running.copy_(moved)
    return tuple(transfers.of_dtype(one, given.dtype) for one in (mean, squares.div(float(count))))


def _legit_functional(
    x: Tensor, weight: Any, bias: Any, mean: Tensor, var: Tensor, *rest: Any
) -> tuple[Tensor, ...]:
    """`aten::_native_batch_norm_legit_functional`, which writes to nothing."""
    mean, var = mean.clone(), var.clone()
    found = call("aten::native_batch_norm", (x, weight, bias, mean, var, *rest))
    return *found, mean, var


def _with_update(x: Tensor, weight: Any, bias: Any, *rest: Any) -> tuple[Tensor, ...]:
    """`aten::_batch_norm_with_update`; the last result is room that another device's gradient asks for."""
    mean, var, momentum, eps = rest
    found = call("aten::native_batch_norm", (x, weight, bias, mean, var, True, momentum, eps))
    return *found, x.new_zeros([0], dtype=dtypes.uint8)


def _with_update_functional(x: Tensor, weight: Any, bias: Any, *rest: Any) -> tuple[Tensor, ...]:
    """`aten::_batch_norm_with_update_functional`, which writes to nothing."""
    mean, var, *numbers = rest
    mean, var = mean.clone(), var.clone()
    return *_with_update(x, weight, bias, mean, var, *numbers), mean, var


def _legit(*operands: Any) -> Any:
    """`aten::_native_batch_norm_legit`, with statistics that run or without."""
    given = operands if len(operands) == 8 else (*operands[:3], None, None, *operands[3:])
    return call("aten::native_batch_norm", given)


def _legit_no_training(*operands: Any) -> Any:
    return call("aten::native_batch_norm", (*operands[:5], False, *operands[5:]))


_MADE: dict[str, Callable[..., Any]] = {
    "aten::_softmax": _softmax("aten::softmax"),
    "aten::_log_softmax": _softmax("aten::log_softmax"),
    "aten::softmax.int": _softmax_of("aten::softmax"),
    "aten::log_softmax.int": _softmax_of("aten::log_softmax"),
    "aten::_softmax_backward_data": _softmax_backward,
    "aten::_log_softmax_backward_data": _log_softmax_backward,
    "aten::native_layer_norm_backward": _layer_norm_backward,
    "aten::native_group_norm": _group_norm,
    "aten::native_group_norm_backward": _group_norm_backward,
    "aten::native_batch_norm_backward": _batch_norm_backward,
    "aten::batch_norm_backward": _batch_norm_backward,
    "aten::batch_norm_update_stats": _update_stats,
    "aten::_native_batch_norm_legit": _legit,
    "aten::_native_batch_norm_legit_functional": _legit_functional,
    "aten::_native_batch_norm_legit_no_training": _legit_no_training,
    "aten::_batch_norm_with_update": _with_update,
    "aten::_batch_norm_with_update_functional": _with_update_functional,
}


NORMALIZATIONS: dict[str, Own] = {name: own(make) for name, make in _MADE.items()}
"""What runs operators, by their names or qualified names."""
