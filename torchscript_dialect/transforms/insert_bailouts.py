"""Makes guards runnable: each `prim::Guard` becomes a `prim::BailOut`, which for values of other types leaves the function for the same
point of the program as it was before anything was observed (PyTorch: passes/bailout_graph.cpp).

That program is carried once, by a `prim::BailoutTemplate`, without guards and promises of types: Note [Bail-outs] in
dialects/prim/bailouts.py. Where a program enters `with` statements its guards go, as an exit would be left twice; so do guards in
blocks of nodes that are neither branches nor loops.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.core import INT
from torchscript_dialect.types.subtyping import unshaped
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


class InsertBailouts(FunctionPass):
    name = "ts-insert-bailouts"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        ops = edit.nested_ops(function.body.block)
        guards = [op for op in ops if isinstance(op, prim.GuardOp)]
        enters = any(isinstance(op, prim.EnterOp) for op in ops)
        kept: list[prim.GuardOp] = []
        for guard in guards:
            if not enters and _is_in_control_flow(guard) and LIMIT.allows():
                kept.append(guard)
            else:
                LOG.update("Leaving out a guard that has no tail")
                _erase(guard)
        if kept:
            _insert_bailouts(function, kept)
        dump(LOG, "After InsertBailouts: ", function)
        return bool(guards)


def _is_in_control_flow(guard: prim.GuardOp) -> bool:
    outer = guard.parent_op()
    while isinstance(outer, (prim.IfOp, prim.LoopOp)):
        outer = outer.parent_op()
    return isinstance(outer, FuncOp)


def _insert_bailouts(function: FuncOp, guards: list[prim.GuardOp]) -> None:
    values: edit.ValueMap = {}
    body = edit.clone_block(function.body.block, values)
    original = {new: old for old, new in values.items()}
    points = [_put_point(values[guard.results[0]], index) for index, guard in enumerate(guards)]
    _forget_promises(body)
    alive = prim.alive_at_points(body)
    template = prim.BailoutTemplateOp(result_types=[INT], regions=[Region(body)])
    for guard, point in zip(guards, points, strict=True):
        point.operands = alive[point]
        bailout = prim.BailOutOp(
            template,
            guard.value,
            *(original[value] for value in alive[point][1:]),
            result_types=[guard.results[0].type],
            location=guard.location,
            index=point.index,
        )
        edit.insert_before(guard, bailout)
        bailout.results[0].name_hint = guard.results[0].name_hint
        edit.replace_uses(guard.results[0], bailout.results[0])
        edit.erase(guard)
    first = function.body.block.first_op
    assert first is not None
    edit.insert_before(first, template)


def _put_point(guarded: SSAValue, index: int) -> prim.BailOutPointOp:
    """Put a point in front of the guard that gives a value."""
    guard = guarded.owner
    assert isinstance(guard, prim.GuardOp)
    point = prim.BailOutPointOp(guard.value, index=index, location=guard.location)
    edit.insert_before(guard, point)
    return point


def _forget_promises(body: Block) -> None:
    """Take guards out of the copy of a function, what an earlier run of the pass has put in, and what types promise; end it as
    sub-graphs do.
    """
    templates: list[Operation] = []
    for op in edit.nested_ops(body):
        if isinstance(op, (prim.GuardOp, prim.BailOutOp)):
            _erase(op)
        elif isinstance(op, prim.BailoutTemplateOp):
            templates.append(op)
        elif not isinstance(op, prim.ConstantOp):
            _forget_types(op)
    for template in templates:
        edit.erase(template)
    last = edit.terminator(body)
    results = tuple(last.operands)
    edit.erase(last)
    body.add_op(prim.YieldOp.create(operands=results))


def _erase(op: prim.GuardOp | prim.BailOutOp) -> None:
    edit.replace_uses(op.results[0], op.value)
    edit.erase(op)


def _forget_types(op: Operation) -> None:
    for result in op.results:
        edit.set_type(result, unshaped(prim.type_of(result)))
    for region in op.regions:
        for argument in region.block.args:
            edit.set_type(argument, unshaped(prim.type_of(argument)))
