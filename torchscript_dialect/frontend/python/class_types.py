"""Python classes as types: NamedTuple, Enum, interfaces, script classes, aliases of generics."""

from __future__ import annotations

import enum
import types as python
import typing
from typing import Any, cast
from weakref import WeakKeyDictionary

from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.frontend.python.constants import is_any_tensor, to_default
from torchscript_dialect.frontend.python.qualified_names import qualified_python_name
from torchscript_dialect.frontend.source.python_ast import get_jit_class_def
from torchscript_dialect.frontend.source.tree_views import Expr
from torchscript_dialect.frontend.unit.annotations import TypeParser, parse_type_text
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import EnumDefinition
from torchscript_dialect.frontend.unit.interface import INTERFACE_MARK, declare_interface
from torchscript_dialect.frontend.unit.type_resolver import TypeResolver
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.generator import Generator
from torchscript_dialect.tensor.layout import layout, memory_format
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    TupleType,
    optional_of,
    union_of,
)
from torchscript_dialect.types.core import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    STR,
    TorchScriptType,
)
from torchscript_dialect.types.function_schema import field_default_text
from torchscript_dialect.types.named import ClassType, EnumType, InterfaceType
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.annotations import annotations_of
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import Source, SourceRange
from torchscript_dialect.utils.tasks import Future

scripted_classes: WeakKeyDictionary[type[Any], frozenset[str]] = WeakKeyDictionary()
"""The classes that were compiled by themselves, with the names in them then: their instances may be attributes of modules."""


def names_when_scripted(class_: type[Any]) -> frozenset[str] | None:
    """The names of methods of a class that was compiled by itself, here or by PyTorch: what it was given since is no part of it."""
    known = scripted_classes.get(class_)
    torch = pytorch_state.loaded()
    if known is None and torch is not None:
        compiled = torch.jit._state._get_script_class(class_)
        known = None if compiled is None else frozenset(compiled.method_names())
    return known


TENSOR_MARK = "__torchscript_tensor__"
"""The attribute of a class of the stand-in whose objects are tensors."""

_CLASSES: dict[Any, TorchScriptType] = {
    int: INT,
    float: FLOAT,
    complex: COMPLEX,
    bool: BOOL,
    str: STR,
    type(None): NONE,
    None: NONE,
    Any: ANY,
    Tensor: TENSOR,
    Device: DEVICE,
    Generator: GENERATOR,
    dtypes.dtype: INT,
    layout: INT,
    memory_format: INT,
}


def class_as_type(
    obj: Any, unit: CompilationUnit, resolver: TypeResolver
) -> TorchScriptType | None:
    """The type that a Python class is, compiled where it is a script class; None if it is none."""
    try:
        if obj in _CLASSES:
            return _CLASSES[obj]
    except TypeError:
        return None
    if not isinstance(obj, type):
        return _generic_as_type(obj, unit, resolver)
    if issubclass(cast(type[Any], obj), Tensor) or TENSOR_MARK in vars(cast(object, obj)):
        return TENSOR
    known = unit.python_objects.get(id(obj))
    if known is not None:
        return known[1]
    class_ = cast(type[Any], obj)
    torch = pytorch_state.loaded()
    if torch is not None and (found := _class_of_pytorch(class_, torch)) is not None:
        return found
    if class_ is Future or (torch is not None and class_ is torch.futures.Future):
        raise FrontendError(
            "Attempted to use Future without a contained type. Please add a contained type, e.g."
            " Future[int]"
        )
    if issubclass(class_, enum.Enum):
        return enum_type(class_, unit)
    if is_named_tuple_class(class_):
        return _named_tuple(class_, unit, resolver)
    if (interface := vars(class_).get(INTERFACE_MARK)) is not None:
        return _interface(class_, interface, unit, resolver)
    if class_.__module__ in ("builtins", "typing", "torch") or issubclass(class_, BaseException):
        return None
    if is_module_class(class_):
        return _module_type(class_, unit)
    definition = resolver.script_class(class_, unit)
    return None if definition is None else definition.type


def _class_of_pytorch(class_: type[Any], torch: Any) -> TorchScriptType | None:
    """The type that a class of PyTorch's is; None for others."""
    if type(class_).__name__ == "tensortype":  # torch.LongTensor
        return TENSOR
    if issubclass(class_, torch.Tensor):
        return TENSOR
    if class_ is torch.device:
        return DEVICE
    if class_ is torch.Generator:
        return GENERATOR
    return INT if class_ in (torch.dtype, torch.layout, torch.memory_format) else None


def _module_type(class_: type[Any], unit: CompilationUnit) -> ClassType | None:
    """The type of the first module of the class that was compiled, None while there is none."""
    found = unit.classes.get(qualified_python_name(class_))
    return None if found is None else found.type


def _generic_as_type(
    obj: Any, unit: CompilationUnit, resolver: TypeResolver
) -> TorchScriptType | None:
    """An alias such as `Pair = Tuple[int, int]`, or from Python 3.12 on `type Pair = tuple[int, int]`."""
    if type(obj).__name__ == "TypeAliasType":
        return class_as_type(obj.__value__, unit, resolver)
    origin, arguments = typing.get_origin(obj), typing.get_args(obj)
    if origin is None:
        return None
    if origin is tuple and arguments == ((),):
        arguments = ()
    if origin in (list, dict) and not arguments:
        name = origin.__name__.capitalize()
        example = {"List": "List[int]", "Dict": "Dict[int, int]"}[name]
        raise FrontendError(
            f"Attempted to use {name} without a contained type. Please add a contained type, e.g. {example}"
        )
    parts = [class_as_type(argument, unit, resolver) for argument in arguments]
    known = [part for part in parts if part is not None]
    if len(known) != len(parts):
        return None
    if origin is list:
        return ListType(known[0])
    if origin is dict:
        return DictType(known[0], known[1])
    if origin is tuple:
        return TupleType.get(known)
    if origin in (typing.Union, python.UnionType):
        if len(known) == 2 and NONE in known:
            return optional_of(known[0] if known[1] == NONE else known[1])
        return union_of(known)
    return None


def is_module_class(class_: type[Any]) -> bool:
    """Whether a class is a module class: PyTorch's or the stand-in's."""
    if getattr(class_, "__torchscript_module__", False):
        return True
    torch = pytorch_state.loaded()
    nn = getattr(torch, "nn", None)
    return nn is not None and issubclass(class_, nn.Module)


def is_named_tuple_class(class_: type[Any]) -> bool:
    return tuple in class_.__mro__ and hasattr(class_, "_fields")


def enum_type(class_: type[enum.Enum], unit: CompilationUnit) -> EnumType:
    """The type of an enum.

    Raises:
        FrontendError: its values are no numbers or strings, or of several types.
    """
    values = {member.name: member.value for member in class_}
    types = [_type_of_enum_value(value) for value in values.values()]
    if any(type_ != types[0] for type_ in types):
        found = ", ".join(type_.annotation_str for type_ in types)
        raise FrontendError(
            f"Could not unify type list: the values of the enum {class_.__name__} are of types"
            f" {found}, and TorchScript needs one"
        )
    value_type = types[0] if types else INT
    if value_type not in (INT, FLOAT, STR):
        raise FrontendError(
            f"Cannot create Enum with value type '{value_type.annotation_str}', only int, float and"
            " string are supported"
        )
    type_ = EnumType(qualified_python_name(class_))
    unit.enums[type_.annotation_str] = EnumDefinition(type_, values, value_type, class_)
    unit.python_objects[id(class_)] = (class_, type_)
    return type_


def _type_of_enum_value(value: Any) -> TorchScriptType:
    if is_any_tensor(value):
        return TENSOR
    return type_of_constant(value) if isinstance(value, (int, float, complex, str)) else ANY


def _named_tuple(class_: type[Any], unit: CompilationUnit, resolver: TypeResolver) -> TupleType:
    annotations = annotations_of(class_)
    if not annotations and class_.__base__ is not None:
        annotations = annotations_of(class_.__base__)
    elements: list[TorchScriptType] = []
    for name in class_._fields:
        annotation = annotations.get(name, TENSOR)
        elements.append(annotation_as_type(annotation, unit, resolver, class_))
    defaults = [field_default_text(default) for default in defaults_of_fields(class_)]
    name = qualified_python_name(class_)
    type_ = TupleType.get(elements, name, class_._fields, defaults)
    first, _ = unit.named_tuples.setdefault(name, (type_, []))
    if (first.elements, first.field_names) != (type_.elements, type_.field_names):
        raise FrontendError(f"Can't redefine NamedTuple: {name}")
    unit.python_objects[id(class_)] = (class_, type_)
    return type_


def defaults_of_fields(class_: type[Any]) -> list[Any]:
    """The default values of the last fields of a NamedTuple as graphs have them.

    Raises:
        FrontendError: one is a tensor.
    """
    given = [*getattr(class_, "_field_defaults", {}).values()]
    if any(map(is_any_tensor, given)):
        raise FrontendError(
            "Tensors are not supported as default NamedTuple fields. Their mutability could lead to"
            " potential memory aliasing problems"
        )
    return [
        default if isinstance(default, (list, dict)) else to_default(default) for default in given
    ]


def _interface(
    class_: type[Any], qualified_name: str, unit: CompilationUnit, resolver: TypeResolver
) -> InterfaceType:
    type_ = InterfaceType(qualified_name)
    unit.python_objects[id(class_)] = (class_, type_)
    tree = get_jit_class_def(class_, class_.__name__)
    declare_interface(unit, qualified_name, list(tree.body), resolver, is_module_class(class_))
    return type_


def annotation_as_type(
    annotation: Any, unit: CompilationUnit, resolver: TypeResolver, class_: type[Any]
) -> TorchScriptType:
    """The type of an annotation in the body of a class, which may be text.

    Raises:
        FrontendError: it is none.
    """
    if isinstance(annotation, TorchScriptType):
        return annotation
    text = getattr(annotation, "__forward_arg__", annotation)
    if isinstance(text, str):
        range = SourceRange(Source(text), 0, len(text))
        expr: Expr = parse_type_text(text, range)
        return TypeParser(resolver, unit).parse(expr)
    type_ = class_as_type(annotation, unit, resolver)
    if type_ is None:
        raise FrontendError(f"Unknown type annotation {annotation} in {class_.__name__}")
    return type_
