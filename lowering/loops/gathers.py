"""Elements that lie apart are gathered on the stack, a piece of a loop at a time, so that vectors can be loaded from there."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from lowering.loops.flat import ALIGNMENT
from lowering.loops.index_builder import INDEX, index_constant, index_op
from lowering.math.expand_math import RECIPES
from lowering.shaped import i32_array, integer_attribute

PIECE = 256
"""Iterations: the elements stay in the nearest cache, and the first vector is not loaded before they are there."""
ENOUGH_ARITHMETIC = 8
"""Operations on an element from which on vectors gain more than gathering costs."""


def is_worth_gathering(body: Block) -> bool:
    """Whether a loop computes so much that vectors pay though elements have to be gathered."""
    ops = [op for op in body.ops if op.name.startswith(("arith.", "math."))]
    computing = [op for op in ops if op.results and op.results[0].type != INDEX]
    return len(computing) >= ENOUGH_ARITHMETIC or any(type(op) in RECIPES for op in computing)


def gather(loop: scf.ParallelOp, loads: Sequence[memref.LoadOp]) -> None:
    """Let a loop go piece by piece through its iterations, and read what `loads`, which stand in its body, read from a buffer.

    `parallel i = a to b { x[f(i)] ... }` becomes
    `for c = a to b step 256 { for i = c to e { buffer[i - c] = x[f(i)] } parallel i = c to e { buffer[i - c] ... } }`.
    """
    lower, upper, _ = loop.operands[:3]
    source, outside = loop.body.block, loop.parent
    assert outside is not None
    buffers = [_stack(load) for load in loads]
    step, one = index_constant(PIECE), index_constant(1)
    pieces, copies = Block(arg_types=[INDEX]), Block(arg_types=[INDEX])
    start, place = pieces.args[0], copies.args[0]
    end = index_op(arith.AddiOp, start, step.results[0])
    operands = [end.results[0], upper]
    last = arith.MinSIOp.create(operands=operands, result_types=[INDEX])
    within = index_op(arith.SubiOp, place, start)
    copies.add_op(within)
    values: dict[SSAValue, SSAValue] = {source.args[0]: place}
    for op in (*_addresses(loads, source), *loads):
        copies.add_op(copy := op.clone(values))
        values.update(zip(op.results, copy.results, strict=True))
    for load, buffer in zip(loads, buffers, strict=True):
        operands = [values[load.results[0]], buffer, within.results[0]]
        copies.add_op(memref.StoreOp.create(operands=operands))
    copies.add_op(scf.YieldOp.create())
    bounds = [start, last.results[0], one.results[0]]
    copying = scf.ForOp.create(operands=bounds, regions=[Region(copies)])
    operands = [lower, upper, step.results[0]]
    whole = scf.ForOp.create(operands=operands, regions=[Region(pieces)])
    outside.insert_ops_before([step, one, whole], loop)
    loop.detach()
    loop.operands[0], loop.operands[1] = start, last.results[0]
    pieces.add_ops([end, last, copying, loop, scf.YieldOp.create()])
    _read_from(buffers, loads, start, source)


def _read_from(
    buffers: Sequence[SSAValue], loads: Sequence[memref.LoadOp], start: SSAValue, body: Block
) -> None:
    within = index_op(arith.SubiOp, body.args[0], start)
    assert body.first_op is not None
    body.insert_op_before(within, body.first_op)
    for load, buffer in zip(loads, buffers, strict=True):
        load.operands[0], load.operands[1] = buffer, within.results[0]


def _stack(load: memref.LoadOp) -> SSAValue:
    """A buffer for a piece, made at the function's entry."""
    function = load.parent_op()
    while function is not None and not isinstance(function, FuncOp):
        function = function.parent_op()
    assert function is not None
    count = index_constant(PIECE)
    properties = {
        "alignment": integer_attribute(ALIGNMENT, i64),
        "operandSegmentSizes": i32_array((1, 0)),
    }
    buffer = memref.AllocaOp.create(
        operands=[count.results[0]],
        result_types=[MemRefType(load.results[0].type, [DYNAMIC_INDEX])],
        properties=properties,
    )
    entry = function.body.block
    assert entry.first_op is not None
    entry.insert_ops_before([count, buffer], entry.first_op)
    return buffer.results[0]


def _addresses(loads: Sequence[Operation], source: Block) -> list[Operation]:
    """What computes where the loads read, in order, as far as it stands in the loop."""
    needed: set[Operation] = set()
    pending = [value for load in loads for value in load.operands]
    while pending:
        owner = pending.pop().owner
        if isinstance(owner, Operation) and owner.parent is source and owner not in needed:
            needed.add(owner)
            pending += owner.operands
    return [op for op in source.ops if op in needed]
