"""Losses of classes with margins: a row's right class should be ahead of all others, or all of its right classes should
(PyTorch: native/LossMultiMargin.cpp, LossMultiLabelMargin.cpp).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]


def _check(name: str, x: Tensor, target: Tensor) -> None:
    shape = x.array.shape
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")
    if len(shape) > 2 or (shape and not shape[-1]):
        raise RuntimeError(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got: "
            f"{list(shape)}"
        )
    if target.dtype is not dtypes.int64:
        raise RuntimeError(f"expected scalar type Long but found {target.dtype.type_name}")


def _rows(x: Array) -> Array:
    return x.reshape(-1, x.shape[-1] if x.ndim else 1)


def _reduced(losses: Array, reduction: int, shape: tuple[int, ...]) -> Tensor:
    if reduction == 0:
        return tensor_of(losses.reshape(shape))
    total = losses.mean() if reduction == 1 else losses.sum()
    return tensor_of(np.asarray(total, losses.dtype))


def _loss_shape(facts: Sequence[Fact], reduction: Fact) -> Fact:
    sizes = rank_known(facts[0])
    if sizes is None or not is_known(reduction):
        return NOTHING
    each = rank_known(facts[1]) if len(facts) > 3 else sizes[:-1]
    return fresh(dtype_of(facts[0]), each if reduction == 0 else (), facts[0])


def _like_second(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[1]), rank_known(facts[1]), facts[1])


# One right class


def _ahead(
    x: Tensor, target: Tensor, p: complex, margin: complex, weight: Tensor | None
) -> tuple[Array, Array]:
    """By how much each class is too close to the right one, and the factor of each row."""
    _check("multi_margin_loss", x, target)
    check_fits(x.dtype, margin)
    rows, at = _rows(x.array), target.array.reshape(-1)
    if p not in (1, 2):
        raise RuntimeError("only p == 1 and p == 2 supported")
    if at.shape != rows.shape[:1]:
        raise RuntimeError(
            f"inconsistent target size, expected {[len(rows)]} but got {list(target.array.shape)}"
        )
    if at.size and (at.min() < 0 or at.max() >= rows.shape[1]):
        raise RuntimeError("target out of range")
    if weight is not None and weight.array.shape != (rows.shape[1],):
        raise RuntimeError(
            f"inconsistent weight size, expected {rows.shape[1]} but got {list(weight.array.shape)}"
        )
    right = np.take_along_axis(rows, at[:, None], 1)
    ahead: Array = rows.dtype.type(margin) - right + rows
    gaps: Array = np.where(ahead > 0, ahead, rows.dtype.type(0))
    np.put_along_axis(gaps, at[:, None], 0, 1)
    factor = np.ones(len(rows), rows.dtype) if weight is None else weight.array[at]
    return gaps, factor


@registry.kernel("multi_margin_loss", shape=lambda facts: _loss_shape(facts, facts[5]))
@ignores_float_errors
def multi_margin_loss(
    x: Tensor, target: Tensor, p: complex, margin: complex, weight: Tensor | None, reduction: int
) -> Tensor:
    gaps, factor = _ahead(x, target, p, margin, weight)
    losses = (gaps if p == 1 else gaps * gaps).sum(1) * factor / gaps.dtype.type(gaps.shape[1])
    return _reduced(losses, reduction, target.array.shape)


@registry.kernel("multi_margin_loss_backward", shape=_like_second)
@ignores_float_errors
def multi_margin_loss_backward(
    grad: Tensor,
    x: Tensor,
    target: Tensor,
    p: complex,
    margin: complex,
    weight: Tensor | None,
    reduction: int,
) -> Tensor:
    gaps, factor = _ahead(x, target, p, margin, weight)
    slopes = np.where(gaps > 0, gaps.dtype.type(1) if p == 1 else 2 * gaps, gaps.dtype.type(0))
    slopes = slopes * factor[:, None] / gaps.dtype.type(gaps.shape[1])
    at = target.array.reshape(-1)[:, None]
    np.put_along_axis(slopes, at, -slopes.sum(1, keepdims=True), 1)
    if reduction == 1:
        slopes = slopes / gaps.dtype.type(max(len(gaps), 1))
    given = grad.array.reshape(-1, 1)
    return tensor_of(np.ascontiguousarray(slopes * given).reshape(x.array.shape))


# Several right classes


def _right_classes(x: Tensor, target: Tensor) -> tuple[Array, Array]:
    """For each row the numbers of its right classes, -1 behind them, and whether each class is one."""
    _check("multilabel_margin_loss_forward_out_frame", x, target)
    if x.array.shape != target.array.shape:
        raise RuntimeError(
            f"inconsistent target size: {list(target.array.shape)} for input of size: "
            f"{list(x.array.shape)}"
        )
    rows, at = _rows(x.array), _rows(target.array)
    if at.size and (at.min() < -1 or at.max() >= rows.shape[1]):
        raise RuntimeError("target out of range")
    at = np.where(np.logical_or.accumulate(at < 0, 1), -1, at)
    is_right = np.zeros((len(rows), rows.shape[1] + 1), bool)
    np.put_along_axis(is_right, at, True, 1)
    return at, is_right[:, :-1]


def _gaps(rows: Array, at: Array, is_right: Array) -> Array:
    """(row, right class, other class): by how much the other is too close."""
    right = np.take_along_axis(rows, np.maximum(at, 0), 1)
    gaps: Array = np.maximum(rows.dtype.type(1) - right[:, :, None] + rows[:, None, :], 0)
    return np.where((at >= 0)[:, :, None] & ~is_right[:, None, :], gaps, rows.dtype.type(0))


def _forward_shape(facts: Sequence[Fact]) -> Fact:
    x, target, reduction = facts
    return _loss_shape(facts, reduction), fresh(dtype_of(x), rank_known(target), x)


@registry.kernel("multilabel_margin_loss_forward", shape=_forward_shape)
@ignores_float_errors
def multilabel_margin_loss_forward(
    x: Tensor, target: Tensor, reduction: int
) -> tuple[Tensor, Tensor]:
    """The loss, and for each class 1 where it is right, else 0."""
    at, is_right = _right_classes(x, target)
    rows = _rows(x.array)
    losses = _gaps(rows, at, is_right).sum((1, 2)) / rows.dtype.type(rows.shape[1])
    marks = is_right.astype(rows.dtype).reshape(target.array.shape)
    return _reduced(losses, reduction, x.array.shape[:-1]), tensor_of(marks)


@registry.kernel("multilabel_margin_loss", shape=lambda facts: _loss_shape(facts, facts[2]))
def multilabel_margin_loss(x: Tensor, target: Tensor, reduction: int) -> Tensor:
    return multilabel_margin_loss_forward(x, target, reduction)[0]


@registry.kernel("multilabel_margin_loss_backward", shape=_like_second)
@ignores_float_errors
def multilabel_margin_loss_backward(
    grad: Tensor, x: Tensor, target: Tensor, reduction: int, _is_target: Tensor
) -> Tensor:
    at, is_right = _right_classes(x, target)
    rows = _rows(x.array)
    active = (_gaps(rows, at, is_right) > 0).astype(rows.dtype)
    slopes: Array = active.sum(1)
    whole = np.concatenate([slopes, np.zeros((len(rows), 1), rows.dtype)], 1)
    places = np.broadcast_to(np.arange(len(rows))[:, None], at.shape)
    np.subtract.at(whole, (places, at), active.sum(2))
    slopes = whole[:, :-1] / rows.dtype.type(rows.shape[1])
    if reduction == 1:
        slopes = slopes / rows.dtype.type(max(len(rows), 1))
    given = grad.array.reshape(-1, 1)
    return tensor_of(np.ascontiguousarray(slopes * given).reshape(x.array.shape))
