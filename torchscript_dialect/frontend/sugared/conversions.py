"""Values made into those of other types where TorchScript does that by itself (PyTorch: tryConvertToType)."""

from __future__ import annotations

from xdsl.ir import SSAValue

from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.frontend.sugared.function_builder import FunctionBuilder
from torchscript_dialect.ir.edit import type_of
from torchscript_dialect.types.containers import ListType, OptionalType, TupleType
from torchscript_dialect.types.core import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STR,
    TorchScriptType,
)
from torchscript_dialect.types.subtyping import is_subtype
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.source_range import SourceRange


def convertible_to_list(type_: TorchScriptType, target: TorchScriptType) -> bool:
    """Whether a value is a list of the target's type, or a tuple that can be made one."""
    if not isinstance(target, ListType):
        return False
    if is_subtype(type_, target):
        return True
    return isinstance(type_, TupleType) and all(
        is_subtype(part, target.element) for part in type_.elements
    )


def unwrap_optional(type_: TorchScriptType) -> TorchScriptType:
    return type_.element if isinstance(type_, OptionalType) else type_


_FROM_TENSOR: dict[TorchScriptType, str] = {
    FLOAT: "aten::FloatImplicit",
    COMPLEX: "aten::ComplexImplicit",
    INT: "aten::IntImplicit",
    NUMBER: "aten::ScalarImplicit",
}
_FROM_NUMBER: dict[TorchScriptType, str] = {
    FLOAT: "aten::Float.Scalar",
    COMPLEX: "aten::Complex.Scalar",
    INT: "aten::Int.Scalar",
}
_FROM_BOOL: dict[TorchScriptType, str] = {
    FLOAT: "aten::Float.bool",
    INT: "aten::Int.bool",
    NUMBER: "aten::Int.bool",
}


def try_convert_to_type(
    graph: FunctionBuilder,
    target: TorchScriptType,
    value: SSAValue,
    range: SourceRange | None,
    allow_conversions: bool,
) -> SSAValue:
    """The value made into one of the target type where TorchScript does that by itself; else the value."""
    type_ = type_of(value)
    if type_ is target:
        return value
    if isinstance(target, OptionalType) and not (isinstance(type_, OptionalType) or type_ == NONE):
        return try_convert_to_type(graph, target.element, value, range, allow_conversions)
    if value in graph.empty_lists and isinstance(target, ListType) and target != type_:
        return graph.list_of(target.element, ())
    if isinstance(type_, TupleType):
        value = _convert_tuple(graph, target, value, type_, range, allow_conversions)
        type_ = type_of(value)
    if not allow_conversions:
        return value
    if isinstance(type_, TensorType):
        conversion, result = _FROM_TENSOR.get(target), target
    elif type_ == NUMBER:
        conversion, result = _FROM_NUMBER.get(target), target
    elif type_ == BOOL:
        conversion, result = _FROM_BOOL.get(target), FLOAT if target == FLOAT else INT
    elif type_ == STR and target == DEVICE:
        conversion, result = "aten::device", DEVICE
    else:
        return value
    if conversion is None:
        return value
    return graph.value(operator_class(conversion), (value,), result, range)


def _convert_tuple(
    graph: FunctionBuilder,
    target: TorchScriptType,
    value: SSAValue,
    type_: TupleType,
    range: SourceRange | None,
    allow_conversions: bool,
) -> SSAValue:
    list_type = unwrap_optional(target)
    if isinstance(list_type, ListType) and convertible_to_list(type_, list_type):
        return graph.list_of(list_type.element, graph.unpack_tuple(value))
    if (
        isinstance(target, TupleType)
        and not is_subtype(type_, target)
        and len(target.elements) == len(type_.elements)
    ):
        parts = zip(target.elements, graph.unpack_tuple(value), strict=True)
        converted = [
            try_convert_to_type(graph, t, part, range, allow_conversions) for t, part in parts
        ]
        return graph.tuple_of(converted)
    return value
