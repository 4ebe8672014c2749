"""Dropout: elements or whole channels become 0 in training, and what stays keeps the mean (PyTorch: native/Dropout.cpp)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import MAY_BE_OPERAND
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.random.random import bernoulli_
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, preserved, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap
from torchscript_dialect.tensor.strides import empty_like
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]

_ALPHA = 1.7580993408473766
"""What a SELU gives far below 0, negated: where alpha dropout sends the elements that it takes out."""


def _same(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[0]), rank_known(facts[0]), facts[0], strides=facts[0].strides)


def _check(x: Tensor, p: float) -> None:
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")


def _check_inexact(x: Tensor) -> None:
    """Noise that keeps the scale is of the operand's dtype."""
    if not (x.dtype.is_floating_point or x.dtype.is_complex):
        raise RuntimeError(
            f"result type {dtypes.get_default_dtype().type_name} can't be cast to the desired output type"
            f" {x.dtype.type_name}"
        )


def _noise(x: Array, p: float, by_channel: bool) -> Array:
    """1 with probability 1 - p, else 0: for each element, or for each channel of each sample."""
    if not by_channel:
        return bernoulli_(tensor_of(empty_like(x)), 1 - p, None).array
    if x.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    noise = np.empty((*x.shape[:2], *(1,) * (x.ndim - 2)), x.dtype)
    return bernoulli_(tensor_of(noise), 1 - p, None).array


@ignores_float_errors
def dropped(x: Tensor, p: float, by_channel: bool = False, by_alpha: bool = False) -> Array:
    """The elements after dropout in training."""
    array, of = x.array, x.array.dtype.type
    if p == 1:
        return array * of(0)
    _check_inexact(x)
    noise = _noise(array, p, by_channel)
    if not by_alpha:
        return array * (noise / of(1 - p))
    a = 1 / math.sqrt((_ALPHA * _ALPHA * p + 1) * (1 - p))
    shift = (noise - of(1)) * of(_ALPHA * a) + of(_ALPHA * a * p)
    return array * (noise * of(a)) + shift


def _declare(name: str, *, by_channel: bool, by_alpha: bool) -> None:
    def dropout(x: Tensor, p: float, train: bool) -> Tensor:
        _check(x, p)
        if not train or p == 0 or not x.array.size:
            return x
        raw = dropped(x, p, by_channel, by_alpha)
        out = empty_like(x.array)
        out[...] = raw
        return tensor_of(out)

    def dropout_(x: Tensor, p: float, train: bool) -> Tensor:
        _check(x, p)
        if train and p > 0 and x.array.size:
            assert_no_internal_overlap(x.array)
            x.array[...] = dropped(x, p, by_channel, by_alpha)
        return x

    registry.implement(
        name, dropout, shape=_same, training="train", effects=Effect.RANDOM, aliases=MAY_BE_OPERAND
    )
    registry.implement(
        f"{name}_",
        dropout_,
        shape=lambda facts: facts[0],
        training="train",
        effects=Effect.RANDOM,
    )


for _name, _by_channel, _by_alpha in (
    ("dropout", False, False),
    ("feature_dropout", True, False),
    ("alpha_dropout", False, True),
    ("feature_alpha_dropout", True, True),
):
    _declare(_name, by_channel=_by_channel, by_alpha=_by_alpha)


def _with_mask(facts: Sequence[Fact]) -> Fact:
    sizes = rank_known(facts[0])
    if sizes is None:
        return NOTHING, NOTHING
    # Of an empty tensor PyTorch gives a mask of the tensor's own dtype.
    some = all(size is not None and size > 0 for size in sizes)
    return tuple(
        fresh(element, sizes, facts[0], strides=facts[0].strides)
        for element in (dtype_of(facts[0]), dtypes.bool_ if some else None)
    )


registry.declare("native_dropout", effects=Effect.RANDOM)
registry.attach("aten::native_dropout", aliases=MAY_BE_OPERAND)


@registry.kernel("native_dropout", shape=_with_mask, training="train")
@ignores_float_errors
def native_dropout(x: Tensor, p: float, train: bool | None) -> tuple[Tensor, Tensor]:
    """The result, and which elements stayed."""
    if not x.array.size:
        return tensor_of(empty_like(x.array)), tensor_of(empty_like(x.array))
    mask = tensor_of(empty_like(x.array, np.dtype(np.bool_)))
    out = empty_like(x.array)
    if train is False:
        mask.array.fill(True)
        out[...] = x.array
        return tensor_of(out), mask
    _check_inexact(x)
    bernoulli_(mask, 1 - p, None)
    scale = 0.0 if p == 1 else 1 / (1 - p)
    out[...] = x.array * mask.array * x.array.dtype.type(scale)
    return tensor_of(out), mask


def _promoted(element: dtype) -> dtype:
    is_exact = not (element.is_floating_point or element.is_complex)
    return dtypes.get_default_dtype() if is_exact else element


def _promoted_like(facts: Sequence[Fact]) -> Fact:
    element = dtype_of(facts[0])
    return preserved(None if element is None else _promoted(element), facts[0])


@registry.kernel("native_dropout_backward", shape=_promoted_like)
@ignores_float_errors
def native_dropout_backward(grad: Tensor, mask: Tensor, scale: float) -> Tensor:
    array, element = grad.array, _promoted(grad.dtype).numpy_dtype
    out = empty_like(array, element)
    out[...] = array * mask.array.astype(element) * element.type(scale)
    return tensor_of(out)
