"""From source to compiled functions: the entry points of the frontend.

`compile_function` takes a live Python function, `compile_source` TorchScript text, `compile_module` a module object. What they
give is what PyTorch has before its cleanup passes (lowering of tuples, constant propagation, pooling), which belong to the
transforms.
"""

from __future__ import annotations

import inspect
from functools import partial
from typing import Any

from torchscript_dialect.frontend.define.builtin_functions import builtin_functions
from torchscript_dialect.frontend.define.function import define_from_tree
from torchscript_dialect.frontend.define.native_resolver import NativeResolver
from torchscript_dialect.frontend.define.text_classes import declare_text_class
from torchscript_dialect.frontend.python.calls import is_ignored
from torchscript_dialect.frontend.python.class_types import scripted_classes
from torchscript_dialect.frontend.python.hooks import check_signatures
from torchscript_dialect.frontend.python.library import LibraryResolver
from torchscript_dialect.frontend.python.module_definition import ModuleDefinition
from torchscript_dialect.frontend.python.module_methods import property_names, static_members
from torchscript_dialect.frontend.python.module_types import module_definition
from torchscript_dialect.frontend.python.overloads import overloaded_methods
from torchscript_dialect.frontend.python.resolver import (
    PythonResolver,
    declare_python_function,
    script_class,
)
from torchscript_dialect.frontend.source.parser import parse
from torchscript_dialect.frontend.source.tree_views import Def
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.errors import FrontendError, told


@without_collection()
def compile_function(
    fn: Any, unit: CompilationUnit | None = None, *, emit_only: bool = False
) -> tuple[CompilationUnit, Function]:
    """Compile a Python function and all that it calls.

    Raises:
        TorchScriptError: the function is no TorchScript program.
    """
    unit = CompilationUnit() if unit is None else unit
    function = declare_python_function(unit, fn, emit_only=emit_only)
    function.ensure_defined()
    return unit, function


@without_collection()
def compile_source(
    source: str,
    filename: str | None = "<string>",
    unit: CompilationUnit | None = None,
    *,
    names: dict[str, Any] | None = None,
    emit_only: bool = False,
    definitions_only: bool = False,
    of_operators: bool = False,
) -> CompilationUnit:
    """Compile all functions and classes of a TorchScript text, which may use each other.

    `names` are the Python objects that the text may use. With `definitions_only` it may hold nothing else but imports. A text
    `of_operators` says what an operator is made of, or its gradient.

    Raises:
        TorchScriptError: the text is no TorchScript program.
    """
    unit = CompilationUnit() if unit is None else unit
    outer = LibraryResolver(of_operators) if names is None else PythonResolver(names)
    resolver = NativeResolver(unit, builtin_functions, outer)
    if filename is not None:
        same = unit.texts.setdefault(filename, source) == source
        unit.texts[filename] = source if same else ""
    with told("source text is parsed"):
        definitions = parse(source, filename, definitions_only=definitions_only)
    for definition in definitions:
        if isinstance(definition, Def):
            if definition.name.name in unit.functions:
                name = definition.name
                raise FrontendError(f"method '{name.name}' already defined.", name.range)
            definer = partial(
                define_from_tree,
                unit=unit,
                definition=definition,
                resolver=resolver,
                emit_only=emit_only,
            )
            unit.declare(definition.name.name, definer)
        else:
            declare_text_class(unit, definition, resolver)
    return unit.compile_all()


@without_collection()
def compile_class(class_: type[Any], unit: CompilationUnit | None = None) -> CompilationUnit:
    """Compile a script class: all its methods.

    Raises:
        TorchScriptError: the class is none, or a method is no TorchScript program.
    """
    if len(class_.mro()) > 2:
        raise FrontendError(
            "TorchScript classes does not support inheritance yet. Please directly inherit from"
            f" 'object': {class_.__name__} does not"
        )
    unit = CompilationUnit() if unit is None else unit
    script_class(class_, unit)
    scripted_classes[class_] = frozenset(vars(class_))
    return unit


@without_collection()
def compile_module(
    obj: Any, unit: CompilationUnit | None = None
) -> tuple[CompilationUnit, ModuleDefinition]:
    """Compile a module object: `forward` and what is marked for export, and all that they call.

    Raises:
        TorchScriptError: a method is no TorchScript program.
    """
    unit = CompilationUnit() if unit is None else unit
    definition = module_definition(obj, unit)
    _compile_methods(definition, set())
    return unit, definition


def _compile_methods(definition: ModuleDefinition, seen: set[int]) -> None:
    """Compile the methods of a module type, those of its submodules first, unless it has been `seen`."""
    if id(definition) in seen:
        return
    seen.add(id(definition))
    for inner in definition.submodules.values():
        _compile_methods(inner, seen)
    for name in property_names(definition.python_class):
        for function in definition.find_property(name) or ():
            if function is not None:
                function.ensure_begun()
    overloaded = overloaded_methods(definition.python_class)
    for name in overloaded:
        for function in definition.find_overloads(name):
            function.ensure_defined()
    for name in exported_methods(definition):
        function = None if name in overloaded else definition.find_method(name)
        if function is not None:
            function.ensure_defined()
    check_signatures(definition)


def exported_methods(definition: ModuleDefinition) -> list[str]:
    """The methods of a module type that are compiled whether they are called or not."""
    class_ = definition.python_class
    names = [
        name
        for name, member in static_members(class_)
        if str(getattr(member, "_torchscript_modifier", "")).startswith("export")
    ]
    forward = definition.forward or getattr(class_, "forward", None)
    has_forward = inspect.isfunction(forward) and forward.__name__ != "_forward_unimplemented"
    if has_forward and not is_ignored(forward):
        names.append("forward")
    return names
