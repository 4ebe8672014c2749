"""The types of an archive without source: those that its bytecode names, and those that its values have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from torchscript_dialect.serialization.archive.bytecode import RECORD
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.pickle_machine import PickledObject
from torchscript_dialect.serialization.python_printer_tables import is_identifier
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.types.containers import ListType, TupleType
from torchscript_dialect.types.core import BOOL, COMPLEX, FLOAT, INT, TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.subtyping import (
    TypeEnv,
    evaluate_type_variables,
    match_type_variables,
)
from torchscript_dialect.types.text import TextError, parse_type

MAX_DEPTH = 60
"""How deep types and values are nested."""
_TUPLE = "[NamedTuple, ["
_ELEMENTS: dict[str, TorchScriptType] = {"0": INT, "1": FLOAT, "2": BOOL, "3": COMPLEX}
"""What a list of a tensor holds, by the constant of the instruction."""
_SIMPLE: dict[Any, str] = {
    type(None): "NoneType",
    bool: "bool",
    int: "int",
    float: "float",
    complex: "complex",
    str: "str",
    device: "Device",
    Tensor: "Tensor",
    TrackedTensor: "Tensor",
}


class BytecodeTypes:
    """Types by their texts; `named_tuples` are the fields of those that were met, by qualified name."""

    def __init__(self) -> None:
        self.named_tuples: dict[str, dict[str, str]] = {}
        self._parsed: dict[str, TorchScriptType] = {}

    def parsed(self, text: str) -> TorchScriptType:
        """The type that a text of an archive names.

        Raises:
            ArchiveError: it names none.
        """
        found = self._parsed.get(text)
        if found is None:
            try:
                found = self._parsed[text] = parse_type(
                    self._plain(text).replace("Tuple[()]", "Tuple[]")
                )
            except (TextError, ValueError, RecursionError):
                raise ArchiveError(f"{text[:60]!r} is no type", RECORD) from None
        return found

    def of_value(self, value: Any) -> TorchScriptType | None:
        """The type of a constant, None where it is not known."""
        found = _SIMPLE.get(cast(Any, type(value)))
        return None if found is None else self.parsed(found)

    def elements(self, type_: TorchScriptType | None) -> list[TorchScriptType]:
        """The types of the parts of a tuple, none where it is not known."""
        if isinstance(type_, ClassType):
            fields = self.named_tuples.get(type_.qualified_name.data, {})
            return [self.parsed(text) for text in fields.values()]
        return list(type_.elements) if isinstance(type_, TupleType) else []

    def element(self, type_: TorchScriptType | None, number: str) -> TorchScriptType | None:
        """The type of a part of a tuple, None where it is not known."""
        types = self.elements(type_)
        is_there = number.lstrip("-").isdecimal() and -len(types) <= int(number) < len(types)
        return types[int(number)] if is_there else None

    def of_list(self, dimensions: str, element: str) -> TorchScriptType:
        """The type of a tensor as a list, by two constants.

        Raises:
            ArchiveError: they are none of a list.
        """
        if element not in _ELEMENTS or dimensions not in map(str, range(10)):
            raise ArchiveError(f"a list of {dimensions} dimensions of {element[:20]}", RECORD)
        found = _ELEMENTS[element]
        for _ in range(int(dimensions)):
            found = ListType(found)
        return found

    def _plain(self, text: str, depth: int = 0) -> str:
        """A type without the fields that follow a NamedTuple."""
        start = text.find(_TUPLE)
        if start < 0:
            return text
        end = _closing(text, start)
        name = text[:start].replace("[", " ").replace(",", " ").split()[-1:]
        if not name or end is None or depth > MAX_DEPTH:
            raise ArchiveError(f"{text[:60]!r} is no type", RECORD)
        fields: dict[str, str] = {}
        for field in _parts(text[start + len(_TUPLE) : end - 1]):
            key, _, type_ = field.strip()[1:-1].partition(",")
            if not is_identifier(key):
                raise ArchiveError(f"{text[:60]!r} is no type", RECORD)
            fields[key] = self._plain(type_.strip(), depth + 1)
        self.named_tuples[name[0]] = fields
        return text[:start] + self._plain(text[end + 1 :], depth + 1)


def _closing(text: str, start: int) -> int | None:
    """Where the bracket closes that opens at a place."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "[") - (text[at] == "]")
        if not depth:
            return at
    return None


def _parts(text: str) -> Iterator[str]:
    """What stands between the commas that are in no bracket."""
    depth = start = 0
    for at, character in enumerate(text):
        depth += (character == "[") - (character == "]")
        if character == "," and not depth:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def result_types(
    schema: FunctionSchema, given: Sequence[TorchScriptType | None]
) -> list[TorchScriptType | None]:
    """The types of the results of a call, None for those that are not known."""
    env: TypeEnv = {}
    for formal, actual in zip(schema.arguments, given, strict=False):
        if actual is not None:
            match_type_variables(formal.type, actual, env)
    return [evaluate_type_variables(result.type, env) for result in schema.returns]


def tuple_of(types: Iterable[TorchScriptType | None]) -> TorchScriptType | None:
    """The type of a tuple, None where that of a part is not known."""
    parts = list(types)
    known = [part for part in parts if part is not None]
    return TupleType.get(known) if len(known) == len(parts) else None


def type_of_value(value: Any, tags: Mapping[int, str], depth: int = 0) -> str:
    """The type of a pickled value; `tags` are those that the pickle tells of containers, by id.

    Raises:
        ArchiveError: it is nothing that mobile archives hold.
    """
    if depth > MAX_DEPTH:
        raise ArchiveError("a value is nested too deeply", "data.pkl")
    if isinstance(value, PickledObject):
        return value.class_name
    if id(value) in tags:
        return tags[id(value)]
    if isinstance(value, tuple):
        items = [type_of_value(item, tags, depth + 1) for item in cast("tuple[Any, ...]", value)]
        return f"Tuple[{', '.join(items) or '()'}]"
    if isinstance(value, list):
        items = cast("list[Any]", value)
        element = type_of_value(items[0], tags, depth + 1) if items else "Tensor"
        return f"List[{element}]"
    if isinstance(value, dict):
        for key, item in cast("dict[Any, Any]", value).items():
            types = (type_of_value(one, tags, depth + 1) for one in (key, item))
            return f"Dict[{', '.join(types)}]"
        return "Dict[str, Tensor]"
    found = _SIMPLE.get(cast(Any, type(value)))
    if found is None:
        raise ArchiveError(f"a {type(value).__name__} has no type without source", "data.pkl")
    return found
