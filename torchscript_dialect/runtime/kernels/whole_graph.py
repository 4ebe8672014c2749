"""Functions that are one fusion group and nothing else: called natively, they need no interpreter."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.types.core import BOOL, FLOAT, INT, NONE
from torchscript_dialect.types.tensor_type import TensorType

SINGLE_NODES = "ts-fuse-tensorexprs{min_group_size=1},ts-dead-code-elimination"
"""The passes that make groups of one node."""


def align_to_function(function: FuncOp) -> Block | None:
    """The only group of a function as a block with the function's arguments, in its order, and results; None where the function does
    anything else.

    The function may pack the group's results in a tuple.
    """
    block = function.body.block
    nodes = [op for op in block.ops if not isinstance(op, (prim.ConstantOp, ReturnOp))]
    groups = [op for op in nodes if isinstance(op, prim.TensorExprGroupOp)]
    packs = [op for op in nodes if isinstance(op, prim.TupleConstructOp)]
    if len(groups) != 1 or len(groups) + len(packs) != len(nodes) or len(packs) > 1:
        return None
    returned = _returned(block, packs)
    (group,) = groups
    if returned is None or not _takes_arguments_only(group, block):
        return None
    if set(returned) != set(group.results) or len(returned) != len(group.results):
        return None
    if any(not _is_native(argument) for argument in block.args):
        return None
    return _aligned(group, block, returned, packs)


def _returned(block: Block, packs: list[prim.TupleConstructOp]) -> list[SSAValue] | None:
    last = block.last_op
    if last is None or len(last.operands) != 1:
        return None
    if not packs:
        return list(last.operands)
    return list(packs[0].operands) if last.operands[0] is packs[0].results[0] else None


def _takes_arguments_only(group: prim.TensorExprGroupOp, block: Block) -> bool:
    operands = list(group.operands)
    return all(operand in block.args for operand in operands) and len(set(operands)) == len(
        operands
    )


def _is_native(argument: SSAValue) -> bool:
    return isinstance(argument.type, TensorType) or argument.type in (INT, FLOAT, BOOL, NONE)


def _aligned(
    group: prim.TensorExprGroupOp,
    block: Block,
    returned: list[SSAValue],
    packs: list[prim.TupleConstructOp],
) -> Block:
    values: dict[SSAValue, SSAValue] = {}
    aligned = Block(arg_types=block.arg_types)
    inside = dict(zip(group.operands, group.body.args, strict=True))
    for argument, new in zip(block.args, aligned.args, strict=True):
        new.name_hint = argument.name_hint
        if argument in inside:
            values[inside[argument]] = new
    *nodes, end = group.body.ops
    for op in nodes:
        aligned.add_op(op.clone(values))
    for result, value in zip(group.results, end.operands, strict=True):
        values[result] = values[value]
    for pack in packs:
        aligned.add_op(pack.clone(values))
    given = [pack.results[0] for pack in packs] or returned
    aligned.add_op(prim.YieldOp.create(operands=[values[value] for value in given]))
    return aligned
