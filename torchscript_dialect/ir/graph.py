"""Graph, Block, Node and Value over xDSL ops, with the methods of PyTorch's Python bindings and of its C++ classes.

A view holds nothing of its own but, for a graph, the insertion point: any number of views of one op may be made and dropped.
Follows torch/csrc/jit/ir/ir.h and torch/csrc/jit/python/python_ir.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block as IRBlock
from xdsl.ir import BlockArgument, Operation, OpResult, Region

from torchscript_dialect.dialects.operators import class_for, operator_class
from torchscript_dialect.dialects.prim import ConstantOp, YieldOp, kind_class, type_of
from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.ir import changes
from torchscript_dialect.ir.graph_of_function import GraphOfFunction
from torchscript_dialect.ir.insertion import call_of
from torchscript_dialect.ir.module import function_of_block, new_function, new_module
from torchscript_dialect.ir.node_operations import OpNode
from torchscript_dialect.ir.values import TypedValue, update_function_types
from torchscript_dialect.serialization.graph_printer import (
    is_subgraph_op,
    print_node,
    value_names,
)
from torchscript_dialect.types.containers import OptionalType, TupleType
from torchscript_dialect.types.core import NONE
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.errors import TorchScriptError

# pyright: reportPrivateUsage=false

__all__ = ["Block", "Graph", "Node", "Use", "Value"]


class Use(NamedTuple):
    """A place where a value is used: the node, and which of its inputs the value is."""

    user: Node
    offset: int


class Value(TypedValue):
    """A value of a graph. Two views of one value are equal."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{self.debugName()} defined in ({str(self.node()).strip()})"

    def debugName(self) -> str:
        """The name that the graph's text shows, without the `%`."""
        return value_names(self.node().owningGraph()._function.body.block)[self._ssa]

    def node(self) -> Node:
        """The node that makes the value; `prim::Param` for an input of a block."""
        if isinstance(self._ssa, OpResult):
            return Node(self._ssa.op)
        assert isinstance(self._ssa, BlockArgument)
        return Node(None, self._ssa.block)

    def uses(self) -> list[Use]:
        """Every use, in no particular order."""
        return [Use(Node(use.operation), use.index) for use in self._ssa.uses]

    def replaceAllUsesAfterNodeWith(self, node: Node, other: Value) -> None:
        """Replace the uses by nodes after `node` in its block, and in blocks of those."""
        for use in list(self._ssa.uses):
            if _is_after(use.operation, node._raw_op):
                use.operation.operands[use.index] = other._ssa
                update_function_types([use.operation])
        changes.edited(other._ssa)

    def owningGraph(self) -> Graph:
        """The graph that the value is in."""
        return self.node().owningGraph()


class Values(list[Value]):
    """Values in order, of which `next` gives one after the other, as it does of PyTorch's iterators."""

    def __next__(self) -> Value:
        given = self.__dict__.setdefault("iterator", iter(self))
        return next(given)


def _is_after(op: Any, anchor: Any) -> bool:
    while op is not None and op.parent_block() is not anchor.parent_block():
        op = op.parent_op()
    return op is not None and op is not anchor and anchor.is_before_in_block(op)


class Node(OpNode):
    """A node of a graph; `prim::Param` and `prim::Return` stand for the two ends of a block."""

    __slots__ = ()

    def __str__(self) -> str:
        names = value_names(self._top_block())
        for value in (*self.inputs(), *self.outputs()):
            names.setdefault(value._ssa, value._ssa.name_hint or str(len(names)))
        if self.kind() in ("prim::Param", "prim::Return"):
            outputs = ", ".join(f"%{names[value._ssa]}" for value in self.outputs())
            inputs = ", ".join(f"%{names[value._ssa]}" for value in self.inputs())
            return f"{outputs} = {self.kind()}({inputs})\n"
        return print_node(self._raw_op, names)

    # Inputs and outputs.

    def inputs(self) -> Values:
        return Values() if self._raw_op is None else Values(map(Value, self._raw_op.operands))

    def outputs(self) -> Values:
        if self._raw_op is None:
            assert self.block is not None
            return Values(map(Value, self.block.args))
        return Values(map(Value, self._raw_op.results))

    def inputsAt(self, index: int) -> Value:
        return Value(self._raw_op.operands[index])

    def outputsAt(self, index: int) -> Value:
        return self.outputs()[index]

    def input(self) -> Value:
        """The only input."""
        (only,) = self.inputs()
        return only

    def output(self) -> Value:
        """The only output."""
        (only,) = self.outputs()
        return only

    def inputsSize(self) -> int:
        return len(self.inputs())

    def outputsSize(self) -> int:
        return len(self.outputs())

    def hasMultipleOutputs(self) -> bool:
        return self.outputsSize() > 1

    def hasUses(self) -> bool:
        return any(output.hasUses() for output in self.outputs())

    def mustBeNone(self) -> bool:
        """Whether the only output is None in every run."""
        if self.outputsSize() != 1:
            return False
        type_ = self.output().type()
        is_constant = isinstance(self._raw_op, ConstantOp) and not self.hasAttributes()
        return type_ == NONE or (is_constant and isinstance(type_, OptionalType))

    def namedInput(self, name: str) -> Value:
        """The input that the schema calls `name`.

        Raises:
            TorchScriptError: the node has no schema, or its schema no such argument.
        """
        schema = self.maybe_schema()
        index = None if schema is None else schema.argument_index(name)
        if index is None:
            raise TorchScriptError(f"{self.kind()} has no input named '{name}'")
        return self.inputsAt(index)

    def is_constant(self, name: str) -> bool:
        """Whether the input called `name` is a constant."""
        return isinstance(self.namedInput(name)._ssa.owner, ConstantOp)

    def get(self, name: str) -> Any:
        """The value of the constant input called `name`; None where it is not constant."""
        return self.namedInput(name).toIValue()

    def addInput(self, value: Value) -> Value:
        return self.insertInput(self.inputsSize(), value)

    def insertInput(self, index: int, value: Value) -> Value:
        operands = list(self._raw_op.operands)
        operands.insert(index, value._ssa)
        self._set_inputs(operands)
        return value

    def replaceInput(self, index: int, value: Value) -> Value:
        """Put another value at an input; gives the value that was there."""
        operands = list(self._raw_op.operands)
        old, operands[index] = operands[index], value._ssa
        self._set_inputs(operands)
        return Value(old)

    def replaceInputWith(self, old: Value, new: Value) -> None:
        self._set_inputs([new._ssa if v is old._ssa else v for v in self._raw_op.operands])

    def addOutput(self) -> Value:
        """A new last output, a tensor until its type is set."""
        return self.insertOutput(self.outputsSize())

    def insertOutput(self, index: int) -> Value:
        types = list(self._raw_op.result_types)
        types.insert(index, TENSOR)
        self._rebuild(types, [i if i < index else i + 1 for i in range(len(self._raw_op.results))])
        return self.outputsAt(index)

    def replaceAllUsesWith(self, other: Node) -> None:
        for mine, theirs in zip(self.outputs(), other.outputs(), strict=True):
            mine.replaceAllUsesWith(theirs)

    # Place in the graph.

    def owningBlock(self) -> Block:
        owner = self.block if self._raw_op is None else self._raw_op.parent
        assert owner is not None, "the node is in no block"
        return Block(owner)

    def owningGraph(self) -> Graph:
        op: Operation | None = self.owningBlock()._ir.parent_op()
        while op is not None and not isinstance(op, FuncOp):
            op = op.parent_op()
        assert op is not None, "the node is in no graph"
        return Graph(op)

    # Blocks.

    def blocks(self) -> list[Block]:
        """The blocks of control flow; sub-graphs are attributes: `g`."""
        if self.subgraphs():
            return []
        return [Block(region.block) for region in self._raw_op.regions]

    def addBlock(self) -> Block:
        block = IRBlock()
        block.add_op(YieldOp.create())
        self._raw_op.add_region(Region(block))
        changes.edited(self._raw_op)
        return Block(block)

    def findNode(self, kind: str, recurse: bool = True) -> Node | None:
        """The first node of a kind in the node's blocks, and in those of their nodes if asked for."""
        return next(iter(self.findAllNodes(kind, recurse)), None)

    def findAllNodes(self, kind: str, recurse: bool = True) -> list[Node]:
        return [found for block in self.blocks() for found in block.findAllNodes(kind, recurse)]

    def g(self, name: str) -> Graph:
        """The sub-graph of a fusion group, or the `ReverseSubgraph` of a differentiable one, as a graph of its own (a copy).

        Raises:
            TorchScriptError: the node has no such sub-graph.
        """
        if name not in self.subgraphs():
            raise TorchScriptError(f"{self.kind()} has no sub-graph '{name}'")
        return standing_alone(self._raw_op.regions[self.subgraphs().index(name)].block)


def standing_alone(block: IRBlock) -> Graph:
    """A copy of a block as a function of its own in a module of its own."""
    return Graph(function_of_block(block))


class Block:
    """A sequence of nodes with inputs and outputs."""

    __slots__ = ("_ir",)

    def __init__(self, ir: IRBlock) -> None:
        self._ir = ir

    @property
    def ir(self) -> IRBlock:
        """xDSL's block; see Note [Edited functions]."""
        changes.handed_out(self._ir)
        return self._ir

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Block) and other._ir is self._ir

    def __hash__(self) -> int:
        return hash(id(self._ir))

    def inputs(self) -> Values:
        return Values(map(Value, self._ir.args))

    def outputs(self) -> Values:
        return self.return_node().inputs()

    def nodes(self) -> Iterator[Node]:
        """The nodes in order. The current one may be destroyed or moved while iterating."""
        op = self._ir.first_op
        while op is not None and op.next_op is not None:
            following = op.next_op
            yield Node(op)
            op = following

    def param_node(self) -> Node:
        return Node(None, self._ir)

    def return_node(self) -> Node:
        last = self._ir.last_op
        assert last is not None
        return Node(last)

    paramNode = param_node
    returnNode = return_node

    def addInputToBlock(self) -> Value:
        return self.insertInput(len(self._ir.args))

    def insertInput(self, index: int) -> Value:
        value = Value(self._ir.insert_arg(TENSOR, index))
        update_function_types([self._ir])
        changes.edited(self._ir)
        return value

    def eraseInput(self, index: int) -> None:
        """Remove an input that nothing uses.

        Raises:
            TorchScriptError: the input is used.
        """
        if self._ir.args[index].uses:
            raise TorchScriptError(f"input {index} is used and cannot be erased")
        self._ir.erase_arg(self._ir.args[index])
        update_function_types([self._ir])
        changes.edited(self._ir)

    def registerOutput(self, value: Value) -> int:
        """Add an output; gives its index."""
        self.return_node().addInput(value)
        return len(self.outputs()) - 1

    def eraseOutput(self, index: int) -> None:
        self.return_node().removeInput(index)

    def findNode(self, kind: str, recurse: bool = True) -> Node | None:
        """The first node of a kind, in the blocks of nodes too if asked for."""
        return next(_find_in(self, kind, recurse), None)

    def findAllNodes(self, kind: str, recurse: bool = True) -> list[Node]:
        """The nodes of a kind, in the blocks of nodes too if asked for, but not in sub-graphs."""
        return list(_find_in(self, kind, recurse))

    def addNode(self, kind: str, inputs: Sequence[Value]) -> Node:
        """A new last node of the block."""
        return Graph.create(kind, inputs).insertBefore(self.return_node())

    def owningNode(self) -> Node | None:
        """The node whose block this is; None for the block of a graph."""
        parent = self._ir.parent_op()
        return None if parent is None or isinstance(parent, FuncOp) else Node(parent)


class Graph(GraphOfFunction):
    """A function's graph. Editing it edits the function."""

    __slots__ = ("_insert_point",)

    def __init__(self, function: FuncOp | None = None) -> None:
        """The graph of a function; with none, a new empty graph in a module of its own."""
        if function is None:
            function = new_function("forward")
            new_module().body.block.add_op(function)
        super().__init__(function)
        self._insert_point: Operation | IRBlock | None = None

    # What it is made of.

    def block(self) -> Block:
        return Block(self._function.body.block)

    def inputs(self) -> Values:
        return self.block().inputs()

    def outputs(self) -> Values:
        return self.block().outputs()

    def nodes(self) -> Iterator[Node]:
        return self.block().nodes()

    def param_node(self) -> Node:
        return self.block().param_node()

    def return_node(self) -> Node:
        return self.block().return_node()

    def findNode(self, kind: str, recurse: bool = True) -> Node | None:
        """As `Block.findNode`."""
        return self.block().findNode(kind, recurse)

    def findAllNodes(self, kind: str, recurse: bool = True) -> list[Node]:
        """As `Block.findAllNodes`."""
        return self.block().findAllNodes(kind, recurse)

    # Inputs and outputs.

    def addInput(self, name: str = "") -> Value:
        return self.insertInput(len(self.inputs()), name)

    def insertInput(self, index: int, name: str = "") -> Value:
        value = self.block().insertInput(index)
        return value.setDebugName(name) if name else value

    def eraseInput(self, index: int) -> None:
        self.block().eraseInput(index)

    def registerOutput(self, value: Value) -> int:
        return self.block().registerOutput(value)

    def eraseOutput(self, index: int) -> None:
        self.block().eraseOutput(index)

    def permuteInputs(self, order: Sequence[int]) -> None:
        """Put the inputs in another order: input `i` becomes what input `order[i]` was.

        Raises:
            TorchScriptError: `order` does not name each input once.
        """
        block = self._function.body.block
        old = list(block.args)
        if sorted(order) != [*range(len(old))]:
            raise TorchScriptError(f"{list(order)} does not name each of {len(old)} inputs once")
        for place in order:
            new = block.insert_arg(old[place].type, len(block.args))
            new.name_hint = old[place].name_hint
            old[place].replace_all_uses_with(new)
        for argument in old:
            block.erase_arg(argument)
        update_function_types([block])
        changes.edited(block)

    def makeMultiOutputIntoTuple(self) -> None:
        """Return one tuple of the values that are returned."""
        outputs = self.outputs()
        made = self.create("prim::TupleConstruct", outputs).insertBefore(self.return_node())
        made.output().setType(TupleType.get([output.type() for output in outputs]))
        self.return_node()._set_inputs([made.output()._ssa])

    # Making nodes.

    def insertPoint(self) -> Node:
        """The node before which `insertNode` puts nodes."""
        point = self._insert_point
        if isinstance(point, Operation):
            return Node(point)
        return Block(point or self._function.body.block).return_node()

    def setInsertPoint(self, where: Node | Block) -> None:
        """Insert before this node, or at the end of this block, from now on."""
        self._insert_point = where._raw_op if isinstance(where, Node) else where._ir

    @contextmanager
    def insert_point_guard(self, where: Node | Block) -> Generator[None]:
        """Insert there inside a `with`, and where it was before after it."""
        before = self._insert_point
        self.setInsertPoint(where)
        try:
            yield
        finally:
            self._insert_point = before

    @staticmethod
    def create(
        kind: str,
        inputs: Sequence[Value] | int = (),
        outputs: int = 1,
    ) -> Node:
        """A node that is in no block yet, its outputs tensors until their types are set.

        As with PyTorch, the inputs may be left out: `create(kind, outputs)`.
        """
        if isinstance(inputs, int):
            inputs, outputs = (), inputs
        operands = [value._ssa for value in inputs]
        class_ = kind_class(kind) or class_for(kind, [type_of(operand) for operand in operands])
        return Node(class_.create(operands=operands, result_types=[TENSOR] * outputs))

    def insertNode(self, node: Node) -> Node:
        return node.insertBefore(self.insertPoint())

    def appendNode(self, node: Node) -> Node:
        return node.insertBefore(self.return_node())

    def prependNode(self, node: Node) -> Node:
        return node.insertAfter(self.param_node())

    def insertConstant(self, value: Any) -> Value:
        """A constant at the insertion point."""
        node = Node(ConstantOp.of(value, type_of_constant(value)))
        return self.insertNode(node).output()

    def insert(self, kind: str, args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Value:
        """A call of an operator at the insertion point: Python values become constants, defaults are filled in.

        Raises:
            TorchScriptError: no overload takes these arguments, or the operator has other than one result.
        """
        call = call_of(kind, args, kwargs or {})
        values = [a if isinstance(a, Value) else self.insertConstant(a) for a in call.arguments]
        op = operator_class(call.operator.qualified_name).create(
            operands=[value._ssa for value in values], result_types=[call.result]
        )
        return self.insertNode(Node(op)).output()

    def insertGraph(
        self, callee: Graph, inputs: Sequence[Value], known: dict[Value, Value] | None = None
    ) -> list[Value]:
        """The nodes of another graph at the insertion point, its inputs being `inputs`; gives the values of its outputs.

        `known` gets the value here for each value there.
        """
        copies = {old._ssa: new._ssa for old, new in zip(callee.inputs(), inputs, strict=True)}
        for node in callee.nodes():
            self.insertNode(Node(node._raw_op.clone(copies)))
        if known is not None:
            known.update((Value(old), Value(new)) for old, new in copies.items())
        return [Value(copies[output._ssa]) for output in callee.outputs()]

    def createClone(
        self, node: Node, value_map: Callable[[Value], Value] = lambda value: value
    ) -> Node:
        """A copy of a node that stands nowhere yet; `value_map` gives what it uses for each value from outside it."""
        op = node._raw_op
        used = {operand for inner in op.walk() for operand in inner.operands}
        outside = (operand for operand in used if not op.is_ancestor(operand.owner))
        return Node(op.clone({operand: value_map(Value(operand))._ssa for operand in outside}))

    def copy(self) -> Graph:
        """A copy in a module of its own."""
        return standing_alone(self._function.body.block)


def _find_in(block: Block, kind: str, recurse: bool) -> Iterator[Node]:
    """The nodes of a kind; `recurse` looks into the blocks of nodes too, but not into sub-graphs."""
    for node in block.nodes():
        if node.kind() == kind:
            yield node
        if recurse and not is_subgraph_op(node._raw_op):
            for inner in node.blocks():
                yield from _find_in(inner, kind, recurse)
