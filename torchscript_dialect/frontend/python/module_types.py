"""Module types from module objects (PyTorch: torch/jit/_recursive.py)."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from types import UnionType
from typing import Any, Final, NamedTuple, cast

from torchscript_dialect.frontend.python.adoption import adopt_module
from torchscript_dialect.frontend.python.attribute_types import infer_type
from torchscript_dialect.frontend.python.class_types import (
    class_as_type,
    is_module_class,
)
from torchscript_dialect.frontend.python.constants import may_be, valid_constant
from torchscript_dialect.frontend.python.functions import python_names
from torchscript_dialect.frontend.python.hooks import check_names
from torchscript_dialect.frontend.python.module_definition import ModuleDefinition, module_key
from torchscript_dialect.frontend.python.module_methods import (
    MethodDeclarer,
    declare_hook,
    static_members,
)
from torchscript_dialect.frontend.python.qualified_names import qualified_python_name
from torchscript_dialect.frontend.python.resolver import PythonResolver
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition
from torchscript_dialect.frontend.unit.interface import INTERFACE_MARK
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.named import ClassType, InterfaceType
from torchscript_dialect.types.subtyping import with_interfaces
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.annotations import annotations_of
from torchscript_dialect.utils.errors import FrontendError

OF_EVERY_MODULE = {
    "_parameters", "_buffers", "_modules", "_non_persistent_buffers_set", "_backward_pre_hooks",
    "_backward_hooks", "_is_full_backward_hook", "_forward_hooks", "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs",
    "_state_dict_hooks", "_state_dict_pre_hooks", "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
}  # fmt: skip
"""What every module has for its own purposes."""


def is_module(obj: Any) -> bool:
    return is_module_class(cast(type[Any], type(obj)))


def is_typed_attribute(value: Any) -> bool:
    """Whether a value is a `torch.jit.Attribute`: a value with its type."""
    return type(value).__name__ == "Attribute" and "jit" in type(value).__module__


def python_class(obj: Any) -> type[Any]:
    """The class that a module object is of; of what `torch.jit.script` has made of one, the class of the original."""
    scripted = getattr(obj, "_concrete_type", None)
    return cast(type[Any], type(obj) if scripted is None else scripted.py_class)


def _own_values(obj: Any) -> dict[str, Any]:
    """What was assigned to attributes of a module object."""
    scripted = getattr(obj, "_concrete_type", None)
    if scripted is None:
        return cast(dict[str, Any], vars(obj))
    return {name: getattr(obj, name) for name in scripted.get_attributes()} | {
        name: value for name, value in scripted.get_constants().items() if name != "training"
    }


def module_definition(obj: Any, unit: CompilationUnit) -> ModuleDefinition:
    """The type of a module object, shared with objects that look the same."""
    _, taken_over = unit.python_objects.get(id(obj), (None, obj))
    scripted = getattr(taken_over, "__torchscript_definition__", None)
    if scripted is not None:
        definition, source = scripted
        return adopt_module(unit, _with_submodules(definition, source), source)
    definition = ModuleDefinition(
        ClassType(""),
        is_module=True,
        python_class=python_class(obj),
        unit=unit,
        declarer=MethodDeclarer(),
    )
    if definition.container:
        definition.length = len(obj)
    class_ = definition.python_class
    declared = _Declared(annotations_of_class(class_), unit, _resolver(class_))
    _add_tensors(definition, obj, declared)
    _add_submodules(definition, obj, declared)
    _add_constants(definition, obj, declared)
    evaluate_properties(obj)
    _add_own_values(definition, obj, declared)
    return _shared(definition, unit, obj)


class _Declared(NamedTuple):
    """The annotations of a class, and what their names mean."""

    annotations: dict[str, Any]
    unit: CompilationUnit
    resolver: PythonResolver

    def type_of(self, name: str) -> TorchScriptType | None:
        """The type that an attribute is annotated with."""
        return _annotated(self.annotations.get(name), self.unit, self.resolver)


def _add_tensors(definition: ModuleDefinition, obj: Any, declared: _Declared) -> None:
    for table, kind in (("_parameters", definition.parameters), ("_buffers", definition.buffers)):
        for name, tensor in table_of(obj, table).items():
            type_ = TENSOR if tensor is not None else NONE
            definition.attributes[name] = declared.type_of(name) or type_
            kind.add(name)


def _add_submodules(definition: ModuleDefinition, obj: Any, declared: _Declared) -> None:
    for name, submodule in table_of(obj, "_modules").items():
        if submodule is None:
            definition.attributes[name] = NONE
            continue
        inner = module_definition(submodule, declared.unit)
        definition.submodules[name] = inner
        type_ = declared.type_of(name)
        if isinstance(type_, InterfaceType):
            _require_interface(inner, type_, declared.unit)
        definition.attributes[name] = type_ or inner.type


def _add_constants(definition: ModuleDefinition, obj: Any, declared: _Declared) -> None:
    for name in constant_names(obj, declared.annotations):
        if name not in definition.attributes and hasattr(obj, name):
            path = f"{type(obj).__name__}.{name}"
            definition.constants[name] = valid_constant(getattr(obj, name), path)


def constant_names(obj: Any, annotations: Mapping[str, Any]) -> set[str]:
    """The names of attributes that are constants of the type, whose class has these annotations."""
    return set(getattr(obj, "__constants__", ())) | {
        name
        for name, annotation in annotations.items()
        if not isinstance(annotation, str) and "Final" in str(annotation)
    }


def _add_own_values(definition: ModuleDefinition, obj: Any, declared: _Declared) -> None:
    for name, value in _own_values(obj).items():
        if name in OF_EVERY_MODULE or name in definition.attributes or name in definition.constants:
            continue
        if name == "forward" and inspect.ismethod(value):
            definition.forward = value.__func__
        elif hasattr(value, "__torchscript_definition__") and is_module(value):
            # A module of ours in one of PyTorch's.
            inner = module_definition(value, declared.unit)
            definition.submodules[name] = inner
            definition.attributes[name] = inner.type
        else:
            _add_value(definition, name, value, declared)


def _add_value(definition: ModuleDefinition, name: str, value: Any, declared: _Declared) -> None:
    unit = declared.unit
    is_function: bool = inspect.isroutine(cast(object, value))
    annotation = None if is_function else declared.annotations.get(name)
    if annotation is None and is_typed_attribute(value):
        value, annotation = value.value, value.type
    type_ = _annotated(annotation, unit, declared.resolver)
    if type_ is not None and not may_be(value, type_):
        raise FrontendError(
            f"Could not cast attribute '{name}' to type {type_.annotation_str}: its value is"
            f" {value!r}"
        )
    if isinstance(type_, InterfaceType):
        _require_implementation(name, value, type_, unit)
    type_ = type_ or infer_type(value, unit)
    if type_ is None:
        definition.python_values[name] = value
    else:
        definition.attributes[name] = type_


def evaluate_properties(obj: Any) -> None:
    """Ask a module for all its properties, as PyTorch does where it looks for overloads: some keep what they find in an attribute."""
    left_out: Sequence[str] = getattr(obj, "__jit_ignored_attributes__", ())
    for name, member in static_members(cast(type[Any], type(obj))):
        if isinstance(member, property) and name not in left_out:
            with suppress(Exception):  # whoever uses the property is told what is wrong with it
                getattr(obj, name)


def _with_submodules(definition: ClassDefinition, unit: CompilationUnit) -> ModuleDefinition:
    """The type of a module that was loaded, which has no Python class, as those that were compiled from one have it."""
    if isinstance(definition, ModuleDefinition):
        return definition
    inner = {
        name: unit.classes.get(type_.qualified_name.data)
        for name, type_ in definition.attributes.items()
        if isinstance(type_, ClassType)
    }
    submodules = {
        name: _with_submodules(each, unit)
        for name, each in inner.items()
        if each is not None and each.is_module
    }
    given = {each.name: getattr(definition, each.name) for each in fields(definition)}
    return ModuleDefinition(**given, unit=unit, declarer=MethodDeclarer(), submodules=submodules)


def submodule_definition(
    definition: ModuleDefinition, name: str, submodule: Any
) -> ModuleDefinition | None:
    """The type of the object that a module has as an attribute, None if it is no submodule.

    Modules of one type may have different ones where the attribute is declared an interface.
    """
    if not is_module(submodule) or name not in definition.submodules:
        return None
    if isinstance(definition.attributes[name], InterfaceType):
        return module_definition(submodule, definition.unit)
    return definition.submodules[name]


def prepared(obj: Any) -> Any:
    """What stands for a module in programs: what `__prepare_scriptable__` gives, of its submodules, too, where they have it.

    As in PyTorch the module then holds what its submodules gave.
    """
    return _prepared(obj, {})


def _prepared(obj: Any, seen: dict[int, Any]) -> Any:
    if not is_module(obj) or id(obj) in seen:
        return seen.get(id(obj), obj)
    made: Any = obj.__prepare_scriptable__() if hasattr(obj, "__prepare_scriptable__") else obj
    seen[id(obj)] = made
    submodules: dict[str, Any] = getattr(made, "_modules", {})
    for name, submodule in submodules.items():
        if (other := _prepared(submodule, seen)) is not submodule:
            submodules[name] = other
    return made


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


def _require_implementation(
    name: str, value: Any, interface: InterfaceType, unit: CompilationUnit
) -> None:
    """Raise where the object of an attribute has not the methods of the interface."""
    type_ = infer_type(value, unit)
    wanted = interface.annotation_str
    if not isinstance(type_, (ClassType, InterfaceType)):
        why = f"{value!r} is not a TorchScript compatible type"
    elif not unit.implements(type_, interface):
        why = f"Object of type {type_.annotation_str} is not compatible with interface {wanted}"
    else:
        return
    raise FrontendError(f"Could not cast attribute '{name}' to type {wanted}: {why}")


def table_of(obj: Any, name: str) -> Mapping[str, Any]:
    """What a module has of one kind, by name: `_parameters`, `_buffers`, `_modules`, or hooks."""
    return getattr(obj, name, {})


def annotations_of_class(class_: type[Any]) -> dict[str, Any]:
    """The annotations of the first class that has any; those of its bases are not looked at, as in PyTorch. Annotations of the
    stand-in's classes that are texts, where PyTorch's are types or none, declare constants only.
    """
    for base in class_.__mro__:
        if not is_module_class(base) or base.__name__ == "Module":
            continue
        if annotations := annotations_of(base):
            if not base.__module__.startswith("torchscript_dialect."):
                return annotations
            return {
                name: Final if isinstance(annotation, str) else annotation
                for name, annotation in annotations.items()
                if not isinstance(annotation, str) or "Final" in annotation
            }
    return {}


def _annotated(
    annotation: Any, unit: CompilationUnit, resolver: PythonResolver
) -> TorchScriptType | None:
    """The type that an attribute is annotated with; None where it is not.

    Raises:
        FrontendError: the annotation is no type of programs.
    """
    if annotation is None:
        return None
    type_ = _annotated_type(annotation, unit, resolver)
    if type_ is not None:
        return type_
    if typing.get_origin(annotation) in (typing.Union, UnionType):
        for part in typing.get_args(annotation):
            if _annotated_type(part, unit, resolver) is None:
                raise FrontendError(
                    f"Unsupported annotation {_shown(annotation)} could not be resolved because"
                    f" {_shown(part)} could not be resolved. At\n"
                )
    shown = annotation if isinstance(annotation, str) else _shown(annotation)
    raise FrontendError(f"Unknown type annotation: '{shown}' at ")


def _shown(annotation: Any) -> str:
    """An annotation under PyTorch's names."""
    return repr(annotation).replace("torchscript_dialect.torch.", "torch.")


def _annotated_type(
    annotation: Any, unit: CompilationUnit, resolver: PythonResolver
) -> TorchScriptType | None:
    """The type that an annotation names; modules are types to their attributes alone, unless they are interfaces."""
    if isinstance(annotation, str):
        return None
    for part in typing.get_args(annotation) or (annotation,):
        if isinstance(part, type) and is_module_class(part) and INTERFACE_MARK not in vars(part):
            return None
    return class_as_type(annotation, unit, resolver)


def _resolver(class_: type[Any]) -> PythonResolver:
    names: dict[str, Any] = dict(vars(sys.modules[class_.__module__]))
    for base in reversed(class_.__mro__):
        for member in vars(base).values():
            if inspect.isfunction(member) and base is class_ and member.__closure__:
                names.update(python_names(member))
    return PythonResolver(names)


def _shared(definition: ModuleDefinition, unit: CompilationUnit, obj: Any) -> ModuleDefinition:
    tables = [table_of(obj, name) for name in ("_forward_pre_hooks", "_forward_hooks")]
    definition.python_hooks = tuple(tuple(table.values()) for table in tables)
    check_names(definition)
    key = module_key(definition)
    known = unit.module_types.get(key)
    if isinstance(known, ModuleDefinition):
        return known
    name = unit.free_qualified_name(qualified_python_name(definition.python_class))
    definition.type = ClassType(name)
    unit.classes[name] = definition
    unit.module_types[key] = definition
    pre_hooks, hooks = definition.python_hooks
    declared = {hook: declare_hook(unit, definition, hook) for hook in (*pre_hooks, *hooks)}
    definition.pre_hooks = [declared[hook] for hook in pre_hooks]
    definition.hooks = [declared[hook] for hook in hooks]
    return definition
