"""Attributes of objects, calls, closures, casts and what leaves the graph."""

from __future__ import annotations

from xdsl.ir import OpTraits
from xdsl.traits import (
    IsolatedFromAbove,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    Pure,
)

from torchscript_dialect.dialects.accessors import AttributeValue, Operand, Operands
from torchscript_dialect.dialects.canonicalization import CANONICAL
from torchscript_dialect.dialects.interfaces import (
    FIRST_OPERAND,
    FROM_ANYWHERE,
    Acts,
    Aliases,
    Allocates,
)
from torchscript_dialect.dialects.prim.constraints import (
    INDEX,
    NAME,
    TEXT,
    TYPES,
    constrain,
    optional,
)
from torchscript_dialect.dialects.prim.op import (
    Attributes,
    PrimOp,
    Types,
    Values,
    require,
    require_class,
    require_subtype,
    type_of,
    yielded,
)
from torchscript_dialect.ops.aliasing import Aliasing
from torchscript_dialect.types.containers import FutureType, TupleType
from torchscript_dialect.types.core import BOOL, TorchScriptType
from torchscript_dialect.types.named import ClassType, FunctionType, InterfaceType


class GetAttrOp(PrimOp):
    name = "prim.GetAttr"
    OPERANDS = 1
    RESULTS = 1
    ATTRIBUTES = constrain(name=NAME)
    traits = OpTraits(lambda: (MemoryReadEffect(), FROM_ANYWHERE))

    object = Operand(0)
    attribute_name = AttributeValue("name")

    def verify_types(self) -> None:
        _require_object(type_of(self.object), self.KIND)


class SetAttrOp(PrimOp):
    name = "prim.SetAttr"
    OPERANDS = 2
    RESULTS = 0
    ATTRIBUTES = constrain(name=NAME)
    traits = OpTraits(
        lambda: (MemoryWriteEffect(), Aliases(Aliasing(writes=((0, False),), keeps=(1,))))
    )

    object = Operand(0)
    value = Operand(1)
    attribute_name = AttributeValue("name")

    def verify_types(self) -> None:
        _require_object(type_of(self.object), self.KIND)


def _require_object(type_: TorchScriptType, kind: str) -> None:
    require(
        isinstance(type_, (ClassType, InterfaceType)) or type_.KIND == "EnumType",
        f"{kind} takes an object, not a {type_.repr_str}",
    )


class HasAttrOp(PrimOp):
    name = "prim.HasAttr"
    OPERANDS = 1
    RESULTS = 1
    ATTRIBUTES = constrain(name=NAME)
    traits = OpTraits(lambda: (MemoryReadEffect(), Aliases()))

    object = Operand(0)
    attribute_name = AttributeValue("name")

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        return (BOOL,)


class CreateObjectOp(PrimOp):
    name = "prim.CreateObject"
    OPERANDS = 0
    RESULTS = 1
    traits = OpTraits(lambda: (Allocates(), Aliases()))

    def verify_types(self) -> None:
        require_class(type_of(self.results[0]), self.KIND)


class CallFunctionOp(PrimOp):
    """Calls the function that the first operand is."""

    name = "prim.CallFunction"
    RESULTS = 1

    callee = Operand(0)
    arguments = Operands(1)

    def verify_types(self) -> None:
        require(
            len(self.operands) > 0 and isinstance(type_of(self.callee), FunctionType),
            "the first operand of prim::CallFunction is the function",
        )


class CallMethodOp(PrimOp):
    name = "prim.CallMethod"
    RESULTS = 1
    ATTRIBUTES = constrain(name=NAME)

    object = Operand(0)
    arguments = Operands(1)
    method_name = AttributeValue("name")

    def verify_types(self) -> None:
        require(
            len(self.operands) > 0 and isinstance(type_of(self.object), (ClassType, InterfaceType)),
            "the first operand of prim::CallMethod is the object",
        )


RUNS_OTHERS = Aliases(Aliasing(keeps_all=True, runs_others=True))


class ClosureOp(PrimOp):
    """A region that closes over the values around it; lifted before the graph is run."""

    name = "prim.Closure"
    RESULTS = 1
    REGIONS = 1
    traits = OpTraits(lambda: (MemoryWriteEffect(), Allocates()))


class ForkOp(PrimOp):
    """Begins the region's function in parallel; the result is a future."""

    name = "prim.fork"
    RESULTS = 1
    REGIONS = 1
    traits = OpTraits(lambda: (IsolatedFromAbove(), MemoryWriteEffect(), Allocates(), RUNS_OTHERS))

    arguments = Operands()

    def verify_types(self) -> None:
        body, values = self.regions[0], yielded(self.regions[0])
        require(
            len(self.operands) == len(body.block.args) and len(values) > 0,
            f"prim::fork has {len(self.operands)} operands, its sub-graph {len(body.block.args)} and {len(values)} results",
        )
        for operand, argument in zip(self.operands, body.block.args, strict=True):
            require_subtype(type_of(operand), type_of(argument), "an operand of prim::fork")
        types = [type_of(value) for value in values]
        given = FutureType(types[0] if len(types) == 1 else TupleType.get(types))
        require_subtype(given, type_of(self.results[0]), "the result of prim::fork")


class PrintOp(PrimOp):
    name = "prim.Print"
    RESULTS = 0
    traits = OpTraits(lambda: (Acts(), Aliases()))

    values = Operands()


class PythonOp(PrimOp):
    """A call of a Python function that is not compiled; `callee` is its number in this process (utils/python_functions.py)."""

    name = "prim.PythonOp"
    RESULTS = 1
    ATTRIBUTES = constrain(name=TEXT, callee=optional(INDEX))

    arguments = Operands()
    function_name = AttributeValue("name")
    callee = AttributeValue("callee")


class IsInstanceOp(PrimOp):
    name = "prim.isinstance"
    OPERANDS = 1
    RESULTS = 1
    ATTRIBUTES = constrain(types=TYPES)
    traits = OpTraits(lambda: (Pure(), Aliases()))

    value = Operand(0)
    types = AttributeValue("types")

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        return (BOOL,)

    def verify_types(self) -> None:
        require_subtype(BOOL, type_of(self.results[0]), "the result of prim::isinstance")


class UncheckedCastOp(PrimOp):
    """The operand, known to have the type of the result."""

    name = "prim.unchecked_cast"
    OPERANDS = 1
    RESULTS = 1
    traits = OpTraits(lambda: (NoMemoryEffect(), FIRST_OPERAND, CANONICAL))

    value = Operand(0)
