"""Splits a kernel that is no loop over rows or elements into stages, in each of which all blocks do parts of loops.

Before: Note [Kernel launch form], in which a launch that does everything at once goes over elements, reduces them, and goes on with
what comes of that. After: it has as many parts as there is work for, and stages, Note [Stages of launches]. Loops are in one stage
where none needs what others reduce to, or elements of other parts. What a part is reduced to is put into scratch memory; blocks of
later stages reduce that once more, each for itself, where they need the total, and compute single numbers again. Those that are results
the first block writes in the last stage. The order of a sum depends on the sizes alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import ModuleOp, i1, i8
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from lowering.create import create
from lowering.dialects.kernel_launch import LaunchOp
from lowering.gpu.block_size import set_block_size
from lowering.gpu.collapse_loops import collapse_nest, stands_outside
from lowering.gpu.distribute_rows import inner_loop, neutral, reduction
from lowering.gpu.polynomials import Polynomials
from lowering.gpu.row_threads import MOST_THREADS
from lowering.kernel_functions import input_kernels
from lowering.loops.code import Code, copied
from lowering.loops.flat import flat
from lowering.loops.outline_kernel import constant_of

LONG = 1 << 15
"""Elements from which on there is more than one block."""
EACH = 1 << 13
"""Elements of a block, where there are less than `MOST`."""
MOST = 1 << 10
"""Blocks. More than run at once would leave the last ones alone."""
WIDTH = 8
"""Bytes of a number that a part is reduced to."""

Loop = scf.ForOp | scf.ParallelOp


class SplitStagesPass(ModulePass):
    """See the module's docstring."""

    name = "ts-split-stages"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function, _ in input_kernels(op, self.name):
            for launch in [one for one in function.body.block.ops if isinstance(one, LaunchOp)]:
                found = _Stages.of(launch)
                if found is not None:
                    found.split(function)


@dataclass
class _Stages:
    """A launch that does everything at once: loops, what single numbers are computed by, and stores of such."""

    launch: LaunchOp
    loops: list[Loop]
    numbers: set[Operation]
    stores: list[memref.StoreOp]
    buffers: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Where parts of reductions put what theirs is, by the results of these."""

    @classmethod
    def of(cls, launch: LaunchOp) -> _Stages | None:
        """What a launch does; None where it does something else."""
        block = launch.body.block
        if any(argument.uses for argument in block.args) or constant_of(launch.range) != 1:
            return None
        for op in block.ops:
            if isinstance(op, scf.ParallelOp):
                collapse_nest(op, launch)
        _forward_numbers(block)
        found = cls(launch, [], set(), [])
        written = {op.memref for op in block.walk() if isinstance(op, memref.StoreOp)}
        for op in block.ops:
            if isinstance(op, Loop):
                if not _is_over_elements(op, launch):
                    return None
                found.loops.append(op)
            elif isinstance(op, memref.StoreOp):
                found.stores.append(op)
            elif _is_number(op) and written.isdisjoint(op.operands):
                found.numbers.add(op)
            else:
                return None
        return found if found.loops and found._may_store_last() else None

    def _may_store_last(self) -> bool:
        """Whether numbers are stored to results, at which no loop looks."""
        in_loops = {op.memref for loop in self.loops for op in _accesses(loop)}
        return all(
            isinstance(op.memref, BlockArgument) and op.memref not in in_loops for op in self.stores
        )

    def split(self, function: FuncOp) -> None:
        """Do one stage after the other."""
        launch, block = self.launch, self.launch.body.block
        parent = launch.parent
        assert parent is not None
        scratch = next((op for op in parent.ops if isinstance(op, memref.AllocOp)), None)
        outside = Code(parent, scratch or launch)
        parts = self._parts(outside, function)
        self._make_buffers(outside, scratch, parts)
        stages = self._stages()
        old = list(block.ops)
        anchor = scf.YieldOp.create()
        block.add_op(anchor)
        code = Code(block, anchor)
        stage = launch.add_stages(len(stages) + bool(self.stores))
        for number, loops in enumerate(stages, 1):
            with code.branch(_is_stage(code, stage, number)):
                self._write_loops(code, parts, loops)
        if self.stores:
            is_first = code.equal(block.args[0], code.constant(0))
            is_last = _is_stage(code, stage, len(stages) + 1)
            with code.branch(code.add(create(arith.AndIOp, [is_first, is_last], [i1]))):
                known: dict[SSAValue, SSAValue] = {}
                for op in self.stores:
                    made = [self._value(code, parts, one, known) for one in op.operands]
                    code.insert(create(memref.StoreOp, made, (), op.properties))
        for op in [*reversed(old), anchor]:
            block.erase_op(op, safe_erase=False)
        launch.operands = [parts, *launch.operands[1:]]
        set_block_size(function, MOST_THREADS)

    def _stages(self) -> list[list[Loop]]:
        """Which loops are done together."""
        stages: list[list[Loop]] = []
        for loop in self.loops:
            if stages and not self._needs(loop, stages[-1]):
                stages[-1].append(loop)
            else:
                stages.append([loop])
        return stages

    def _needs(self, loop: Loop, others: Sequence[Loop]) -> bool:
        """Whether other loops must have ended before one begins."""
        results = {result for other in others for result in other.results}
        pending, seen = _free(loop), set[SSAValue]()
        while pending:
            value = pending.pop()
            if value in results:
                return True
            owner = value.owner
            if value not in seen and owner in self.numbers:
                seen.add(value)
                pending += list(owner.operands) if isinstance(owner, Operation) else []
        return any(_touch(other, loop) for other in others)

    def _parts(self, code: Code, function: FuncOp) -> SSAValue:
        """How many there are."""
        sizes = dict.fromkeys(map(_sizes, self.loops))
        first, *others = [_number(code, one, function) for one in sizes]
        most = first
        for other in others:
            most = code.larger(most, other)
        many = code.smaller(code.divided_up(most, EACH), code.constant(MOST))
        return code.select_larger(most, LONG - 1, many, code.constant(1))

    def _make_buffers(self, code: Code, scratch: memref.AllocOp | None, parts: SSAValue) -> None:
        """Make room in scratch memory for what parts are reduced to."""
        results = [result for loop in self.loops for result in loop.results]
        bytes_ = code.times(parts, code.constant(WIDTH))
        ends = [code.constant(0) if scratch is None else scratch.dynamic_sizes[0]]
        for _ in results:
            ends.append(code.plus(ends[-1], bytes_))
        if scratch is None and results:
            scratch = memref.AllocOp([ends[-1]], [], flat(i8))
            scratch.memref.name_hint = "scratch"
            code.insert(scratch)
        block = self.launch.parent
        assert block is not None
        for end, result in zip(ends, results, strict=False):
            assert scratch is not None
            scratch.operands = [ends[-1]]
            operands = [scratch.memref, end, parts]
            view = memref.ViewOp.create(operands=operands, result_types=[flat(result.type)])
            block.insert_op_before(view, self.launch)
            self.buffers[result] = view.results[0]

    def _write_loops(self, code: Code, parts: SSAValue, loops: Sequence[Loop]) -> None:
        """Do a part of loops."""
        number = self.launch.body.block.args[0]
        known: dict[SSAValue, SSAValue] = {}
        for loop in loops:
            for value in _free(loop):
                self._value(code, parts, value, known)
            size = _sizes(loop)[0]
            each = code.divided_up(size, parts)
            start = code.times(number, each)
            end = code.smaller(code.plus(start, each), size)
            neutrals = [value for op in reduction(loop) or () if (value := neutral(op)) is not None]
            nothing = [code.add(arith.ConstantOp(value)) for value in neutrals]
            made = loop.clone(dict(known))
            made.operands = [start, end, loop.operands[2], *nothing]
            code.insert(made)
            for old, new in zip(loop.results, made.results, strict=True):
                code.put(new, self.buffers[old], number)

    def _value(
        self, code: Code, parts: SSAValue, value: SSAValue, known: dict[SSAValue, SSAValue]
    ) -> SSAValue:
        """A number in the stage that is written, in which others are `known`."""
        owner = value.owner
        if value in known:
            return known[value]
        if isinstance(owner, scf.ForOp) and owner in self.loops:
            known.update(zip(owner.results, self._totals(code, parts, owner, known), strict=True))
        elif isinstance(owner, Operation) and owner in self.numbers:
            for operand in owner.operands:
                self._value(code, parts, operand, known)
            made = owner.clone(dict(known))
            code.insert(made)
            known.update(zip(owner.results, made.results, strict=True))
        return known.get(value, value)

    def _totals(
        self, code: Code, parts: SSAValue, loop: scf.ForOp, known: dict[SSAValue, SSAValue]
    ) -> list[SSAValue]:
        """What all parts of a reduction give together."""
        combining = reduction(loop) or ()
        initial = [self._value(code, parts, one, known) for one in loop.iter_args]
        with code.loop(code.constant(0), parts, 1, initial) as of_parts:
            of_parts.yields = [
                code.add(
                    create(
                        type(op),
                        [value, code.element(self.buffers[result], of_parts.variable)],
                        [value.type],
                        {**op.properties, **op.attributes},
                    )
                )
                for op, result, value in zip(combining, loop.results, of_parts.values, strict=True)
            ]
        return of_parts.results


def _is_number(op: Operation) -> bool:
    """Whether an op computes something, or loads an argument."""
    if isinstance(op, memref.LoadOp):
        return isinstance(op.memref, BlockArgument)
    return is_side_effect_free(op) and not op.regions


def _is_stage(code: Code, stage: SSAValue, number: int) -> SSAValue:
    """Whether the launch is in that stage, or does all."""
    tests = [code.equal(stage, code.constant(one)) for one in (0, number)]
    return code.add(create(arith.OrIOp, tests, [i1]))


def _forward_numbers(block: Block) -> None:
    """Use numbers that are stored at the top of a block where they are loaded, and keep the last store of each result alone."""
    accesses: dict[SSAValue, list[memref.LoadOp | memref.StoreOp]] = {}
    for op in block.walk():
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            accesses.setdefault(op.memref, []).append(op)
    numbers = {buffer for buffer, found in accesses.items() if _is_of_number(found, block)}
    last: dict[SSAValue, memref.StoreOp] = {}
    for op in list(block.ops):
        for load in [one for one in op.walk() if isinstance(one, memref.LoadOp)]:
            if load.memref in last:
                load.res.replace_all_uses_with(last[load.memref].value)
                load.detach()
                load.erase()
        if isinstance(op, memref.StoreOp) and op.memref in numbers:
            if op.memref in last:
                block.erase_op(last[op.memref])
            last[op.memref] = op
    for buffer, store in last.items():
        if not isinstance(buffer, BlockArgument):
            block.erase_op(store)


def _is_of_number(accesses: Sequence[memref.LoadOp | memref.StoreOp], block: Block) -> bool:
    """Whether a buffer holds one number, which is stored at the top of a block alone."""
    return all(constant_of(op.indices[0]) == 0 for op in accesses) and all(
        op.parent is block for op in accesses if isinstance(op, memref.StoreOp)
    )


def _number(code: Code, sizes: Sequence[SSAValue], function: FuncOp) -> SSAValue:
    """How many iterations loops of these sizes have in all, computed once more."""
    first, *others = (copied(code, size, {}, function) for size in sizes)
    for other in others:
        first = code.times(first, other)
    return first


def _sizes(loop: Loop) -> tuple[SSAValue, ...]:
    """That of a loop, and of those in it that it leaves all to."""
    inner = inner_loop(loop)
    return (loop.operands[1], *(() if inner is None else _sizes(inner)))


def _is_over_elements(loop: Loop, launch: LaunchOp) -> bool:
    """Whether a loop goes one by one over elements whose number is known outside, and either reduces them or writes some."""
    lower, _, step = loop.operands[:3]
    if constant_of(lower) != 0 or constant_of(step) != 1:
        return False
    if not all(stands_outside(size, launch) for size in _sizes(loop)):
        return False
    if isinstance(loop, scf.ForOp):
        return reduction(loop) is not None
    return not loop.results


def _free(loop: Loop) -> list[SSAValue]:
    """The values that a loop uses which are computed around it."""
    used = dict.fromkeys(value for op in loop.walk() for value in op.operands)
    return [
        value for value in used if stands_outside(value, loop) and value not in loop.operands[:3]
    ]


def _accesses(loop: Loop) -> list[memref.LoadOp | memref.StoreOp]:
    return [op for op in loop.walk() if isinstance(op, memref.LoadOp | memref.StoreOp)]


def _touch(one: Loop, other: Loop) -> bool:
    """Whether a part of a loop touches what other parts of another one touch, and one of both writes. Pieces of scratch memory may be
    in one place.
    """
    element = Polynomials({})(one.regions[0].block.args[0])
    at = Polynomials({loop.regions[0].block.args[0]: element for loop in (one, other)})
    have_one_size = at(one.operands[1]) == at(other.operands[1])
    for first in _accesses(one):
        for second in _accesses(other):
            if isinstance(first, memref.LoadOp) and isinstance(second, memref.LoadOp):
                continue
            buffers = (first.memref, second.memref)
            if buffers[0] is buffers[1]:
                if not have_one_size or at(first.indices[0]) != at(second.indices[0]):
                    return True
            elif not any(isinstance(buffer, BlockArgument) for buffer in buffers):
                return True
    return False
