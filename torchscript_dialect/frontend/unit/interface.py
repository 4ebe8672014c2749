"""Interfaces: classes of which only the methods' signatures count (PyTorch: torch/jit/_script.py, `interface`)."""

from __future__ import annotations

from collections.abc import Sequence

from torchscript_dialect.frontend.source.tree_views import Def, Stmt
from torchscript_dialect.frontend.unit.annotations import TypeParser
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import InterfaceDefinition
from torchscript_dialect.frontend.unit.type_resolver import TypeResolver
from torchscript_dialect.types.function_schema import Argument, FunctionSchema
from torchscript_dialect.types.named import InterfaceType
from torchscript_dialect.utils.errors import FrontendError

INTERFACE_MARK = "__torch_script_interface__"
"""The attribute of a Python class that is an interface: PyTorch's name."""


def declare_interface(
    unit: CompilationUnit,
    qualified_name: str,
    body: Sequence[Stmt],
    resolver: TypeResolver,
    is_module: bool,
) -> InterfaceDefinition:
    """The definition of an interface from the methods in its body.

    Raises:
        FrontendError: a parameter or result has no type, or the body holds something else than methods.
    """
    definition = InterfaceDefinition(InterfaceType(qualified_name), is_module)
    unit.interfaces[qualified_name] = definition
    types = TypeParser(resolver, unit)
    for method in body:
        if not isinstance(method, Def):
            raise FrontendError("interfaces may only contain function definitions", method.range)
        name = method.name.name
        definition.methods[name] = _schema(method, definition.type, types)
    return definition


def _schema(method: Def, self_type: InterfaceType, types: TypeParser) -> FunctionSchema:
    params = list(method.decl.params)
    if not params:
        raise FrontendError("methods must have a self argument", method.range)
    arguments = [Argument(params[0].ident.name, self_type)]
    for param in params[1:]:
        if param.type is None:
            raise FrontendError(
                "interfaces do not support method arguments without a type", param.range
            )
        arguments.append(
            Argument(param.ident.name, types.parse(param.type), kwarg_only=param.kwarg_only)
        )
    if method.decl.return_type is None:
        raise FrontendError(
            "interfaces require the types of results: write a return type for every method",
            method.range,
        )
    result = Argument("", types.parse(method.decl.return_type))
    return FunctionSchema(method.name.name, "", tuple(arguments), (result,))
