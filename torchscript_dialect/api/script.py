"""`ts.script` and `ts.CompilationUnit`: from source to what can be called."""

from __future__ import annotations

import inspect
from enum import Enum
from typing import Any, cast

from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.api.module import ScriptModule
from torchscript_dialect.frontend import compile as frontend
from torchscript_dialect.frontend.python.class_types import is_module_class, is_named_tuple_class
from torchscript_dialect.frontend.python.module_types import is_module
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit as FrontendUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.passes.named import pipelines
from torchscript_dialect.serialization.python_printer_tables import TypeNamer
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import FunctionType
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.errors import FrontendError, TorchScriptError


def script(obj: Any) -> Any:
    """Compile a Python function, or the methods of a module object, with all that it calls.

    What is compiled already is given back.

    Raises:
        TorchScriptError: the object is no TorchScript program. The message shows where in its source, and from where that was
            called.
    """
    if isinstance(obj, (ScriptFunction, ScriptModule)):
        return obj
    if is_module(obj):
        unit, definition = frontend.compile_module(obj)
        clean_up(unit)
        return ScriptModule(unit, definition, obj, namer(unit))
    if isinstance(obj, type):
        return _script_class(cast(type[Any], obj))
    if not callable(obj):
        raise FrontendError(
            f"{type(obj)} is a built-in class: functions, methods and modules can be scripted"
        )
    if not (inspect.isroutine(obj) and hasattr(inspect.unwrap(obj), "__code__")):
        raise FrontendError(f"{obj!r} has no Python source that could be compiled")
    unit, function = frontend.compile_function(obj)
    made = finish(unit, function)
    setattr(made, "__torchscript_original__", obj)  # noqa: B010  # so that other programs can call it
    return made


def _script_class(class_: type[Any]) -> type[Any]:
    """Compile a class; the Python class itself is given back, programs know it now."""
    if is_module_class(class_):
        raise TorchScriptError(
            f"Type '{class_}' cannot be compiled since it inherits from nn.Module, consider passing"
            " an instance instead"
        )
    if not issubclass(class_, Enum) and not is_named_tuple_class(class_):
        clean_up(frontend.compile_class(class_))
    return class_


def finish(unit: FrontendUnit, function: Function) -> ScriptFunction:
    """Clean up what the frontend made, and wrap it."""
    clean_up(unit)
    return ScriptFunction(
        function.op, function.schema, function.qualified_name, namer(unit), (function, unit)
    )


def clean_up(unit: FrontendUnit) -> None:
    """Run the passes that follow the frontend on all functions of a unit that have not been through them."""
    with without_collection():
        for function in unit.functions.values():
            if function.func_op is not None and not function.is_clean:
                pipelines["after-frontend"].apply(function.func_op)
                function.is_clean = True


def namer(unit: FrontendUnit) -> TypeNamer:
    """What code calls the functions of a unit."""

    def name(type_: TorchScriptType) -> str | None:
        if not isinstance(type_, FunctionType):
            return None
        function = unit.functions.get(type_.qualified_name.data)
        return None if function is None else function.qualified_name

    return name
