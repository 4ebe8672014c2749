"""Tensors from nothing: zeros, full, empty, eye, and those of Python values. Random ones are in `random.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.creation.factories import (
    Empty,
    Scalar,
    Shape,
    as_element,
    check_options,
    check_size,
    chosen_dtype,
    counted_rule,
    factory,
    filled,
    on_device,
    sized_rule,
)
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.shapes import (
    Fact,
    fresh,
    is_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import array_from_data, cast_array, check_fits
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.layout import memory_format
from torchscript_dialect.tensor.strides import (
    contiguous_strides,
    empty_strided,
    strides_for_format,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


def _sized_rule_of_order(facts: Sequence[Fact]) -> Fact:
    return replace(sized_rule(0, 2)(facts), strides=None)


def _empty(size: Shape, wanted: int | None, *_: Any) -> tuple[Shape, int, int | None]:
    return size, 0, wanted


def _sized(name: str, value: Scalar, sparse: Empty | None = None) -> None:
    @factory(name, shape=sized_rule(0, 1), sparse=sparse)
    def _(
        size: Shape,
        wanted: int | None,
    ) -> Tensor:
        return tensor_of(filled(size, value, chosen_dtype(wanted)))


_sized("zeros", 0, _empty)
_sized("ones", 1)


def _fill_dtype(value: Scalar, wanted: int | None) -> dtype:
    if wanted is not None:
        return dtypes.from_scalar_type(wanted)
    if isinstance(value, bool):
        return dtypes.bool_
    if isinstance(value, int):
        return dtypes.int64
    default = dtypes.get_default_dtype()
    return default.to_complex() if isinstance(value, complex) else default


def _full_shape(facts: Sequence[Fact]) -> Fact:
    size, value, wanted = facts[0], facts[1], facts[2]
    known = is_known(wanted) and (wanted is not None or is_known(value))
    element = _fill_dtype(value, wanted) if known else None
    made = fresh(element, tuple(size) if is_known(size) else None)
    return on_device(made, facts[4])


@factory("full", shape=_full_shape)
def full(
    size: Shape,
    value: Scalar,
    wanted: int | None,
) -> Tensor:
    return tensor_of(filled(size, value, _fill_dtype(value, wanted)))


# Memory is given as it is found.
registry.declare(
    "empty empty_like empty_strided empty_permuted new_empty new_empty_strided",
    effects=Effect.RANDOM,
)


@factory("empty.memory_format", shape=sized_rule(0, 1), has_format=True, sparse=_empty)
def empty(
    size: Shape,
    wanted: int | None,
    format: int | None,
) -> Tensor:
    element = chosen_dtype(wanted).numpy_dtype
    shape = check_size(size)
    if format is None or format == 0:
        return tensor_of(np.empty(shape, element))
    return tensor_of(
        empty_strided(shape, strides_for_format(shape, memory_format(format)), element)
    )


@factory("empty_permuted", shape=_sized_rule_of_order)
def empty_permuted(size: Shape, order: Shape, wanted: int | None) -> Tensor:
    """A dense tensor whose dimensions lie in memory in this order, the slowest first."""
    sizes = check_size(size)
    _check_order(sizes, order)
    strides = [0] * len(sizes)
    inner = contiguous_strides([sizes[dim] for dim in order])
    for dim, stride in zip(order, inner):
        strides[dim] = stride
    return tensor_of(empty_strided(sizes, strides, chosen_dtype(wanted).numpy_dtype))


def _check_order(sizes: Shape, order: Shape) -> None:
    rank = len(sizes)
    if len(order) != rank:
        raise RuntimeError(
            "Number of dimensions in size does not match the length of the physical_layout; i.e. "
            f"len(size) = {rank} is not equal to len(physical_layout) = {len(order)}"
        )
    for place, dim in enumerate(order):
        if not 0 <= dim < rank:
            raise RuntimeError(
                f"Dimension out of range (expected to be between 0 and {rank - 1}, but got {dim} at "
                f"index {place}).  NB: negative dims not currently supported; file an issue if you want it."
            )
        if dim in order[:place]:
            raise RuntimeError("Duplicate dim not allowed")


@factory("empty_strided")
def empty_strided_(
    size: Shape,
    stride: Shape,
    wanted: int | None,
) -> Tensor:
    return tensor_of(empty_strided(check_size(size), stride, chosen_dtype(wanted).numpy_dtype))


def _eye(rows: int, columns: int, wanted: int | None) -> Tensor:
    if rows < 0 or columns < 0:
        name = "n" if rows < 0 else "m"
        raise RuntimeError(
            f"{name} must be greater or equal to 0, got {rows if rows < 0 else columns}"
        )
    return tensor_of(np.eye(rows, columns, dtype=chosen_dtype(wanted).numpy_dtype))


@factory("eye", shape=counted_rule(0, 0))
def eye(
    n: int,
    wanted: int | None,
) -> Tensor:
    return _eye(n, n, wanted)


@factory("eye.m", shape=counted_rule(0, 1))
def eye_m(
    n: int,
    m: int,
    wanted: int | None,
) -> Tensor:
    return _eye(n, m, wanted)


def _triangle_shape(facts: Sequence[Fact]) -> Fact:
    """Rows and columns, of as many places as elements decide."""
    wanted = facts[-4]
    known = wanted is None or isinstance(wanted, int)
    element = (dtypes.int64 if wanted is None else chosen_dtype(wanted)) if known else None
    return on_device(fresh(element, (2, None)), facts[-2])


def _triangle_indices(name: str, places: Callable[..., Any]) -> None:
    @factory(name, shape=_triangle_shape)
    def _(
        rows: int,
        columns: int,
        offset: int,
        wanted: int | None,
    ) -> Tensor:
        element = dtypes.int64 if wanted is None else dtypes.from_scalar_type(wanted)
        return tensor_of(np.stack(places(rows, offset, columns)).astype(element.numpy_dtype))


_triangle_indices("tril_indices", np.tril_indices)
_triangle_indices("triu_indices", np.triu_indices)


# From Python values


def _tensor_dtype(wanted: int | None) -> dtype | None:
    return None if wanted is None else dtypes.from_scalar_type(wanted)


@registry.kernel("tensor.bool tensor.int tensor.float tensor.complex tensor")
def tensor(data: Any, wanted: int | None, device: Device | None, requires_grad: bool) -> Tensor:
    """A tensor of a number, or of nested lists of numbers.

    As in PyTorch's interpreter, floats are rounded to the default dtype first, whatever dtype is wanted.
    """
    check_options(None, device, None)
    made = array_from_data(data, None)
    if isinstance(data, float | complex):
        check_fits(dtypes.of_array(made), data)
    element = _tensor_dtype(wanted)
    result = tensor_of(made if element is None else cast_array(made, element))
    return result.requires_grad_() if requires_grad else result


@registry.kernel("as_tensor.bool as_tensor.int as_tensor.float as_tensor.complex as_tensor.list")
def as_tensor_of_numbers(data: Any, wanted: int | None, device: Device | None) -> Tensor:
    """As `tensor`: numbers have no memory to share."""
    return tensor(data, wanted, device, False)


@factory("scalar_tensor")
def scalar_tensor(
    value: Scalar,
    wanted: int | None,
) -> Tensor:
    return tensor_of(np.asarray(as_element(value, chosen_dtype(wanted))))


def _scalar_shape(facts: Sequence[Fact]) -> Fact:
    if not is_known(facts[0]):
        return fresh(None, ())
    return fresh(number_to_tensor(facts[0]).dtype, ())


@registry.kernel("prim::NumToTensor.Scalar prim::NumToTensor.bool", shape=_scalar_shape)
def number_to_tensor(value: Scalar) -> Tensor:
    """A 0-d tensor; floats are float64, as PyTorch's `scalar_to_tensor` makes them."""
    if isinstance(value, bool):
        return tensor_of(np.asarray(value))
    if isinstance(value, int):
        return tensor_of(np.asarray(value, np.int64))
    return tensor_of(np.asarray(value, np.complex128 if isinstance(value, complex) else np.float64))
