"""The base of all TorchScript types, and the types without parameters.

A type is an xDSL attribute of the `prim` dialect. It has three spellings: MLIR's (`!prim.list<!prim.int>`), the one of graphs
and schemas (`int[]`, `TorchScriptType.repr_str`, of which PyTorch has the varieties `graph_str` and `schema_str`) and the one of
annotations (`List[int]`, `TorchScriptType.annotation_str`).
Follows PyTorch's aten/src/ATen/core/jit_type.h and jit_type_base.h.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import ClassVar, final

from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import ParamAttrDef
from xdsl.utils.exceptions import VerifyException

from torchscript_dialect.utils.nominal import Nominal


class TorchScriptType(TypeAttribute, Attribute, metaclass=Nominal):
    """What every TorchScript type answers, whatever it is made of."""

    KIND: ClassVar[str]
    """PyTorch's name for the class of types, as `Type.kind()` gives it: `ListType`."""

    @property
    @abstractmethod
    def repr_str(self) -> str:
        """The spelling of graphs, which loses only the names of NamedTuples: `Tensor[]`, `int?`, `(int, str)`."""

    @property
    def annotation_str(self) -> str:
        """The spelling of Python annotations: `List[Tensor]`, `Optional[int]`."""
        return self.repr_str

    @property
    def contained(self) -> tuple[TorchScriptType, ...]:
        """The types that this type is made of."""
        return ()

    @property
    def depth(self) -> int:
        """How many types stand in each other here."""
        return 0

    @property
    def graph_str(self) -> str:
        """The spelling of PyTorch's graphs, which within `Dict` and `Union` is that of schemas, and loses names of fields."""
        return self.repr_str

    @property
    def schema_str(self) -> str:
        """The spelling of schemas: a NamedTuple is its name, and a tensor `Tensor`, whatever is known of it."""
        return self.repr_str

    # The methods of PyTorch's bindings.

    def kind(self) -> str:
        """`KIND`."""
        return self.KIND

    def str(self) -> str:
        """`graph_str`."""
        return self.graph_str

    def containedTypes(self) -> list[TorchScriptType]:
        """`contained`."""
        return list(self.contained)

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
    """A type with no parameters.

    `irdl_attr_definition` would make a dataclass of each, which takes half a millisecond, and give it what this class has.
    """

    SPELLING: ClassVar[str]
    ANNOTATION: ClassVar[str | None] = None

    @property
    def repr_str(self) -> str:
        return self.SPELLING

    @property
    def annotation_str(self) -> str:
        return self.ANNOTATION or self.SPELLING

    @classmethod
    def get_irdl_definition(cls) -> ParamAttrDef:
        """The name, and that there are no parameters."""
        return ParamAttrDef(cls.name, [])


@final
class IntType(SimpleType):
    name = "prim.int"
    KIND = "IntType"
    SPELLING = "int"


@final
class FloatType(SimpleType):
    name = "prim.float"
    KIND = "FloatType"
    SPELLING = "float"


@final
class ComplexType(SimpleType):
    name = "prim.complex"
    KIND = "ComplexType"
    SPELLING = "complex"


@final
class BoolType(SimpleType):
    name = "prim.bool"
    KIND = "BoolType"
    SPELLING = "bool"


@final
class NumberType(SimpleType):
    """int, float or complex: the `Scalar` of operator schemas."""

    name = "prim.number"
    KIND = "NumberType"
    SPELLING = "Scalar"
    ANNOTATION = "number"


@final
class StringType(SimpleType):
    name = "prim.str"
    KIND = "StringType"
    SPELLING = "str"


@final
class NoneType(SimpleType):
    name = "prim.none"
    KIND = "NoneType"
    SPELLING = "NoneType"


@final
class AnyType(SimpleType):
    name = "prim.any"
    KIND = "AnyType"
    SPELLING = "Any"


@final
class AnyListType(SimpleType):
    """A list whose elements have any type: the formal type of `len` and `isinstance(x, list)`."""

    name = "prim.any_list"
    KIND = "AnyListType"
    SPELLING = "list"


@final
class AnyTupleType(SimpleType):
    name = "prim.any_tuple"
    KIND = "AnyTupleType"
    SPELLING = "tuple"


@final
class AnyClassType(SimpleType):
    name = "prim.any_class"
    KIND = "AnyClassType"
    SPELLING = "AnyClassType"


@final
class AnyEnumType(SimpleType):
    name = "prim.any_enum"
    KIND = "AnyEnumType"
    SPELLING = "AnyEnumType"


@final
class DeviceType(SimpleType):
    name = "prim.device"
    KIND = "DeviceObjType"
    SPELLING = "Device"


@final
class GeneratorType(SimpleType):
    name = "prim.generator"
    KIND = "GeneratorType"
    SPELLING = "Generator"


@final
class StreamType(SimpleType):
    name = "prim.stream"
    KIND = "StreamObjType"
    SPELLING = "Stream"


@final
class StorageType(SimpleType):
    name = "prim.storage"
    KIND = "StorageType"
    SPELLING = "Storage"


@final
class CapsuleType(SimpleType):
    name = "prim.capsule"
    KIND = "CapsuleType"
    SPELLING = "Capsule"


@final
class PyObjectType(SimpleType):
    """An object of Python's that no type tells more of."""

    name = "prim.py_object"
    KIND = "PyObjectType"
    SPELLING = "PyObject"


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
PY_OBJECT = PyObjectType()

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
    PY_OBJECT,
)
"""Every type without parameters, for the parsers and for the dialect."""
