"""Value and Use: what flows through a graph (PyTorch: torch/csrc/jit/ir/ir.h)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from torchscript_dialect.dialects.prim import ConstantOp, type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.serialization.graph_printer import value_names
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from torchscript_dialect.ir.graph import Graph, Node


class Use(NamedTuple):
    """A place where a value is used: the node, and which of its inputs the value is."""

    user: Node
    offset: int


class Value:
    """A value of a graph. Two views of one value are equal."""

    __slots__ = ("ssa",)

    def __init__(self, ssa: SSAValue) -> None:
        self.ssa = ssa

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and other.ssa is self.ssa

    def __hash__(self) -> int:
        return hash(self.ssa)

    def __repr__(self) -> str:
        return f"{self.debugName()} defined in ({str(self.node()).strip()})"

    def debugName(self) -> str:
        """The name that the graph's text shows, without the `%`."""
        return value_names(self.node().owningGraph().function.body.block)[self.ssa]

    def setDebugName(self, name: str) -> Value:
        """Name the value; a name that is taken already gets a number when the graph is printed.

        Raises:
            ValueError: the name consists of digits, which stand for values without a name, or holds what no name may.
        """
        if name.isdigit():
            raise ValueError(f"'{name}' cannot be the name of a value: it is a number")
        self.ssa.extract_valid_name(name)
        edit.set_name(self.ssa, name)
        return self

    def hasDebugName(self) -> bool:
        return self.ssa.name_hint is not None

    def type(self) -> TorchScriptType:
        return type_of(self.ssa)

    def setType(self, type_: TorchScriptType) -> Value:
        edit.set_type(self.ssa, type_)
        update_function_types([self.ssa.owner, *(use.operation for use in self.ssa.uses)])
        return self

    def inferTypeFrom(self, tensor: Any) -> None:
        """Give the value the complete type of a tensor."""
        self.setType(
            TensorType.of(
                tensor.dtype.type_name,
                tuple(tensor.shape),
                tuple(tensor.stride()),
                str(tensor.device),
                False,
            )
        )

    def node(self) -> Node:
        """The node that makes the value; `prim::Param` for an input of a block."""
        from torchscript_dialect.ir.graph import Node

        if isinstance(self.ssa, OpResult):
            return Node(self.ssa.op)
        assert isinstance(self.ssa, BlockArgument)
        return Node(None, self.ssa.block)

    def offset(self) -> int:
        """Which of its node's outputs the value is."""
        assert isinstance(self.ssa, (OpResult, BlockArgument))
        return self.ssa.index

    def unique(self) -> int:
        """A number that no other value of the process has while this one lives."""
        return id(self.ssa)

    def uses(self) -> list[Use]:
        """Every use, in no particular order."""
        from torchscript_dialect.ir.graph import Node

        return [Use(Node(use.operation), use.index) for use in self.ssa.uses]

    def hasUses(self) -> bool:
        return bool(self.ssa.uses)

    def replaceAllUsesWith(self, other: Value) -> None:
        users = [use.operation for use in self.ssa.uses]
        self.ssa.replace_all_uses_with(other.ssa)
        update_function_types(users)

    def replaceAllUsesAfterNodeWith(self, node: Node, other: Value) -> None:
        """Replace the uses by nodes after `node` in its block, and in blocks of those."""
        for use in list(self.ssa.uses):
            if _is_after(use.operation, node.op):
                use.operation.operands[use.index] = other.ssa
                update_function_types([use.operation])

    def owningGraph(self) -> Graph:
        """The graph that the value is in."""
        return self.node().owningGraph()

    def toIValue(self) -> Any:
        """The value of a constant; None where the value is not constant (or is None)."""
        op = self.ssa.owner
        if isinstance(op, ConstantOp) and op.function_name is None:
            return op.value
        return None

    def isCompleteTensor(self) -> bool:
        type_ = self.type()
        if not isinstance(type_, TensorType):
            return False
        known = (type_.dtype, type_.sizes, type_.strides, type_.device)
        return None not in known and None not in (type_.sizes or ())

    def requires_grad(self) -> bool:
        type_ = self.type()
        return isinstance(type_, TensorType) and bool(type_.requires_grad)

    def requiresGrad(self) -> bool:
        return self.requires_grad()


def update_function_types(changed: Iterable[Operation | Block]) -> None:
    """Make the types of functions follow their blocks, where the block of a function or its return has changed."""
    for place in changed:
        block = place if isinstance(place, Block) else place.parent
        function = None if block is None else block.parent_op()
        is_end = isinstance(place, (Block, ReturnOp))
        if is_end and block is not None and isinstance(function, FuncOp):
            edit.update_function_type(function)


def _is_after(op: Any, anchor: Any) -> bool:
    while op is not None and op.parent_block() is not anchor.parent_block():
        op = op.parent_op()
    return op is not None and op is not anchor and anchor.is_before_in_block(op)
