"""What a node does that needs no view of a value, a block or another graph (PyTorch: torch/csrc/jit/ir/ir.h)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, SSAValue

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

    __slots__ = ()

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
