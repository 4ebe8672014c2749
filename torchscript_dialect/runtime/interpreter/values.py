"""What generated code does with runtime values beyond calling kernels: unpacking, raising, printing, observing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.values.value_text import as_text
from torchscript_dialect.runtime.values.named_tuples import named_tuple
from torchscript_dialect.runtime.values.objects import find_method
from torchscript_dialect.runtime.values.type_tests import has_type, type_test
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.types.containers import (
    ListType,
    TupleType,
)
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.byte_strings import require_whole

__all__ = ["Tensor"]


class _Uninitialized:
    def __repr__(self) -> str:
        return "<uninitialized>"


UNINITIALIZED: Final = _Uninitialized()
"""What `prim::Uninitialized` gives; no program reads it."""


class RaisedException(Exception):
    """A `raise` of the program: the message, and the qualified name of the class that it raises."""

    def __init__(self, message: str, class_name: str | None) -> None:
        super().__init__(message)
        self.class_name = class_name or "RuntimeError"


def raise_exception(message: str, class_name: str | None = None) -> None:
    """`prim::RaiseException`."""
    raise RaisedException(message, class_name)


def unpack_list(items: list[Any], count: int) -> list[Any]:
    """The list, if it has as many elements as are asked for.

    Raises:
        RuntimeError: it has not.
    """
    if len(items) != count:
        raise RuntimeError(f"Expected {count} elements in a list but found {len(items)}")
    return items


def of_type(value: Any, type_: TorchScriptType) -> Any:
    """A constant with its tuples made NamedTuples where the type says so."""
    if isinstance(type_, TupleType) and isinstance(value, (tuple, list)):
        parts = map(of_type, cast(Sequence[Any], value), type_.elements)
        if isinstance(type_.qualified_name, StringAttr):
            return named_tuple(type_.qualified_name.data, type_.field_names)(*parts)
        return tuple(parts)
    if isinstance(type_, ListType) and isinstance(value, list):
        return [of_type(item, type_.element) for item in cast(list[Any], value)]
    return value


def dtype_of_list(declared: int) -> Callable[[Any, int | None], int | None]:
    """Gives the dtype that `torch.tensor` is to make of nested lists: what is wanted, or of no elements what they are declared as."""

    def choose(data: Any, wanted: int | None) -> int | None:
        while wanted is None and isinstance(data, list):
            if not data:
                return declared
            data = cast("list[Any]", data)[0]
        return wanted

    return choose


def has_attribute(obj: Any, name: str) -> bool:
    """`prim::HasAttr`: whether an object has a field or method of that name."""
    return name in obj.__torchscript_fields__ or find_method(obj, name) is not None


def checked(type_: TorchScriptType) -> Callable[[Any], Any]:
    """What lets values of a type through and raises a RuntimeError for others."""

    test = type_test(type_)

    def check(value: Any) -> Any:
        if not test(value):
            raise RuntimeError(f"expected a value of type {type_.repr_str}")
        return value

    return check


def set_declared(obj: Any, name: str, value: Any) -> None:
    """`prim::SetAttr` of a graph that may claim anything: modules keep to what they declare.

    Raises:
        RuntimeError: the module declares no attribute of that name and type.
    """
    declared = obj.declared
    if declared is not None and not (name in declared and has_type(value, declared[name])):
        raise RuntimeError(f"the module has no attribute '{name}' for such a value")
    obj.__torchscript_fields__[name] = value


def constant_chunk(tensor: Tensor, chunks: int, dim: int) -> list[Tensor]:
    """`prim::ConstantChunk`: `aten::chunk` with a known number of results."""
    operator = registry.find("aten::chunk")
    assert operator is not None and operator.current_kernel is not None
    return _whole(operator.current_kernel(tensor, chunks, dim), chunks)


def recorded_chunk(tensor: Tensor, chunks: int, dim: int) -> list[Tensor]:
    """The same on the tape of gradients."""
    operator = registry.find("aten::chunk")
    assert operator is not None and operator.recorded is not None
    return _whole(operator.recorded(tensor, chunks, dim), chunks)


def _whole(parts: list[Tensor], count: int) -> list[Tensor]:
    """The parts, if they are as many as were asked for: `chunk` gives fewer where it comes to the end before."""
    if len(parts) < count:
        raise RuntimeError(
            f"Expected chunk to return at least {count} outputs, but got only {len(parts)}"
        )
    return parts


def update(target: Tensor, value: Tensor) -> None:
    """`prim::Update`: elements over those of another tensor.

    Raises:
        RuntimeError: the tensors have other sizes or dtypes.
    """
    if target is value:
        return
    given, array = value.array, target.array
    if given.shape != array.shape or given.dtype != array.dtype:
        raise RuntimeError(f"prim::Update of {list(array.shape)} by {list(given.shape)}")
    array[...] = given


def print_values(*items: Any) -> None:
    """`prim::Print`: what `str` gives of each, and spaces between them."""
    print(*(require_whole(as_text(item)) for item in items))


def instance_check(types: Sequence[Attribute]) -> Callable[[Any], bool]:
    """`prim::isinstance` for these types."""
    tests = [type_test(type_) for type_ in types if isinstance(type_, TorchScriptType)]
    return lambda value: any(test(value) for test in tests)


def type_check(types: Sequence[TorchScriptType]) -> Callable[..., tuple[Any, ...]]:
    """`prim::TypeCheck`: the operands, and whether each of them fits its type."""

    tests = list(map(type_test, types))

    def check(*items: Any) -> tuple[Any, ...]:
        return (*items, all(test(item) for test, item in zip(tests, items, strict=True)))

    return check


def requires_grad_check(types: Sequence[TorchScriptType]) -> Callable[..., tuple[Any, ...]]:
    """`prim::RequiresGradCheck`: the operands, and whether those require gradients whose types say so, and no others."""
    wanted = [isinstance(type_, TensorType) and bool(type_.requires_grad) for type_ in types]

    def check(*items: Any) -> tuple[Any, ...]:
        required = [item.__class__ is TrackedTensor for item in items]
        return (*items, required == wanted)

    return check
