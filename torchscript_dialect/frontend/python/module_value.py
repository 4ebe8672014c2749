"""Modules: `self` in their methods, submodules, parameters, constants (PyTorch: torch/csrc/jit/python/python_sugared_value.cpp
and torch/jit/_recursive.py).

A module's type is made from the object: what its attributes are. Objects of the same class with the same attributes share one.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.frontend.define.function import define_from_tree
from torchscript_dialect.frontend.define.script_class import declare_method
from torchscript_dialect.frontend.python.attribute_types import infer_type
from torchscript_dialect.frontend.python.calls import PythonFunctionValue, is_ignored
from torchscript_dialect.frontend.python.class_types import (
    class_as_type,
    is_module_class,
    may_be,
    qualified_python_name,
)
from torchscript_dialect.frontend.python.resolver import (
    PythonResolver,
    UnusedFunctionValue,
    constant_as_value,
    declare_python_function,
    default_arguments,
    is_unused,
    python_names,
    to_sugared_value,
)
from torchscript_dialect.frontend.source.parser import parse
from torchscript_dialect.frontend.source.python_ast import get_jit_def
from torchscript_dialect.frontend.source.tree_views import Def
from torchscript_dialect.frontend.sugared.schema_matching import NamedValue
from torchscript_dialect.frontend.sugared.sugared_value import (
    Arguments,
    FunctionValue,
    MethodValue,
    SimpleValue,
    SugaredTupleValue,
    SugaredValue,
)
from torchscript_dialect.frontend.unit.compilation_unit import (
    ClassDefinition,
    CompilationUnit,
    Function,
)
from torchscript_dialect.frontend.unit.variables import is_meaningful
from torchscript_dialect.ir.edit import NOT_CONSTANT, set_name, type_of
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.named import ClassType, InterfaceType
from torchscript_dialect.types.subtyping import is_subtype, with_interfaces
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.errors import FrontendError, suggestion
from torchscript_dialect.utils.source_range import SourceRange

if TYPE_CHECKING:
    from torchscript_dialect.frontend.ir_emitter.emitter import Emitter

_IGNORED = {
    "_parameters", "_buffers", "_modules", "_non_persistent_buffers_set", "_backward_pre_hooks",
    "_backward_hooks", "_is_full_backward_hook", "_forward_hooks", "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs",
    "_state_dict_hooks", "_state_dict_pre_hooks", "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
}  # fmt: skip
"""What every module has for its own purposes."""


@dataclass
class ModuleDefinition(ClassDefinition):
    """A module type: beside attributes, its Python class, submodules, and what is no value of the language."""

    submodules: dict[str, ModuleDefinition] = field(default_factory=dict[str, "ModuleDefinition"])
    python_values: dict[str, Any] = field(default_factory=dict[str, Any])
    resolver: PythonResolver | None = None
    python_hooks: tuple[Any, ...] = ()
    pre_hooks: list[Function] = field(default_factory=list[Function])
    hooks: list[Function] = field(default_factory=list[Function])
    """What is called before and after `forward` where the module is called."""

    def find_method(self, name: str, unit: CompilationUnit) -> Function | None:
        return declare_module_method(self, name, unit)

    @property
    def container(self) -> str:
        """`list`, `dict`, or empty for a module that is no container."""
        names = {class_.__name__ for class_ in self.python_class.__mro__}
        if names & {"ModuleList", "Sequential", "ParameterList"}:
            return "list"
        return "dict" if names & {"ModuleDict", "ParameterDict"} else ""


def is_module(obj: Any) -> bool:
    return is_module_class(cast(type[Any], type(obj)))


def module_definition(obj: Any, unit: CompilationUnit) -> ModuleDefinition:
    """The type of a module object, shared with objects that look the same."""
    scripted = getattr(obj, "__torchscript_definition__", None)
    if scripted is not None:
        return unit.adopt_class(*scripted)
    definition = ModuleDefinition(
        ClassType(""), is_module=True, python_class=cast(type[Any], type(obj))
    )
    class_ = definition.python_class
    annotations = _annotations(class_)
    definition.resolver = _resolver(class_)
    for name, parameter in _table(obj, "_parameters").items():
        definition.attributes[name] = TENSOR if parameter is not None else NONE
        definition.parameters.add(name)
    for name, buffer in _table(obj, "_buffers").items():
        definition.attributes[name] = TENSOR if buffer is not None else NONE
        definition.buffers.add(name)
    for name, submodule in _table(obj, "_modules").items():
        if submodule is None:
            definition.attributes[name] = NONE
            continue
        inner = module_definition(submodule, unit)
        definition.submodules[name] = inner
        declared = _annotated(annotations.get(name), unit, definition.resolver)
        if isinstance(declared, InterfaceType):
            _require_interface(inner, declared, unit)
        definition.attributes[name] = declared or inner.type
    constants = set(getattr(obj, "__constants__", ()))
    constants |= {name for name, text in annotations.items() if "Final" in str(text)}
    for name in constants:
        if name not in definition.attributes and hasattr(obj, name):
            definition.constants[name] = getattr(obj, name)
    own = cast(dict[str, Any], vars(obj))
    for name, value in own.items():
        if name in _IGNORED or name in definition.attributes or name in definition.constants:
            continue
        type_ = _annotated(annotations.get(name), unit, definition.resolver)
        if type_ is not None and not may_be(value, type_):
            raise FrontendError(
                f"Could not cast attribute '{name}' to type {type_.annotation_str}: its value is"
                f" {value!r}"
            )
        type_ = type_ or infer_type(value, unit)
        if type_ is None:
            definition.python_values[name] = value
        else:
            definition.attributes[name] = type_
    return _shared(definition, unit, obj)


def _require_interface(
    definition: ModuleDefinition, interface: InterfaceType, unit: CompilationUnit
) -> None:
    """Compile the methods of a submodule that stands behind an interface.

    Raises:
        FrontendError: it does not have them.
    """
    with with_interfaces(unit.implements):
        if not unit.implements(definition.type, interface):
            raise FrontendError(
                f"The module {definition.python_class.__name__} does not have the methods of the"
                f" interface {interface.annotation_str}"
            )


def _table(obj: Any, name: str) -> Mapping[str, Any]:
    return getattr(obj, name, {})


def _annotations(class_: type[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for base in reversed(class_.__mro__):
        if is_module_class(base) and base.__name__ != "Module":
            found.update(vars(base).get("__annotations__", {}))
    return found


def _annotated(
    annotation: Any, unit: CompilationUnit, resolver: PythonResolver
) -> TorchScriptType | None:
    return None if annotation is None else class_as_type(annotation, unit, resolver)


def _resolver(class_: type[Any]) -> PythonResolver:
    names: dict[str, Any] = dict(vars(sys.modules[class_.__module__]))
    for base in reversed(class_.__mro__):
        for member in vars(base).values():
            if inspect.isfunction(member) and base is class_ and member.__closure__:
                names.update(python_names(member))
    return PythonResolver(names)


def module_key(definition: ModuleDefinition) -> Any:
    """Module types with the same key are one."""
    constants = tuple(sorted((name, repr(value)) for name, value in definition.constants.items()))
    values = tuple((name, id(value)) for name, value in definition.python_values.items())
    attributes = tuple(definition.attributes.items())
    return (definition.python_hooks, definition.python_class, attributes, constants, values)


def _shared(definition: ModuleDefinition, unit: CompilationUnit, obj: Any) -> ModuleDefinition:
    tables = [_table(obj, name) for name in ("_forward_pre_hooks", "_forward_hooks")]
    definition.python_hooks = tuple(tuple(table.values()) for table in tables)
    key = module_key(definition)
    known = unit.module_types.get(key)
    if isinstance(known, ModuleDefinition):
        return known
    name = unit.free_qualified_name(qualified_python_name(definition.python_class))
    definition.type = ClassType(name)
    unit.classes[name] = definition
    unit.module_types[key] = definition
    pre_hooks, hooks = definition.python_hooks
    definition.pre_hooks = [_declare_hook(hook, definition, unit) for hook in pre_hooks]
    definition.hooks = [_declare_hook(hook, definition, unit) for hook in hooks]
    return definition


def _declare_hook(hook: Any, definition: ModuleDefinition, unit: CompilationUnit) -> Function:
    """The function of a hook, whose first parameter is the module."""

    def define(function: Function) -> None:
        define_from_tree(
            function,
            get_jit_def(hook, hook.__name__, definition.python_class.__name__),
            PythonResolver.for_function(hook),
            default_arguments(hook),
            definition.type,
            self_value=ModuleValue.of(definition),
        )

    qualified = f"{definition.type.qualified_name.data}.{hook.__name__}"
    return unit.declare(hook.__name__, define, qualified)


def declare_module_method(
    definition: ModuleDefinition, name: str, unit: CompilationUnit
) -> Function | None:
    """A method of a module type, declared at its first use; None where the class has none of that name."""
    known = definition.methods.get(name)
    if known is not None:
        return known
    if definition.container and name in ("__len__", "__contains__"):
        return _declare_container_method(definition, name, unit)
    member = inspect.getattr_static(definition.python_class, name, None)
    fn = getattr(definition.python_class, name, None)
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


def _declare_container_method(
    definition: ModuleDefinition, name: str, unit: CompilationUnit
) -> Function | None:
    """`len(container)` and `key in container`, which the type of a container of modules tells."""
    keys = list(definition.submodules)
    if name == "__len__":
        text = f"def __len__(self):\n   return {len(keys)}\n"
    elif definition.container == "dict":
        text = (
            f"def __contains__(self, key: str):\n   return {f'key in {keys}' if keys else False}\n"
        )
    else:
        return None
    (tree,) = parse(text, "<string>")
    assert isinstance(tree, Def)
    return declare_method(definition, unit, name, tree, PythonResolver({}), {})


def property_names(class_: type[Any]) -> list[str]:
    """The properties of a module class that programs may use."""
    left_out: Sequence[str] = getattr(class_, "__jit_unused_properties__", ())
    return [
        name
        for name, member in inspect.getmembers_static(class_)
        if isinstance(member, property) and name not in left_out and not is_unused(member.fget)
    ]


def declare_property(
    definition: ModuleDefinition, name: str, unit: CompilationUnit
) -> tuple[Function, Function | None] | None:
    """Getter and setter of a property of a module type; None where it has no such property."""
    known = definition.properties.get(name)
    if known is not None:
        return known
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


class ModuleValue(SugaredValue):
    """A module in the program."""

    def __init__(self, value: SSAValue, definition: ModuleDefinition) -> None:
        self.value = value
        self.definition = definition

    @staticmethod
    def of(definition: ModuleDefinition) -> Callable[[SSAValue], ModuleValue]:
        """Makes the meaning of `self` from its value."""

        def make(value: SSAValue) -> ModuleValue:
            return ModuleValue(value, definition)

        return make

    def kind(self) -> str:
        return "module"

    def as_value(self, range: SourceRange, m: Emitter) -> SSAValue:
        return self.value

    def get(self, m: Emitter, name: str) -> SSAValue:
        """`prim::GetAttr` of an attribute."""
        type_ = self.definition.attributes[name]
        value = m.graph.value(prim.GetAttrOp, (self.value,), type_, name=StringAttr(name))
        if name.isdecimal():
            set_name(value, f"_{name}.1")
        elif is_meaningful(name) and name.isidentifier():
            set_name(value, name)
        return value

    def has_attr(self, range: SourceRange, m: Emitter, name: str) -> bool:
        return self._find(range, m, name) is not None

    def attr(self, range: SourceRange, m: Emitter, name: str) -> SugaredValue:
        found = self._find(range, m, name)
        if found is None:
            class_name = self.definition.python_class.__name__
            why = self._why_not(name) or suggestion(name, self._names())
            raise FrontendError(f"Module '{class_name}' has no attribute '{name}'{why}", range)
        return found

    def _why_not(self, name: str) -> str:
        """Why an attribute of the Python object is none here; nothing if it has none of that name."""
        if name not in self.definition.python_values:
            return ""
        value = self.definition.python_values[name]
        kind = type(value).__name__
        reason = f"A {kind} has no type in TorchScript"
        if isinstance(value, (list, dict)):
            reason = "It is empty" if not value else "What it holds has different types"
        return (
            " (This attribute exists on the Python module, but we failed to convert Python type:"
            f" '{kind}' to a TorchScript type. {reason}. Its type was inferred; try"
            " adding a type annotation for the attribute.)"
        )

    def _names(self) -> list[str]:
        """What can be asked for, for suggestions."""
        definition = self.definition
        methods = [
            name
            for name, member in inspect.getmembers_static(definition.python_class)
            if inspect.isfunction(member) or isinstance(member, property)
        ]
        return [*definition.attributes, *definition.constants, *definition.python_values, *methods]

    def _python_value(self, range: SourceRange, m: Emitter, name: str) -> SugaredValue | None:
        value = self.definition.python_values[name]
        if not callable(value) and not isinstance(value, (ModuleType, Enum)):
            return None
        try:
            return to_sugared_value(value, m, range)
        except FrontendError as error:
            if not inspect.isfunction(value):
                raise
            raise FrontendError(
                f"Module '{self.definition.python_class.__name__}' has no attribute '{name}' (This"
                " function exists as an attribute on the Python module, but we failed to compile it"
                f" to a TorchScript function. \nThe error stack is reproduced here:\n\n{error})",
                range,
            ) from None

    def _find(self, range: SourceRange, m: Emitter, name: str) -> SugaredValue | None:
        definition = self.definition
        is_known = isinstance(definition.attributes.get(name), ClassType)
        if name in definition.submodules and is_known:
            return ModuleValue(self.get(m, name), definition.submodules[name])
        if name in definition.attributes:
            return SimpleValue(self.get(m, name))
        if name in definition.constants:
            constant = definition.constants[name]
            found = constant_as_value(constant, m, range)
            if found is None and isinstance(constant, (list, tuple)):
                items = cast("Sequence[Any]", constant)
                parts = [to_sugared_value(item, m, range, True) for item in items]
                return SugaredTupleValue(parts)
            return found
        if definition.container == "dict" and name in ("items", "keys", "values"):
            return _ModuleDictMethod(self, name)
        prop = inspect.getattr_static(definition.python_class, name, None)
        methods = declare_property(definition, name, m.unit)
        if methods is not None:
            return MethodValue(self.value, methods[0].ensure_begun().name).call(range, m, [], [])
        if name in definition.python_values:
            return self._python_value(range, m, name)
        if is_unused(prop):
            return UnusedFunctionValue(prop)
        fn = getattr(definition.python_class, name, None)
        if inspect.isfunction(fn) and is_ignored(fn):
            is_static = isinstance(prop, staticmethod)
            resolver = PythonResolver.for_function(fn)
            return PythonFunctionValue(fn, resolver, None if is_static else self.value)
        function = declare_module_method(definition, name, m.unit)
        if function is not None:
            if name not in definition.methods:
                return to_sugared_value(function.ensure_begun(), m, range)
            function.ensure_begun()
            return MethodValue(self.value, name)
        return None

    def set_attr(self, range: SourceRange, m: Emitter, name: str, value: SSAValue) -> None:
        if name in self.definition.constants:
            raise FrontendError(f"Can't set constant '{name}'", range)
        prop = inspect.getattr_static(self.definition.python_class, name, None)
        if isinstance(prop, property) and prop.fset is None:
            raise FrontendError(f"Tried to set read-only attribute: {name}", range)
        declare_property(self.definition, name, m.unit)
        SimpleValue(self.value).set_attr(range, m, name, value)

    def call(
        self, range: SourceRange, m: Emitter, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        forward = self.attr(range, m, "forward")
        if not self.definition.hooks and not self.definition.pre_hooks:
            return forward.call(range, m, args, kwargs, n_binders)
        inputs = m.graph.tuple_of([arg.emit(m.graph) for arg in args])
        this = NamedValue(self.value, range)
        for hook in self.definition.pre_hooks:
            given = FunctionValue(hook).call(range, m, [this, NamedValue(inputs)], kwargs)
            changed = given.as_value(range, m)
            if type_of(changed) != NONE:
                is_tuple = isinstance(type_of(changed), TupleType)
                inputs = changed if is_tuple else m.graph.tuple_of([changed])
        if self.definition.pre_hooks and args:
            args = [NamedValue(part, range) for part in m.graph.unpack_tuple(inputs)]
        result = forward.call(range, m, args, kwargs, n_binders).as_value(range, m)
        for hook in self.definition.hooks:
            given = [this, NamedValue(inputs), NamedValue(result)]
            changed = FunctionValue(hook).call(range, m, given, kwargs).as_value(range, m)
            result = result if type_of(changed) == NONE else changed
        return SimpleValue(result)

    def children(self, m: Emitter) -> list[SugaredValue]:
        """All submodules, in order."""
        definition = self.definition
        if not definition.submodules and definition.parameters:
            return [
                SimpleValue(self.get(m, name))
                for name in definition.attributes
                if name in definition.parameters
            ]
        return [
            ModuleValue(self.get(m, name), inner) for name, inner in definition.submodules.items()
        ]

    def as_tuple(
        self, range: SourceRange, m: Emitter, size: int | None = None
    ) -> Sequence[SugaredValue]:
        if not self.definition.container:
            raise FrontendError(
                "Only ModuleList, Sequential and ModuleDict can be used as tuple", range
            )
        if self.definition.container == "dict":
            return self.keys(m, range)
        return self.children(m)

    def keys(self, m: Emitter, range: SourceRange) -> list[SugaredValue]:
        return [SimpleValue(m.graph.constant(name)) for name in self.definition.submodules]

    def iter(self, range: SourceRange, m: Emitter) -> SugaredValue:
        if not self.definition.container:
            raise FrontendError(
                "Only constant Sequential, ModuleList, ModuleDict, or ParameterList can be used as an iterable",
                range,
            )
        return SugaredTupleValue(self.as_tuple(range, m))

    def length(self, range: SourceRange, m: Emitter) -> SSAValue:
        return m.graph.constant(len(self.definition.submodules), range)

    def getitem(
        self,
        range: SourceRange,
        m: Emitter,
        index: SSAValue,
        type_hint: TorchScriptType | None = None,
    ) -> SugaredValue:
        is_constant = m.constant_of(index) is not NOT_CONSTANT
        if type_hint is not None and self.definition.container and not is_constant:
            return self._item_of_type(range, m, index, type_hint)
        if self.definition.container == "dict":
            key = m.constant_of(index)
            if not isinstance(key, str):
                raise FrontendError(
                    "Unable to extract string literal index. ModuleDict indexing is only supported"
                    " with string literals. For example, 'i = \"a\"; self.layers[i](x)' will fail"
                    " because i is not a literal. Enumeration of ModuleDict is supported, e.g. 'for"
                    " k, v in self.items(): out = v(inp)'",
                    range,
                )
            if key not in self.definition.submodules:
                raise FrontendError(f"Key Error, {key}", range)
            return ModuleValue(self.get(m, key), self.definition.submodules[key])
        return SugaredTupleValue(self.children(m)).getitem(range, m, index, type_hint)

    def _item_of_type(
        self, range: SourceRange, m: Emitter, index: SSAValue, type_hint: TorchScriptType
    ) -> SugaredValue:
        """An element that only running the program tells; all elements have the type of the hint."""
        for name, inner in self.definition.submodules.items():
            if not is_subtype(inner.type, type_hint):
                raise FrontendError(
                    f"Attribute {name} is not of annotated type {type_hint.annotation_str}", range
                )
        kind = "list" if self.definition.container == "list" else "dict"
        class_ = operator_class(f"prim::ModuleContainerIndex.{kind}")
        return SimpleValue(m.graph.value(class_, (self.value, index), type_hint))


class _ModuleDictMethod(SugaredValue):
    """`items`, `keys` and `values` of a dictionary of modules."""

    def __init__(self, module: ModuleValue, name: str) -> None:
        self.module = module
        self.name = name

    def kind(self) -> str:
        return "module dict method"

    def call(
        self, range: SourceRange, m: Emitter, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        if args or kwargs:
            raise FrontendError(f"{self.name} method does not accept any arguments", range)
        if self.name == "keys":
            return SugaredTupleValue(self.module.keys(m, range))
        if self.name == "values":
            return SugaredTupleValue(self.module.children(m))
        pairs = zip(self.module.keys(m, range), self.module.children(m), strict=True)
        return SugaredTupleValue([SugaredTupleValue(pair) for pair in pairs])
