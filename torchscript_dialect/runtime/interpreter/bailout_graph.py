"""The graph that runs when a program bails out: the tail of a point (PyTorch: passes/bailout_graph.cpp, `BailOutGraphBuilderForNode`).

Note [Tails]
The tail of a point is what stands after it in its block, then what stands after the node around that block, and so on outward. Behind
a branch the values that it yields are its results. Behind a body of a loop the trips that are left are a loop of their own, which
counts on from where it was. Arguments are the values that are alive (Note [Bail-outs] in dialects/prim/bailouts.py); constants are
made anew, and points are left out.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.ir import edit
from torchscript_dialect.types.core import INT


def bailout_graph(bailout: prim.BailOutOp) -> Block:
    """The tail of the point of a bail-out, which takes its values."""
    template = bailout.template.owner
    assert isinstance(template, prim.BailoutTemplateOp)
    return _Tail(template.points()[bailout.index]).block


class _Tail:
    def __init__(self, point: prim.BailOutPointOp) -> None:
        self.block = edit.new_block([prim.type_of(value) for value in point.alive])
        self.values: edit.ValueMap = dict(zip(point.alive, self.block.args, strict=True))
        for value, argument in zip(point.alive, self.block.args, strict=True):
            argument.name_hint = value.name_hint
        op: Operation = point
        while True:
            end = self.after(op)
            given = [self.value(value) for value in end.operands]
            outer = op.parent_op()
            if isinstance(outer, prim.IfOp):
                self.values.update(zip(outer.results, given, strict=True))
            elif isinstance(outer, prim.LoopOp):
                self.trips_left(outer, given)
            else:
                edit.set_outputs(self.block, given)
                return
            op = outer

    def value(self, value: SSAValue) -> SSAValue:
        """What stands in the tail for a value of the program."""
        found = self.values.get(value)
        if found is None:
            constant = value.owner
            assert isinstance(constant, prim.ConstantOp), "a value that is alive is not taken"
            copy = edit.clone(constant, {})
            first = self.block.first_op
            assert first is not None
            edit.insert_before(first, copy)
            found = self.values[value] = copy.results[0]
        return found

    def add(self, op: Operation) -> None:
        edit.move_to_end(op, self.block)

    def after(self, op: Operation) -> Operation:
        """Copy what stands after a node in its block; gives the end of that."""
        following = op.next_op
        assert following is not None
        while following.next_op is not None:
            if not isinstance(following, prim.BailOutPointOp):
                copy = edit.clone(following, self.values, self.value)
                _leave_out_points(copy)
                self.add(copy)
            following = following.next_op
        return following

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
        _leave_out_points(rest)
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
            self.values[old] = new


def _leave_out_points(copy: Operation) -> None:
    for op in list(copy.walk()):
        if isinstance(op, prim.BailOutPointOp):
            edit.erase(op)
