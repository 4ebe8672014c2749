"""Ops made from the operator table: one class per overload, made when it is first asked for.

The op of `aten::add.Tensor` is `aten.add.Tensor`, its class `aten.AddTensorOp`, its operands are accessors by the schema's
argument names: `op.self`, `op.other`, `op.alpha`. An operator that the table does not know gets a class without a schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from xdsl.ir import Operation, OpTraits
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.subtyping import unshaped

UNRESOLVED = "unresolved"
"""The overload part of an op whose operand types fit no overload of a known operator."""


class OperatorEffects(MemoryEffect):
    """Reads its operands and allocates its results; writes where the schema or the table says so."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance] | None:
        assert isinstance(op, OperatorOp)
        if op.OPERATOR is None or op.OPERATOR.rules.is_nondeterministic:
            return None
        if op.OPERATOR.schema.is_mutable or op.OPERATOR.rules.has_side_effects:
            return {EffectInstance(MemoryEffectKind.WRITE)}
        return {EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.ALLOC)}


class OperatorOp(TorchScriptOp):
    """A call of a builtin operator: operands are the schema's arguments, positional and all given."""

    OPERATOR: ClassVar[Operator | None] = None
    traits = OpTraits(lambda: (OperatorEffects(),))

    @property
    def schema(self) -> FunctionSchema | None:
        """The operator's schema; None for an operator that the table does not know."""
        return None if self.OPERATOR is None else self.OPERATOR.schema

    def verify_(self) -> None:
        schema = self.schema
        if schema is None:
            return
        operand_types = [_torchscript_type(value.type, self.KIND) for value in self.operands]
        expected = schema.result_types(operand_types)
        if expected is None:
            actual = ", ".join(type_.repr_str for type_ in operand_types)
            raise VerifyException(f"operands of types ({actual}) do not fit the schema {schema}")
        if schema.is_varret:
            return
        if len(self.results) != len(expected):
            raise VerifyException(
                f"{len(self.results)} results where the schema {schema} has {len(expected)}"
            )
        for result, type_ in zip(self.results, expected, strict=True):
            actual_type = _torchscript_type(result.type, self.KIND)
            if unshaped(actual_type) != unshaped(type_):
                raise VerifyException(
                    f"a result of type {actual_type.repr_str} where the schema {schema} gives"
                    f" {type_.repr_str}"
                )


def _torchscript_type(type_: Any, kind: str) -> TorchScriptType:
    if not isinstance(type_, TorchScriptType):
        raise VerifyException(f"{kind} takes and gives TorchScript values, not {type_}")
    return type_


@cache
def operator_class(qualified_name: str) -> type[OperatorOp]:
    """The op class of an operator: `operator_class("aten::add.Tensor")`; schema-less where it is unknown."""
    operator = registry.find(qualified_name)
    namespace, _, rest = qualified_name.partition("::")
    members: dict[str, Any] = {
        "name": f"{namespace}.{rest}",
        "KIND": f"{namespace}::{rest.partition('.')[0]}" if operator is not None else "",
        "OPERATOR": operator,
        "__slots__": (),
        "__module__": f"torchscript_dialect.dialects.{namespace}",
    }
    if operator is None:
        base, _, overload = rest.partition(".")
        known = overload == UNRESOLVED
        members["KIND"] = f"{namespace}::{base if known else rest}"
    else:
        for index, argument in enumerate(operator.schema.arguments):
            if not hasattr(Operation, argument.name):
                members[argument.name] = _operand_accessor(index)
        if operator.rules.pointwise is None and _is_scalar(operator.schema):
            members["traits"] = OpTraits(lambda: (Pure(),))
    class_ = type(class_name(qualified_name), (OperatorOp,), members)
    assert issubclass(class_, OperatorOp)
    return class_


def _is_scalar(schema: FunctionSchema) -> bool:
    """Whether the operator takes and gives immutable values only."""
    from_to = (*schema.arguments, *schema.returns)
    return not schema.is_mutable and all(
        type(argument.type).__name__ in _IMMUTABLE for argument in from_to
    )


_IMMUTABLE = {"IntType", "FloatType", "BoolType", "ComplexType", "StringType", "NumberType"}


def _operand_accessor(index: int) -> property:
    def get(op: OperatorOp) -> Any:
        return op.operands[index]

    return property(get)


def class_name(qualified_name: str) -> str:
    """The name of an operator's op class: `aten::max.dim_max` gives `MaxDimMaxOp`."""
    rest = qualified_name.partition("::")[2]
    words = rest.replace(".", "_.").split("_")
    camel = "".join(word[:1].upper() + word[1:] if word else "_" for word in words)
    parts = [part[:1].upper() + part[1:] for part in camel.split(".")]
    name, *overload = parts
    if overload:
        name = (
            name[:-1] if name.endswith("_") and not rest.partition(".")[0].endswith("_") else name
        )
    return "".join((name, *overload)) + "Op"


def resolve_operator(
    kind: str,
    operand_types: Sequence[TorchScriptType],
    result_types: Sequence[TorchScriptType] | None = None,
) -> Operator | None:
    """The first overload that operands of these types fit, None if there is none (PyTorch's `Node::schema`).

    Of several, the first that gives results of these types: `prim::EnumValue` of an enum is an int, a float or a str.
    """
    first: Operator | None = None
    for operator in registry.lookup(kind):
        found = operator.schema.result_types(operand_types)
        if found is None:
            continue
        if result_types is None or list(map(unshaped, found)) == list(map(unshaped, result_types)):
            return operator
        first = first or operator
    return first


def class_for(
    kind: str,
    operand_types: Sequence[TorchScriptType],
    result_types: Sequence[TorchScriptType] | None = None,
) -> type[OperatorOp]:
    """The op class for a node of this kind with operands of these types."""
    operator = resolve_operator(kind, operand_types, result_types)
    if operator is not None:
        return operator_class(operator.qualified_name)
    return operator_class(f"{kind}.{UNRESOLVED}" if registry.lookup(kind) else kind)


def op_name_to_qualified(op_name: str) -> str:
    """`aten.add.Tensor` to `aten::add.Tensor`."""
    namespace, _, rest = op_name.partition(".")
    return f"{namespace}::{rest}"


@cache
def classes_by_name(namespace: str) -> dict[str, str]:
    """For every operator of a namespace, its class name to its qualified name."""
    return {
        class_name(operator.qualified_name): operator.qualified_name
        for name in registry.names()
        if name.startswith(f"{namespace}::")
        for operator in registry.lookup(name)
    }
