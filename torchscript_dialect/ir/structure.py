"""What a block is, as a key: blocks that compute the same in the same way have equal ones, whatever their values are called and
wherever their nodes stand in the source.
"""

from __future__ import annotations

from typing import Any

from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.ir.attributes_key import attributes_key
from torchscript_dialect.ir.edit import operands_of

Structure = tuple[Any, ...]


def structure_of(block: Block) -> Structure:
    """The structure of a block. What is defined outside of it is equal to itself only."""
    return _block(block, {})


def _block(block: Block, numbers: dict[SSAValue, int]) -> Structure:
    for argument in block.args:
        numbers[argument] = len(numbers)
    ops = tuple([_op(op, numbers) for op in block.ops])
    return (block.arg_types, ops)


def _op(op: Operation, numbers: dict[SSAValue, int]) -> Structure:
    operands = tuple([numbers.get(value, value) for value in operands_of(op)])
    regions = tuple([_block(block, numbers) for region in op.regions for block in region.blocks])
    for result in op.results:
        numbers[result] = len(numbers)
    properties = tuple(op.properties.items()) if op.properties else ()
    return (type(op), operands, op.result_types, attributes_key(op), properties, regions)
