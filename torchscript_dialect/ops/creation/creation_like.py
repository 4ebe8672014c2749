"""Factories that take dtype and device from a tensor: `zeros_like`, `new_zeros` and their relatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.creation.creation import empty_strided_
from torchscript_dialect.ops.creation.factories import (
    Empty,
    Scalar,
    Shape,
    as_element,
    factory,
    filled,
)
from torchscript_dialect.ops.shapes import (
    Fact,
    dtype_of,
    fresh,
    is_known,
    known_ints,
    preserved,
    rank_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.layout import memory_format, preserve_format
from torchscript_dialect.tensor.strides import (
    empty_like,
    empty_strided,
    strides_for_format,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


def like(array: NDArray[Any], wanted: int | None, format: int | None) -> NDArray[Any]:
    """An uninitialized array of the same shape; None and `preserve_format` keep the order of dimensions."""
    element = array.dtype if wanted is None else dtypes.from_scalar_type(wanted).numpy_dtype
    if format is None or format == preserve_format:
        return empty_like(array, element)
    strides = strides_for_format(array.shape, memory_format(format))
    return empty_strided(array.shape, strides, element)


def _like_rule(wanted_place: int) -> registry.ShapeRule:
    def rule(facts: Sequence[Fact]) -> Fact:
        x, wanted, format = facts[0], facts[wanted_place], facts[-1]
        element = dtype_of(x)
        if wanted is not None:
            element = dtypes.from_scalar_type(wanted) if isinstance(wanted, int) else None
        result = preserved(element, x)
        if format is None or format == preserve_format:
            return result
        sizes = known_ints(rank_known(x))
        if not is_known(format) or sizes is None:
            return replace(result, strides=None)
        try:
            return replace(result, strides=strides_for_format(sizes, memory_format(format)))
        except RuntimeError:
            return replace(result, strides=None)

    return rule


def _new_dtype(x: Tensor, wanted: int | None) -> dtype:
    return x.dtype if wanted is None else dtypes.from_scalar_type(wanted)


def _zeros_like(x: Tensor, wanted: int | None) -> tuple[Shape, int, int | None]:
    return x.array.shape, x.array.ndim - 2, _new_dtype(x, wanted).scalar_type


def like_op(name: str, fill: Callable[[NDArray[Any]], None], sparse: Empty | None = None) -> None:
    """Declare an operator that fills a tensor like `self`."""

    @factory(name, shape=_like_rule(1), has_format=True, sparse=sparse)
    def _(
        x: Tensor,
        wanted: int | None,
        format: int | None,
    ) -> Tensor:
        out = like(x.array, wanted, format)
        fill(out)
        return tensor_of(out)


like_op(
    "zeros_like",
    lambda array: array.fill(0 if array.dtype.kind != "V" else np.zeros((), array.dtype)),
    _zeros_like,
)
like_op("ones_like", lambda array: array.fill(1))
like_op("empty_like", lambda array: None)


@factory("full_like", shape=_like_rule(2), has_format=True)
def full_like(
    x: Tensor,
    value: Scalar,
    wanted: int | None,
    format: int | None,
) -> Tensor:
    out = like(x.array, wanted, format)
    out[...] = as_element(value, dtypes.of_array(out))
    return tensor_of(out)


def _new_rule(wanted_place: int) -> registry.ShapeRule:
    def rule(facts: Sequence[Fact]) -> Fact:
        wanted, size = facts[wanted_place], facts[1]
        element = dtype_of(facts[0])
        if wanted is not None:
            element = dtypes.from_scalar_type(wanted) if isinstance(wanted, int) else None
        return fresh(element, tuple(size) if is_known(size) else None, facts[0])

    return rule


def _new(name: str, value: Scalar, sparse: Empty | None = None) -> None:
    @factory(name, shape=_new_rule(2), sparse=sparse)
    def _(
        x: Tensor,
        size: Shape,
        wanted: int | None,
    ) -> Tensor:
        return tensor_of(filled(size, value, _new_dtype(x, wanted)))


def _empty(x: Tensor, size: Shape, wanted: int | None) -> tuple[Shape, int, int | None]:
    return size, 0, _new_dtype(x, wanted).scalar_type


_new("new_zeros", 0, _empty)
_new("new_ones", 1)
_new("new_empty", 0, _empty)


@factory("new_empty_strided", shape=lambda facts: replace(_new_rule(3)(facts), strides=None))
def new_empty_strided(x: Tensor, size: Shape, stride: Shape, wanted: int | None) -> Tensor:
    return empty_strided_(size, stride, _new_dtype(x, wanted).scalar_type)


@factory("new_full", shape=_new_rule(3))
def new_full(
    x: Tensor,
    size: Shape,
    value: Scalar,
    wanted: int | None,
) -> Tensor:
    return tensor_of(filled(size, value, _new_dtype(x, wanted)))
