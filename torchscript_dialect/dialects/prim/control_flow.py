"""Branches, loops, exceptions and what stands for statements before the conversion to SSA."""

from __future__ import annotations

from xdsl.ir import Operation, OpTraits, Region
from xdsl.traits import Pure, RecursivelySpeculatable, RecursiveMemoryEffect

from torchscript_dialect.dialects.accessors import AttributeValue, Operand, Operands
from torchscript_dialect.dialects.canonicalization import CANONICAL
from torchscript_dialect.dialects.interfaces import Acts, Aliases, Flow, RegionFlow
from torchscript_dialect.dialects.prim.constraints import TEXT, constrain
from torchscript_dialect.dialects.prim.op import (
    PrimOp,
    require,
    require_class,
    require_subtype,
    type_of,
    yielded,
)
from torchscript_dialect.types.core import BOOL, INT, STR


class BranchFlow(RegionFlow):
    """Each result is what one of the regions yields."""

    @classmethod
    def entering(cls, op: Operation) -> Flow:
        return ()

    @classmethod
    def leaving(cls, op: Operation) -> Flow:
        for region in op.regions:
            yield from zip(op.results, yielded(region))


class IfOp(PrimOp):
    """Two regions without arguments; each yields the results."""

    name = "prim.If"
    OPERANDS = 1
    REGIONS = 2
    traits = OpTraits(
        lambda: (RecursiveMemoryEffect(), RecursivelySpeculatable(), BranchFlow(), CANONICAL)
    )

    condition = Operand(0)

    @property
    def then_region(self) -> Region:
        return self.regions[0]

    @property
    def else_region(self) -> Region:
        return self.regions[1]

    def verify_types(self) -> None:
        require_subtype(type_of(self.condition), BOOL, "the condition of prim::If")
        for index, region in enumerate(self.regions):
            require(not region.block.args, "the blocks of prim::If take no arguments")
            values = yielded(region)
            require(
                len(values) == len(self.results),
                f"block{index} yields {len(values)} values for {len(self.results)} results",
            )
            for value, result in zip(values, self.results, strict=True):
                require_subtype(type_of(value), type_of(result), f"a result of block{index}")


class LoopFlow(RegionFlow):
    """What is carried comes from in front of the loop or from the last iteration."""

    @classmethod
    def entering(cls, op: Operation) -> Flow | None:
        if len(op.regions) != 1:
            return None
        return zip(op.regions[0].block.args[1:], op.operands[2:])

    @classmethod
    def leaving(cls, op: Operation) -> Flow:
        region = op.regions[0]
        for argument, value, result in zip(region.block.args[1:], yielded(region)[1:], op.results):
            yield argument, value
            yield result, argument


class LoopOp(PrimOp):
    """`(max trip count, condition, carried...)`; the block takes the trip number and the carried values.

    The block yields the condition to go on and the carried values. Before the conversion to SSA there is a second region,
    which computes the condition, and nothing is carried.
    """

    name = "prim.Loop"
    traits = OpTraits(lambda: (RecursiveMemoryEffect(), LoopFlow(), CANONICAL))

    max_trip_count = Operand(0)
    condition = Operand(1)
    carried = Operands(2)

    @property
    def body(self) -> Region:
        return self.regions[0]

    REGIONS = None  # pyright: ignore[reportAssignmentType]

    def verify_types(self) -> None:
        require(len(self.regions) in (1, 2), "prim::Loop has one region, or two before SSA")
        if len(self.regions) == 2:
            return
        require(len(self.operands) >= 2, "prim::Loop takes a trip count and a condition")
        require_subtype(type_of(self.max_trip_count), INT, "the trip count of prim::Loop")
        require_subtype(type_of(self.condition), BOOL, "the condition of prim::Loop")
        carried = len(self.operands) - 2
        arguments, values = self.body.block.args, yielded(self.body)
        require(
            len(arguments) == carried + 1 == len(values) and len(self.results) == carried,
            f"prim::Loop carries {carried} values, but its block takes {len(arguments) - 1} and"
            f" yields {len(values) - 1}, and it has {len(self.results)} results",
        )
        require_subtype(type_of(arguments[0]), INT, "the trip number")
        require_subtype(type_of(values[0]), BOOL, "the condition to go on")
        for index in range(carried):
            argument = type_of(arguments[index + 1])
            require_subtype(type_of(self.carried[index]), argument, f"carried value {index}")
            require_subtype(type_of(values[index + 1]), argument, f"yielded value {index}")
            require_subtype(argument, type_of(self.results[index]), f"carried value {index}")


class WithOp(PrimOp):
    """The form of a with statement inside the exit transform: a body and the exit."""

    name = "prim.With"
    OPERANDS = 0
    RESULTS = 0
    REGIONS = 2


class EnterOp(PrimOp):
    name = "prim.Enter"
    OPERANDS = 1
    RESULTS = 1

    manager = Operand(0)

    def verify_types(self) -> None:
        require_class(type_of(self.manager), self.KIND)


class ExitOp(PrimOp):
    name = "prim.Exit"
    OPERANDS = 1
    RESULTS = 1

    manager = Operand(0)


class LoadOp(PrimOp):
    """Reads a variable; gone after the conversion to SSA."""

    name = "prim.Load"
    OPERANDS = 0
    RESULTS = 1
    ATTRIBUTES = constrain(name=TEXT)

    variable = AttributeValue("name")


class StoreOp(PrimOp):
    """Sets a variable; gone after the conversion to SSA."""

    name = "prim.Store"
    OPERANDS = 1
    RESULTS = 0
    ATTRIBUTES = constrain(name=TEXT)

    value = Operand(0)
    variable = AttributeValue("name")


class BreakStmtOp(PrimOp):
    name = "prim.BreakStmt"
    OPERANDS = 0
    RESULTS = 0


class ContinueStmtOp(PrimOp):
    name = "prim.ContinueStmt"
    OPERANDS = 0
    RESULTS = 0


class ComprehensionScopeOp(PrimOp):
    """A comprehension, whose variables are its own; gone after the conversion to SSA."""

    name = "prim.ComprehensionScope"
    OPERANDS = 0
    RESULTS = 0
    REGIONS = 1
    traits = OpTraits(lambda: (RecursiveMemoryEffect(),))


class LoopContinuationOp(PrimOp):
    """Goes to the end of the innermost loop's block with these values."""

    name = "prim.LoopContinuation"
    RESULTS = 0

    values = Operands()


class ReturnStmtOp(PrimOp):
    """Leaves the innermost closure or function with these values."""

    name = "prim.ReturnStmt"
    RESULTS = 0

    values = Operands()


class UninitializedOp(PrimOp):
    """A value of the result's type that is never used."""

    name = "prim.Uninitialized"
    OPERANDS = 0
    RESULTS = 1
    traits = OpTraits(lambda: (Pure(), Aliases()))


class RaiseExceptionOp(PrimOp):
    """Message and, optionally, the qualified name of the exception's class."""

    name = "prim.RaiseException"
    RESULTS = 0
    traits = OpTraits(lambda: (Acts(), Aliases()))

    message = Operand(0)

    def verify_types(self) -> None:
        require(len(self.operands) in (1, 2), "prim::RaiseException takes a message and a class")
        require_subtype(type_of(self.message), STR, "the message")
