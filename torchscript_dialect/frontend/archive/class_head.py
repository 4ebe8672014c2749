"""What stands in a class of an archive before its methods: attributes, constants, parameters, buffers and hooks."""

from __future__ import annotations

import re
from typing import Any

from torchscript_dialect.frontend.archive.resolver import ArchiveResolver
from torchscript_dialect.frontend.define.packed_classes import declare_packed_class
from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.tree_views import (
    Assign,
    ClassDef,
    Expr,
    ListLiteral,
    StringLiteral,
    Subscript,
    Var,
)
from torchscript_dialect.frontend.unit.annotations import TypeParser, qualified_name
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import FOREIGN, ClassType
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.errors import FrontendError


def read_head(
    definition: ClassDefinition, tree: ClassDef, unit: CompilationUnit, resolver: ArchiveResolver
) -> None:
    """Give a class what the assignments in its source say.

    Raises:
        FrontendError: one of them is none that the Python Printer writes.
    """
    types = TypeParser(resolver, unit)
    names: dict[str, list[str]] = {}
    for statement in tree.body:
        if statement.kind == tk.TK_PASS:
            continue
        if not isinstance(statement, Assign):
            raise FrontendError("the body of a class holds methods and attributes", statement.range)
        target, value = statement.lhs, statement.rhs
        if isinstance(target, Subscript) and value is not None:
            definition.attributes[_annotated_name(target)] = types.parse(value)
        elif not isinstance(target, Var):
            raise FrontendError("an attribute of a class is a name", target.range)
        elif statement.type is None:
            names[target.name.name] = _texts(value, target)
        elif value is None:
            name = target.name.name
            type_ = types.parse_attribute(statement.type)
            definition.attributes[name] = _packed(definition, name, type_, unit) or type_
        else:
            definition.constants[target.name.name] = types.literal(value)
            definition.constant_types[target.name.name] = types.parse_attribute(statement.type)
    _apply(definition, names, tree)


def _packed(
    definition: ClassDefinition, name: str, type_: TorchScriptType, unit: CompilationUnit
) -> TorchScriptType | None:
    """What packed weights of a quantized layer are, which were said to be a tensor before PyTorch 1.5 (PyTorch:
    serialization/import_source.cpp, `attributeAssignmentSpecialHandlingHack`); None of other attributes.
    """
    layer = _QUANTIZED_LAYER.fullmatch(_MANGLED.sub("", definition.type.qualified_name.data))
    if layer is None or name != "_packed_params" or type_ != TENSOR:
        return None
    packed = f"{FOREIGN}quantized.{layer[1]}{layer[2] or ''}PackedParamsBase"
    declare_packed_class(unit, packed)
    return ClassType(packed)


_MANGLED = re.compile(r"\.___torch_mangle_\d+")
_QUANTIZED_LAYER = re.compile(
    r"__torch__\.torch\.nn\.(?:intrinsic\.)?quantized\.(?:\w+\.)*(Conv|Linear)(?:ReLU|PackedParams)?(\dd)?"
)


def _apply(definition: ClassDefinition, names: dict[str, list[str]], tree: ClassDef) -> None:
    for kind, listed in names.items():
        match kind:
            case "__parameters__":
                definition.parameters.update(listed)
            case "__buffers__":
                definition.buffers.update(listed)
            case "__forward_pre_hooks__" | "__forward_hooks__":
                hooks = definition.pre_hooks if "pre" in kind else definition.hooks
                for name in listed:
                    if name not in definition.methods:
                        raise FrontendError(f"the hook {name} is not defined", tree.range)
                    hooks.append(definition.methods[name])
            case "__annotations__":
                pass
            case _:
                raise FrontendError(f"{kind} is nothing that classes of archives have", tree.range)


def _annotated_name(target: Subscript) -> str:
    """The name in `__annotations__["0"]`."""
    keys = list(target.subscript_exprs)
    is_table = qualified_name(target.value) == "__annotations__"
    if not is_table or len(keys) != 1 or not isinstance(keys[0], StringLiteral):
        raise FrontendError("an attribute of a class is a name", target.range)
    return keys[0].text


def _texts(value: Any, target: Expr) -> list[str]:
    if isinstance(value, ListLiteral):
        found = [item.text for item in value.inputs if isinstance(item, StringLiteral)]
        if len(found) == len(value.inputs):
            return found
    raise FrontendError("this is a list of names in classes of archives", target.range)
