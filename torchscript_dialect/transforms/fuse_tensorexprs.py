"""Puts operators that one kernel can compute into `prim::TensorExprGroup`s (PyTorch: passes/tensorexpr_fuser.cpp).

Works on typed graphs. Before: nodes with complete tensor types. After: the nodes of a group are in the region of one node, which stands
where the last of them stood. Results of the group are the values that are used outside, all of them fresh tensors: a
view that is used outside is made outside, of what it is a view of.

A group ends before a node that uses one of its values, and before one that may write to what it reads: moving its nodes down to
the last one passes no such node. A group of fewer than `min_group_size` operators that compute is left as it was.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.effects import blocks_of, has_side_effects
from torchscript_dialect.dialects import prim
from torchscript_dialect.transforms._fusible import is_fusible, is_view
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class FuseTensorExprs(FunctionPass):
    name = "ts-fuse-tensorexprs"

    min_group_size: int = 2

    def run(self, function: FuncOp) -> bool:
        fuser = _Fuser(AliasDb(function), self.min_group_size)
        fuser.block(function.body.block)
        dump(LOG, "After FuseTensorExprs: ", function)
        return fuser.changed


class _Fuser:
    def __init__(self, aliases: AliasDb, min_group_size: int) -> None:
        self.aliases = aliases
        self.min_group_size = min_group_size
        self.changed = False

    def block(self, block: Block) -> None:
        members: list[Operation] = []
        inside: set[SSAValue] = set()
        for op in list(block.ops):
            if isinstance(op, prim.ConstantOp):
                continue
            if is_fusible(op):
                members.append(op)
                inside.update(op.results)
                continue
            if members and self.ends_group(op, members, inside):
                self.close(members)
                members, inside = [], set()
            for inner in blocks_of(op):
                self.block(inner)
        self.close(members)

    def ends_group(self, op: Operation, members: list[Operation], inside: set[SSAValue]) -> bool:
        """Whether the members cannot be moved past a node that is not one of them."""
        if any(operand in inside for inner in op.walk() for operand in inner.operands):
            return True
        if op is op.parent_block().last_op:  # pyright: ignore[reportOptionalMemberAccess]
            return True
        read = [operand for member in members for operand in member.operands]
        return has_side_effects(op) or self.aliases.writes_to_alias(op, read)

    def close(self, members: list[Operation]) -> None:
        """Make a group of the members, if it is worth it."""
        while members and is_view(members[-1]):
            members = members[:-1]
        members = _without_useless_views(members)
        computing = [op for op in members if not is_view(op)]
        if len(computing) < self.min_group_size or not LIMIT.allows():
            return
        self.changed = True
        _make_group(members)


def _without_useless_views(members: list[Operation]) -> list[Operation]:
    """The members without views that no other member uses: they stay where they are."""
    kept: list[Operation] = []
    used: set[SSAValue] = set()
    for op in reversed(members):
        if is_view(op) and not any(result in used for result in op.results):
            continue
        kept.append(op)
        used.update(op.operands)
    kept.reverse()
    return kept


def _make_group(members: list[Operation]) -> None:
    last = members[-1]
    block = last.parent_block()
    assert block is not None
    inside = {result for op in members for result in op.results}
    outside_views = _copy_views_that_escape(members, inside, block, last)
    operands = _operands(members, inside)
    outputs = [
        result
        for op in members
        if not is_view(op)
        for result in op.results
        if any(use.operation not in members for use in result.uses)
    ]
    body = Block(arg_types=[value.type for value in operands])
    values: dict[SSAValue, SSAValue] = {}
    for value, argument in zip(operands, body.args, strict=True):
        values[value] = argument
        argument.name_hint = value.name_hint
    _clone_into(body, members, values)
    body.add_op(prim.YieldOp.create(operands=[values[output] for output in outputs]))
    group = prim.TensorExprGroupOp.create(
        operands=operands,
        result_types=[output.type for output in outputs],
        regions=[Region(body)],
    )
    block.insert_op_after(group, last)
    for output, result in zip(outputs, group.results, strict=True):
        result.name_hint = output.name_hint
        for use in tuple(output.uses):
            if use.operation not in members:
                use.operation.operands[use.index] = result
    assert all(view.parent_block() is block for view in outside_views)
    for op in reversed(members):
        block.erase_op(op)


def _copy_views_that_escape(
    members: list[Operation], inside: set[SSAValue], block: Block, last: Operation
) -> list[Operation]:
    """Give the users outside of a view their own, made after the group, and so of what they see as memory."""
    copies: list[Operation] = []
    where = last
    replaced: dict[SSAValue, SSAValue] = {}
    for op in members:
        if not is_view(op):
            continue
        escaping = [r for r in op.results if any(u.operation not in members for u in r.uses)]
        if not escaping:
            continue
        copy = op.clone(replaced)
        block.insert_op_after(copy, where)
        where = copy
        copies.append(copy)
        for old, new in zip(op.results, copy.results, strict=True):
            replaced[old] = new
            new.name_hint = old.name_hint
            for use in tuple(old.uses):
                if use.operation not in members and use.operation is not copy:
                    use.operation.operands[use.index] = new
    return copies


def _operands(members: list[Operation], inside: set[SSAValue]) -> list[SSAValue]:
    """What the members need from outside, constants aside, each once, in order."""
    needed: dict[SSAValue, None] = {}
    for op in members:
        for operand in op.operands:
            if operand not in inside and not isinstance(operand.owner, prim.ConstantOp):
                needed[operand] = None
    return list(needed)


def _clone_into(
    body: Block, members: list[Operation], values: dict[SSAValue, SSAValue]
) -> None:
    for op in members:
        for operand in op.operands:
            if operand not in values:
                constant = operand.owner
                assert isinstance(constant, prim.ConstantOp)
                copy = constant.clone()
                body.add_op(copy)
                values[operand] = copy.results[0]
        copy = op.clone(values)
        body.add_op(copy)
        for old, new in zip(op.results, copy.results, strict=True):
            new.name_hint = old.name_hint
