"""The methods of module types, declared when they are first needed (PyTorch: torch/jit/_recursive.py)."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, cast

from torchscript_dialect.frontend.define.function import define_from_tree
from torchscript_dialect.frontend.define.script_class import declare_method
from torchscript_dialect.frontend.python.calls import is_unused
from torchscript_dialect.frontend.python.functions import default_arguments
from torchscript_dialect.frontend.python.module_definition import ModuleDefinition, Property
from torchscript_dialect.frontend.python.module_value import ModuleValue
from torchscript_dialect.frontend.python.overloads import check_body, of_method
from torchscript_dialect.frontend.python.resolver import PythonResolver, declare_python_function
from torchscript_dialect.frontend.source.parser import parse
from torchscript_dialect.frontend.source.python_ast import get_jit_def
from torchscript_dialect.frontend.source.tree_views import Def
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.utils.errors import FrontendError


class MethodDeclarer:
    """Declares the methods that the Python class of a module has."""

    def method(self, definition: ModuleDefinition, name: str) -> Function | None:
        return _declare_method(definition.unit, definition, name)

    def property(self, definition: ModuleDefinition, name: str) -> Property | None:
        return _declare_property(definition.unit, definition, name)

    def overloads(self, definition: ModuleDefinition, name: str) -> list[Function]:
        return _declare_overloads(definition.unit, definition, name)


def _declare_method(
    unit: CompilationUnit, definition: ModuleDefinition, name: str
) -> Function | None:
    if definition.container and name in ("__len__", "__contains__"):
        return _declare_container_method(unit, definition, name)
    member = inspect.getattr_static(definition.python_class, name, None)
    fn = getattr(definition.python_class, name, None)
    if name == "forward" and definition.forward is not None:
        fn = definition.forward
    if isinstance(member, classmethod):
        fn = cast(Any, member).__func__  # its class is the module that it is called on
    if member is None or not inspect.isfunction(fn):
        return None
    if isinstance(member, staticmethod):
        return declare_python_function(unit, fn)
    tree = get_jit_def(fn, name, definition.python_class.__name__)
    resolver = PythonResolver.for_function(fn)
    return declare_method(
        definition,
        unit,
        name,
        tree,
        resolver,
        default_arguments(fn),
        self_value=ModuleValue.of(definition),
    )


def _declare_overloads(
    unit: CompilationUnit, definition: ModuleDefinition, name: str
) -> list[Function]:
    class_ = definition.python_class
    made: list[Function] = []
    for number, signature in enumerate(of_method(class_, name)):
        fn = getattr(class_, name)
        if signature is fn:
            raise FrontendError(
                f"Implementation for the method {name} of {class_.__name__} is missing: it has to"
                " follow the declarations of its overloads"
            )
        body = get_jit_def(fn, name, class_.__name__)
        declaration = get_jit_def(signature, name, class_.__name__)
        check_body(declaration)
        made.append(
            declare_method(
                definition,
                unit,
                f"{name}__{number}",
                body.with_decl(declaration.decl),
                PythonResolver.for_function(fn),
                default_arguments(signature),
                self_value=ModuleValue.of(definition),
            )
        )
    return made


def _declare_container_method(
    unit: CompilationUnit, definition: ModuleDefinition, name: str
) -> Function | None:
    """`len(container)` and `key in container`, which the type of a container of modules tells."""
    keys = list(definition.submodules)
    if name == "__len__":
        text = f"def __len__(self):\n   return {definition.length}\n"
    elif definition.container == "dict":
        text = (
            f"def __contains__(self, key: str):\n   return {f'key in {keys}' if keys else False}\n"
        )
    else:
        return None
    (tree,) = parse(text, "<string>")
    assert isinstance(tree, Def)
    return declare_method(definition, unit, name, tree, PythonResolver({}), {})


def static_members(class_: type[Any]) -> list[tuple[str, Any]]:
    """What a class and its bases define, by name in order, as `inspect.getmembers_static` tells in far more time."""
    found: dict[str, Any] = {}
    for base in reversed(class_.__mro__):
        found.update(vars(base))
    return sorted(found.items(), key=_first)


def _first(pair: tuple[str, Any]) -> str:
    return pair[0]


def property_names(class_: type[Any]) -> list[str]:
    """The properties of a module class that programs may use."""
    left_out: Sequence[str] = getattr(class_, "__jit_unused_properties__", ())
    return [
        name
        for name, member in static_members(class_)
        if isinstance(member, property)
        and getattr(class_, name) is member  # no `__name__`, which a class has of its own
        and name not in left_out
        and not is_unused(member.fget)
    ]


def _declare_property(
    unit: CompilationUnit, definition: ModuleDefinition, name: str
) -> Property | None:
    prop = inspect.getattr_static(definition.python_class, name, None)
    if not isinstance(prop, property) or name not in property_names(definition.python_class):
        return None

    def declare(fn: Any, method: str) -> Function:
        return declare_method(
            definition,
            unit,
            method,
            get_jit_def(fn, method, definition.python_class.__name__),
            PythonResolver.for_function(fn),
            default_arguments(fn),
            self_value=ModuleValue.of(definition),
        )

    getter = declare(prop.fget, f"__{name}_getter")
    setter = None if prop.fset is None else declare(prop.fset, f"__{name}_setter")
    definition.properties[name] = (getter, setter)
    return definition.properties[name]


def declare_hook(unit: CompilationUnit, definition: ModuleDefinition, hook: Any) -> Function:
    """The function of a hook, whose first parameter is the module."""

    def define(function: Function) -> None:
        define_from_tree(
            function,
            unit,
            get_jit_def(hook, hook.__name__, definition.python_class.__name__),
            PythonResolver.for_function(hook),
            default_arguments(hook),
            definition.type,
            self_value=ModuleValue.of(definition),
        )

    qualified = f"{definition.type.qualified_name.data}.{hook.__name__}"
    return unit.declare(hook.__name__, define, qualified)
