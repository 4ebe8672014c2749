"""Ops made from the operator table: one class per overload, made when it is first asked for.

The op of `aten::add.Tensor` is `aten.add.Tensor`, its class `aten.AddTensorOp`, its operands are accessors by the schema's
argument names: `op.self`, `op.other`, `op.alpha`. An operator that the table does not know gets a class without a schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, ClassVar

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, OpTraits
from xdsl.traits import (
    ConditionallySpeculatable,
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
)
from xdsl.utils.exceptions import VerifyException

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.canonicalization import CANONICAL, FOLDED_BY_KERNEL
from torchscript_dialect.dialects.interfaces import ACTS_OUTSIDE, READS_OUTSIDE, is_mutable
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.subtyping import unshaped

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
    """Whether the argument that switches chance and running statistics on (`Rules.training`) is a constant False."""
    index = None if op.OPERATOR is None else op.OPERATOR.training_index
    if index is None:
        return False
    owner = op.operands[index].owner
    if not isinstance(owner, Operation) or owner.name != "prim.Constant":
        return False
    value = owner.attributes.get("value")
    return isinstance(value, IntegerAttr) and not value.value.data


class OperatorOp(TorchScriptOp):
    """A call of a builtin operator: operands are the schema's arguments, positional and all given."""

    OPERATOR: ClassVar[Operator | None] = None
    traits = OpTraits(lambda: (OperatorEffects(), CANONICAL, FOLDED_BY_KERNEL))

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


def operator_class(qualified_name: str) -> type[OperatorOp]:
    """The op class of an operator: `operator_class("aten::add.Tensor")`; schema-less where it is unknown."""
    return _operator_class(qualified_name, registry.version(qualified_name))


@lru_cache(maxsize=1 << 14)
def _operator_class(qualified_name: str, version: int) -> type[OperatorOp]:
    """An operator that is registered later, or anew, gets a class of its own then; all others keep theirs."""
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
    class_ = type(class_name(qualified_name), (OperatorOp,), members)
    assert issubclass(class_, OperatorOp)
    return class_


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


def class_by_name(namespace: str, name: str) -> type[OperatorOp]:
    """The op class of that name: `class_by_name("aten", "AddTensorOp")`.

    Raises:
        AttributeError: the table has no such operator.
    """
    letters = _letters(f"{namespace}::{name.removesuffix('Op')}")
    # `aten::Size` and `aten::size` would have one name: the later one has it.
    for qualified_name in reversed(_by_letters().get(letters, ())):
        if class_name(qualified_name) == name:
            return operator_class(qualified_name)
    raise AttributeError(f"the {namespace} dialect has no op {name}")


@cache
def _by_letters() -> dict[str, list[str]]:
    """The operators of the table by what their names have in common with those of their classes."""
    names = [*registry.texts()]
    found: dict[str, list[str]] = {}
    for qualified_name, letters in zip(names, _letters("\n".join(names)).split("\n")):
        found.setdefault(letters, []).append(qualified_name)
    return found


registry.when_registered(_by_letters.cache_clear)


def _letters(name: str) -> str:
    return name.lower().replace("_", "").replace(".", "")
