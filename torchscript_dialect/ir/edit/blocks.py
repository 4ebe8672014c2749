"""Edits of blocks: arguments, outputs, and moves of what a block holds.

A block's outputs are the operands of its terminator: `prim.yield`, or `func.return` in the block of a function.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import FunctionType, UnknownLoc
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from torchscript_dialect.dialects.prim import YieldOp
from torchscript_dialect.ir.edit.links import (
    all_ops,
    append_arguments,
    append_operand,
    append_operands,
    body_ops,
    move_before,
    new_op,
    operands_of,
    terminator,
)

_UNKNOWN_LOCATION = UnknownLoc()


def new_block(arguments: Sequence[Attribute] = ()) -> Block:
    """A block with no outputs yet."""
    block = Block(arg_types=arguments)
    block.add_op(new_op(YieldOp, (), (), {}, _UNKNOWN_LOCATION))
    return block


def outputs(block: Block) -> Sequence[SSAValue]:
    """The values that the block gives."""
    return operands_of(terminator(block))


def set_outputs(block: Block, values: Iterable[SSAValue]) -> None:
    terminator(block).operands = tuple(values)


def add_output(block: Block, value: SSAValue) -> None:
    append_operand(terminator(block), value)


def add_outputs(block: Block, values: Sequence[SSAValue]) -> None:
    append_operands(terminator(block), values)


def add_argument(block: Block, type_: Attribute) -> BlockArgument:
    """A new last argument of a block."""
    (argument,) = append_arguments(block, (type_,))
    return argument


def erase_arguments(block: Block, gone: Iterable[int]) -> None:
    """Take arguments of a block away that nothing uses."""
    for index in sorted(set(gone), reverse=True):
        block.erase_arg(block.args[index])


def move_to_end(op: Operation, block: Block) -> None:
    """Move an op to the end of a block, before its terminator."""
    move_before(op, terminator(block))


def inline_block(block: Block, before: Operation) -> None:
    """Move the ops of a block, but for the terminator, in front of an op of another block."""
    for op in body_ops(block):
        move_before(op, before)


def op_classes(block: Block) -> set[type[Operation]]:
    """The classes of all ops in a block and in the blocks in it: what is not there need not be looked for."""
    found: set[type[Operation]] = set()
    waiting: list[Block] = [block]
    while waiting:
        for op in all_ops(waiting.pop()):
            found.add(type(op))
            for region in op.regions:
                waiting.extend(region.blocks)
    return found


def update_function_type(function: FuncOp) -> None:
    """Make a function's type that of its block's arguments and outputs."""
    block = function.body.block
    last = block.last_op
    arguments = block.arg_types
    results = () if last is None else last.operand_types
    known = function.function_type
    # Most passes change no type, and a new one is hashed and checked as a whole.
    if known.inputs.data != arguments or known.outputs.data != results:
        function.properties["function_type"] = FunctionType.from_lists(arguments, results)
