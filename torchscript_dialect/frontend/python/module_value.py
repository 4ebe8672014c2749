"""Modules in programs: `self` in their methods, submodules, parameters, constants
(PyTorch: torch/csrc/jit/python/python_sugared_value.cpp).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from types import ModuleType
from typing import Any, cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.frontend.python.attribute_types import why_untyped
from torchscript_dialect.frontend.python.calls import (
    PythonFunctionValue,
    UnusedFunctionValue,
    is_ignored,
    is_unused,
)
from torchscript_dialect.frontend.python.module_definition import ModuleDefinition
from torchscript_dialect.frontend.python.resolver import (
    PythonResolver,
    constant_as_value,
    to_sugared_value,
)
from torchscript_dialect.frontend.sugared.arguments import Arguments, NamedValue
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.sugared_value import (
    FunctionValue,
    MethodValue,
    SimpleValue,
    SugaredTupleValue,
    SugaredValue,
)
from torchscript_dialect.frontend.unit.variables import name_of_attribute
from torchscript_dialect.ir.edit import NOT_CONSTANT, constant_value, set_name, type_of
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.subtyping import is_subtype
from torchscript_dialect.utils.errors import FrontendError, suggestion
from torchscript_dialect.utils.source_range import SourceRange


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

    def part(self, m: Context, name: str) -> SugaredValue:
        """An attribute; a module that is declared as an interface is known by that alone."""
        inner = self.definition.submodules.get(name)
        is_known = isinstance(self.definition.attributes[name], ClassType)
        value = self.get(m, name)
        return SimpleValue(value) if inner is None or not is_known else ModuleValue(value, inner)

    def as_value(self, range: SourceRange, m: Context) -> SSAValue:
        return self.value

    def get(self, m: Context, name: str) -> SSAValue:
        """`prim::GetAttr` of an attribute."""
        type_ = self.definition.attributes[name]
        value = m.graph.value(prim.GetAttrOp, (self.value,), type_, name=StringAttr(name))
        set_name(value, name_of_attribute(name))
        return value

    def has_attr(self, range: SourceRange, m: Context, name: str) -> bool:
        return self._find(range, m, name) is not None

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
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
        class_ = cast(type[Any], type(value))
        module = "" if class_.__module__ == "builtins" else f"{class_.__module__}."
        return (
            " (This attribute exists on the Python module, but we failed to convert Python type:"
            f" '{module}{class_.__name__}' to a TorchScript type."
            f" {why_untyped(value, self.definition.unit)}. Its type was inferred; try adding a type"
            " annotation for the attribute.)"
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

    def _python_value(self, range: SourceRange, m: Context, name: str) -> SugaredValue | None:
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

    def _find(self, range: SourceRange, m: Context, name: str) -> SugaredValue | None:
        definition = self.definition
        if name in definition.attributes:
            return self.part(m, name)
        if name in definition.constants:
            constant = definition.constants[name]
            found = constant_as_value(constant, m, range)
            if found is None and isinstance(constant, (list, tuple)):
                items = cast("Sequence[Any]", constant)
                parts = [to_sugared_value(item, m, range, True) for item in items]
                return SugaredTupleValue(parts)
            return found
        if name in _PARTS and (definition.container == "dict" or name not in _OF_DICTS):
            return _PartsMethod(self, name)
        prop = inspect.getattr_static(definition.python_class, name, None)
        methods = definition.find_property(name)
        if methods is not None:
            return MethodValue(self.value, methods[0].ensure_begun().name).call(range, m, [], [])
        if name in definition.python_values:
            return self._python_value(range, m, name)
        if is_unused(prop):
            return UnusedFunctionValue(prop, PythonResolver.for_function(prop))
        fn = getattr(definition.python_class, name, None)
        if inspect.isfunction(fn) and is_ignored(fn):
            is_static = isinstance(prop, staticmethod)
            resolver = PythonResolver.for_function(fn)
            return PythonFunctionValue(fn, resolver, None if is_static else self.value)
        if overloads := definition.find_overloads(name):
            return MethodValue(self.value, *(overload.name for overload in overloads))
        function = definition.find_method(name)
        if function is not None:
            if name not in definition.methods:
                return to_sugared_value(function.ensure_begun(), m, range)
            function.ensure_begun()
            return MethodValue(self.value, name)
        return None

    def set_attr(self, range: SourceRange, m: Context, name: str, value: SSAValue) -> None:
        if name in self.definition.constants:
            raise FrontendError(
                f"Tried to set nonexistent attribute: {name}. Did you forget to initialize it in"
                " __init__()? It is a constant",
                range,
            )
        prop = inspect.getattr_static(self.definition.python_class, name, None)
        if isinstance(prop, property) and prop.fset is None:
            raise FrontendError(f"Tried to set read-only attribute: {name}", range)
        self.definition.find_property(name)
        SimpleValue(self.value).set_attr(range, m, name, value)

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
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

    def items(self, m: Context) -> list[SugaredValue]:
        """What a container holds, in order."""
        return [part for _, part in _items(self, m)]

    def as_tuple(
        self, range: SourceRange, m: Context, size: int | None = None
    ) -> Sequence[SugaredValue]:
        if not self.definition.container:
            raise FrontendError(
                "Only ModuleList, Sequential and ModuleDict can be used as tuple", range
            )
        if self.definition.container == "dict":
            return self.keys(m, range)
        return self.items(m)

    def keys(self, m: Context, range: SourceRange) -> list[SugaredValue]:
        names = self.definition.submodules or self.definition.parameters
        return [SimpleValue(m.graph.constant(name)) for name in names]

    def iter(self, range: SourceRange, m: Context) -> SugaredValue:
        if not self.definition.container:
            raise FrontendError(
                "Only constant Sequential, ModuleList, ModuleDict, or ParameterList can be used as an iterable",
                range,
            )
        return SugaredTupleValue(self.as_tuple(range, m))

    def length(self, range: SourceRange, m: Context) -> SSAValue:
        held = self.definition.submodules or self.definition.parameters
        return m.graph.constant(len(held), range)

    def getitem(
        self,
        range: SourceRange,
        m: Context,
        index: SSAValue,
        type_hint: TorchScriptType | None = None,
    ) -> SugaredValue:
        is_constant = constant_value(index, NOT_CONSTANT) is not NOT_CONSTANT
        if type_hint is not None and self.definition.container and not is_constant:
            return self._item_of_type(range, m, index, type_hint)
        if self.definition.container == "dict":
            key = constant_value(index, NOT_CONSTANT)
            if not isinstance(key, str):
                raise FrontendError(
                    "Unable to extract string literal index. ModuleDict indexing is only supported"
                    " with string literals. For example, 'i = \"a\"; self.layers[i](x)' will fail"
                    " because i is not a literal. Enumeration of ModuleDict is supported, e.g. 'for"
                    " k, v in self.items(): out = v(inp)'",
                    range,
                )
            for name, part in _items(self, m):
                if name == key:
                    return part
            raise FrontendError(f"Key Error, {key}", range)
        return SugaredTupleValue(self.items(m)).getitem(range, m, index, type_hint)

    def _item_of_type(
        self, range: SourceRange, m: Context, index: SSAValue, type_hint: TorchScriptType
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


class _PartsMethod(SugaredValue):
    """A method of a module that gives parts of it, by itself or with their names: `named_children`."""

    def __init__(self, module: ModuleValue, name: str) -> None:
        self.module = module
        self.name = name

    def kind(self) -> str:
        return "module dict method"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        if args or kwargs:
            raise FrontendError(f"{self.name} method does not accept any arguments", range)
        parts = list(_PARTS[self.name](self.module, m))
        if self.name == "keys":
            return SugaredTupleValue([SimpleValue(m.graph.constant(key)) for key, _ in parts])
        if self.name in ("values", "children", "modules"):
            return SugaredTupleValue([part for _, part in parts])
        pairs = [(SimpleValue(m.graph.constant(key)), part) for key, part in parts]
        return SugaredTupleValue([SugaredTupleValue(pair) for pair in pairs])


_Parts = Iterator[tuple[str, SugaredValue]]


def _children(module: ModuleValue, m: Context) -> _Parts:
    for name in module.definition.submodules:
        yield name, module.part(m, name)


def _modules(module: ModuleValue, m: Context, prefix: str = "") -> _Parts:
    """The module and those in it, the outer first; one that is in two places comes twice, unlike in Python."""
    yield prefix, module
    for name in module.definition.submodules:
        path = f"{prefix}.{name}" if prefix else name
        part = module.part(m, name)
        if isinstance(part, ModuleValue):
            yield from _modules(part, m, path)
        else:
            yield path, part


def _tensors(module: ModuleValue, m: Context, names: set[str]) -> _Parts:
    for name in module.definition.attributes:
        if name in names:
            yield name, SimpleValue(module.get(m, name))


def _items(module: ModuleValue, m: Context) -> _Parts:
    definition = module.definition
    if definition.submodules:
        return _children(module, m)
    return _tensors(module, m, definition.parameters)


def _buffers(module: ModuleValue, m: Context) -> _Parts:
    """The buffers of the module itself: those of submodules are left out, unlike in Python."""
    return _tensors(module, m, module.definition.buffers)


_PARTS: dict[str, Callable[[ModuleValue, Context], _Parts]] = {
    "items": _items,
    "keys": _items,
    "values": _items,
    "children": _children,
    "named_children": _children,
    "modules": _modules,
    "named_modules": _modules,
    "named_buffers": _buffers,
}
_OF_DICTS = ("items", "keys", "values")
