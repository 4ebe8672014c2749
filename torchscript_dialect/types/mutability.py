"""Which types are references to memory, and which of them can refer to the same memory."""

from __future__ import annotations

from functools import lru_cache

from torchscript_dialect.types.containers import (
    AwaitType,
    DictType,
    FutureType,
    ListType,
    OptionalType,
    RRefType,
    TupleType,
    UnionType,
)
from torchscript_dialect.types.core import ANY, ANY_CLASS, ANY_LIST, ANY_TUPLE, TorchScriptType
from torchscript_dialect.types.named import ClassType, InterfaceType
from torchscript_dialect.types.subtyping import unshaped
from torchscript_dialect.types.tensor_type import TensorType

_OPEN = (ANY, ANY_CLASS, ANY_LIST, ANY_TUPLE)


@lru_cache(maxsize=1 << 14)
def alias_types(type_: TorchScriptType) -> tuple[TorchScriptType, ...]:
    """The types of memory that a value of a type refers to; none for an immutable type.

    Values that can refer to the same memory get a type in common: sizes are forgotten, an optional
    is what it holds, a tuple is the tuple of its mutable elements. Follows `MutableTypePtrHelper`
    in torch/csrc/jit/ir/alias_analysis.cpp.
    """
    if isinstance(type_, (TensorType, ListType, DictType, ClassType, InterfaceType)):
        return (unshaped(type_),)
    if type_ in _OPEN:
        return (ANY,)
    if isinstance(type_, OptionalType):
        return alias_types(type_.element)
    if isinstance(type_, UnionType):
        return tuple(dict.fromkeys(t for m in type_.members for t in alias_types(m)))
    if isinstance(type_, (FutureType, AwaitType, RRefType)):
        inner = alias_types(type_.element)
        return (type(type_)(inner[0] if len(inner) == 1 else ANY),) if inner else ()
    if isinstance(type_, TupleType):
        elements = [t for element in type_.elements for t in alias_types(element)]
        return (TupleType.get(elements),) if elements else ()
    return ()


def is_mutable_type(type_: TorchScriptType) -> bool:
    """Whether a value of the type refers to memory that can change, or holds such a reference."""
    return bool(alias_types(type_))


@lru_cache(maxsize=1024)
def may_hold_tensors(type_: TorchScriptType) -> bool:
    """Whether a value of the type is a tensor or may hold one."""
    if isinstance(type_, TensorType) or is_open(type_):
        return True
    return any(map(may_hold_tensors, type_.contained))


@lru_cache(maxsize=1 << 14)
def is_open(type_: TorchScriptType) -> bool:
    """Whether what a value of the type holds cannot be told from the type: objects and `Any`."""
    return isinstance(type_, (ClassType, InterfaceType)) or type_ in _OPEN
