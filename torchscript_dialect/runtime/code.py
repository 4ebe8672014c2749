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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

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
        _Linearizer(self).function(function)

    @property
    def register_count(self) -> int:
        return len(self.registers)

    def __str__(self) -> str:
        lines: list[str] = []
        level = 0
        for instruction in self.instructions:
            level -= instruction.opcode in ("Else", "EndIf", "EndLoop")
            lines.append("  " * level + str(instruction))
            level += instruction.opcode in ("If", "Else", "Loop")
        return "\n".join(lines) + "\n"


class _Linearizer:
    def __init__(self, code: Code) -> None:
        self.code = code

    def function(self, function: FuncOp) -> None:
        block = function.body.block
        self.emit("Load", outputs=self.define(block.args))
        last_uses = _last_uses(block)
        self.drop_unused(block.args)
        results = self.block(block, last_uses)
        moved = _without_constants(v for v in results if v in last_uses)
        self.emit("Store", results, moved=moved)

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
            self.node(op, [v for v in _values_used(op) if last_uses.get(v) is op])
        return ()

    def node(self, op: Operation, moved: list[SSAValue]) -> None:
        if isinstance(op, IfOp):
            self.if_node(op, moved)
        elif isinstance(op, LoopOp):
            self.loop_node(op, moved)
        else:
            moved = _without_constants(moved)
            self.emit(_opcode(op), op.operands, self.define(op.results), moved, op)
            self.drop_unused(op.results)

    def if_node(self, op: IfOp, moved: list[SSAValue]) -> None:
        moved = _without_constants(moved)
        in_branch = [_used_in(region) for region in op.regions]
        before = [v for v in moved if not any(v in used for used in in_branch)]
        self.emit("If", [op.condition], moved=before, node=op)
        outputs = self.define(op.results)
        for index, region in enumerate(op.regions):
            if index:
                self.emit("Else", node=op)
            dead = [v for v in moved if v not in before and v not in in_branch[index]]
            if dead:
                self.emit("Drop", moved=dead)
            alive = [v for v in moved if v in in_branch[index]]
            last_uses = _last_uses(region.block, alive)
            results = self.block(region.block, last_uses)
            last = region.block.last_op
            done = _without_constants(v for v in results if last_uses.get(v) is last)
            self.emit("Assign", results, outputs, done, op)
        self.emit("EndIf", node=op)
        self.drop_unused(op.results)

    def loop_node(self, op: LoopOp, moved: list[SSAValue]) -> None:
        moved = _without_constants(moved)
        body = op.body.block
        inside = _used_in(op.body)
        before = [v for v in moved if v not in inside]
        arguments = self.define(body.args)
        self.emit("Loop", op.operands, arguments, before, op)
        last_uses = _last_uses(body)
        self.drop_unused([a for a in body.args[1:] if not a.uses])
        results = self.block(body, last_uses)
        done = _without_constants(v for v in results if last_uses.get(v) is body.last_op)
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


def _without_constants(values: Iterable[SSAValue]) -> list[SSAValue]:
    """The values whose registers can be freed, each once: constants belong to the code."""
    return [v for v in dict.fromkeys(values) if not isinstance(v.owner, ConstantOp)]


def _values_used(op: Operation) -> list[SSAValue]:
    """The values that a node reads, in its blocks too, each once, in order."""
    used = dict.fromkeys(op.operands)
    if not is_subgraph_op(op):
        for region in op.regions:
            used |= dict.fromkeys(_used_in(region))
    return list(used)


def _used_in(region: Region) -> dict[SSAValue, None]:
    """The values from outside a region that are used in it."""
    used: dict[SSAValue, None] = {}
    for op in region.walk():
        for operand in op.operands:
            if not _defined_in(operand, region):
                used[operand] = None
    return used


def _defined_in(value: SSAValue, region: Region) -> bool:
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    while block is not None:
        if block.parent is region:
            return True
        parent = block.parent_op()
        block = None if parent is None else parent.parent
    return False


def _last_uses(block: Block, outside: Sequence[SSAValue] = ()) -> dict[SSAValue, Operation]:
    """For every value defined in the block, and these from outside, the node of the block that uses it last."""
    last: dict[SSAValue, Operation] = {}
    known: set[SSAValue] = {*block.args, *outside}
    for op in block.ops:
        for value in _values_used(op):
            if value in known:
                last[value] = op
        known.update(op.results)
    return last
