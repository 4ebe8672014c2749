"""Nodes that passes put in: chunks, and the groups that run as one."""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Block, Operation, OpTraits
from xdsl.traits import (
    IsolatedFromAbove,
    MemoryReadEffect,
    MemoryWriteEffect,
    RecursiveMemoryEffect,
)

from torchscript_dialect.dialects.accessors import AttributeValue, Operand, Operands
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.interfaces import (
    FIRST_OPERAND,
    Aliases,
    Allocates,
    Flow,
    RegionFlow,
)
from torchscript_dialect.dialects.prim.constraints import (
    COUNT,
    INDICES,
    INT64,
    TEXT,
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
from torchscript_dialect.ops.aliasing import Aliasing
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
        for result in self.results:
            require_subtype(TENSOR, type_of(result), "a result of prim::ConstantChunk")


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
    HOLDS_MORE: ClassVar[bool] = False
    """Whether the sub-graph may yield more than the results."""
    traits = OpTraits(lambda: (IsolatedFromAbove(), RecursiveMemoryEffect(), GroupFlow()))

    inputs = Operands()

    @property
    def body(self) -> Block:
        return self.regions[0].block

    def verify_types(self) -> None:
        arguments, values = self.body.args, yielded(self.regions[0])
        extra = len(values) - len(self.results)
        require(
            len(arguments) == len(self.operands) and (not extra or (extra > 0 and self.HOLDS_MORE)),
            f"{self.KIND} has {len(self.operands)} operands and {len(self.results)} results, its"
            f" sub-graph {len(arguments)} and {len(values)}",
        )
        for operand, argument in zip(self.operands, arguments, strict=True):
            require_subtype(type_of(operand), type_of(argument), f"an operand of {self.KIND}")
        for value, result in zip(values, self.results):
            require_subtype(type_of(value), type_of(result), f"a result of {self.KIND}")


class TensorExprGroupOp(GroupOp):
    name = "prim.TensorExprGroup"
    traits = OpTraits(lambda: (IsolatedFromAbove(), MemoryReadEffect(), Allocates(), Aliases()))


class UpdateOp(PrimOp):
    """Writes what a group gives for it to what comes from outside: Note [Updates in groups] in transforms/fuse_tensorexprs.py.
    Versions do not count it, as they do not count what a batch norm writes to running statistics.
    """

    name = "prim.Update"
    OPERANDS = 2
    RESULTS = 0
    traits = OpTraits(lambda: (MemoryWriteEffect(), Aliases(Aliasing(writes=((0, False),)))))

    target = Operand(0)
    value = Operand(1)

    def verify_types(self) -> None:
        for operand in self.operands:
            require_subtype(type_of(operand), TENSOR, f"an operand of {self.KIND}")


class FusionGroupOp(GroupOp):
    name = "prim.FusionGroup"


class ScalarGroupOp(GroupOp):
    """A loop over numbers, and nothing but that: a native function, where it runs long."""

    name = "prim.ScalarGroup"


class DifferentiableGraphOp(GroupOp):
    """A sub-graph whose gradients a second graph computes: Note [Gradients of graphs] in autodiff/passes/differentiate.py.

    Once it is differentiated, the sub-graph yields what the other one needs, after the results; and the attributes say which values are
    what.
    """

    name = "prim.DifferentiableGraph"
    HOLDS_MORE = True
    REGIONS = None  # pyright: ignore[reportAssignmentType]
    ATTRIBUTES = constrain(
        df_input_vjps=optional(INDICES),
        df_input_captured_inputs=optional(INDICES),
        df_input_captured_outputs=optional(INDICES),
        df_output_vjps=optional(INDICES),
        df_sizes=optional(INDICES),
    )

    vjps = AttributeValue("df_input_vjps")
    """The values that are yielded whose gradients the reverse graph takes, in their order."""
    captured_inputs = AttributeValue("df_input_captured_inputs")
    """The operands that the reverse graph takes after those."""
    captured_outputs = AttributeValue("df_input_captured_outputs")
    """The values that are yielded that it takes last."""
    differentiated = AttributeValue("df_output_vjps")
    """The operands whose gradients it gives."""
    sizes = AttributeValue("df_sizes")
    """Which of the captured values, inputs first, are asked for nothing but their sizes."""

    @property
    def reverse(self) -> Block | None:
        """The reverse graph, once there is one."""
        return self.regions[1].block if len(self.regions) > 1 else None

    def verify_types(self) -> None:
        require(len(self.regions) in (1, 2), f"{self.KIND} has a sub-graph, and one that goes back")
        super().verify_types()
        if self.reverse is None:
            return
        named = [self.attributes.get(name) is not None for name in self.ATTRIBUTES]
        require(all(named), f"{self.KIND} says what its reverse graph takes and gives")
        taken = [*self.vjps, *self.captured_inputs, *self.captured_outputs]
        require(
            len(self.reverse.args) == len(taken)
            and len(yielded(self.regions[1])) == len(self.differentiated),
            f"the reverse graph of {self.KIND} takes {len(taken)} values and gives {len(self.differentiated)}",
        )
        inputs, outputs = len(self.operands), len(yielded(self.regions[0]))
        require(
            all(place < inputs for place in (*self.captured_inputs, *self.differentiated))
            and all(place < outputs for place in (*self.vjps, *self.captured_outputs)),
            f"{self.KIND} has {inputs} operands and yields {outputs} values",
        )


class GradOfFlow(RegionFlow):
    """The results are what is yielded, or nothing."""

    @classmethod
    def entering(cls, op: Operation) -> Flow:
        return ()

    @classmethod
    def leaving(cls, op: Operation) -> Flow:
        return zip(op.results, yielded(op.regions[0]))


class GradOfOp(PrimOp):
    """What goes back through one node: the region gives the gradients of its inputs if any of the operands, the gradients of its
    results, is not undefined, which is zero. Otherwise the results are undefined. `name` is the kind of the node.
    """

    name = "prim.GradOf"
    REGIONS = 1
    ATTRIBUTES = constrain(name=TEXT)
    traits = OpTraits(lambda: (RecursiveMemoryEffect(), GradOfFlow()))

    of = AttributeValue("name")
    gradients = Operands()

    @property
    def body(self) -> Block:
        return self.regions[0].block

    def verify_types(self) -> None:
        require(not self.body.args, "the block of prim::GradOf takes no arguments")
        values = yielded(self.regions[0])
        require(
            len(values) == len(self.results),
            f"the block of prim::GradOf yields {len(values)} values for {len(self.results)} results",
        )
        for value, result in zip(values, self.results):
            require_subtype(type_of(value), type_of(result), "a result of prim::GradOf")


class FallbackGraphOp(GroupOp):
    name = "prim.FallbackGraph"
