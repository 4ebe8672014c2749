"""The base of all TorchScript types, and the types without parameters.

A type is an xDSL attribute of the `prim` dialect. It has three spellings: MLIR's (`!prim.list<!prim.int>`), the one of graphs
and schemas (`int[]`, `TorchScriptType.repr_str`) and the one of annotations (`List[int]`, `TorchScriptType.annotation_str`).
Follows PyTorch's aten/src/ATen/core/jit_type.h and jit_type_base.h.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import ClassVar

from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException


class TorchScriptType(TypeAttribute, Attribute):
    """What every TorchScript type answers, whatever it is made of."""

    KIND: ClassVar[str]
    """PyTorch's name for the class of types, as `Type.kind()` gives it: `ListType`."""

    @property
    @abstractmethod
    def repr_str(self) -> str:
        """The spelling of graphs and schemas: `Tensor[]`, `int?`, `(int, str)`."""

    @property
    def annotation_str(self) -> str:
        """The spelling of Python annotations: `List[Tensor]`, `Optional[int]`."""
        return self.repr_str

    @property
    def contained(self) -> tuple[TorchScriptType, ...]:
        """The types that this type is made of."""
        return ()

    def with_contained(self, contained: tuple[TorchScriptType, ...]) -> TorchScriptType:
        """The same kind of type around other contained types."""
        assert not contained
        return self


_is_qualified_name = re.compile(r"[\w.<>$+-]*").fullmatch


def check_qualified_name(name: str) -> None:
    """Refuse what is no name: texts of all kinds show the names of types as they are.

    Raises:
        VerifyException: the name holds a space, a line end, a quote, ...
    """
    if _is_qualified_name(name) is None:
        raise VerifyException(f"{name!r} is no qualified name of a type")


class SimpleType(ParametrizedAttribute, TorchScriptType):
    """A type with no parameters."""

    SPELLING: ClassVar[str]
    ANNOTATION: ClassVar[str | None] = None

    @property
    def repr_str(self) -> str:
        return self.SPELLING

    @property
    def annotation_str(self) -> str:
        return self.ANNOTATION or self.SPELLING


@irdl_attr_definition
class IntType(SimpleType):
    name = "prim.int"
    KIND = "IntType"
    SPELLING = "int"


@irdl_attr_definition
class FloatType(SimpleType):
    name = "prim.float"
    KIND = "FloatType"
    SPELLING = "float"


@irdl_attr_definition
class ComplexType(SimpleType):
    name = "prim.complex"
    KIND = "ComplexType"
    SPELLING = "complex"


@irdl_attr_definition
class BoolType(SimpleType):
    name = "prim.bool"
    KIND = "BoolType"
    SPELLING = "bool"


@irdl_attr_definition
class NumberType(SimpleType):
    """int, float or complex: the `Scalar` of operator schemas."""

    name = "prim.number"
    KIND = "NumberType"
    SPELLING = "Scalar"
    ANNOTATION = "number"


@irdl_attr_definition
class StringType(SimpleType):
    name = "prim.str"
    KIND = "StringType"
    SPELLING = "str"


@irdl_attr_definition
class NoneType(SimpleType):
    name = "prim.none"
    KIND = "NoneType"
    SPELLING = "NoneType"


@irdl_attr_definition
class AnyType(SimpleType):
    name = "prim.any"
    KIND = "AnyType"
    SPELLING = "Any"


@irdl_attr_definition
class AnyListType(SimpleType):
    """A list whose elements have any type: the formal type of `len` and `isinstance(x, list)`."""

    name = "prim.any_list"
    KIND = "AnyListType"
    SPELLING = "list"


@irdl_attr_definition
class AnyTupleType(SimpleType):
    name = "prim.any_tuple"
    KIND = "AnyTupleType"
    SPELLING = "tuple"


@irdl_attr_definition
class AnyClassType(SimpleType):
    name = "prim.any_class"
    KIND = "AnyClassType"
    SPELLING = "AnyClassType"


@irdl_attr_definition
class AnyEnumType(SimpleType):
    name = "prim.any_enum"
    KIND = "AnyEnumType"
    SPELLING = "AnyEnumType"


@irdl_attr_definition
class DeviceType(SimpleType):
    name = "prim.device"
    KIND = "DeviceObjType"
    SPELLING = "Device"


@irdl_attr_definition
class GeneratorType(SimpleType):
    name = "prim.generator"
    KIND = "GeneratorType"
    SPELLING = "Generator"


@irdl_attr_definition
class StreamType(SimpleType):
    name = "prim.stream"
    KIND = "StreamObjType"
    SPELLING = "Stream"


@irdl_attr_definition
class StorageType(SimpleType):
    name = "prim.storage"
    KIND = "StorageType"
    SPELLING = "Storage"


@irdl_attr_definition
class CapsuleType(SimpleType):
    name = "prim.capsule"
    KIND = "CapsuleType"
    SPELLING = "Capsule"


INT = IntType()
FLOAT = FloatType()
COMPLEX = ComplexType()
BOOL = BoolType()
NUMBER = NumberType()
STR = StringType()
NONE = NoneType()
ANY = AnyType()
ANY_LIST = AnyListType()
ANY_TUPLE = AnyTupleType()
ANY_CLASS = AnyClassType()
ANY_ENUM = AnyEnumType()
DEVICE = DeviceType()
GENERATOR = GeneratorType()
STREAM = StreamType()
STORAGE = StorageType()
CAPSULE = CapsuleType()

SIMPLE_TYPES: tuple[SimpleType, ...] = (
    INT,
    FLOAT,
    COMPLEX,
    BOOL,
    NUMBER,
    STR,
    NONE,
    ANY,
    ANY_LIST,
    ANY_TUPLE,
    ANY_CLASS,
    ANY_ENUM,
    DEVICE,
    GENERATOR,
    STREAM,
    STORAGE,
    CAPSULE,
)
"""Every type without parameters, for the parsers and for the dialect."""
