"""Lists, tuples and dicts: made and taken apart."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import OpTraits
from xdsl.traits import AlwaysSpeculatable, MemoryReadEffect, NoMemoryEffect, Pure

from torchscript_dialect.dialects.accessors import AttributeValue, Operand, Operands
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.canonicalization import CANONICAL
from torchscript_dialect.dialects.interfaces import FROM_ANYWHERE, HOLDS_OPERANDS, Allocates
from torchscript_dialect.dialects.prim.constants import ConstantOp
from torchscript_dialect.dialects.prim.constraints import INT64, constrain
from torchscript_dialect.dialects.prim.op import (
    Attributes,
    PrimOp,
    Types,
    Values,
    require,
    require_subtype,
    type_of,
)
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    TupleType,
)
from torchscript_dialect.types.core import ANY, INT, AnyTupleType, TorchScriptType
from torchscript_dialect.types.subtyping import unify_all


class ListConstructOp(PrimOp):
    name = "prim.ListConstruct"
    RESULTS = 1
    traits = OpTraits(lambda: (Allocates(), AlwaysSpeculatable(), HOLDS_OPERANDS))

    elements = Operands()

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        element = unify_all([type_of(value) for value in operands]) if operands else None
        return None if element is None else (ListType(element),)

    def verify_types(self) -> None:
        type_ = type_of(self.results[0])
        require(isinstance(type_, ListType), "prim::ListConstruct makes a list")
        assert isinstance(type_, ListType)
        for value in self.operands:
            require_subtype(type_of(value), type_.element, "an element")


class ListUnpackOp(PrimOp):
    name = "prim.ListUnpack"
    OPERANDS = 1
    traits = OpTraits(lambda: (MemoryReadEffect(), FROM_ANYWHERE))

    list = Operand(0)

    def verify_types(self) -> None:
        type_ = type_of(self.list)
        require(isinstance(type_, ListType), "prim::ListUnpack takes a list")
        assert isinstance(type_, ListType)
        for result in self.results:
            require_subtype(type_.element, type_of(result), "an element")


class TupleConstructOp(PrimOp):
    name = "prim.TupleConstruct"
    RESULTS = 1
    traits = OpTraits(lambda: (Pure(), HOLDS_OPERANDS))

    elements = Operands()

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        return (TupleType.get(map(type_of, operands)),)

    def verify_types(self) -> None:
        type_ = type_of(self.results[0])
        require(
            isinstance(type_, TupleType) and len(type_.elements) == len(self.operands),
            f"prim::TupleConstruct of {len(self.operands)} values does not make a {type_.repr_str}",
        )
        assert isinstance(type_, TupleType)
        for value, element in zip(self.operands, type_.elements, strict=True):
            require_subtype(type_of(value), element, "an element")


class TupleUnpackOp(PrimOp):
    name = "prim.TupleUnpack"
    OPERANDS = 1
    traits = OpTraits(lambda: (Pure(), FROM_ANYWHERE, CANONICAL))

    tuple = Operand(0)

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        type_ = type_of(operands[0])
        return type_.contained if isinstance(type_, TupleType) else None

    def verify_types(self) -> None:
        type_ = type_of(self.tuple)
        require(
            isinstance(type_, TupleType) and len(type_.elements) == len(self.results),
            f"prim::TupleUnpack of a {type_.repr_str} does not give {len(self.results)} values",
        )
        for element, result in zip(type_.contained, self.results, strict=True):
            require_subtype(element, type_of(result), "an element")


class TupleIndexOp(PrimOp):
    name = "prim.TupleIndex"
    OPERANDS = 2
    RESULTS = 1
    traits = OpTraits(lambda: (NoMemoryEffect(), FROM_ANYWHERE, CANONICAL))

    tuple = Operand(0)
    index = Operand(1)

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        type_, index = type_of(operands[0]), operands[1].owner
        if not isinstance(type_, TupleType) or not isinstance(index, ConstantOp):
            return None
        return type_.contained[index.value : index.value + 1 or None] or None

    def verify_types(self) -> None:
        type_ = type_of(self.tuple)
        require(
            isinstance(type_, (TupleType, AnyTupleType)),
            f"prim::TupleIndex takes a tuple, not a {type_.repr_str}",
        )
        require_subtype(type_of(self.index), INT, "the index")
        for element in self._may_give(type_):
            require_subtype(element, type_of(self.results[0]), "the result of prim::TupleIndex")

    def _may_give(self, type_: TorchScriptType) -> Sequence[TorchScriptType]:
        """The types of the elements that the index may be of."""
        index = self.index.owner
        if not isinstance(type_, TupleType):
            return [ANY]
        if not isinstance(index, ConstantOp):
            return type_.contained
        known = self.infer_result_types(self.operands, self.attributes)
        require(known is not None, f"a {type_.repr_str} has no element {index.value}")
        return known or ()


class TupleSliceOp(PrimOp):
    name = "prim.TupleSlice"
    OPERANDS = 1
    RESULTS = 1
    ATTRIBUTES = constrain(beg=INT64, end=INT64)
    traits = OpTraits(lambda: (Pure(), FROM_ANYWHERE, CANONICAL))

    tuple = Operand(0)
    begin = AttributeValue("beg")
    end = AttributeValue("end")

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        begin, end = (from_attribute(attributes[name]) for name in ("beg", "end"))
        return (TupleType.get(type_of(operands[0]).contained[begin:end]),)

    def verify_types(self) -> None:
        type_, result = type_of(self.tuple), type_of(self.results[0])
        require(isinstance(type_, TupleType), "prim::TupleSlice takes a tuple")
        begin, end = (from_attribute(self.attributes[name]) for name in ("beg", "end"))
        require_subtype(TupleType.get(type_.contained[begin:end]), result, "the slice")


class DictConstructOp(PrimOp):
    """Keys and values in turn."""

    name = "prim.DictConstruct"
    RESULTS = 1
    traits = OpTraits(lambda: (Allocates(), AlwaysSpeculatable(), HOLDS_OPERANDS))

    keys = Operands(0, 2)
    values = Operands(1, 2)

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        key, value = (unify_all([type_of(one) for one in operands[i::2]]) for i in (0, 1))
        return None if key is None or value is None else (DictType(key, value),)

    def verify_types(self) -> None:
        type_ = type_of(self.results[0])
        require(
            isinstance(type_, DictType) and len(self.operands) % 2 == 0,
            "prim::DictConstruct makes a dictionary of keys and values in turn",
        )
        assert isinstance(type_, DictType)
        for index, value in enumerate(self.operands):
            what, expected = ("a value", type_.value) if index % 2 else ("a key", type_.key)
            require_subtype(type_of(value), expected, what)
