"""What a graph is specialized for: the properties of its arguments that plans depend on (PyTorch: ArgumentSpec).

Sizes are left out, but for which of them are 1: such dimensions may broadcast. Of strides, only their pattern counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, cast

from numpy import ndarray
from numpy.typing import NDArray

from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.types.containers import OptionalType, TupleType
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType

Key = tuple[Any, ...]

DEVICE = "cuda"


def device_of(types: Iterable[TorchScriptType]) -> str:
    """The kind of device that arguments with these types are on: one of them suffices."""
    for type_ in types:
        if isinstance(type_, TensorType) and (type_.device or "cpu").startswith(DEVICE):
            return DEVICE
        if isinstance(type_, TupleType) and device_of(type_.elements) == DEVICE:
            return DEVICE
    return "cpu"


def argument_key(args: Sequence[Any]) -> Key:
    """The specialization that a call with these runtime values needs."""
    return tuple([_key(value) for value in args])


def _key(value: Any) -> Any:
    if value.__class__ is Tensor:
        array = value.array
        return _array_key(array) if array.__class__ is ndarray else (DEVICE, _array_key(array))
    if value.__class__ is TrackedTensor:
        return (TrackedTensor, _key(tensor_of(value.array)))
    if isinstance(value, tuple):
        return tuple(_key(item) for item in cast(tuple[Any, ...], value))
    return cast(object, type(value))


def _array_key(array: NDArray[Any]) -> Any:
    shape = array.shape
    if array.flags.c_contiguous:
        ones = tuple([size == 1 for size in shape]) if 1 in shape else len(shape)
        return (array.dtype.num, ones)
    return (array.dtype.num, *_pattern(shape, array.strides, array.itemsize))


@lru_cache(maxsize=1 << 10)
def _pattern(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> Key:
    """The pattern of sizes and strides that are not contiguous."""
    ones = tuple([size == 1 for size in shape]) if 1 in shape else len(shape)
    kinds = tuple(min(stride // itemsize, 2) for stride in strides)
    order = tuple(sorted(range(len(shape)), key=lambda axis: -strides[axis]))
    return (ones, kinds, order)


def of_any_size(type_: TorchScriptType) -> TorchScriptType:
    """What a specialized type says of the arguments of all calls with the same key."""
    if isinstance(type_, TensorType) and type_.sizes is not None:
        sizes = tuple(1 if size == 1 else None for size in type_.sizes)
        return type_.replace(sizes=sizes, strides=None)
    if isinstance(type_, TupleType):
        return type_.with_contained(tuple(map(of_any_size, type_.elements)))
    return type_


def specialized_type(value: Any, declared: TorchScriptType) -> TorchScriptType:
    """The declared type refined by a runtime value: what is in an optional, and tensors in arguments and in tuples of arguments. A
    tensor that is None is an undefined gradient.
    """
    if isinstance(declared, OptionalType):
        return NONE if value is None else specialized_type(value, declared.element)
    if isinstance(declared, TensorType):
        return (
            NONE if value is None else tensor_type(value) if isinstance(value, Tensor) else declared
        )
    if isinstance(declared, TupleType) and isinstance(value, tuple):
        parts = cast(tuple[Any, ...], value)
        return declared.with_contained(
            tuple(specialized_type(p, t) for p, t in zip(parts, declared.elements, strict=True))
        )
    return declared
