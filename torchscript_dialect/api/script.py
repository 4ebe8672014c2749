"""`ts.script` and `ts.CompilationUnit`: from source to what can be called."""

from __future__ import annotations

import inspect
from enum import Enum
from functools import update_wrapper
from typing import Any, cast

from torchscript_dialect.api.clean_up import clean_up
from torchscript_dialect.api.concrete_types import ConcreteType, concrete_type_store, may_share
from torchscript_dialect.api.from_torch import from_torch, has_no_source, take_submodules
from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.api.module import ScriptModule, module_of
from torchscript_dialect.api.module_class import Program, namer
from torchscript_dialect.frontend import compile as frontend
from torchscript_dialect.frontend.python.attribute_types import infer_type
from torchscript_dialect.frontend.python.class_types import is_module_class, is_named_tuple_class
from torchscript_dialect.frontend.python.concrete_type import concrete_type
from torchscript_dialect.frontend.python.module_types import is_module, prepared
from torchscript_dialect.frontend.source.python_ast import give_source
from torchscript_dialect.frontend.unit.annotations import check_key
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit as FrontendUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.named import lists_of
from torchscript_dialect.runtime.values.arguments import to_runtime_value
from torchscript_dialect.runtime.values.objects import view_of
from torchscript_dialect.runtime.values.script_containers import ScriptDict, ScriptList
from torchscript_dialect.serialization.python_printer_tables import TypeNamer
from torchscript_dialect.types.containers import DictType, ListType
from torchscript_dialect.types.core import STR
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.annotations import annotations_of
from torchscript_dialect.utils.errors import FrontendError, TorchScriptError
from torchscript_dialect.utils.source_range import Source, SourceRange

_KEPT = ("__module__", "__qualname__", "__doc__")
"""What a compiled function has of the original, beside its annotations and `__wrapped__`, which gives `inspect.signature`."""


def script(obj: Any, pipeline: Any = None, source: str | None = None) -> Any:
    """Compile a Python function, or the methods of a module object, with all that it calls.

    What is compiled already is given back, and what PyTorch has loaded or traced is taken over (`ts.from_torch`). `pipeline` gives
    what is compiled passes of its own: what `ts.pipelines.extended` gives, or passes (all that a `PassPipeline` is made of) in the
    place of the pipeline `runtime-optimizations`. Passes that `ts.add_pass` adds later do not reach it. `source` is the text of a
    function or lambda that Python keeps no source of: its definition, or all that was given to `exec`.

    A list, dictionary or object of a class that can be compiled is copied into one that programs share with Python: it is not copied
    again when a program gets it.

    Raises:
        ValueError: something that is compiled already, or a class, is to have a pipeline.
        TorchScriptError: the object is no TorchScript program. The message shows where in its source, and from where that was
            called.
    """
    own_lists = lists_of(pipeline)
    if own_lists is not None and isinstance(obj, (ScriptFunction, ScriptModule, type)):
        raise ValueError("a pipeline is given to a function or module when it is compiled")
    if not isinstance(obj, type) and not is_module(obj) and hasattr(obj, "__prepare_scriptable__"):
        obj = obj.__prepare_scriptable__()
    if isinstance(obj, (ScriptFunction, ScriptModule)):
        return obj
    if has_no_source(obj):
        return from_torch(obj)
    if is_module(obj):
        return _module(prepared(obj), own_lists)
    if isinstance(obj, type):
        return _script_class(cast(type[Any], obj))
    if isinstance(obj, (list, dict)):
        return _container(cast("list[Any] | dict[Any, Any]", obj))
    if _is_object_of_program(obj):
        return _object(obj)
    if not callable(obj):
        raise FrontendError(
            f"{type(obj)} is a built-in class: functions, methods, modules, lists and dictionaries can be"
            " scripted"
        )
    if not (inspect.isroutine(obj) and hasattr(inspect.unwrap(obj), "__code__")):
        raise FrontendError(f"{obj!r} has no Python source that could be compiled")
    if source is not None:
        give_source(obj, source)
    unit, function = frontend.compile_function(obj)
    made = finish(unit, function, own_lists)
    setattr(made, "__torchscript_original__", obj)  # noqa: B010  # so that other programs can call it
    setattr(made, "__annotations__", annotations_of(obj))  # noqa: B010
    return update_wrapper(made, obj, _KEPT, ())


def _module(obj: Any, own_lists: PassLists | None) -> ScriptModule:
    """The compiled module of an object, with the type of those that look the same: Note [Concrete types]."""
    key = concrete_type(obj) if own_lists is None and may_share() else None
    known = None if key is None else concrete_type_store.find(key)
    if known is None:
        unit = FrontendUnit()
        take_submodules(obj, unit)
        unit, definition = frontend.compile_module(obj, unit)
        clean_up(unit, own_lists)
        known = ConcreteType(Program(unit, namer(unit), own_lists), definition)
        if key is not None:
            concrete_type_store.add(key, known)
    return module_of(known.program, known.definition, obj)


def _container(obj: list[Any] | dict[Any, Any]) -> ScriptList | ScriptDict:
    """A list or dictionary that programs and Python share, of the type that what it holds tells; tensors where it is empty."""
    empty = ListType(TENSOR) if isinstance(obj, list) else DictType(STR, TENSOR)
    type_ = infer_type(obj, FrontendUnit()) if obj else empty
    try:
        if isinstance(type_, ListType) and isinstance(obj, list):
            return ScriptList(obj, type_, to_runtime_value)
        if isinstance(type_, DictType) and isinstance(obj, dict):
            check_key(SourceRange(Source(repr(obj)), 0, 0), type_.key)
            return ScriptDict(obj, type_, to_runtime_value)
    except TypeError as error:
        raise TorchScriptError(f"{obj!r} cannot be shared with programs: {error}") from None
    raise TorchScriptError(f"Unable to infer type of {obj!r}: its elements have no common type")


def _is_object_of_program(obj: Any) -> bool:
    """Whether something is an object of a class that Python source declares, which is no function, method or module."""
    class_ = cast("type[Any]", type(obj))
    return not inspect.isroutine(obj) and inspect.isfunction(vars(class_).get("__init__"))


def _object(obj: Any) -> Any:
    """An object of programs in Python's hands, with copies of the attributes of one of Python's, whose class is compiled."""
    _script_class(cast("type[Any]", type(obj)))  # which says why it is no class of programs
    unit = FrontendUnit()
    program = Program(unit, namer(unit))
    type_ = infer_type(obj, unit)
    if type_ is None:
        raise TorchScriptError(f"the class of {obj!r} cannot be compiled")
    return view_of(to_runtime_value(obj, type_, program.exchange))


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


def finish(
    unit: FrontendUnit,
    function: Function,
    own_lists: PassLists | None = None,
    names: TypeNamer | None = None,
) -> ScriptFunction:
    """Clean up what the frontend made, and wrap it; `names` is what its code calls functions, if not what archives call them."""
    clean_up(unit, own_lists)
    return ScriptFunction(
        function.op,
        function.schema,
        function.qualified_name,
        names or namer(unit),
        (function, unit),
        own_lists,
    )
