"""Makes guards runnable: each `prim::Guard` becomes a `prim::BailOut`, which carries the rest of the program for values of other types
(PyTorch: passes/bailout_graph.cpp).

Note [Tails]
The rest of the program after a guard, its tail, is what stands after the guard in its block, then what stands after the node around
that block, and so on outward. Behind a branch the values that it yields are its results. Behind a body of a loop the trips that are
left are a loop of their own, which counts on from where it was. A tail takes the values that it needs as operands, makes its own
constants, holds no guards, and promises nothing of types: it is the program as it was before anything was observed.

Where a program enters `with` statements its guards go, as an exit would be left twice; so do guards in blocks of nodes that are
neither branches nor loops.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, Region, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.core import INT
from torchscript_dialect.types.subtyping import unshaped
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class InsertBailouts(FunctionPass):
    name = "ts-insert-bailouts"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        ops = edit.nested_ops(function.body.block)
        guards = [op for op in ops if isinstance(op, prim.GuardOp)]
        enters = any(isinstance(op, prim.EnterOp) for op in ops)
        tails = [
            None if enters or not _is_in_control_flow(guard) or not LIMIT.allows() else _Tail(guard)
            for guard in guards
        ]  # before any guard is gone: a tail is made of the others, too
        for guard, tail in zip(guards, tails, strict=True):
            _replace(guard, tail)
        dump(LOG, "After InsertBailouts: ", function)
        return bool(guards)


def _is_in_control_flow(guard: prim.GuardOp) -> bool:
    outer = guard.parent_op()
    while isinstance(outer, (prim.IfOp, prim.LoopOp)):
        outer = outer.parent_op()
    return isinstance(outer, FuncOp)


def _replace(guard: prim.GuardOp, tail: _Tail | None) -> None:
    if tail is None:
        LOG.update("Leaving out a guard that has no tail")
        new = guard.value
    else:
        bailout = prim.BailOutOp(
            *tail.taken,
            result_types=[guard.results[0].type],
            regions=[Region(tail.block)],
            location=guard.location,
        )
        edit.insert_before(guard, bailout)
        new = bailout.results[0]
        new.name_hint = guard.results[0].name_hint
    edit.replace_uses(guard.results[0], new)
    edit.erase(guard)


class _Tail:
    """The tail after a guard: Note [Tails]. `taken` are the values that it takes, the guarded one first."""

    def __init__(self, guard: prim.GuardOp) -> None:
        self.block = edit.new_block()
        self.taken: list[SSAValue] = []
        self.values: edit.ValueMap = {}
        self.value(guard.value)
        self.values[guard.results[0]] = self.value(guard.value)
        op: Operation = guard
        while (outer := op.parent_op()) is not None:
            end = self.after(op)
            if isinstance(outer, prim.IfOp):
                self.yielded(outer, [self.value(value) for value in end.operands])
            elif isinstance(outer, prim.LoopOp):
                self.trips_left(outer, [self.value(value) for value in end.operands])
            else:
                edit.set_outputs(self.block, [self.value(value) for value in end.operands])
                return
            op = outer

    def value(self, value: SSAValue) -> SSAValue:
        """What stands in the tail for a value of the program."""
        found = self.values.get(value)
        if found is None:
            found = self.values[value] = self.from_outside(value)
        return found

    def from_outside(self, value: SSAValue) -> SSAValue:
        owner = value.owner
        if isinstance(owner, prim.GuardOp):
            return self.value(owner.value)
        if isinstance(owner, prim.ConstantOp):
            copy = edit.clone(owner, {})
            first = self.block.first_op
            assert first is not None
            edit.insert_before(first, copy)
            return copy.results[0]
        self.taken.append(value)
        argument = edit.add_argument(self.block, unshaped(prim.type_of(value)))
        argument.name_hint = value.name_hint
        return argument

    def add(self, op: Operation) -> None:
        edit.move_to_end(op, self.block)

    def copy(self, op: Operation) -> Operation:
        """A copy of a node, without guards in its blocks and promises of types."""
        copy = edit.clone(op, self.values, self.value)
        self.forget_promises(copy)
        return copy

    @staticmethod
    def forget_promises(op: Operation) -> None:
        """Take guards out of a copy, and what types promise."""
        for inner in list(op.walk()):
            if isinstance(inner, prim.GuardOp):
                edit.replace_uses(inner.results[0], inner.value)
                edit.erase(inner)
            elif not isinstance(inner, prim.ConstantOp):
                _forget_types(inner)

    def after(self, op: Operation) -> Operation:
        """Copy what stands after a node in its block; gives the end of that."""
        following = op.next_op
        assert following is not None
        while following.next_op is not None:
            if isinstance(following, prim.GuardOp):
                self.values[following.results[0]] = self.value(following.value)
            else:
                self.add(self.copy(following))
            following = following.next_op
        return following

    def yielded(self, op: Operation, values: list[SSAValue]) -> None:
        self.values.update(zip(op.results, values, strict=True))

    def trips_left(self, loop: prim.LoopOp, yielded: list[SSAValue]) -> None:
        """A loop for the trips after the one that the tail has ended."""
        trip = loop.body.block.args[0]
        one = prim.ConstantOp.of(1, INT)
        self.add(one)
        done = aten.AddIntOp.create(operands=[self.value(trip), one.results[0]], result_types=[INT])
        left = aten.SubIntOp.create(
            operands=[self.value(loop.max_trip_count), done.results[0]], result_types=[INT]
        )
        self.add(done)
        self.add(left)
        body = edit.clone_block(loop.body.block, self.values, self.value)
        rest = prim.LoopOp.create(
            operands=[left.results[0], *yielded],
            result_types=loop.result_types,
            regions=[Region(body)],
            location=loop.location,
        )
        self.forget_promises(rest)
        if body.args[0].uses:
            count = aten.AddIntOp.create(operands=[done.results[0]] * 2, result_types=[INT])
            edit.replace_uses(body.args[0], count.results[0])
            count.operands = [body.args[0], done.results[0]]
            first = body.first_op
            assert first is not None
            edit.insert_before(first, count)
        self.add(rest)
        for old, new in zip(loop.results, rest.results, strict=True):
            new.name_hint = old.name_hint
        self.yielded(loop, list(rest.results))


def _forget_types(op: Operation) -> None:
    for result in op.results:
        edit.set_type(result, unshaped(prim.type_of(result)))
    for region in op.regions:
        for argument in region.block.args:
            edit.set_type(argument, unshaped(prim.type_of(argument)))
