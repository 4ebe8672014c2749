"""Ops made from the operator table: one class per overload, made when it is first asked for.

The op of `aten::add.Tensor` is `aten.add.Tensor`, its class `aten.AddTensorOp`, its operands are accessors by the schema's
argument names: `op.self`, `op.other`, `op.alpha` (`op.from_` where the name is a keyword). `aten.AddTensorOp(x, y, one)` makes an
op of values, `aten.AddTensorOp.of(rewriter, x, y)` inserts one with the constants that it needs. An operator that the table does
not know gets a class without a schema, and a warning if its name is in one of PyTorch's namespaces.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Self

from xdsl.builder import Builder
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, LocationAttr
from xdsl.ir import Attribute, Operation, OpTraits, SSAValue
from xdsl.traits import (
    ConditionallySpeculatable,
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
)
from xdsl.utils.exceptions import VerifyException

from torchscript_dialect.dialects.accessors import Operand, accessor_names
from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.canonicalization import CANONICAL, FOLDED_BY_KERNEL
from torchscript_dialect.dialects.class_names import class_name, no_such_class, qualified_name_of
from torchscript_dialect.dialects.construction import (
    Given,
    bind,
    insert_values,
    location_at,
    no_default,
    schema_default,
    signature,
)
from torchscript_dialect.dialects.interfaces import ACTS_OUTSIDE, READS_OUTSIDE, is_mutable
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.types.core import ANY, TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.subtyping import is_subtype, unshaped
from torchscript_dialect.utils.errors import suggestion

READ, WRITE, ALLOC = MemoryEffectKind.READ, MemoryEffectKind.WRITE, MemoryEffectKind.ALLOC

UNRESOLVED = "unresolved"
"""The overload part of an op whose operand types fit no overload of a known operator."""


class OperatorEffects(MemoryEffect, ConditionallySpeculatable):
    """Effects by schema and operator table (Note [Effects] in interfaces.py)."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance] | None:
        assert isinstance(op, OperatorOp)
        operator = op.OPERATOR
        if operator is None or operator.aliasing is None:
            return None
        aliasing, effects = operator.aliasing, operator.effects
        in_training = not is_off(op)
        is_random = in_training and Effect.RANDOM in effects
        found = {EffectInstance(READ, operand) for operand in op.operands if is_mutable(operand)}
        if Effect.ACTS in effects:
            found |= ACTS_OUTSIDE
        elif is_random or Effect.OBSERVES in effects:
            found.add(READS_OUTSIDE)
        if in_training:
            found.update(EffectInstance(WRITE, op.operands[i]) for i, _ in aliasing.writes)
        if aliasing.runs_others:
            found.add(EffectInstance(WRITE))
        for index, result in enumerate(op.results):
            if is_random or (index not in aliasing.references and is_mutable(result)):
                found.add(EffectInstance(ALLOC, result))
        return found

    @classmethod
    def is_speculatable(cls, op: Operation) -> bool:
        assert isinstance(op, OperatorOp)
        return op.OPERATOR is not None and op.OPERATOR.rules.is_total


def is_off(op: OperatorOp) -> bool:
    """Whether the argument that switches chance and running statistics on (`Rules.training`) is a constant False, or chance 0."""
    index = None if op.OPERATOR is None else op.OPERATOR.training_index
    if index is None:
        return False
    owner = op.operands[index].owner
    if not isinstance(owner, Operation) or owner.name != "prim.Constant":
        return False
    value = owner.attributes.get("value")
    return isinstance(value, IntegerAttr | FloatAttr) and not value.value.data


class SchemaText:
    """The documentation of an operator's class: its schema, parsed when somebody asks for it."""

    def __get__(self, op: OperatorOp | None, owner: type[OperatorOp]) -> str:
        if owner.OPERATOR is None:
            return "A call of a builtin operator: operands are the schema's arguments, positional and all given."
        kind, schema = owner.OPERATOR.name.partition("::")[0], owner.OPERATOR.text
        return (
            f"`{schema}`, an operator of the `{kind}` dialect. Operands: {', '.join(owner.NAMES)}."
        )


SCHEMA_TEXT = SchemaText()


class OperandNames:
    """The signature of an operator's class."""

    def __get__(self, op: OperatorOp | None, owner: type[OperatorOp]) -> inspect.Signature | None:
        if owner.OPERATOR is None:
            return None
        return signature(owner.OPERATOR.schema, owner.NAMES)


class OperatorOp(TorchScriptOp):
    __doc__ = SCHEMA_TEXT  # pyright: ignore[reportAssignmentType]
    __signature__ = OperandNames()

    OPERATOR: ClassVar[Operator | None] = None
    NAMES: ClassVar[tuple[str, ...]] = ()
    """The names of the operands, by which ops give them: those of the schema's arguments."""
    traits = OpTraits(lambda: (OperatorEffects(), CANONICAL, FOLDED_BY_KERNEL))

    def __init__(
        self,
        /,
        *operands: Given,
        result_types: Sequence[Attribute] | None = None,
        location: LocationAttr | None = None,
        **named: Given,
    ) -> None:
        """The op of operands by position or by the schema's names; the types of the results follow from theirs.

        Raises:
            TypeError: an operand is missing or too many, they do not fit the schema, or `result_types` do not follow and are not given.
        """
        schema, class_name = self.schema, type(self).__name__
        bound = operands
        if schema is not None:
            default = no_default(class_name, schema)
            bound = bind(class_name, schema, self.NAMES, operands, named, default)
        values = [SSAValue.get(operand) for operand in bound]
        if result_types is None:
            result_types = self.infer_result_types(values)
        super().__init__(operands=values, result_types=result_types, location=location)

    @classmethod
    def of(
        cls,
        builder: Builder,
        /,
        *operands: Any,
        result_types: Sequence[Attribute] | None = None,
        **named: Any,
    ) -> Self:
        """Insert the op, and in front of it constants for operands that are Python values or left to their defaults.

        `aten.AddTensorOp.of(rewriter, x, y)` has the constant 1 for `alpha`. The op has the place in the source of the op before which
        the rewriter inserts.

        Raises:
            TypeError: as the constructor, and for a value of which there are no constants.
        """
        location, schema = location_at(builder), cls.OPERATOR and cls.OPERATOR.schema
        values = operands
        if schema is not None:
            default = schema_default(cls.__name__, schema)
            bound = bind(cls.__name__, schema, cls.NAMES, operands, named, default)
            values = insert_values(builder, schema, bound, location)
        return builder.insert(cls(*values, result_types=result_types, location=location))

    @classmethod
    def infer_result_types(cls, operands: Sequence[SSAValue]) -> Sequence[TorchScriptType]:
        """The types of the results for these operands.

        Raises:
            TypeError: the operands do not fit the schema, or it does not tell.
        """
        schema = cls.OPERATOR and cls.OPERATOR.schema
        if schema is None or schema.is_varret:
            raise TypeError(f"{cls.__name__} needs result_types: no schema tells them")
        types = [_torchscript_type(value.type, cls.KIND) for value in operands]
        found = schema.result_types(types)
        if found is None:
            raise TypeError(cls._misfit(types))
        return found

    @classmethod
    def _misfit(cls, types: Sequence[TorchScriptType]) -> str:
        assert cls.OPERATOR is not None
        given = ", ".join(type_.repr_str for type_ in types)
        message = f"operands of types ({given}) do not fit the schema {cls.OPERATOR.schema}"
        fitting = resolve_operator(cls.KIND, types)
        if fitting is None:
            return message
        return f"{message}; they fit {fitting.qualified_name.replace('::', '.', 1)}"

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
            raise VerifyException(self._misfit(operand_types))
        if schema.is_varret:
            return
        if len(self.results) != len(expected):
            raise VerifyException(
                f"{len(self.results)} results where the schema {schema} has {len(expected)}"
            )
        for result, type_ in zip(self.results, expected, strict=True):
            actual_type = _torchscript_type(result.type, self.KIND)
            if type_ != ANY and not is_subtype(unshaped(type_), unshaped(actual_type)):
                raise VerifyException(
                    f"a result of type {actual_type.repr_str} where the schema {schema} gives"
                    f" {type_.repr_str}"
                )


def _torchscript_type(type_: Any, kind: str) -> TorchScriptType:
    if not isinstance(type_, TorchScriptType):
        raise VerifyException(f"{kind} takes and gives TorchScript values, not {type_}")
    return type_


class UnknownOperatorWarning(UserWarning):
    """An operator of PyTorch's own namespaces that the table does not know, likely misspelt."""


def _warn_of_unknown(namespace: str, name: str) -> None:
    known = [one.partition("::")[2] for one in registry.names() if one.startswith(f"{namespace}::")]
    hint = suggestion(name.partition(".")[0], known)
    message = f"no operator {namespace}::{name} is known: nothing is known of what it does{hint}"
    warnings.warn(message, UnknownOperatorWarning, stacklevel=3)


def operator_class(qualified_name: str) -> type[OperatorOp]:
    """The op class of an operator: `operator_class("aten::add.Tensor")`; schema-less where it is unknown.

    Warns of unknown operators of PyTorch's namespaces, once each; those of others are somebody's own.
    """
    return _operator_class(qualified_name, registry.version(qualified_name))


@lru_cache(maxsize=1 << 14)
def _operator_class(qualified_name: str, version: int) -> type[OperatorOp]:
    """An operator that is registered later, or anew, gets a class of its own then; all others keep theirs."""
    operator = registry.find(qualified_name)
    namespace, _, rest = qualified_name.partition("::")
    if operator is None and namespace in ("aten", "prim") and not rest.endswith(f".{UNRESOLVED}"):
        _warn_of_unknown(namespace, rest)
    members: dict[str, Any] = {
        "name": f"{namespace}.{rest}",
        "KIND": f"{namespace}::{rest.partition('.')[0]}" if operator is not None else "",
        "OPERATOR": operator,
        "__doc__": SCHEMA_TEXT,
        "__slots__": (),
        "__module__": f"torchscript_dialect.dialects.{namespace}",
    }
    if operator is None:
        base, _, overload = rest.partition(".")
        known = overload == UNRESOLVED
        members["KIND"] = f"{namespace}::{base if known else rest}"
    else:
        arguments = operator.schema.arguments
        names = accessor_names([argument.name for argument in arguments], OperatorOp)
        members |= {"NAMES": names, **{name: Operand(i) for i, name in enumerate(names)}}
    class_ = type(class_name(qualified_name), (OperatorOp,), members)
    assert issubclass(class_, OperatorOp)
    return class_


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


def class_by_name(namespace: str, name: str) -> type[OperatorOp]:
    """The op class of that name: `class_by_name("aten", "AddTensorOp")`.

    Raises:
        AttributeError: the table has no such operator.
    """
    if name.startswith("__") and name.endswith("__"):
        raise AttributeError(name)  # Python asks a module for `__path__` when it is imported from
    qualified_name = qualified_name_of(namespace, name)
    if qualified_name is None:
        raise AttributeError(no_such_class(namespace, name))
    return operator_class(qualified_name)
