"""Types made of other types: lists, optionals, tuples, dictionaries, unions, futures.

Follows PyTorch's aten/src/ATen/core/jit_type.h and aten/src/ATen/core/union_type.cpp.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from torchscript_dialect.types.core import (
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    TorchScriptType,
    check_qualified_name,
)
from torchscript_dialect.utils.errors import NestingError

_NUMBERS = (INT, FLOAT, COMPLEX)


DEEPEST = 100
"""Levels of types in types: xDSL and dataclasses compare, hash and print them by recursion, a few frames a level, and `hash` does it on
the stack of the machine.
"""


class NestedType(ParametrizedAttribute, TorchScriptType):
    """A type that is made of other types.

    Raises:
        NestingError: as many types are in each other as nobody writes.
    """

    def verify(self) -> None:
        depth = 1 + max([type_.depth for type_ in self.contained], default=0)
        if depth > DEEPEST:
            raise NestingError(f"types are nested more than {DEEPEST} deep")
        vars(self)["depth"] = depth

    @property
    def depth(self) -> int:
        return vars(self)["depth"]

    @abstractmethod
    def around(self, texts: Sequence[str]) -> str:
        """The spelling of graphs around those of the contained types."""

    @property
    def repr_str(self) -> str:
        return self.around([type_.repr_str for type_ in self.contained])

    @property
    def graph_str(self) -> str:
        return self.around([type_.graph_str for type_ in self.contained])

    @property
    def schema_str(self) -> str:
        return self.around([type_.schema_str for type_ in self.contained])


class UnaryType(NestedType):
    """A type around one other type."""

    ANNOTATION: ClassVar[str]
    """The generic's name in annotations: `List`."""

    @property
    def _element(self) -> TorchScriptType:
        (only,) = self.parameters
        assert isinstance(only, TorchScriptType)
        return only

    @property
    def contained(self) -> tuple[TorchScriptType, ...]:
        return (self._element,)

    def with_contained(self, contained: tuple[TorchScriptType, ...]) -> TorchScriptType:
        return type(self).new(contained)

    def around(self, texts: Sequence[str]) -> str:
        return f"{self.ANNOTATION}[{texts[0]}]"

    @property
    def annotation_str(self) -> str:
        return f"{self.ANNOTATION}[{self._element.annotation_str}]"


@irdl_attr_definition
class ListType(UnaryType):
    """A list whose elements have one type."""

    name = "prim.list"
    KIND = "ListType"
    ANNOTATION = "List"

    element: TorchScriptType = param_def()

    def around(self, texts: Sequence[str]) -> str:
        return f"{texts[0]}[]"


@irdl_attr_definition
class OptionalType(UnaryType):
    """`T` or None. Build with `optional_of`, which does not nest."""

    name = "prim.optional"
    KIND = "OptionalType"
    ANNOTATION = "Optional"

    element: TorchScriptType = param_def()

    def around(self, texts: Sequence[str]) -> str:
        return f"{texts[0]}?"


@irdl_attr_definition
class FutureType(UnaryType):
    """What `fork` gives: a value that is there once a task is done."""

    name = "prim.future"
    KIND = "FutureType"
    ANNOTATION = "Future"

    element: TorchScriptType = param_def()

    @property
    def schema_str(self) -> str:
        return f"Future({self.element.schema_str})"


@irdl_attr_definition
class AwaitType(UnaryType):
    """A value that is computed when it is asked for."""

    name = "prim.await"
    KIND = "AwaitType"
    ANNOTATION = "Await"

    element: TorchScriptType = param_def()

    @property
    def graph_str(self) -> str:
        return self.schema_str


@irdl_attr_definition
class RRefType(UnaryType):
    """A reference to a value in another process."""

    name = "prim.rref"
    KIND = "RRefType"
    ANNOTATION = "RRef"

    element: TorchScriptType = param_def()


@irdl_attr_definition
class DictType(NestedType):
    """A dict whose keys have one type, and whose values have one."""

    name = "prim.dict"
    KIND = "DictType"

    key: TorchScriptType = param_def()
    value: TorchScriptType = param_def()

    @property
    def contained(self) -> tuple[TorchScriptType, ...]:
        return (self.key, self.value)

    def with_contained(self, contained: tuple[TorchScriptType, ...]) -> TorchScriptType:
        return DictType(*contained)

    def around(self, texts: Sequence[str]) -> str:
        return f"Dict({texts[0]}, {texts[1]})"

    @property
    def graph_str(self) -> str:
        return self.schema_str

    @property
    def annotation_str(self) -> str:
        return f"Dict[{self.key.annotation_str}, {self.value.annotation_str}]"


@irdl_attr_definition
class TupleType(NestedType):
    """A tuple; with a qualified name and field names it is a NamedTuple. Some operators' results have field names only."""

    name = "prim.tuple"
    KIND = "TupleType"

    elements: ArrayAttr[TorchScriptType] = param_def()
    qualified_name: StringAttr | NoneAttr = param_def()
    fields: ArrayAttr[StringAttr] = param_def()
    defaults: ArrayAttr[StringAttr] = param_def()

    def verify(self) -> None:
        super().verify()
        if not self.fields.data:
            return
        for name in self.field_names:
            if not name.isidentifier():
                raise VerifyException(f"{name!r} is no name of a field")
        if isinstance(self.qualified_name, StringAttr):
            check_qualified_name(self.qualified_name.data)

    @staticmethod
    def get(
        elements: Iterable[TorchScriptType],
        qualified_name: str | None = None,
        fields: Iterable[str] = (),
        defaults: Iterable[str] = (),
    ) -> TupleType:
        """The tuple of these element types. `fields` are the names of a NamedTuple's elements, `defaults` the default values of
        the last of them as `repr_str` shows them.
        """
        return TupleType(
            ArrayAttr(elements),
            NoneAttr() if qualified_name is None else StringAttr(qualified_name),
            ArrayAttr(StringAttr(field) for field in fields),
            ArrayAttr(StringAttr(default) for default in defaults),
        )

    @property
    def contained(self) -> tuple[TorchScriptType, ...]:
        return self.elements.data

    def with_contained(self, contained: tuple[TorchScriptType, ...]) -> TorchScriptType:
        return TupleType(ArrayAttr(contained), self.qualified_name, self.fields, self.defaults)

    @property
    def field_names(self) -> tuple[str, ...]:
        """The names of a NamedTuple's fields; empty for a plain tuple."""
        return tuple(field.data for field in self.fields)

    def around(self, texts: Sequence[str]) -> str:
        if self.fields.data:
            fields = zip(self.fields, texts, self._default_texts(), strict=True)
            inside = ", ".join(f"{name.data} : {type_}{text}" for name, type_, text in fields)
            return f"NamedTuple({inside})"
        return f"({', '.join(texts)})"

    @property
    def schema_str(self) -> str:
        if isinstance(self.qualified_name, StringAttr):
            return self.qualified_name.data
        return f"({', '.join(type_.schema_str for type_ in self.elements)})"

    def _default_texts(self) -> list[str]:
        """Per element, ` = 2.` or nothing."""
        given = [f" = {default.data}" for default in self.defaults]
        return [""] * (len(self.elements) - len(given)) + given

    @property
    def annotation_str(self) -> str:
        if isinstance(self.qualified_name, StringAttr):
            return self.qualified_name.data
        inside = ", ".join(type_.annotation_str for type_ in self.elements) or "()"
        return f"Tuple[{inside}]"

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            name: StringAttr | NoneAttr = NoneAttr()
            if (text := parser.parse_optional_str_literal()) is not None:
                name = StringAttr(text)
                parser.parse_punctuation(":")
            fields: list[StringAttr] = []
            elements: list[TorchScriptType] = []
            defaults: list[StringAttr] = []
            if parser.parse_optional_punctuation("(") is not None:
                parser.parse_punctuation(")")
                return (ArrayAttr(elements), name, ArrayAttr(fields), ArrayAttr(defaults))
            while True:
                if (field := parser.parse_optional_identifier()) is not None:
                    fields.append(StringAttr(field))
                    parser.parse_punctuation("=")
                position = parser.pos
                element = parser.parse_type()
                if not isinstance(element, TorchScriptType):
                    parser.raise_error(f"{element} is no TorchScript type", position)
                elements.append(element)
                if parser.parse_optional_punctuation("=") is not None:
                    defaults.append(StringAttr(parser.parse_str_literal()))
                if parser.parse_optional_punctuation(",") is None:
                    break
            if fields and len(fields) != len(elements):
                parser.raise_error("either all fields of a tuple have names or none has")
        return (ArrayAttr(elements), name, ArrayAttr(fields), ArrayAttr(defaults))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            if isinstance(self.qualified_name, StringAttr):
                printer.print_string_literal(self.qualified_name.data)
                printer.print_string(" : ")
            if not self.elements.data:
                printer.print_string("()")
            for index, element in enumerate(self.elements):
                if index:
                    printer.print_string(", ")
                if self.fields.data:
                    printer.print_string(f"{self.fields.data[index].data} = ")
                printer.print_attribute(element)
                number = index - len(self.elements) + len(self.defaults)
                if number >= 0:
                    printer.print_string(" = ")
                    printer.print_string_literal(self.defaults.data[number].data)


@irdl_attr_definition
class UnionType(NestedType):
    """One of several types. Build with `union_of`, which flattens and sorts out duplicates."""

    name = "prim.union"
    KIND = "UnionType"

    members: ArrayAttr[TorchScriptType] = param_def()

    @property
    def contained(self) -> tuple[TorchScriptType, ...]:
        return self.members.data

    def with_contained(self, contained: tuple[TorchScriptType, ...]) -> TorchScriptType:
        return union_of(contained)

    def around(self, texts: Sequence[str]) -> str:
        return f"Union({', '.join(texts)})"

    @property
    def graph_str(self) -> str:
        return self.schema_str

    @property
    def annotation_str(self) -> str:
        return f"Union[{', '.join(type_.annotation_str for type_ in self.members)}]"


def optional_of(element: TorchScriptType) -> TorchScriptType:
    """`Optional[element]`; what admits None already stays as it is."""
    if isinstance(element, OptionalType) or element == NONE:
        return element
    if isinstance(element, UnionType):
        return union_of((element, NONE))
    return OptionalType(element)


_UNION_ORDER: tuple[str, ...] = tuple(
    (
        "AnyType EnumType AnyEnumType TensorType StorageType TupleType ListType DictType NumberType"
        " FloatType ComplexType FutureType AwaitType RRefType IntType NoneType StringType"
        " GeneratorType BoolType OptionalType VarType DeviceObjType StreamObjType FunctionType"
        " ClassType CapsuleType InterfaceType AnyListType AnyTupleType AnyClassType"
    ).split()
)
"""The kinds of types in the order in which a union lists its members."""


def union_order(type_: TorchScriptType) -> tuple[int, str]:
    """The key by which the members of unions, and the types of `isinstance`, are sorted."""
    return _UNION_ORDER.index(type_.KIND), type_.schema_str


def _holds(wide: TorchScriptType, narrow: TorchScriptType) -> bool:
    """Whether a tuple type takes all that another one does, and more: elements that may be None."""
    if not isinstance(wide, TupleType) or not isinstance(narrow, TupleType) or wide == narrow:
        return False
    if len(wide.contained) != len(narrow.contained) or wide.annotation_str[:5] != "Tuple":
        return False
    return all(
        one == other
        or _holds(one, other)
        or (isinstance(one, OptionalType) and other in (one.element, NONE))
        for one, other in zip(wide.contained, narrow.contained, strict=True)
    )


def union_of(members: Iterable[TorchScriptType]) -> TorchScriptType:
    """The union of the types: flat, sorted, without duplicates; `Optional` where None and one type are left.

    int, float and complex together are a number.
    """
    flat: list[TorchScriptType] = []
    for member in members:
        if isinstance(member, UnionType):
            parts: tuple[TorchScriptType, ...] = member.members.data
        elif isinstance(member, OptionalType):
            parts = (member.element, NONE)
        else:
            parts = (member,)
        flat += [part for part in parts if part not in flat]
    flat = [part for part in flat if not any(_holds(other, part) for other in flat)]
    if NUMBER in flat or all(number in flat for number in _NUMBERS):
        flat = [NUMBER, *(part for part in flat if part not in (*_NUMBERS, NUMBER))]
    if len(flat) == 1:
        return flat[0]
    if len(flat) == 2 and NONE in flat:
        return OptionalType(flat[0] if flat[1] == NONE else flat[1])
    flat.sort(key=union_order)
    return UnionType(ArrayAttr(flat))
