"""What a node does that needs no view of a value, a block or another graph (PyTorch: torch/csrc/jit/ir/ir.h)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.places import hierarchy_of, scope_of, source_place
from torchscript_dialect.ir import changes
from torchscript_dialect.ir.node_attributes import NodeAttributes
from torchscript_dialect.ir.values import update_function_types
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.utils.errors import TorchScriptError

# pyright: reportPrivateUsage=false


class OpNode(NodeAttributes):
    """A node as the op that it is."""

    __slots__ = ("block",)

    def __init__(self, op: Operation | None, block: Block | None = None) -> None:
        assert op is not None or block is not None
        super().__init__(op)
        self.block = block

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OpNode)
            and other._raw_op is self._raw_op
            and other.block is self.block
        )

    def __hash__(self) -> int:
        return hash((id(self._raw_op), id(self.block)))

    def dump(self) -> None:
        """Print the node to standard output."""
        print(self, end="")

    def __repr__(self) -> str:
        return str(self)

    def schema(self) -> str:
        """The schema's text, `(no schema)` for a node without one."""
        schema = self.maybe_schema()
        return "(no schema)" if schema is None else str(schema)

    def maybe_schema(self) -> FunctionSchema | None:
        """The schema of an operator, None for other nodes."""
        return self._raw_op.schema if isinstance(self._raw_op, OperatorOp) else None

    def sourceRange(self) -> str:
        """`file:line:col`, empty where it is not known."""
        location = None if self._raw_op is None else source_place(self._raw_op.location)
        if location is None:
            return ""
        return f"{location.filename.data}:{location.line.data}:{location.column.data}"

    def matches(self, schema: str) -> bool:
        """Whether the node is a call of the operator with that schema."""
        mine = self.maybe_schema()
        return mine is not None and str(mine) == str(FunctionSchema.parse(schema))

    def _set_inputs(self, operands: Sequence[SSAValue]) -> None:
        self._raw_op.operands = operands
        update_function_types([self._raw_op])
        changes.edited(self._raw_op)

    def removeInput(self, index: int) -> None:
        self._set_inputs([v for i, v in enumerate(self._raw_op.operands) if i != index])

    def removeAllInputs(self) -> None:
        self._set_inputs(())

    def eraseOutput(self, index: int) -> None:
        """Remove an output that nothing uses.

        Raises:
            TorchScriptError: the output is used.
        """
        if self._raw_op.results[index].uses:
            raise TorchScriptError(f"output {index} of {self.kind()} is used and cannot be erased")
        types = [t for i, t in enumerate(self._raw_op.result_types) if i != index]
        places = [i if i < index else i - 1 for i in range(len(self._raw_op.results))]
        self._rebuild(types, places, erased=index)

    def _rebuild(
        self, types: Sequence[Attribute], places: Sequence[int], erased: int | None = None
    ) -> None:
        """Make the op anew with other results, as ops have a fixed number; old result i becomes `places[i]`."""
        old: Operation = self._raw_op
        regions = [old.detach_region(0) for _ in range(len(old.regions))]
        new = type(old).create(
            operands=old.operands,
            result_types=types,
            attributes=old.attributes,
            properties=old.properties,
            regions=regions,
            location=old.location,
        )
        for index, result in enumerate(old.results):
            if index != erased:
                new.results[places[index]].name_hint = result.name_hint
                result.replace_all_uses_with(new.results[places[index]])
        if old.parent is not None:
            old.parent.insert_op_before(new, old)
            old.detach()
        old.drop_all_references()
        self._raw_op = new
        changes.edited(new)

    def isBefore(self, other: OpNode) -> bool:
        return self._raw_op.is_before_in_block(other._raw_op)

    def isAfter(self, other: OpNode) -> bool:
        return other.isBefore(self)

    def scopeName(self) -> str:
        """The scope of a module in which a tracer met the node: `__module.fc`; empty for others."""
        return "" if self._raw_op is None else scope_of(self._raw_op.location)

    def getModuleHierarchy(self) -> str:
        """The calls of modules that the node came from, where it was inlined for `inlined_graph`: `fc(Linear).act(ReLU)`."""
        return "" if self._raw_op is None else hierarchy_of(self._raw_op.location)

    def eraseBlock(self, index: int) -> None:
        self._raw_op.detach_region(index).drop_all_references()
        changes.edited(self._raw_op)

    # Place in the graph.

    def _top_block(self) -> Block:
        """The outermost block around the node; one of its own for a node that is in none."""
        block = self.block if self._raw_op is None else self._raw_op.parent
        if block is None:
            return Block(arg_types=())
        while (parent := block.parent_op()) is not None and not isinstance(parent, FuncOp):
            if parent.parent is None:
                break
            block = parent.parent
        return block

    def insertBefore(self, other: OpNode) -> Self:
        other._raw_op.parent.insert_op_before(self._raw_op, other._raw_op)
        changes.edited(self._raw_op)
        return self

    def insertAfter(self, other: OpNode) -> Self:
        if other._raw_op is None:
            assert other.block is not None
            Rewriter.insert_op(self._raw_op, InsertPoint.at_start(other.block))
        else:
            other._raw_op.parent.insert_op_after(self._raw_op, other._raw_op)
        changes.edited(self._raw_op)
        return self

    def moveBefore(self, other: OpNode) -> None:
        self._raw_op.detach()
        self.insertBefore(other)

    def moveAfter(self, other: OpNode) -> None:
        self._raw_op.detach()
        self.insertAfter(other)

    def next(self) -> Self | None:
        following = self._raw_op.next_op
        return None if following is None else type(self)(following)

    def prev(self) -> Self | None:
        before = self._raw_op.prev_op
        return None if before is None else type(self)(before)

    def destroy(self) -> None:
        """Remove the node from the graph for good.

        Raises:
            TorchScriptError: an output is still used.
        """
        if any(result.uses for result in self._raw_op.results):
            raise TorchScriptError(f"{self.kind()} is still used and cannot be destroyed")
        changes.edited(self._raw_op)
        self._raw_op.detach()
        self._raw_op.erase()
