"""The values of a module as the pickle of an archive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from torchscript_dialect.api.module_class import Program
from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.frontend.unit.definitions import ClassDefinition
from torchscript_dialect.runtime.values.objects import ScriptObject, find_method
from torchscript_dialect.runtime.values.restore import MAX_DEPTH
from torchscript_dialect.runtime.values.type_tests import has_type
from torchscript_dialect.serialization.archive.pickler import PickleWriter
from torchscript_dialect.serialization.python_printer_tables import Annotations
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    OptionalType,
    TupleType,
    UnionType,
)
from torchscript_dialect.types.core import ANY, FLOAT, TorchScriptType
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.errors import TorchScriptError


class DataWriter:
    """Writes runtime values to a pickle."""

    def __init__(self, program: Program, pickle: PickleWriter, annotations: Annotations) -> None:
        self.pickle = pickle
        self.types: list[TorchScriptType] = []
        """The classes and enums of the values, in the order in which they were met."""
        self._program = program
        self._annotations = annotations
        self._depth = 0
        self._kept: list[Any] = []

    def write(self, value: Any, type_: TorchScriptType, path: str = "") -> None:
        """Write a value of a declared type; `path` says where it is.

        Raises:
            TorchScriptError: archives cannot hold it.
        """
        if self._depth >= MAX_DEPTH:
            raise TorchScriptError(f"{path[:200]} is nested too deeply, or holds itself")
        self._depth += 1
        self._write(value, _actual(value, type_), path)
        self._depth -= 1

    def _write(self, value: Any, type_: TorchScriptType, path: str) -> None:
        pickle = self.pickle
        match value:
            case None:
                pickle.none()
            case bool():
                pickle.boolean(value)
            case int():
                pickle.real(float(value)) if type_ == FLOAT else pickle.integer(value)
            case float():
                pickle.real(value)
            case complex():
                pickle.complex(value)
            case str():
                pickle.text(value)
            case Tensor():
                pickle.tensor(value, value.requires_grad)
            case device():
                pickle.device(value)
            case EnumMember():
                self._member(value, path)
            case ScriptObject():
                self._object(value, path)
            case tuple():
                self._tuple(cast("tuple[Any, ...]", value), type_, path)
            case list():
                self._list(cast("list[Any]", value), type_, path)
            case dict():
                self._dict(cast("dict[Any, Any]", value), type_, path)
            case _ if hasattr(value, "STATE"):
                self._packed(value, path)
            case _:
                raise TorchScriptError(
                    f"{path or 'a constant'} is a {type(value).__name__}, which archives cannot hold"
                )

    def _member(self, value: EnumMember, path: str) -> None:
        definition = self._program.unit.enums[value.qualified_name]
        self._meet(definition.type)
        name = self._annotations.of(definition.type)
        self.pickle.member(name, lambda: self.write(value.value, definition.value_type, path))

    def _meet(self, type_: TorchScriptType) -> None:
        if type_ not in self.types:
            self.types.append(type_)

    def _tuple(self, items: Sequence[Any], type_: TorchScriptType, path: str) -> None:
        elements = type_.elements if isinstance(type_, TupleType) else [ANY] * len(items)
        pairs = [(n, *pair) for n, pair in enumerate(zip(items, elements, strict=True))]
        self.pickle.tuple_of(pairs, lambda one: self.write(one[1], one[2], f"{path}[{one[0]}]"))

    def _list(self, items: list[Any], type_: TorchScriptType, path: str) -> None:
        key = ("value", id(items))
        if self.pickle.get(key):
            return
        element = type_.element if isinstance(type_, ListType) else TENSOR
        annotation = self._annotations.of(ListType(element))
        self.pickle.list_of(
            items, lambda item: self.write(item, element, f"{path}[...]"), element, annotation
        )
        self.pickle.remember(key)

    def _dict(self, items: Mapping[Any, Any], type_: TorchScriptType, path: str) -> None:
        key = ("value", id(items))
        if self.pickle.get(key):
            return
        if not isinstance(type_, DictType):
            raise TorchScriptError(f"{path} is a dictionary of no declared type")
        key_type, value_type = type_.key, type_.value
        self.pickle.dict_of(
            items,
            lambda one: self.write(one, key_type, path),
            lambda one: self.write(one, value_type, f"{path}[...]"),
            self._annotations.of(type_),
        )
        self.pickle.remember(key)

    def _object(self, obj: ScriptObject, path: str) -> None:
        key = ("value", id(obj))
        if self.pickle.get(key):
            return
        type_ = ClassType(obj.__torchscript_qualified_name__)
        definition = self._program.unit.classes.get(type_.qualified_name.data)
        if definition is None:
            raise TorchScriptError(f"{path or 'the module'} is of a class of another program")
        self._meet(type_)
        self.pickle.begin_object(self._annotations.of(type_))
        if {"__getstate__", "__setstate__"} <= definition.methods.keys():
            self._state(obj, definition, path)
        else:
            self.pickle.begin_fields()
            for name, declared in ordered_attributes(definition).items():
                self.pickle.text(name)
                where = f"{path}.{name}" if path else name
                self.write(obj.__torchscript_fields__[name], declared, where)
            self.pickle.end_fields()
        self.pickle.end_object()
        self.pickle.remember(key)

    def _packed(self, obj: Any, path: str) -> None:
        """An object of `ops/quantized/packed_params.py`, as the state that PyTorch's class of the name has."""
        key = ("value", id(obj))
        if self.pickle.get(key):
            return
        self.pickle.begin_object(obj.__torchscript_qualified_name__)
        self._write_made(obj.state(), obj.STATE, path)
        self.pickle.end_object()
        self.pickle.remember(key)

    def _state(self, obj: ScriptObject, definition: ClassDefinition, path: str) -> None:
        schema = definition.methods["__getstate__"].schema
        method = find_method(obj, "__getstate__")
        assert method is not None
        self._write_made(method(obj), schema.returns[0].type, f"the state of {path}")

    def _write_made(self, value: Any, type_: TorchScriptType, path: str) -> None:
        """Write what was made for the archive. It is kept: what is written is remembered by its identity."""
        self._kept.append(value)
        self.write(value, type_, path)


def ordered_attributes(definition: ClassDefinition) -> dict[str, TorchScriptType]:
    """The attributes of a class as archives have them: submodules of scripted modules come last."""
    inner = getattr(definition, "submodules", {})
    found = definition.attributes.items()
    return dict(sorted(found, key=lambda item: item[0] in inner)) if inner else dict(found)


def _actual(value: Any, type_: TorchScriptType) -> TorchScriptType:
    """The type that a value has of those that a declared type allows."""
    if isinstance(type_, OptionalType):
        return type_ if value is None else _actual(value, type_.element)
    if isinstance(type_, UnionType):
        return next((m for m in type_.members if has_type(value, m)), type_)
    if type_ == ANY and isinstance(value, (list, tuple, dict)):
        try:
            return type_of_constant(value)
        except TypeError:
            return type_
    return type_
