"""From source to compiled functions: the entry points of the frontend.

`compile_function` takes a live Python function, `compile_source` TorchScript text. What they give is what PyTorch has before
its cleanup passes (lowering of tuples, constant propagation, pooling), which belong to the transforms.
"""

from __future__ import annotations

import gc
import inspect
import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

from torchscript_dialect.frontend.builtin_functions import builtin_functions
from torchscript_dialect.frontend.canonicalize_modified_loops import canonicalize_modified_loops
from torchscript_dialect.frontend.compilation_unit import CompilationUnit, Function
from torchscript_dialect.frontend.convert_to_ssa import convert_to_ssa
from torchscript_dialect.frontend.exit_transforms import transform_exits
from torchscript_dialect.frontend.graph_edit import set_function_type
from torchscript_dialect.frontend.ir_emitter.emitter import Emitter
from torchscript_dialect.frontend.lift_closures import lift_closures
from torchscript_dialect.frontend.module_value import (
    ModuleDefinition,
    declare_module_method,
    module_definition,
)
from torchscript_dialect.frontend.normalize_ops import normalize_ops
from torchscript_dialect.frontend.python_ast import get_jit_def
from torchscript_dialect.frontend.python_resolver import PythonResolver
from torchscript_dialect.frontend.python_types import qualified_python_name, to_default
from torchscript_dialect.frontend.resolver import NativeResolver, Resolver
from torchscript_dialect.frontend.source.parser import parse
from torchscript_dialect.frontend.source.tree_views import Def
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.utils.errors import FrontendError, compiling
from torchscript_dialect.utils.source_range import SourceRange

_FRAMES = 200_000
"""Python frames that the emitter may nest: a few for each level of nesting in the source."""


@contextmanager
def deep_recursion() -> Generator[None]:
    """While the body runs, Python lets the emitter descend into deeply nested programs."""
    limit = sys.getrecursionlimit()
    collects = gc.isenabled()
    sys.setrecursionlimit(max(limit, _FRAMES))
    gc.disable()  # All that is made stays; looking for garbage would take a third of the time.
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collects:
            gc.enable()


def define_from_tree(
    function: Function,
    definition: Def,
    resolver: Resolver,
    defaults: dict[str, Any] | None = None,
    self_type: TorchScriptType | None = None,
    *,
    emit_only: bool = False,
    **options: Any,
) -> None:
    """Compile one function of the unit. With `emit_only` it keeps its loads, stores and exits."""
    with compiling(function.name, definition.range), deep_recursion():
        emitter = Emitter(function, resolver, defaults, self_type, **options)
        emitter.emit_def(definition)
        block = emitter.graph.block
        if not emit_only:
            convert_to_ssa(block)
            transform_exits(block)
            canonicalize_modified_loops(block)
            normalize_ops(block)
            lift_closures(block)
    set_function_type(emitter.graph.func_op)
    function.unit.add_op(emitter.graph.func_op)


def default_arguments(fn: Any, range: SourceRange | None = None) -> dict[str, Any]:
    """The default values of a Python function's parameters, as graphs have them.

    Raises:
        FrontendError: a default that the function could change; `range` is the place to show.
    """
    parameters = inspect.signature(inspect.unwrap(fn)).parameters
    empty = inspect.Parameter.empty
    for name, parameter in parameters.items():
        if isinstance(parameter.default, (list, dict, set)):
            raise FrontendError(
                "Mutable default parameters are not supported because Python binds them to the"
                " function and they persist across function calls.\n As a workaround, make the"
                " default None and instantiate the default parameter within the body of the"
                f" function. Found {type(parameter.default)} on parameter {name}",  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
                range,
            )
    return {
        name: to_default(parameter.default)
        for name, parameter in parameters.items()
        if parameter.default is not empty
    }


def declare_python_function(unit: CompilationUnit, fn: Any, *, emit_only: bool = False) -> Function:
    """The function of the unit for a Python function, which is compiled when it is needed."""
    known = unit.python_objects.get(id(fn))
    if known is not None:
        return known[1]

    def define(function: Function) -> None:
        definition = get_jit_def(fn, fn.__name__)
        resolver = PythonResolver.for_function(fn)
        defaults = default_arguments(fn, definition.range)
        define_from_tree(function, definition, resolver, defaults, emit_only=emit_only)

    name = unit.free_function_name(qualified_python_name(fn))
    function = unit.declare(fn.__name__, define, name)
    unit.python_objects[id(fn)] = (fn, function)
    return function


def declare_overload(unit: CompilationUnit, fn: Any, signature: FunctionSchema | Def) -> Function:
    """One overload of a Python function: its body with the parameters of `signature`."""

    def define(function: Function) -> None:
        definition = get_jit_def(fn, fn.__name__)
        types: dict[str, TorchScriptType] = {}
        if isinstance(signature, Def):
            definition = definition.with_decl(signature.decl)
        else:
            types = {argument.name: argument.type for argument in signature.arguments}
        resolver = PythonResolver.for_function(fn)
        defaults = default_arguments(fn)
        define_from_tree(function, definition, resolver, defaults, parameter_types=types)

    return unit.declare(fn.__name__, define, unit.free_function_name(qualified_python_name(fn)))


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


def compile_source(
    source: str,
    filename: str | None = "<string>",
    unit: CompilationUnit | None = None,
    *,
    names: dict[str, Any] | None = None,
    emit_only: bool = False,
) -> CompilationUnit:
    """Compile all functions and classes of a TorchScript text, which may use each other.

    `names` are the Python objects that the text may use.

    Raises:
        TorchScriptError: the text is no TorchScript program.
    """
    from torchscript_dialect.frontend.script_class import declare_class

    unit = CompilationUnit() if unit is None else unit
    outer = None if names is None else PythonResolver(names)
    resolver = NativeResolver(unit, builtin_functions, outer)
    for definition in parse(source, filename):
        if isinstance(definition, Def):
            definer = partial(
                define_from_tree, definition=definition, resolver=resolver, emit_only=emit_only
            )
            unit.declare(definition.name.name, definer)
        else:
            declare_class(unit, definition, resolver)
    return unit.compile_all()


def compile_module(
    obj: Any, unit: CompilationUnit | None = None
) -> tuple[CompilationUnit, ModuleDefinition]:
    """Compile a module object: `forward` and what is marked for export, and all that they call.

    Raises:
        TorchScriptError: a method is no TorchScript program.
    """
    unit = CompilationUnit() if unit is None else unit
    definition = module_definition(obj, unit)
    for name in exported_methods(obj):
        function = declare_module_method(definition, name, unit)
        if function is not None:
            function.ensure_defined()
    return unit, definition


def exported_methods(obj: Any) -> list[str]:
    """The methods of a module that are compiled whether they are called or not."""
    names: list[str] = []
    class_ = cast(type[Any], type(obj))
    for name in dir(class_):
        member = inspect.getattr_static(class_, name, None)
        if str(getattr(member, "_torchscript_modifier", "")).startswith("export"):
            names.append(name)
    forward = getattr(class_, "forward", None)
    if inspect.isfunction(forward) and forward.__name__ != "_forward_unimplemented":
        names.append("forward")
    return names
