"""Nodes that passes put in: chunks, profiles, type checks, and the groups that run as one."""

from __future__ import annotations

from xdsl.ir import Block, Operation, OpTraits
from xdsl.traits import IsolatedFromAbove, MemoryReadEffect, RecursiveMemoryEffect

from torchscript_dialect.dialects.accessors import AttributeValue, Operand, Operands
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.interfaces import (
    FIRST_OPERAND,
    SAME_OPERANDS,
    Acts,
    Aliases,
    Allocates,
    Flow,
    RegionFlow,
)
from torchscript_dialect.dialects.prim.constraints import (
    COUNT,
    INT64,
    TENSOR_TYPE,
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
    require_subtype,
    type_of,
    yielded,
)
from torchscript_dialect.types.core import BOOL
from torchscript_dialect.types.tensor_type import TENSOR


class ConstantChunkOp(PrimOp):
    """`aten::chunk` with constant `chunks` and `dim`, a result per chunk."""

    name = "prim.ConstantChunk"
    OPERANDS = 1
    ATTRIBUTES = constrain(chunks=COUNT, dim=INT64)
    traits = OpTraits(lambda: (MemoryReadEffect(), Allocates(), FIRST_OPERAND))

    tensor = Operand(0)
    chunks = AttributeValue("chunks")
    dim = AttributeValue("dim")

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        return [TENSOR] * from_attribute(attributes["chunks"])

    def verify_types(self) -> None:
        chunks = from_attribute(self.attributes["chunks"])
        require(
            len(self.results) == chunks,
            f"prim::ConstantChunk of {chunks} chunks has {len(self.results)} results",
        )


class ProfileOp(PrimOp):
    """Passes a tensor through and observes its type at run time; `profiled_type` is what was seen."""

    name = "prim.profile"
    ATTRIBUTES = constrain(profiled_type=optional(TENSOR_TYPE))
    traits = OpTraits(lambda: (Acts(), SAME_OPERANDS))

    tensor = Operand(0)
    profiled_type = AttributeValue("profiled_type")

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        return [type_of(value) for value in operands]


class TypeCheckOp(PrimOp):
    """Passes tensors through as the checked types, and says whether all of them fit."""

    name = "prim.TypeCheck"
    ATTRIBUTES = constrain(types=optional(TYPES))
    traits = OpTraits(lambda: (MemoryReadEffect(), SAME_OPERANDS))

    tensors = Operands()
    types = AttributeValue("types")

    def verify_types(self) -> None:
        require(
            len(self.results) == len(self.operands) + 1,
            "prim::TypeCheck gives each of its operands and whether they fit",
        )
        require_subtype(type_of(self.results[-1]), BOOL, "the last result of prim::TypeCheck")


class GroupFlow(RegionFlow):
    """Operands go in, what is yielded comes out."""

    @classmethod
    def entering(cls, op: Operation) -> Flow:
        return zip(op.regions[0].block.args, op.operands)

    @classmethod
    def leaving(cls, op: Operation) -> Flow:
        return zip(op.results, yielded(op.regions[0]))


class GroupOp(PrimOp):
    """A sub-graph with its own values: the region's arguments are the operands, what it yields the results."""

    REGIONS = 1
    traits = OpTraits(lambda: (IsolatedFromAbove(), RecursiveMemoryEffect(), GroupFlow()))

    inputs = Operands()

    @property
    def body(self) -> Block:
        return self.regions[0].block

    def verify_types(self) -> None:
        arguments, values = self.body.args, yielded(self.regions[0])
        require(
            len(arguments) == len(self.operands) and len(values) == len(self.results),
            f"{self.KIND} has {len(self.operands)} operands and {len(self.results)} results, its"
            f" sub-graph {len(arguments)} and {len(values)}",
        )
        for operand, argument in zip(self.operands, arguments, strict=True):
            require_subtype(type_of(operand), type_of(argument), f"an operand of {self.KIND}")
        for value, result in zip(values, self.results, strict=True):
            require_subtype(type_of(value), type_of(result), f"a result of {self.KIND}")


class TensorExprGroupOp(GroupOp):
    name = "prim.TensorExprGroup"
    traits = OpTraits(lambda: (IsolatedFromAbove(), MemoryReadEffect(), Allocates(), Aliases()))


class FusionGroupOp(GroupOp):
    name = "prim.FusionGroup"


class DifferentiableGraphOp(GroupOp):
    name = "prim.DifferentiableGraph"


class FallbackGraphOp(GroupOp):
    name = "prim.FallbackGraph"
