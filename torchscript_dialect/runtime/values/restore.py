"""Values of an archive's pickles as runtime values of the types that the program declares for them.

Lists, dictionaries and objects that stand in several places stay one.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol, cast

from xdsl.dialects.builtin import StringAttr

from torchscript_dialect.frontend.unit.definitions import ClassDefinition, EnumDefinition
from torchscript_dialect.runtime.values.named_tuples import named_tuple
from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.runtime.values.type_tests import has_type
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.pickle_machine import PickledEnum, PickledObject
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    OptionalType,
    TupleType,
    UnionType,
)
from torchscript_dialect.types.core import ANY, TorchScriptType
from torchscript_dialect.types.named import FOREIGN

MAX_DEPTH = 400
"""How deep values of an archive are nested, written or read."""


class Classes(Protocol):
    """What an archive says of the classes that its pickles name."""

    def find(self, qualified_name: str) -> Any:
        """The definition of a class or enum, None where there is none."""
        ...


MakeObject = Callable[[ClassDefinition], ScriptObject]
SetState = Callable[[ScriptObject, Any], None]
"""Runs `__setstate__` of an object, on a value as it was pickled."""


class Restorer:
    """Restores the values of one archive."""

    def __init__(self, classes: Classes, make: MakeObject, set_state: SetState) -> None:
        self._classes = classes
        self._make = make
        self._set_state = set_state
        self._known: dict[int, Any] = {}
        self._kept: list[Any] = []
        self._depth = 0

    def restore(self, value: Any, type_: TorchScriptType, path: str) -> Any:
        """A pickled value as a runtime value of a type; `path` says where it is.

        Raises:
            ArchiveError: it does not have the type.
        """
        known = self._known.get(id(value))
        if known is not None:
            return self._checked(known, type_, path)
        if self._depth >= MAX_DEPTH:
            raise ArchiveError(f"{path[:200]} is nested too deeply, or holds itself")
        self._depth += 1
        try:
            return self._restore(value, type_, path)
        finally:
            self._depth -= 1

    def _restore(self, value: Any, type_: TorchScriptType, path: str) -> Any:
        match value:
            case PickledObject():
                made = self._object(value, path)
            case PickledEnum():
                made = self._member(value, path)
            case list():
                made = self._list(cast("list[Any]", value), type_, path)
            case dict():
                made = self._dict(cast("dict[Any, Any]", value), type_, path)
            case tuple():
                return self._tuple(cast("tuple[Any, ...]", value), type_, path)
            case _:
                made = value
        return self._checked(made, type_, path)

    def _checked(self, value: Any, type_: TorchScriptType, path: str) -> Any:
        if not has_type(value, type_):
            raise ArchiveError(f"{path} is no {type_.annotation_str}", "data.pkl")
        return value

    def _keep(self, value: Any, made: Any) -> Any:
        self._known[id(value)] = made
        self._kept.append(value)
        return made

    def _list(self, items: list[Any], type_: TorchScriptType, path: str) -> list[Any]:
        declared = _chosen(type_, ListType)
        element = ANY if declared is None else declared.element
        made: list[Any] = self._keep(items, [])
        made += [self.restore(item, element, f"{path}[{n}]") for n, item in enumerate(items)]
        return made

    def _dict(self, items: dict[Any, Any], type_: TorchScriptType, path: str) -> dict[Any, Any]:
        declared = _chosen(type_, DictType)
        made: dict[Any, Any] = self._keep(items, {})
        for key, item in items.items():
            element = ANY if declared is None else declared.value
            made[key] = self.restore(item, element, f"{path}[{key!r}]")
        return made

    def _tuple(self, items: tuple[Any, ...], type_: TorchScriptType, path: str) -> Any:
        declared = _chosen(type_, TupleType)
        elements = [ANY] * len(items) if declared is None else list(declared.elements)
        if len(elements) != len(items):
            raise ArchiveError(f"{path} is no {type_.annotation_str}", "data.pkl")
        pairs = enumerate(zip(items, elements, strict=True))
        made = tuple(self.restore(item, element, f"{path}[{n}]") for n, (item, element) in pairs)
        if declared is not None and isinstance(declared.qualified_name, StringAttr):
            made = named_tuple(declared.qualified_name.data, declared.field_names)._make(made)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]
        return self._checked(made, type_, path)

    def _object(self, pickled: PickledObject, path: str) -> Any:
        if pickled.class_name.startswith(FOREIGN):
            return self._keep(
                pickled, packed_object(pickled, self.restore(pickled.state, ANY, path), path)
            )
        definition = self._classes.find(pickled.class_name)
        if not isinstance(definition, ClassDefinition):
            raise ArchiveError(f"the archive has no source of the class {pickled.class_name}")
        made: ScriptObject = self._keep(pickled, self._make(definition))
        if "__setstate__" in definition.methods:
            for name, value in pickled.attributes.items():
                type_ = definition.attributes.get(name, ANY)
                if value is not None:
                    restored = self.restore(value, type_, f"{path}.{name}")
                    made.__torchscript_fields__[name] = restored
            self._set_state(made, pickled.state)
            for name, type_ in definition.attributes.items():
                if name not in made.__torchscript_fields__:
                    made.__torchscript_fields__[name] = self._checked(None, type_, f"{path}.{name}")
            return made
        state: Any = pickled.state
        if type(state) is not dict:
            raise ArchiveError(f"{path} has no attributes", "data.pkl")
        for name, type_ in definition.attributes.items():
            if name not in state:
                raise ArchiveError(f"{path} has no attribute {name!r}", "data.pkl")
            made.__torchscript_fields__[name] = self.restore(state[name], type_, f"{path}.{name}")
        return made

    def _member(self, pickled: PickledEnum, path: str) -> EnumMember:
        definition = self._classes.find(pickled.class_name)
        if isinstance(definition, EnumDefinition):
            for name, value in definition.members.items():
                if type(value) is type(pickled.value) and value == pickled.value:
                    return self._keep(pickled, definition.member(name))
        raise ArchiveError(f"{path} is no member of {pickled.class_name}", "data.pkl")


def packed_object(pickled: PickledObject, state: Any, path: str) -> Any:
    """An object of a class of PyTorch's, from its restored state: the packed weights of a quantized layer.

    Raises:
        ArchiveError: it is of a class that is not known, or the state is not that of the class.
    """
    known = import_module("torchscript_dialect.ops.quantized.packed_params").CLASSES
    class_ = known.get(pickled.class_name)
    if class_ is None:
        raise ArchiveError(f"{path} is an object of {pickled.class_name}, which is not supported")
    try:
        return class_.from_state(state)
    except (RuntimeError, TypeError, ValueError, AttributeError, AssertionError) as error:
        raise ArchiveError(f"{path} has no state of {pickled.class_name}: {error}") from None


def _chosen(type_: TorchScriptType, kind: type[Any]) -> Any:
    """The type itself, what is optional in it, or the one member of a union, that is of a kind; None where there is none."""
    if isinstance(type_, kind):
        return type_
    if isinstance(type_, OptionalType):
        return _chosen(type_.element, kind)
    if isinstance(type_, UnionType):
        found = [member for member in type_.members if isinstance(member, kind)]
        return found[0] if len(found) == 1 else None
    return None
