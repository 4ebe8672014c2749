"""`isinstance` for xDSL's generic types that leaves no type parameter unknown to a checker."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isfinite
from typing import Any, cast

from typing_extensions import TypeIs
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StridedLayoutAttr,
    StringAttr,
    TensorType,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute


def is_tensor(type_: object) -> TypeIs[TensorType[Attribute]]:
    """Whether `type_` is a ranked tensor type."""
    return isinstance(type_, TensorType)


def is_memref(type_: object) -> TypeIs[MemRefType[Attribute]]:
    """Whether `type_` is a ranked memref type."""
    return isinstance(type_, MemRefType)


def is_vector(type_: object) -> TypeIs[VectorType[Attribute]]:
    """Whether `type_` is a vector type."""
    return isinstance(type_, VectorType)


def is_integer(type_: object) -> TypeIs[IntegerType]:
    """Whether `type_` is an integer type."""
    return isinstance(type_, IntegerType)


def element_type(type_: Attribute) -> Attribute:
    """The element type of a tensor, memref or vector type."""
    assert is_tensor(type_) or is_memref(type_) or is_vector(type_)
    return type_.element_type


def integer_of(attribute: object) -> int | None:
    """The value of an integer attribute, None for anything else."""
    if not isinstance(attribute, IntegerAttr):
        return None
    return cast("IntegerAttr[IntegerType]", attribute).value.data


@lru_cache(maxsize=1024)
def integer_attribute(value: int, type_: IntegerType | IndexType) -> Attribute:
    """`IntegerAttr(value, type_)`, whose checks cost more than this look-up."""
    return IntegerAttr(value, type_)


@lru_cache(maxsize=1024)
def i32_array(values: tuple[int, ...]) -> Attribute:
    """`array<i32: ...>`, made once for the same values."""
    return DenseArrayBase.from_list(i32, values)


@lru_cache(maxsize=1024)
def i64_array(values: tuple[int, ...]) -> DenseArrayBase[Any]:
    """`array<i64: ...>`, made once for the same values."""
    return DenseArrayBase.from_list(i64, values)


@lru_cache(maxsize=1024)
def text_attribute(text: str) -> Attribute:
    """A string attribute, made once for the same text."""
    return StringAttr(text)


@lru_cache(maxsize=256)
def tensor_of(element: Attribute, sizes: tuple[int, ...]) -> TensorType[Attribute]:
    """`tensor<sizes x element>`, made once."""
    return TensorType(element, sizes)


@lru_cache(maxsize=1024)
def memref_of(
    element: Attribute,
    sizes: tuple[int, ...],
    strides: tuple[int | None, ...] | None = None,
    offset: int | None = 0,
) -> MemRefType[Attribute]:
    """`memref<sizes x element, strided<strides, offset: offset>>`, made once; without a layout if there are no strides."""
    if strides is None:
        return MemRefType(element, sizes)
    return MemRefType(element, sizes, StridedLayoutAttr(strides, offset))


@lru_cache(maxsize=256)
def vector_of(element: Attribute, lanes: int) -> VectorType[Attribute]:
    """`vector<lanes x element>`, made once."""
    return VectorType(element, [lanes])


def dense_of(type_: VectorType[Attribute], values: Sequence[float | int]) -> Attribute:
    """The lanes of a constant vector; one value stands for all lanes."""
    return DenseIntOrFPElementsAttr.from_list(cast("Any", type_), values)


def reads_as_element(number: float) -> bool:
    """Whether xDSL reads what it prints for a float in a `dense<...>`.

    It prints the bits of what is not finite and of large whole numbers, and reads bits as numbers.
    """
    return isfinite(number) and (abs(number) < 1e6 or not number.is_integer())


def dense_elements(type_: Attribute, elements: bytes) -> Attribute:
    """The elements of a constant tensor, in order."""
    return DenseIntOrFPElementsAttr(cast("Any", type_), BytesAttr(elements))


def float_of(value: float, type_: Attribute) -> Attribute:
    """A float attribute of the float type `type_`."""
    return FloatAttr(value, cast("Any", type_))


def constant_number(owner: object) -> float | int | None:
    """The number that a constant holds; None for anything else."""
    if not isinstance(owner, arith.ConstantOp):
        return None
    value = owner.value
    return value.value.data if isinstance(value, IntegerAttr | FloatAttr) else None


def integers_of(attribute: object) -> tuple[int, ...] | None:
    """The values of an `array<iN: ...>`, None for anything else."""
    if not isinstance(attribute, DenseArrayBase):
        return None
    return cast("DenseArrayBase[IntegerType]", attribute).get_values()
