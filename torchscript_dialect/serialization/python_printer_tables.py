"""What the Python printer remembers: names in use, constants that code cannot hold, types and functions that it names.

Follows torch/csrc/jit/serialization/python_print.cpp and, for literals, `IValue::repr` of aten/src/ATen/core/ivalue.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, StringAttr, UnitAttr, i1
from xdsl.ir import Attribute, SSAValue

from torchscript_dialect.dialects.attributes import (
    ComplexAttr,
    EnumMemberAttr,
    GeneratorAttr,
    PackedAttr,
    TensorAttr,
    to_attribute,
)
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    OptionalType,
    TupleType,
    UnaryType,
    UnionType,
)
from torchscript_dialect.types.core import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    STR,
    SimpleType,
    TorchScriptType,
)
from torchscript_dialect.types.function_schema import format_float, quote
from torchscript_dialect.types.named import (
    ClassType,
    EnumType,
    FunctionType,
    InterfaceType,
    NamedType,
)
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.utils.errors import TorchScriptError

TypeNamer = Callable[[TorchScriptType], "str | None"]
"""The name that code has for a class, enum, NamedTuple or function; None for the type's own spelling."""

_RESERVED = frozenset(
    # what the importer gives a meaning to
    "_ as aten attribute CONSTANTS fork getattr inf nan infj nanj ops __torch__ uninitialized"
    " unchecked_cast"
    # the keywords
    " and assert async await break class continue def del elif else except False finally for from"
    " global if import in is lambda None nonlocal not or pass raise return True try with while"
    " yield".split()
)
_DIGITS = frozenset("0123456789")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_CHARACTERS = _LETTERS | _DIGITS


def is_identifier(text: str) -> bool:
    """Whether the text is letters, digits and underscores of ASCII, and begins with no digit."""
    return bool(text) and text[0] in _LETTERS and _CHARACTERS.issuperset(text)


def as_identifier(text: str) -> str:
    """The text with an underscore for every byte that an identifier cannot have."""
    first = "_" if not text or text[0] in _DIGITS else ""
    if _CHARACTERS.issuperset(text):
        return first + text
    return first + "".join(
        c if c in _CHARACTERS else "_" * len(c.encode(errors="replace")) for c in text
    )


def base_name(value: SSAValue) -> str | None:
    """The name that the program gives a value: `x` for `%x.3`; None for a value without a name."""
    hint = value.name_hint
    if hint is None:
        return None
    base, dot, number = hint.rpartition(".")
    return base if dot and number and _DIGITS.issuperset(number) else hint


class Names:
    """Makes names that nothing else of the function has. Numbers go on from one function to the next."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._next: dict[str, int] = {}

    def begin_function(self) -> None:
        """Let names be used again."""
        self._used.clear()

    def unique(self, candidate: str) -> str:
        """The candidate, or the candidate and a number."""
        name = candidate
        while name in self._used or name in _RESERVED:
            number = self._next.get(name, 0)
            self._next[name] = number + 1
            name = f"{candidate}{number}"
        self._used.add(name)
        return name

    def unique_for(self, value: SSAValue) -> str:
        """A name for a value: its own if it has one, otherwise `_0`, `_1`, ..."""
        base = base_name(value)
        return self.unique("_" if base is None else as_identifier(base))


@dataclass
class Dependencies:
    """The classes, NamedTuples, interfaces, enums and functions that code names, in order of first appearance.

    `members` gives the types of a class's attributes: what they name follows the class.
    """

    members: Callable[[ClassType], Iterable[TorchScriptType]] = lambda _: ()
    types: list[TorchScriptType] = field(default_factory=list[TorchScriptType])
    _known: set[TorchScriptType] = field(default_factory=set[TorchScriptType])
    _scanned: set[TorchScriptType] = field(default_factory=set[TorchScriptType])

    def add(self, type_: TorchScriptType) -> None:
        """Add a named type unless it is there."""
        if type_ not in self._known:
            self._known.add(type_)
            self.types.append(type_)

    def add_named_in(self, type_: TorchScriptType) -> None:
        """Add the named types that a type is made of, outer ones first. Functions are added where they are called."""
        if isinstance(type_, (SimpleType, TensorType)) or type_ in self._scanned:
            return
        self._scanned.add(type_)
        if isinstance(type_, (ClassType, InterfaceType, EnumType)) or is_named_tuple(type_):
            self.add(type_)
        members = self.members(type_) if isinstance(type_, ClassType) else type_.contained
        for member in members:
            self.add_named_in(member)


def is_named_tuple(type_: TorchScriptType) -> bool:
    return isinstance(type_, TupleType) and isinstance(type_.qualified_name, StringAttr)


class Annotations:
    """Spells types as code does, named ones as `namer` says."""

    def __init__(self, namer: TypeNamer | None = None) -> None:
        self._namer = namer
        self._known: dict[TorchScriptType, str] = {}

    def of(self, type_: TorchScriptType) -> str:
        """The annotation: `Optional[__torch__.M]`."""
        if isinstance(type_, TensorType):
            return "Tensor"
        if isinstance(type_, SimpleType):
            return type_.annotation_str
        if (known := self._known.get(type_)) is None:
            known = self._known[type_] = self._spell(type_)
        return known

    def constructor(self, type_: TorchScriptType) -> str:
        """What stands before the elements of a tuple: the name of a NamedTuple, or nothing."""
        name = self.of(type_)
        return "" if name.startswith("Tuple[") else name

    def _spell(self, type_: TorchScriptType) -> str:
        has_fields = isinstance(type_, TupleType) and bool(type_.field_names)
        if self._namer is not None and (isinstance(type_, NamedType) or has_fields):
            name = self._namer(type_)
            if name is not None:
                return name
        if isinstance(type_, NamedType) or is_named_tuple(type_):
            return _own_name(type_)
        inside = ", ".join(self.of(contained) for contained in type_.contained)
        match type_:
            case UnaryType():
                return f"{type_.ANNOTATION}[{inside}]"
            case TupleType():
                return f"Tuple[{inside or '()'}]"
            case DictType():
                return f"Dict[{inside}]"
            case UnionType():
                return f"Union[{inside}]"
            case _:
                return type_.annotation_str


def _own_name(type_: TorchScriptType) -> str:
    if isinstance(type_, FunctionType):
        name = type_.qualified_name.data
        return name if "." in name else f"__torch__.{name}"
    return type_.annotation_str


def can_be_inferred(element: TorchScriptType) -> bool:
    """Whether the type of a container's elements follows from the elements that it has."""
    return not (
        isinstance(element, (UnionType, OptionalType, InterfaceType))
        or element.KIND in ("NumberType", "AnyType")
    )


@dataclass(frozen=True)
class ConstantEntry:
    """A constant that code names `CONSTANTS.cN`: a tensor, packed weights, or a value with text that is not ASCII."""

    value: Attribute
    type: TorchScriptType


class Constants:
    """Spells constants, and keeps those that code cannot hold in a table."""

    def __init__(self, annotations: Annotations) -> None:
        self.entries: list[ConstantEntry] = []
        self._tensors: dict[TensorAttr | PackedAttr, int] = {}
        self._annotations = annotations

    def literal(self, value: Attribute | None, type_: TorchScriptType) -> str:
        """The code of a constant of this type.

        Raises:
            TorchScriptError: no code stands for the attribute.
        """
        if isinstance(value, TensorAttr):
            value = value.now()
        if isinstance(value, (TensorAttr, PackedAttr)) or not _is_ascii(value):
            assert value is not None
            return f"CONSTANTS.c{self._entry(value, type_)}"
        if isinstance(type_, OptionalType):
            type_ = type_.element
        match value:
            case None | UnitAttr():
                return "None"
            case EnumMemberAttr():
                member = EnumType(value.qualified_name)
                return self._member(value.member.data, member)
            case GeneratorAttr():
                return value.text
            case StringAttr():
                text = quote(value.data)
                return f"torch.device({text})" if type_ == DEVICE else text
            case IntegerAttr():
                number = value.value.data
                if type_ == BOOL or value.type == i1:
                    return "True" if number else "False"
                return format_float(float(number)) if type_ == FLOAT else str(number)
            case FloatAttr():
                return format_float(value.value.data)
            case ComplexAttr():
                return _format_complex(value.real.value.data, value.imag.value.data)
            case ArrayAttr():
                return self._sequence(value.data, type_)
            case _:
                raise TorchScriptError(f"the constant {value} cannot be written as Python code")

    def default(self, value: Any, type_: TorchScriptType, list_size: int | None) -> str:
        """The code of an argument's default value, as schemas hold it."""
        inner = type_.element if isinstance(type_, OptionalType) else type_
        if isinstance(inner, ListType) and isinstance(value, (bool, int, float)):
            value = [value] * (list_size or 1)
        return self.literal(None if value is None else to_attribute(value), type_)

    def _entry(self, value: Attribute, type_: TorchScriptType) -> int:
        if (
            isinstance(value, (TensorAttr, PackedAttr))
            and (known := self._tensors.get(value)) is not None
        ):
            return known
        number = len(self.entries)
        self.entries.append(ConstantEntry(value, type_))
        if isinstance(value, (TensorAttr, PackedAttr)):
            self._tensors[value] = number
        return number

    def _member(self, name: str, type_: EnumType) -> str:
        return f"{self._annotations.of(type_)}.{as_identifier(name)}"

    def _sequence(self, items: Sequence[Attribute], type_: TorchScriptType) -> str:
        if isinstance(type_, TupleType):
            texts = [self.literal(item, t) for item, t in zip(items, type_.elements, strict=True)]
            return f"{self._annotations.constructor(type_)}({', '.join(texts)}{',' if len(texts) == 1 else ''})"
        if not isinstance(type_, ListType):
            type_ = ListType(_type_of(items[0]) if items else TENSOR)
        element = type_.element
        text = f"[{', '.join(self.literal(item, element) for item in items)}]"
        if items and can_be_inferred(element):
            return text
        return f"annotate({self._annotations.of(type_)}, {text})"


def _is_ascii(value: Attribute | None) -> bool:
    if isinstance(value, StringAttr):
        return value.data.isascii()
    if isinstance(value, ArrayAttr):
        return all(map(_is_ascii, cast("ArrayAttr[Attribute]", value).data))
    return True


def _type_of(value: Attribute) -> TorchScriptType:
    """The type of a value where the graph says only `Any`."""
    match value:
        case UnitAttr():
            return NONE
        case StringAttr():
            return STR
        case IntegerAttr():
            return BOOL if value.type == i1 else INT
        case FloatAttr():
            return FLOAT
        case ComplexAttr():
            return COMPLEX
        case ArrayAttr():
            items = value.data
            return ListType(_type_of(items[0]) if items else TENSOR)
        case _:
            return TENSOR


def _format_complex(real: float, imag: float) -> str:
    sign = "+" if imag >= 0 else "-"
    return f"{format_number(real)}{sign}{format_number(abs(imag))}j"


def format_number(value: int | float) -> str:
    """A number as a part of a complex one or an enum's value: any whole float ends with a dot, zero has no sign."""
    if isinstance(value, int):
        return str(value)
    if abs(value) < 2.0**63 and value.is_integer():
        return f"{int(value)}."
    return format_float(value)
