"""Operators that give a tensor the memory of another, and views of forward-mode differentiation (PyTorch: native/TensorFactories.cpp).

`set_` leaves its operand a view of its source, which no annotation of the schema says: from then on both count as memory that is known
outside (`keeps`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import MAY_BE_OPERAND, aliasing_of_schema
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.views.slices import as_strided_
from torchscript_dialect.ops.views.views import clone, restride
from torchscript_dialect.tensor.storages import TypedStorage, UntypedStorage
from torchscript_dialect.tensor.strides import contiguous_strides, element_strides
from torchscript_dialect.tensor.tensor import Tensor, give_array, tensor_of

Ints = Sequence[int]


def _same_dtype(x: Tensor, source: Tensor) -> None:
    if x.dtype is not source.dtype:
        raise RuntimeError(
            f"Could not set tensor of type {source.dtype.type_name} to a tensor of type {x.dtype.type_name}"
        )


def _set(x: Tensor) -> Tensor:
    give_array(x, np.empty(0, x.array.dtype))
    return x


def _set_tensor(x: Tensor, source: Tensor) -> Tensor:
    """RuntimeError where the dtypes differ: PyTorch reads the bytes as the dtype of `x` then."""
    _same_dtype(x, source)
    give_array(x, source.array)
    return x


def _set_part(x: Tensor, source: Tensor, start: int, size: Ints, stride: Ints) -> Tensor:
    _same_dtype(x, source)
    steps = stride or contiguous_strides(size)
    give_array(x, as_strided_(source, size, steps, start).array)
    return x


def _elements(x: Tensor, source: UntypedStorage | TypedStorage) -> Tensor:
    """The memory of a storage as elements of the dtype of `x`; RuntimeError for one of another dtype."""
    if isinstance(source, TypedStorage):
        if source.dtype is not x.dtype:
            raise RuntimeError(
                f"Expected a Storage of type {x.dtype.type_name} or an UntypedStorage, "
                f"but got type {source.dtype.type_name} for argument 1 'storage'"
            )
        source = source.untyped()
    return tensor_of(source.memory.view(x.array.dtype))


def _set_storage(x: Tensor, source: Any) -> Tensor:
    return _set_tensor(x, _elements(x, source))


def _set_part_of_storage(x: Tensor, source: Any, start: int, size: Ints, stride: Ints) -> Tensor:
    return _set_part(x, _elements(x, source), start, size, stride)


def _declare(overload: str, kernel: Callable[..., Tensor], *places: int) -> None:
    """An overload in place, which binds the operands at `places` to each other, and that of a fresh tensor."""
    suffix = f".{overload}" if overload else ""
    operator = registry.find(f"aten::set_{suffix}")
    assert operator is not None
    known = aliasing_of_schema(operator.schema)
    assert known is not None
    registry.implement(f"set_{suffix}", kernel)
    registry.attach(f"aten::set_{suffix}", aliases=replace(known, keeps=places))

    def fresh(x: Tensor, *operands: Any) -> Tensor:
        return clone(kernel(tensor_of(x.array), *operands))

    if overload != "source_Tensor_storage_offset":
        registry.implement(f"set{suffix}", fresh)


_declare("", _set)
_declare("source_Tensor", _set_tensor, 0, 1)
_declare("source_Tensor_storage_offset", _set_part, 0, 1)
_declare("source_Storage", _set_storage, 0, 1)
_declare("source_Storage_storage_offset", _set_part_of_storage, 0, 1)


@registry.kernel("slice_inverse")
def slice_inverse(
    x: Tensor, source: Tensor, _dim: int, _start: int | None, _end: int | None, _step: int
) -> Tensor:
    """The tensor of the sizes of `source` on the memory of the slice of it that `x` is."""
    strides = list(element_strides(source.array))
    return as_strided_(x, list(source.array.shape), strides, source.storage_offset())


def _view(x: Tensor, *_: Any) -> Tensor:
    return tensor_of(restride(x.array, x.array.shape, element_strides(x.array)))


registry.implement("_fw_primal", _view)
registry.implement("_unpack_dual", lambda x, _level: (_view(x), None))
registry.implement("data", lambda x: tensor_of(x.array))
registry.attach("aten::data", aliases=MAY_BE_OPERAND)


@registry.kernel("set_data")
def set_data(x: Tensor, source: Tensor) -> None:
    """What assigning to `x.data` does."""
    _set_tensor(x, source)


@registry.kernel("_neg_view")
def neg_view(x: Tensor) -> Tensor:
    """The negative. PyTorch's shares memory and negates when it is read; ours is a copy that cannot be written to."""
    result: Tensor = call("aten::neg", (x,))
    result.array.flags.writeable = False
    return result
