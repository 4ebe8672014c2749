"""Puts loops over numbers into `prim::ScalarGroup`s, each of which can be one native function.

Before: any graph. After: a `prim::Loop` whose nodes give ints, floats and bools alone, by operators for which the backend has code
(`Backend.can_compute`), stands in the region of a node of its own, with the numbers that it uses as constants. The outermost such loop
is taken.
Lists of numbers are read and never written there, so the group has no effects but its results: what goes wrong in it, as a division by
zero or a place outside of a list does, goes wrong again where its nodes are run one by one.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.backend import Backend, fusing_backend
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.core import BOOL, FLOAT, INT, TorchScriptType
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)

NUMBERS: tuple[TorchScriptType, ...] = (INT, FLOAT, BOOL)
LISTS: tuple[TorchScriptType, ...] = (ListType(INT), ListType(FLOAT))
"""What loops may read."""


class OutlineScalarLoops(FunctionPass):
    name = "ts-outline-scalar-loops"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        _, loops = _loops(function.body.block, fusing_backend())
        made = [_make_group(loop) for loop in loops if _reads_numbers(loop) and LIMIT.allows()]
        dump(LOG, "After OutlineScalarLoops: ", function)
        return bool(made)


def _loops(block: Block, backend: Backend) -> tuple[bool, list[prim.LoopOp]]:
    """Whether a block computes nothing but numbers, and the outermost loops in it that do."""
    is_of_numbers, found = True, list[prim.LoopOp]()
    for op in block.ops:
        inside = [_loops(inner, backend) for inner in blocks_of(op)]
        computes = all(one for one, _ in inside) and _computes_numbers(op, backend)
        is_of_numbers = is_of_numbers and computes
        if computes and op.results and isinstance(op, prim.LoopOp):
            found.append(op)
        else:
            found.extend(loop for _, loops in inside for loop in loops)
    return is_of_numbers, found


def _computes_numbers(op: Operation, backend: Backend) -> bool:
    """Whether a node gives numbers, as far as its blocks do."""
    if isinstance(op, (prim.ConstantOp, prim.YieldOp)):
        return True
    if not all(prim.type_of(value) in NUMBERS for value in op.results):
        return False
    if isinstance(op, (prim.LoopOp, prim.IfOp, prim.UninitializedOp)):
        return True
    return isinstance(op, OperatorOp) and backend.can_compute(op)


def _reads_numbers(loop: prim.LoopOp) -> bool:
    return all(prim.type_of(value) in (*NUMBERS, *LISTS) for value in _captured(loop))


def _captured(loop: prim.LoopOp) -> list[SSAValue]:
    """What the loop and its nodes need from outside, each once, in order: constants only where these are lists."""
    inside = set(loop.walk())
    blocks = {region.block for op in inside for region in op.regions}
    found: dict[SSAValue, None] = {}
    for op in loop.walk():
        for value in op.operands:
            if isinstance(value.owner, prim.ConstantOp):
                is_needed = isinstance(prim.type_of(value), ListType)
            else:
                is_needed = value.owner not in inside and value.owner not in blocks
            if is_needed:
                found[value] = None
    return list(found)


def _make_group(loop: prim.LoopOp) -> prim.ScalarGroupOp:
    """Put a group in the place of a loop, and the loop into it."""
    LOG.update(f"Making a group of a loop with {len(loop.results)} results")
    captured = _captured(loop)
    for value in captured:
        if isinstance(value.owner, Operation) and loop.is_ancestor(value.owner):
            edit.move_before(value.owner, loop)
    body = Block(arg_types=[value.type for value in captured])
    values: dict[SSAValue, SSAValue] = {}
    for value, argument in zip(captured, body.args, strict=True):
        values[value] = argument
        argument.name_hint = value.name_hint
    for op in loop.walk():
        for value in op.operands:
            owner = value.owner
            if not isinstance(owner, prim.ConstantOp) or value in values:
                continue
            if not loop.is_ancestor(owner):
                body.add_op(edit.clone(owner, values))
    moved = edit.clone(loop, values)
    body.add_op(moved)
    body.add_op(prim.YieldOp.create(operands=list(moved.results)))
    group = prim.ScalarGroupOp.create(
        operands=captured,
        result_types=[value.type for value in loop.results],
        regions=[Region(body)],
    )
    group.location = loop.location
    edit.insert_before(loop, group)
    for old, new in zip(loop.results, group.results, strict=True):
        new.name_hint = old.name_hint
        edit.replace_uses(old, new)
    edit.erase(loop)
    return group
