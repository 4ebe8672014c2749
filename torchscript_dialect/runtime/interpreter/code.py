"""Code: a graph as a list of instructions over registers (PyTorch: torch/csrc/jit/runtime/interpreter/code_impl.h).

Every value has a register. An instruction names the registers that it reads, marks those that it reads for the last time
(`move(3)`), and names the registers that it sets. Control flow is bracketed: `If` ... `Else` ... `EndIf`, `Loop` ... `EndLoop`.
A value whose last use is in one branch only is dropped at the start of the other. Printed, a Code looks as in the
Overview:

    0, 1 = Load
    2 = Constant[value=1]
    3 = add 0, move(1), 2
     = Store move(3)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.prim import ConstantOp, IfOp, LoopOp
from torchscript_dialect.serialization.graph_printer import (
    constant_type,
    format_attribute,
    is_subgraph_op,
)


@dataclass(frozen=True)
class Instruction:
    """One step: `opcode` with the node it comes from, the registers read and set.

    `moved` are the registers that are not read again; they are free after the step.
    """

    opcode: str
    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()
    moved: frozenset[int] = frozenset()
    node: Operation | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        shown = ", ".join(f"move({r})" if r in self.moved else str(r) for r in self.inputs)
        dropped = [str(r) for r in sorted(self.moved - set(self.inputs))]
        attributes = ""
        if isinstance(self.node, ConstantOp):
            type_ = constant_type(self.node)
            inside = (f"{k}={format_attribute(v, type_)}" for k, v in self.node.attributes.items())
            attributes = f"[{', '.join(inside)}]" if self.node.attributes else ""
        text = f"{', '.join(map(str, self.outputs))} = {self.opcode}{attributes} {shown}".rstrip()
        return f"{text} (drop {', '.join(dropped)})" if dropped else text


class Code:
    """The instructions of a function, shared by all its runs."""

    def __init__(self, function: FuncOp) -> None:
        self.function = function
        self.registers: dict[SSAValue, int] = {}
        self.instructions: list[Instruction] = []
        _Linearizer(self, function.body.block).function(function)

    def __str__(self) -> str:
        lines: list[str] = []
        level = 0
        for instruction in self.instructions:
            level -= instruction.opcode in ("Else", "EndIf", "EndLoop")
            lines.append("  " * level + str(instruction))
            level += instruction.opcode in ("If", "Else", "Loop")
        return "\n".join(lines) + "\n"


class _Linearizer:
    def __init__(self, code: Code, block: Block) -> None:
        self.code = code
        self.read_in: dict[Block, dict[SSAValue, None]] = {}
        """For every block, the values from outside that are read in it, but for constants, whose registers are never freed."""
        self.find_reads(block)

    def find_reads(self, block: Block) -> None:
        """Each block is looked at once, after those in it, so that a program of nested blocks is not searched again at every level."""
        found: dict[SSAValue, None] = {}
        for op in block.ops:
            if op.regions and not is_subgraph_op(op):
                for region in op.regions:
                    self.find_reads(region.block)
            found |= self.reads(op)
        self.read_in[block] = {v: None for v in found if _block_of(v) is not block}

    def reads(self, op: Operation) -> dict[SSAValue, None]:
        """The values that a node reads, in its blocks too, each once, in order; no constants."""
        found = {v: None for v in op.operands if not isinstance(v.owner, ConstantOp)}
        if op.regions and not is_subgraph_op(op):
            for region in op.regions:
                found |= self.read_in[region.block]
        return found

    def last_uses(
        self, block: Block, outside: Sequence[SSAValue] = ()
    ) -> dict[SSAValue, Operation]:
        """For every value defined in the block, and these from outside, the node of the block that uses it last."""
        last: dict[SSAValue, Operation] = {}
        known = {*outside}
        for op in block.ops:
            for value in self.reads(op):
                if value in known or _block_of(value) is block:
                    last[value] = op
        return last

    def function(self, function: FuncOp) -> None:
        block = function.body.block
        self.emit("Load", outputs=self.define(block.args))
        last_uses = self.last_uses(block)
        self.drop_unused(block.args)
        results = self.block(block, last_uses)
        self.emit("Store", results, moved=[v for v in results if v in last_uses])

    def register(self, value: SSAValue) -> int:
        return self.code.registers.setdefault(value, len(self.code.registers))

    def define(self, values: Sequence[SSAValue]) -> tuple[int, ...]:
        return tuple(self.register(value) for value in values)

    def emit(
        self,
        opcode: str,
        inputs: Sequence[SSAValue] = (),
        outputs: tuple[int, ...] = (),
        moved: Sequence[SSAValue] = (),
        node: Operation | None = None,
    ) -> None:
        registers = tuple(self.register(value) for value in inputs)
        freed = frozenset(self.register(value) for value in moved)
        self.code.instructions.append(Instruction(opcode, registers, outputs, freed, node))

    def drop_unused(self, values: Sequence[SSAValue]) -> None:
        unused = [value for value in values if not value.uses]
        if unused:
            self.emit("Drop", moved=unused)

    def block(self, block: Block, last_uses: dict[SSAValue, Operation]) -> Sequence[SSAValue]:
        """Emit the nodes of a block; gives the values that the block ends with."""
        for op in block.ops:
            if op is block.last_op:
                return tuple(op.operands)
            self.node(op, [v for v in self.reads(op) if last_uses.get(v) is op])
        return ()

    def node(self, op: Operation, moved: list[SSAValue]) -> None:
        if isinstance(op, IfOp):
            self.if_node(op, moved)
        elif isinstance(op, LoopOp):
            self.loop_node(op, moved)
        else:
            self.emit(_opcode(op), op.operands, self.define(op.results), moved, op)
            self.drop_unused(op.results)

    def if_node(self, op: IfOp, moved: list[SSAValue]) -> None:
        in_branch = [self.read_in[region.block] for region in op.regions]
        before = [v for v in moved if not any(v in used for used in in_branch)]
        self.emit("If", [op.condition], moved=before, node=op)
        outputs = self.define(op.results)
        for index, region in enumerate(op.regions):
            if index:
                self.emit("Else", node=op)
            here, other = in_branch[index], in_branch[1 - index]
            dead = [v for v in moved if v in other and v not in here]
            if dead:
                self.emit("Drop", moved=dead)
            last_uses = self.last_uses(region.block, [v for v in moved if v in here])
            results = self.block(region.block, last_uses)
            last = region.block.last_op
            done = [v for v in results if last_uses.get(v) is last]
            self.emit("Assign", results, outputs, done, op)
        self.emit("EndIf", node=op)
        self.drop_unused(op.results)

    def loop_node(self, op: LoopOp, moved: list[SSAValue]) -> None:
        body = op.body.block
        inside = self.read_in[body]
        before = [v for v in moved if v not in inside]
        arguments = self.define(body.args)
        self.emit("Loop", op.operands, arguments, before, op)
        last_uses = self.last_uses(body)
        self.drop_unused([a for a in body.args[1:] if not a.uses])
        results = self.block(body, last_uses)
        done = [v for v in results if last_uses.get(v) is body.last_op]
        self.emit("Continue", results, arguments, done, op)
        after = [v for v in moved if v in inside]
        self.emit("EndLoop", (), self.define(op.results), after, op)
        self.drop_unused(op.results)


_CONTROL = frozenset(
    ("Load", "Store", "Drop", "If", "Else", "EndIf", "Assign", "Loop", "Continue", "EndLoop")
)


def _opcode(op: Operation) -> str:
    """A node's opcode: its name, in full where that is one of control flow or of constants."""
    kind = op.KIND if isinstance(op, TorchScriptOp) else op.name
    name = kind.partition("::")[2]
    is_taken = name in _CONTROL or (name == "Constant" and not isinstance(op, ConstantOp))
    return kind if is_taken else name


def _block_of(value: SSAValue) -> Block | None:
    """The block that defines a value."""
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent
