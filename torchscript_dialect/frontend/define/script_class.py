"""Script classes: Python classes and classes of source text as types with methods (PyTorch: torch/jit/_script.py).

All methods are compiled when the class is first met, `__init__` first: its assignments to `self` make the attributes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torchscript_dialect.frontend.define.function import define_from_tree
from torchscript_dialect.frontend.source.tree_views import Assign, ClassDef, Def, Property, Var
from torchscript_dialect.frontend.sugared.resolver import Resolver
from torchscript_dialect.frontend.unit.annotations import TypeParser
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.utils.errors import FrontendError


def declare_class(unit: CompilationUnit, tree: ClassDef, resolver: Resolver) -> ClassDefinition:
    """The definition of a class of source text: methods, and attributes declared in its body."""
    definition = new_class(unit, unit.free_qualified_name(f"__torch__.{tree.name.name}"))
    types = TypeParser(resolver, unit)
    methods: list[Def] = []
    for statement in tree.body:
        if isinstance(statement, Def):
            methods.append(statement)
        elif isinstance(statement, Assign) and isinstance(statement.lhs, Var):
            if statement.type is not None:
                name = statement.lhs.name.name
                definition.attributes[name] = types.parse_attribute(statement.type)
        else:
            raise FrontendError("the body of a class holds methods and attributes", statement.range)
    define_class(definition, unit, methods, list(tree.properties or ()), resolver, {})
    return definition


def new_class(unit: CompilationUnit, qualified_name: str) -> ClassDefinition:
    """An empty class of the unit."""
    definition = ClassDefinition(ClassType(qualified_name))
    unit.classes[qualified_name] = definition
    return definition


def define_class(
    definition: ClassDefinition,
    unit: CompilationUnit,
    methods: Sequence[Def],
    properties: Sequence[Property],
    resolver: Resolver,
    defaults: dict[str, dict[str, Any]],
    init_types: dict[str, TorchScriptType] | None = None,
) -> None:
    """Compile the methods of a class, `__init__` first; `init_types` are the types of its parameters where its tree has none."""
    for method in methods:
        name = method.name.name
        types = init_types if name == "__init__" else None
        given = defaults.get(name, {})
        declare_method(definition, unit, name, method, resolver, given, parameter_types=types)
    for prop in properties:
        getter = _declare(definition, unit, prop.getter, resolver)
        setter = None if prop.setter is None else _declare(definition, unit, prop.setter, resolver)
        definition.properties[prop.name.name] = (getter, setter)
    find_attributes(definition)
    for function in definition.methods.values():
        if not function.is_running:
            function.ensure_defined()


def find_attributes(definition: ClassDefinition) -> None:
    """Compile `__init__` of a class, if it has one: what it assigns to are the attributes."""
    init = definition.methods.get("__init__")
    if init is not None:
        definition.is_being_initialized = True
        init.ensure_defined()
        definition.is_being_initialized = False


def _declare(
    definition: ClassDefinition, unit: CompilationUnit, method: Def, resolver: Resolver
) -> Function:
    return declare_method(definition, unit, method.name.name, method, resolver, {})


def declare_method(
    definition: ClassDefinition,
    unit: CompilationUnit,
    name: str,
    tree: Def,
    resolver: Resolver,
    defaults: dict[str, Any],
    **options: Any,
) -> Function:
    """A method of a class, compiled when it is needed; its symbol is `qualified.class.name`."""
    if not len(tree.decl.params):
        raise FrontendError("methods must have a self argument", tree.range)

    def define(function: Function) -> None:
        if name == "__setstate__" and _is_untyped(tree):
            options["parameter_types"] = _state_type(definition, tree)
        define_from_tree(function, unit, tree, resolver, defaults, definition.type, **options)

    qualified = f"{definition.type.qualified_name.data}.{name}"
    function = unit.declare(name, define, qualified, qualified)
    definition.methods[name] = function
    return function


def _is_untyped(tree: Def) -> bool:
    """Whether a method says of no parameter beside `self` what it is."""
    return not any(param.type for param in list(tree.decl.params)[1:])


def _state_type(definition: ClassDefinition, tree: Def) -> dict[str, TorchScriptType]:
    """The type of the parameter of `__setstate__`: what `__getstate__` gives."""
    getstate = definition.find_method("__getstate__")
    if getstate is None:
        raise FrontendError(
            "`__setstate__` defined but not `__getstate__`. You must have both defined on a ScriptModule to customize serialization.\n"
            "Did you forget to use `@torch.jit.export`?",
            tree.range,
        )
    state = getstate.ensure_defined().schema.returns[0].type
    return {param.ident.name: state for param in list(tree.decl.params)[1:]}
