"""A module of an archive as IR: its classes, and the objects and weights that make it.

`prim.ClassType` declares a class, whose methods are the functions `CLASS.METHOD`, `prim.EnumType` an enum, `prim.InterfaceType` an
interface. `prim.Module` holds the nodes that make the module,
which is what they yield. Graphs hold neither.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseResourceAttr,
    FunctionType,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, OpTraits
from xdsl.traits import IsolatedFromAbove, MemoryReadEffect

from torchscript_dialect.dialects.accessors import AttributeValue
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.interfaces import Aliases, Allocates
from torchscript_dialect.dialects.prim.constraints import (
    DATA,
    INDEX,
    TEXT,
    TYPES,
    AttributeConstraint,
    constrain,
    optional,
)
from torchscript_dialect.dialects.prim.op import PrimOp, require, require_class, type_of, yielded
from torchscript_dialect.types import tensor_type


def _are_names(attribute: Attribute) -> bool:
    return isinstance(attribute, ArrayAttr) and all(
        isinstance(name, StringAttr) for name in cast("ArrayAttr[Attribute]", attribute).data
    )


def _is_resource(attribute: Attribute) -> bool:
    return isinstance(attribute, DenseResourceAttr) and isinstance(attribute.type, TensorType)


def _are_signatures(attribute: Attribute) -> bool:
    return isinstance(attribute, ArrayAttr) and all(
        isinstance(each, FunctionType) for each in cast("ArrayAttr[Attribute]", attribute).data
    )


NAMES = AttributeConstraint("a list of names", _are_names)
SIGNATURES = AttributeConstraint("a list of function types", _are_signatures)
RESOURCE = AttributeConstraint("a resource of a tensor type", _is_resource)


class ClassTypeOp(PrimOp):
    """A class: the names and types of its attributes, which of them are parameters and buffers, and the names of its methods."""

    name = "prim.ClassType"
    OPERANDS = 0
    RESULTS = 0
    ATTRIBUTES = constrain(
        name=TEXT,
        attributes=NAMES,
        types=TYPES,
        methods=NAMES,
        parameters=optional(NAMES),
        buffers=optional(NAMES),
        constants=optional(NAMES),
        values=optional(DATA),
        hooks=optional(NAMES),
        pre_hooks=optional(NAMES),
    )

    def verify_types(self) -> None:
        for names, what in (("attributes", "types"), ("constants", "values")):
            counts = [
                len(cast("ArrayAttr[Attribute]", self.attributes[key]).data)
                for key in (names, what)
                if key in self.attributes
            ]
            require(
                counts in ([], [counts[-1]] * 2 if counts else []),
                f"{self.KIND} has as many {what} as {names}",
            )


class EnumTypeOp(PrimOp):
    """An enum: the names of its members and their values."""

    name = "prim.EnumType"
    OPERANDS = 0
    RESULTS = 0
    ATTRIBUTES = constrain(name=TEXT, members=NAMES, values=DATA)

    def verify_types(self) -> None:
        names, values = (from_attribute(self.attributes[key]) for key in ("members", "values"))
        require(len(names) == len(values), f"{self.KIND} has as many values as members")


class InterfaceTypeOp(PrimOp):
    """An interface, of modules or of objects: its methods by name, the names of their arguments, and their types."""

    name = "prim.InterfaceType"
    OPERANDS = 0
    RESULTS = 0
    ATTRIBUTES = constrain(
        name=TEXT, methods=NAMES, arguments=DATA, types=SIGNATURES, is_module=optional(DATA)
    )

    def verify_types(self) -> None:
        names, arguments = (
            from_attribute(self.attributes[key]) for key in ("methods", "arguments")
        )
        types = cast("ArrayAttr[FunctionType]", self.attributes["types"]).data
        require(
            len(names) == len(arguments) == len(types)
            and all(len(a) == len(t.inputs.data) for a, t in zip(arguments, types, strict=True)),
            f"{self.KIND} has arguments and a type for each method",
        )


class WeightOp(PrimOp):
    """A tensor of a module, over a resource. Without `sizes` it is all of it; with them `strides` and `offset` say which elements it
    has, so that tensors over one resource share memory.
    """

    name = "prim.Weight"
    OPERANDS = 0
    RESULTS = 1
    ATTRIBUTES = constrain(
        value=RESOURCE,
        dtype=optional(TEXT),
        sizes=optional(DATA),
        strides=optional(DATA),
        offset=optional(INDEX),
    )
    traits = OpTraits(lambda: (Allocates(), MemoryReadEffect(), Aliases()))

    value = AttributeValue("value")

    def verify_types(self) -> None:
        require(
            isinstance(type_of(self.results[0]), tensor_type.TensorType),
            f"{self.KIND} makes a tensor",
        )
        given = [name in self.attributes for name in ("sizes", "strides", "offset")]
        require(
            all(given) or not any(given), f"{self.KIND} has sizes, strides and an offset, or none"
        )
        if any(given):
            sizes, strides = (from_attribute(self.attributes[key]) for key in ("sizes", "strides"))
            require(
                all(type(one) is int for one in [*sizes, *strides]) and len(sizes) == len(strides),
                f"{self.KIND} has as many strides as sizes",
            )
        require(isinstance(self.parent_op(), ModuleOp), f"{self.KIND} is a node of prim::Module")


class ModuleOp(PrimOp):
    """The nodes that make a module, which is what they yield."""

    name = "prim.Module"
    OPERANDS = 0
    RESULTS = 0
    REGIONS = 1
    traits = OpTraits(lambda: (IsolatedFromAbove(),))

    def verify_types(self) -> None:
        values = yielded(self.regions[0])
        require(len(values) == 1, f"{self.KIND} yields one module")
        require_class(type_of(values[0]), self.KIND)
