"""Names of live Python functions, and Python objects as sugared values (PyTorch: python/python_sugared_value.cpp).

A function sees its closure, its globals and Python's builtins. PyTorch is only looked at where the program has imported it.
"""

from __future__ import annotations

import builtins
import enum
import inspect
import types
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, cast

from xdsl.ir import SSAValue

from torchscript_dialect.frontend.define.builtin_functions import builtin_functions
from torchscript_dialect.frontend.define.function import declared_schema, define_from_tree
from torchscript_dialect.frontend.define.script_class import define_class, new_class
from torchscript_dialect.frontend.python import class_types as python_types
from torchscript_dialect.frontend.python import overloads
from torchscript_dialect.frontend.python.adoption import adopt_function
from torchscript_dialect.frontend.python.calls import (
    PythonFunctionValue,
    UnusedFunctionValue,
    is_apply,
    is_ignored,
    is_unused,
)
from torchscript_dialect.frontend.python.constants import to_constant
from torchscript_dialect.frontend.python.functions import default_arguments, python_names
from torchscript_dialect.frontend.python.host import host_value
from torchscript_dialect.frontend.python.operators import (
    find_builtin,
    legacy_dtype,
    operator_namespace,
    special_form,
)
from torchscript_dialect.frontend.python.qualified_names import name_of, qualified_python_name
from torchscript_dialect.frontend.source.dataclass_methods import (
    is_synthesized,
    parameter_annotations,
)
from torchscript_dialect.frontend.source.python_ast import (
    get_jit_class_def,
    get_jit_def,
    is_replaced,
)
from torchscript_dialect.frontend.source.tree_views import Def
from torchscript_dialect.frontend.sugared.arguments import Arguments
from torchscript_dialect.frontend.sugared.builtin_module import BuiltinModule
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.resolver import Resolver
from torchscript_dialect.frontend.sugared.sugared_builtins import (
    ClassValue,
    EnumClassValue,
    LegacyConstructorValue,
    NamedTupleConstructor,
    PythonExceptionValue,
    TorchCheckValue,
)
from torchscript_dialect.frontend.sugared.sugared_value import (
    BuiltinFunction,
    FunctionValue,
    SimpleValue,
    SpecialFormValue,
    SugaredTupleValue,
    SugaredValue,
)
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.ir.edit import NOT_CONSTANT, constant_value
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.utils.errors import FrontendError, compiling, suggestion
from torchscript_dialect.utils.source_range import SourceRange

SCRIPTED_MARK = "__torchscript_function__"
"""The attribute of a function that was scripted by itself: what was made of it, and the unit that holds that."""
OVERLOADS_MARK = "__torchscript_overloads__"
"""The attribute of a Python function that holds its typed definitions, in the order in which they are tried."""
DISPATCH_MARK = "__torchscript_dispatch__"
"""The attribute of a Python function that is one of two, as a constant argument says: which argument, and both functions."""

_MISSING = object()


_HOMES_OF_GENERICS = ("typing", "builtins", "torch", "torchscript_dialect")


class PythonResolver(Resolver):
    """Looks names up as Python would for a function or class; `local` names go first."""

    def __init__(self, names: dict[str, Any]) -> None:
        super().__init__(builtin_functions)
        self._names = names

    @staticmethod
    def for_function(fn: Any) -> PythonResolver:
        return PythonResolver(python_names(fn))

    def names(self) -> Iterable[str]:
        return self._names

    def lookup(self, name: str) -> Any:
        """The Python object of a name, maybe with dots; `_MISSING` where there is none."""
        head, *rest = name.split(".")
        found = self._names.get(head, _MISSING)
        if found is _MISSING:
            found = getattr(builtins, head, _MISSING)
        for part in rest:
            found = found if found is _MISSING else getattr(found, part, _MISSING)
        return found

    def resolve_value(self, name: str, m: Context, range: SourceRange) -> SugaredValue | None:
        found = self.lookup(name)
        return None if found is _MISSING or found is None else to_sugared_value(found, m, range)

    def resolve_type(
        self, name: str, unit: CompilationUnit, range: SourceRange
    ) -> TorchScriptType | None:
        found = self.lookup(name)
        unit.resolving = range
        if found is _MISSING:
            # PyTorch looks for the attribute in the None that it finds for a name that Python does not have here, such as `self`.
            head, _, rest = name.partition(".")
            return NONE if rest == "__class__" and self.lookup(head) is _MISSING else None
        return python_types.class_as_type(found, unit, self)

    def has_generic(self, name: str) -> bool:
        return super().has_generic(name) or self.lookup(name) is not _MISSING

    def generic_of(self, name: str) -> str:
        """The name in `typing` of what the Python name stands for: `from typing import List as Many`, and the code of `torch.fx`."""
        found = self.lookup(name)
        is_generic = str(getattr(found, "__module__", "")).partition(".")[0] in _HOMES_OF_GENERICS
        own = getattr(found, "_name", None) or getattr(found, "__name__", None)
        return own if is_generic and isinstance(own, str) else super().generic_of(name)

    def script_class(self, class_: type[Any], unit: CompilationUnit) -> ClassDefinition | None:
        return script_class(class_, unit)


def to_sugared_value(
    obj: Any, m: Context, range: SourceRange, is_constant: bool = False
) -> SugaredValue:
    """What a Python object means in a program; with `is_constant` numbers and the like are constants."""
    if is_constant and (constant := constant_as_value(obj, m, range)) is not None:
        return constant
    if (namespace := operator_namespace(obj)) is not None:
        return OperatorNamespaceValue(namespace, obj)
    if isinstance(obj, types.ModuleType):
        return PythonModuleValue(obj)
    if isinstance(obj, Function):
        return FunctionValue(obj)
    scripted = getattr(obj, SCRIPTED_MARK, None)
    if isinstance(scripted, tuple):
        return FunctionValue(
            adopt_function(m.unit, *cast("tuple[Function, CompilationUnit]", scripted))
        )
    if (form := special_form(obj)) is not None:
        return SpecialFormValue(form)
    if (dtype := legacy_dtype(obj)) is not None:
        return LegacyConstructorValue(dtype)
    if (asked := host_value(obj)) is not None:
        return asked
    if (name := find_builtin(obj)) is not None:
        return TorchCheckValue() if name == TorchCheckValue.NAME else BuiltinFunction(name)
    if isinstance(obj, type):
        return _class_as_value(cast(type[Any], obj), m, range)
    if isinstance(obj, enum.Enum):
        return _class_as_value(type(obj), m, range).attr(range, m, obj.name)
    original = getattr(obj, "__torchscript_original__", obj)
    if is_unused(original):
        return UnusedFunctionValue(original, PythonResolver.for_function(original))
    if original is not obj:  # a function that was scripted by itself
        return FunctionValue(declare_python_function(m.unit, original).ensure_begun())
    if getattr(obj, "__script_if_tracing_wrapper", False):
        obj = obj.__original_fn
    original = getattr(obj, "_torchdynamo_inline", None)
    if inspect.isfunction(original):
        obj = original
    dispatched = _boolean_dispatch(obj)
    if dispatched is not None:
        return dispatched
    if inspect.isfunction(obj) and is_ignored(obj):
        return PythonFunctionValue(obj, PythonResolver.for_function(obj))
    own_overloads = getattr(obj, OVERLOADS_MARK, None)
    if own_overloads is not None:
        return FunctionValue(*(_declare_library_overload(m.unit, fn) for fn in own_overloads))
    if inspect.isfunction(obj) and (overloads := _overloads(obj, m.unit)):
        return FunctionValue(*overloads)
    if python_types.is_module_class(cast(type[Any], type(obj))) and _is_compiled(obj):
        raise FrontendError(
            "Cannot call a ScriptModule that is not a submodule of the caller", range
        )
    if inspect.isfunction(obj):
        return FunctionValue(declare_python_function(m.unit, obj).ensure_begun())
    if inspect.isbuiltin(obj) and not is_apply(obj):
        raise FrontendError(
            f"Python builtin {obj} is currently not supported in Torchscript", range
        )
    return PythonValue(obj)


def _is_compiled(module: Any) -> bool:
    """Whether a module was compiled by itself; any other is to programs what any callable is."""
    return hasattr(module, "_concrete_type") or hasattr(module, "__torchscript_definition__")


def declare_python_function(unit: CompilationUnit, fn: Any, *, emit_only: bool = False) -> Function:
    """The function of the unit for a Python function, which is compiled when it is needed."""
    known = unit.python_objects.get(id(fn))
    if known is not None:
        return known[1]

    def define(function: Function) -> None:
        definition = get_jit_def(fn, name_of(fn))
        resolver = PythonResolver.for_function(fn)
        defaults = default_arguments(fn, definition.range)
        define_from_tree(function, unit, definition, resolver, defaults, emit_only=emit_only)

    name = unit.free_function_name(qualified_python_name(fn))
    function = unit.declare(name_of(fn), define, name)
    unit.python_objects[id(fn)] = (fn, function)
    return function


def _declare_library_overload(unit: CompilationUnit, fn: Any) -> Function:
    """An overload of a function of the library, which declares all types: only the one that a program calls is compiled."""
    function = declare_python_function(unit, fn)
    function.declared_schema = _schema_of_library(fn)
    return function


@lru_cache(maxsize=64)
def _schema_of_library(fn: Any) -> FunctionSchema:
    definition = get_jit_def(fn, name_of(fn))
    defaults = default_arguments(fn, definition.range)
    return declared_schema(definition, PythonResolver.for_function(fn), defaults)


def declare_overload(
    unit: CompilationUnit, fn: Any, signature: Mapping[str, TorchScriptType] | Def
) -> Function:
    """One overload of a Python function: its body with the parameters of `signature`, or with parameters of these types."""

    def define(function: Function) -> None:
        definition = get_jit_def(fn, fn.__name__)
        types: Mapping[str, TorchScriptType] = {}
        if isinstance(signature, Def):
            definition = definition.with_decl(signature.decl)
        else:
            types = signature
        resolver = PythonResolver.for_function(fn)
        defaults = default_arguments(fn)
        define_from_tree(
            function,
            unit,
            definition,
            resolver,
            defaults,
            parameter_types=types,
            is_overload=True,
        )

    return unit.declare(fn.__name__, define, unit.free_function_name(qualified_python_name(fn)))


def script_class(class_: type[Any], unit: CompilationUnit) -> ClassDefinition:
    """The definition of a Python class in the unit; compiled at the first call for the class."""
    known = unit.python_objects.get(id(class_))
    if known is not None:
        return unit.class_of(known[1])
    name = unit.free_qualified_name(qualified_python_name(class_))
    definition = new_class(unit, name)
    definition.python_class = class_
    unit.python_objects[id(class_)] = (class_, definition.type)
    with compiling(name, unit.resolving):
        _define_class(class_, definition, unit)
    return definition


def _define_class(class_: type[Any], definition: ClassDefinition, unit: CompilationUnit) -> None:
    only = python_types.names_when_scripted(class_)
    tree = get_jit_class_def(class_, class_.__name__, only)
    names: dict[str, Any] = {class_.__name__: class_}
    defaults: dict[str, dict[str, Any]] = {}
    for key, member in vars(class_).items():
        if isinstance(member, staticmethod):
            static = declare_python_function(unit, member.__func__)
            definition.static_methods[key] = static
            continue
        if isinstance(member, property):
            member = member.fget
        elif only is not None and key not in only:
            continue
        if not hasattr(member, "__code__"):
            continue
        names = {**python_names(member), **names}
        if only is None or not is_replaced(member):
            defaults[key] = default_arguments(member)
    resolver = PythonResolver(names)
    methods = [statement for statement in tree.body if isinstance(statement, Def)]
    properties = list(tree.properties or ())
    types = _field_types(class_, unit, resolver)
    define_class(definition, unit, methods, properties, resolver, defaults, types)


def _field_types(
    class_: type[Any], unit: CompilationUnit, resolver: PythonResolver
) -> dict[str, TorchScriptType]:
    """The types of the parameters of an `__init__` without source, which a dataclass has."""
    if not is_synthesized(class_, "__init__"):
        return {}
    annotations = parameter_annotations(class_)
    return {
        name: python_types.annotation_as_type(annotation, unit, resolver, class_)
        for name, annotation in annotations.items()
    }


def _overloads(fn: Any, unit: CompilationUnit) -> list[Function]:
    """The overloads that are declared for a function: Note [Declared overloads]."""
    known = unit.overloads.get(id(fn))
    if known is not None:
        return known
    resolver = PythonResolver.for_function(fn)
    signatures: list[Mapping[str, TorchScriptType] | Def] = [
        overloads.parameter_types(compiled, unit, resolver) for compiled in overloads.compiled(fn)
    ]
    for each in overloads.waiting(fn):
        tree = get_jit_def(each, each.__name__)
        overloads.check(each, fn, tree)
        signatures.append(tree)
    unit.overloads[id(fn)] = [declare_overload(unit, fn, each) for each in signatures]
    return unit.overloads[id(fn)]


def _class_as_value(class_: type[Any], m: Context, range: SourceRange) -> SugaredValue:
    if issubclass(class_, BaseException):
        return PythonExceptionValue(class_)
    if python_types.is_module_class(class_):
        return ForbiddenClassValue(
            class_, f"Class {class_.__name__} does not have an __init__ function defined"
        )
    if class_.__name__ == "Parameter" and "torch" in class_.__module__:
        return ForbiddenClassValue(
            class_, f"Cannot instantiate class '{class_.__name__}' in a script function"
        )
    m.unit.resolving = range
    type_ = python_types.class_as_type(class_, m.unit, m.type_resolver)
    if issubclass(class_, enum.Enum) and type_ is not None:
        definition = m.unit.enums[type_.annotation_str]
        return EnumClassValue(type_, definition)  # pyright: ignore[reportArgumentType]
    if python_types.is_named_tuple_class(class_) and type_ is not None:
        defaults = python_types.defaults_of_fields(class_)
        return NamedTupleConstructor(type_, defaults)  # pyright: ignore[reportArgumentType]
    if type_ is not None:
        found = m.unit.classes.get(type_.annotation_str)
        if isinstance(found, ClassDefinition):
            return PythonClassValue(found)
    return PythonValue(class_)


def constant_as_value(obj: Any, m: Context, range: SourceRange) -> SugaredValue | None:
    """The constant of a Python value, None if it cannot be one."""
    if isinstance(obj, tuple):
        parts = [to_sugared_value(part, m, range, True) for part in cast("tuple[Any, ...]", obj)]
        return SugaredTupleValue(parts)
    value, type_ = to_constant(obj)
    if type_ is None:
        return None
    return SimpleValue(m.graph.constant(value, range, type_))


class PythonClassValue(ClassValue):
    """A script class made from a Python class, whose other attributes programs see too."""

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        definition = self.definition
        if name not in definition.static_methods and name not in definition.constants:
            member = getattr(definition.python_class, name, None)
            if member is not None:
                return to_sugared_value(member, m, range)
        return super().attr(range, m, name)


class OperatorNamespaceValue(BuiltinModule):
    """`torch.ops` or a namespace of it, on which a library may have set functions of its own for operators that were not built."""

    def __init__(self, namespace: str, obj: Any) -> None:
        super().__init__(namespace, "ops")
        self.members: dict[str, Any] = vars(obj)

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        member = self.members.get(name)
        if inspect.isfunction(member) or operator_namespace(member) is not None:
            return to_sugared_value(member, m, range)
        return super().attr(range, m, name)


class PythonModuleValue(SugaredValue):
    """A Python module; numbers in it are constants."""

    def __init__(self, module: types.ModuleType) -> None:
        self.module = module

    def kind(self) -> str:
        return "python module"

    def as_value(self, range: SourceRange, m: Context) -> SSAValue:
        return PythonValue(self.module).as_value(range, m)

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        return PythonValue(self.module).call(range, m, args, kwargs, n_binders)

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        member = getattr(self.module, name, _MISSING)
        if member is _MISSING:
            raise FrontendError(
                f"module '{self.module.__name__}' has no attribute '{name}'"
                + suggestion(name, self._names()),
                range,
            )
        return to_sugared_value(member, m, range, True)

    def _names(self) -> list[str]:
        """The attributes there are; torch makes some only when they are asked for."""
        names = dir(self.module)
        if self.module.__name__.rpartition(".")[2] == "torch":
            names += [each.removeprefix("aten::") for each in registry.names()]
        return names


class PythonValue(SugaredValue):
    """A Python object that means nothing to TorchScript unless an attribute of it does."""

    def __init__(self, obj: Any) -> None:
        self.obj = obj

    def kind(self) -> str:
        return f"python value of type '{type(self.obj).__name__}'"

    def as_value(self, range: SourceRange, m: Context) -> SSAValue:
        raise FrontendError(
            f"{self.kind()} cannot be used as a value. Perhaps it is a closed over global variable?"
            " If so, please consider passing it in as an argument or use a local variable instead.",
            range,
        )

    def getitem(
        self,
        range: SourceRange,
        m: Context,
        index: SSAValue,
        type_hint: TorchScriptType | None = None,
    ) -> SugaredValue:
        return SimpleValue(self.as_value(range, m))

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        if not callable(self.obj) or self.obj is super:
            raise FrontendError(f"{self.kind()} cannot be called", range)
        if inspect.isclass(self.obj) and self.obj.__module__ != "builtins":
            raise FrontendError(
                f"Cannot instantiate class '{self.obj.__name__}' in a script function", range
            )
        callee = PythonFunctionValue(self.obj, m.type_resolver)
        return callee.call(range, m, args, kwargs, n_binders)


class ForbiddenClassValue(PythonValue):
    """A class of which a program cannot make objects."""

    def __init__(self, class_: type[Any], why_not: str) -> None:
        super().__init__(class_)
        self.why_not = why_not

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        if isinstance(inspect.getattr_static(self.obj, name, None), staticmethod):
            return to_sugared_value(getattr(self.obj, name), m, range)
        return super().attr(range, m, name)

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        raise FrontendError(self.why_not, range)


def _boolean_dispatch(obj: Any) -> SugaredValue | None:
    own = getattr(obj, DISPATCH_MARK, None)
    if isinstance(own, dict):
        return BooleanDispatchValue(cast("dict[str, Any]", own))
    torch = pytorch_state.loaded()
    if torch is None or not inspect.isfunction(obj):
        return None
    known = torch._jit_internal.boolean_dispatched.get(obj)
    return None if known is None else BooleanDispatchValue(known)


class BooleanDispatchValue(SugaredValue):
    """One of two functions, chosen by a constant argument (`torch._jit_internal.boolean_dispatch`)."""

    def __init__(self, known: dict[str, Any]) -> None:
        self.known = known

    def kind(self) -> str:
        return "boolean dispatch"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        index: int = self.known["index"]
        name: str = self.known["arg_name"]
        choice: Any = self.known["default"]
        given = next((kwarg for kwarg in kwargs if kwarg.name == name), None)
        if index < len(args):
            given = args[index]
        if given is not None:
            choice = constant_value(given.emit(m.graph), NOT_CONSTANT)
        if not isinstance(choice, bool):
            raise FrontendError(f"value for boolean dispatch '{name}' must be constant", range)
        fn = self.known["if_true" if choice else "if_false"]
        return to_sugared_value(fn, m, range).call(range, m, args, kwargs, n_binders)
