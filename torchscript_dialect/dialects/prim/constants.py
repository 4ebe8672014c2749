"""Constants, and the end of a block."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation, OpTraits
from xdsl.traits import AlwaysSpeculatable, ConstantLike, IsTerminator, Pure

from torchscript_dialect.dialects.accessors import Operands
from torchscript_dialect.dialects.attributes import (
    ComplexAttr,
    EnumMemberAttr,
    GeneratorAttr,
    PackedAttr,
    TensorAttr,
    from_attribute,
    to_attribute,
)
from torchscript_dialect.dialects.interfaces import Aliases, Allocates
from torchscript_dialect.dialects.prim.constraints import DATA, INT64, TEXT, constrain, optional
from torchscript_dialect.dialects.prim.op import PrimOp, require, type_of
from torchscript_dialect.tensor.device import device
from torchscript_dialect.types import core, named, tensor_type
from torchscript_dialect.types.containers import (
    AwaitType,
    DictType,
    FutureType,
    ListType,
    OptionalType,
    TupleType,
)
from torchscript_dialect.types.core import BOOL, DEVICE, TorchScriptType
from torchscript_dialect.types.named import FunctionType


class YieldOp(PrimOp):
    """Ends a block with its results (the `-> (...)` of graph text, PyTorch's `prim::Return`)."""

    name = "prim.yield"
    RESULTS = 0
    traits = OpTraits(lambda: (IsTerminator(), Pure(), Aliases()))

    values = Operands()


class ConstantOp(PrimOp):
    """A constant; no `value` is None, `name` instead of `value` is a function."""

    name = "prim.Constant"
    OPERANDS = 0
    RESULTS = 1
    ATTRIBUTES = constrain(value=optional(DATA), name=optional(TEXT), fallback=optional(INT64))
    traits = OpTraits(lambda: (Allocates(), AlwaysSpeculatable(), ConstantLike(), Aliases()))

    @staticmethod
    def of(value: Any, type_: TorchScriptType) -> ConstantOp:
        """A constant of a Python value or tensor."""
        attributes = {} if value is None else {"value": to_attribute(value)}
        return ConstantOp.create(result_types=(type_,), attributes=attributes)

    @staticmethod
    def of_function(name: str) -> ConstantOp:
        """A constant function, which `prim.CallFunction` calls; `name` is its symbol in the module."""
        return ConstantOp.create(
            result_types=(FunctionType(name),), attributes={"name": StringAttr(name)}
        )

    @property
    def function_name(self) -> str | None:
        """The name that graphs show for the function that the constant is, None for any other constant."""
        name = self.attributes.get("name")
        return name.data if isinstance(name, StringAttr) else None

    @property
    def function_symbol(self) -> str | None:
        """The symbol, in the module, of the function that the constant is, None for any other constant."""
        type_ = self.results[0].type
        return type_.qualified_name.data if isinstance(type_, FunctionType) else None

    @property
    def value(self) -> Any:
        """The constant as a runtime value: tuples are Python tuples, lists fresh lists, tensors the memory of their attributes.

        Raises:
            TypeError: the constant is a function.
        """
        if self.function_name is not None:
            raise TypeError(f"the constant {self.function_name} is a function")
        attribute = self.attributes.get("value")
        if attribute is None:
            return None
        return _value(attribute, type_of(self.results[0]))

    def verify_types(self) -> None:
        attribute, type_ = self.attributes.get("value"), type_of(self.results[0])
        require(
            self.function_name is None or (isinstance(type_, FunctionType) and attribute is None),
            "a prim::Constant with a name is a function",
        )
        if attribute is not None:
            require(
                _is_constant_of(attribute, type_),
                f"{attribute} is no constant of type {type_.repr_str}",
            )


class PrimConstants(ConstantMaterializationInterface):
    """Constants of all TorchScript dialects are `prim.Constant`."""

    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation:
        attributes = {} if isinstance(value, UnitAttr) else {"value": value}
        return ConstantOp.create(result_types=(type,), attributes=attributes)


_CONSTANTS: dict[TorchScriptType, type[Attribute]] = {
    core.INT: IntegerAttr,
    core.FLOAT: FloatAttr,
    core.BOOL: IntegerAttr,
    core.COMPLEX: ComplexAttr,
    core.STR: StringAttr,
    core.NONE: UnitAttr,
    core.GENERATOR: GeneratorAttr,
    core.DEVICE: StringAttr,
}
_MADE_BY_PROGRAMS = (DictType, FutureType, AwaitType, named.InterfaceType)
"""Types of which there are no constants."""


def _is_constant_of(attribute: Attribute, type_: TorchScriptType) -> bool:
    """Whether a value has the type of a constant, as far as attributes tell."""
    if isinstance(type_, OptionalType):
        return isinstance(attribute, UnitAttr) or _is_constant_of(attribute, type_.element)
    if isinstance(type_, (ListType, TupleType)):
        if not isinstance(attribute, ArrayAttr):
            return False
        items = cast("ArrayAttr[Attribute]", attribute).data
        is_list = isinstance(type_, ListType)
        types = [type_.element] * len(items) if is_list else type_.contained
        return len(items) == len(types) and all(map(_is_constant_of, items, types))
    if isinstance(type_, tensor_type.TensorType):
        return isinstance(attribute, TensorAttr)
    if isinstance(type_, named.EnumType):
        return isinstance(attribute, EnumMemberAttr)
    if isinstance(type_, named.ClassType):
        return isinstance(attribute, PackedAttr)
    if isinstance(type_, _MADE_BY_PROGRAMS):
        return False
    return isinstance(attribute, _CONSTANTS.get(type_, Attribute))


def _value(attribute: Attribute, type_: TorchScriptType) -> Any:
    if isinstance(type_, OptionalType):
        type_ = type_.element
    if isinstance(attribute, TensorAttr):
        return attribute.memory
    if isinstance(attribute, ArrayAttr) and isinstance(type_, (TupleType, ListType)):
        items = cast("ArrayAttr[Attribute]", attribute).data
        if isinstance(type_, ListType):
            return [_value(item, type_.element) for item in items]
        return tuple(_value(item, t) for item, t in zip(items, type_.elements, strict=True))
    value = from_attribute(cast("Attribute", attribute))
    if type_ == BOOL and isinstance(value, int):
        return bool(value)
    if type_ == DEVICE and isinstance(value, str):
        return device(value)
    return value
