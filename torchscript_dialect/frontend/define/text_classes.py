"""Classes of source text by what they derive from: script classes, NamedTuples, enums, interfaces."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.frontend.define.script_class import declare_class
from torchscript_dialect.frontend.source.tree_views import Assign, ClassDef, Stmt, Var
from torchscript_dialect.frontend.sugared.resolver import Resolver
from torchscript_dialect.frontend.unit.annotations import TypeParser, qualified_name
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import EnumDefinition
from torchscript_dialect.frontend.unit.interface import declare_interface
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import INT
from torchscript_dialect.types.function_schema import field_default_text
from torchscript_dialect.types.named import EnumType
from torchscript_dialect.utils.errors import FrontendError


def declare_text_class(
    unit: CompilationUnit, tree: ClassDef, resolver: Resolver, name: str | None = None
) -> None:
    """Take the class into the unit, under a qualified name of its own if none is given.

    Raises:
        FrontendError: its body holds what such a class does not have.
    """
    superclass = None if tree.superclass is None else qualified_name(tree.superclass)
    base = (superclass or "").rpartition(".")[2]
    name = name or unit.free_qualified_name(f"__torch__.{tree.name.name}")
    match base:
        case "NamedTuple":
            _named_tuple(unit, tree, name, resolver)
        case "Enum":
            _enum(unit, tree, name, resolver)
        case "Interface" | "ModuleInterface":
            declare_interface(unit, name, list(tree.body), resolver, base != "Interface")
        case _:
            declare_class(unit, tree, resolver)


def _field(statement: Stmt, what: str) -> tuple[str, Assign]:
    if isinstance(statement, Assign) and isinstance(statement.lhs, Var):
        return statement.lhs.name.name, statement
    raise FrontendError(f"the body of {what} holds assignments only", statement.range)


def _named_tuple(unit: CompilationUnit, tree: ClassDef, name: str, resolver: Resolver) -> None:
    types = TypeParser(resolver, unit)
    fields: list[str] = []
    elements: list[Any] = []
    defaults: list[Any] = []
    for statement in tree.body:
        field, assign = _field(statement, "a NamedTuple")
        if assign.type is None:
            raise FrontendError(f"the field {field} needs a type", statement.range)
        fields.append(field)
        elements.append(types.parse(assign.type))
        if assign.rhs is not None:
            defaults.append(types.literal(assign.rhs))
        elif defaults:
            raise FrontendError(
                f"the field {field} without default follows one with a default", statement.range
            )
    texts = [field_default_text(default) for default in defaults]
    unit.named_tuples[name] = TupleType.get(elements, name, fields, texts), defaults


def _enum(unit: CompilationUnit, tree: ClassDef, name: str, resolver: Resolver) -> None:
    types = TypeParser(resolver, unit)
    members: dict[str, Any] = {}
    for statement in tree.body:
        member, assign = _field(statement, "an enum")
        if assign.rhs is None:
            raise FrontendError(f"the member {member} needs a value", statement.range)
        members[member] = types.literal(assign.rhs)
    kinds = {type_of_constant(value) for value in members.values()}
    if len(kinds) > 1:
        raise FrontendError(
            f"The values of the enum {tree.name.name} have different types: TorchScript needs one",
            tree.range,
        )
    value_type = kinds.pop() if kinds else INT
    unit.enums[name] = EnumDefinition(EnumType(name), members, value_type, is_text=True)
