"""Script classes: Python classes and classes of source text as types with methods (PyTorch: torch/jit/_script.py).

All methods are compiled when the class is first met, `__init__` first: its assignments to `self` make the attributes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from torchscript_dialect.frontend.compilation_unit import (
    ClassDefinition,
    CompilationUnit,
    Function,
)
from torchscript_dialect.frontend.ir_emitter.annotations import TypeParser
from torchscript_dialect.frontend.resolver import Resolver
from torchscript_dialect.frontend.source.tree_views import Assign, ClassDef, Def, Property, Var
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.utils.errors import FrontendError


def is_module_class(class_: type[Any]) -> bool:
    """Whether a class is a module class: PyTorch's or the stand-in's."""
    if getattr(class_, "__torchscript_module__", False):
        return True
    torch = sys.modules.get("torch")
    nn = getattr(torch, "nn", None)
    return nn is not None and issubclass(class_, nn.Module)


def script_class(class_: type[Any], unit: CompilationUnit) -> ClassDefinition:
    """The definition of a Python class in the unit; compiled at the first call for the class."""
    from torchscript_dialect.frontend.compile import declare_python_function, default_arguments
    from torchscript_dialect.frontend.python_ast import get_jit_class_def
    from torchscript_dialect.frontend.python_resolver import PythonResolver, python_names
    from torchscript_dialect.frontend.python_types import qualified_python_name

    known = unit.python_objects.get(id(class_))
    if known is not None:
        return unit.class_of(known[1])
    name = unit.free_qualified_name(qualified_python_name(class_))
    definition = _new_class(unit, name)
    unit.python_objects[id(class_)] = (class_, definition.type)
    tree = get_jit_class_def(class_, class_.__name__)
    names: dict[str, Any] = {class_.__name__: class_}
    defaults: dict[str, dict[str, Any]] = {}
    for key, member in vars(class_).items():
        if isinstance(member, staticmethod):
            static = declare_python_function(unit, member.__func__)
            definition.static_methods[key] = static
            continue
        member = member.fget if isinstance(member, property) else member
        if not hasattr(member, "__code__"):
            continue
        names = {**python_names(member), **names}
        defaults[key] = default_arguments(member)
    resolver = PythonResolver(names)
    methods = [statement for statement in tree.body if isinstance(statement, Def)]
    properties = list(tree.properties or ())
    _define_class(definition, unit, methods, properties, resolver, defaults)
    return definition


def declare_class(unit: CompilationUnit, tree: ClassDef, resolver: Resolver) -> ClassDefinition:
    """The definition of a class of source text: methods, and attributes declared in its body."""
    definition = _new_class(unit, unit.free_qualified_name(f"__torch__.{tree.name.name}"))
    types = TypeParser(resolver, unit)
    methods: list[Def] = []
    for statement in tree.body:
        if isinstance(statement, Def):
            methods.append(statement)
        elif isinstance(statement, Assign) and isinstance(statement.lhs, Var):
            if statement.type is not None:
                name = statement.lhs.name.name
                definition.attributes[name] = types.parse(statement.type)
        else:
            raise FrontendError("the body of a class holds methods and attributes", statement.range)
    _define_class(definition, unit, methods, list(tree.properties or ()), resolver, {})
    return definition


def _new_class(unit: CompilationUnit, qualified_name: str) -> ClassDefinition:
    definition = ClassDefinition(ClassType(qualified_name))
    unit.classes[qualified_name] = definition
    return definition


def _define_class(
    definition: ClassDefinition,
    unit: CompilationUnit,
    methods: Sequence[Def],
    properties: Sequence[Property],
    resolver: Resolver,
    defaults: dict[str, dict[str, Any]],
) -> None:
    for method in methods:
        name = method.name.name
        declare_method(definition, unit, name, method, resolver, defaults.get(name, {}))
    for prop in properties:
        getter = _declare(definition, unit, prop.getter, resolver)
        setter = None if prop.setter is None else _declare(definition, unit, prop.setter, resolver)
        definition.properties[prop.name.name] = (getter, setter)
    init = definition.methods.get("__init__")
    if init is not None:
        definition.is_being_initialized = True
        init.ensure_defined()
        definition.is_being_initialized = False
    for function in definition.methods.values():
        if not function.is_running:
            function.ensure_defined()


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
    from torchscript_dialect.frontend.compile import define_from_tree

    if not len(tree.decl.params):
        raise FrontendError("methods must have a self argument", tree.range)

    def define(function: Function) -> None:
        define_from_tree(function, tree, resolver, defaults, definition.type, **options)

    qualified = f"{definition.type.qualified_name.data}.{name}"
    function = unit.declare(name, define, qualified, qualified)
    definition.methods[name] = function
    return function
