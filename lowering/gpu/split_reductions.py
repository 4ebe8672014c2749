"""Splits what reduces all elements among the blocks of a kernel, each of which does a part.

Before: Note [Kernel launch form], in which a launch that does everything at once goes over elements, reduces them, and computes what
follows of the results. After: it has as many parts as there is work for. What it does depends on its stage. In stage 1 blocks do their
parts of the loops, and put what those reduce to into scratch memory. In stage 2 one block reduces that, and does the rest. A launch of
one block is in stage 0, and does both. The order of a sum depends on the sizes alone.

A launch stays whole where a loop needs what another one reduces, or elements of other parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import ModuleOp, i8
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
from lowering.kernel_functions import input_kernels
from lowering.loops.code import Code
from lowering.loops.flat import flat
from lowering.loops.index_builder import INDEX
from lowering.loops.outline_kernel import constant_of

THREADS = 512
"""Of a block."""
LONG = 1 << 15
"""Elements from which on there is more than one block."""
EACH = 1 << 13
"""Elements of a block, where there are less than `MOST`."""
MOST = 1 << 10
"""Blocks. More than run at once would leave the last ones alone."""
PARTS, TOTAL = 1, 2
"""The stages in which blocks do parts, and in which one does the rest."""
WIDTH = 8
"""Bytes of a number that a part is reduced to."""

Loop = scf.ForOp | scf.ParallelOp


@dataclass(frozen=True)
class SplitReductionsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-split-reductions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function, _ in input_kernels(op, self.name):
            for launch in [one for one in function.body.block.ops if isinstance(one, LaunchOp)]:
                found = _Reduction.of(launch)
                if found is not None:
                    found.split(function)


@dataclass
class _Reduction:
    """A launch that reduces all elements: what comes before its loops, these, and what is left."""

    launch: LaunchOp
    before: list[Operation]
    loops: list[Loop]
    after: list[Operation]

    @classmethod
    def of(cls, launch: LaunchOp) -> _Reduction | None:
        """What a launch does; None where it cannot be split."""
        block = launch.body.block
        loops = [op for op in block.ops if isinstance(op, Loop)]
        reductions = [op for op in loops if isinstance(op, scf.ForOp)]
        for loop in loops:
            if isinstance(loop, scf.ParallelOp):
                collapse_nest(loop, launch)
        if (
            any(argument.uses for argument in block.args)
            or constant_of(launch.range) != 1
            or not reductions
            or not all(_is_over_elements(loop, launch) for loop in loops)
            or not _are_independent(loops)
        ):
            return None
        found = cls(launch, [], loops, [])
        return found if found._divide(list(block.ops)) else None

    def _divide(self, ops: Sequence[Operation]) -> bool:
        """Whether no loop needs what comes after one. What does so is left for the end, the rest comes before."""
        late: set[SSAValue] = set()
        """What follows from what is reduced, and buffers that hold such."""
        written: set[SSAValue] = set()
        """Buffers that loops have written to."""
        for op in ops:
            used = {*op.operands, *(value for one in op.walk() for value in one.operands)}
            if isinstance(op, Loop):
                if used & late:
                    return False
                late |= {*op.results}
                written |= {*_stored(op)}
            elif used & (late | written) or isinstance(op, memref.StoreOp):
                self.after.append(op)
                late |= {*op.results, *_stored(op)}
            elif is_side_effect_free(op) or isinstance(op, memref.LoadOp):
                self.before.append(op)
            else:
                return False
        return all(not op.regions for op in self.after)

    def split(self, function: FuncOp) -> None:
        """Do parts, and the rest."""
        launch, block = self.launch, self.launch.body.block
        for op in list(block.ops):
            op.detach()
        parent = launch.parent
        assert parent is not None
        scratch = next((op for op in parent.ops if isinstance(op, memref.AllocOp)), None)
        outside = Code(parent, scratch or launch)
        parts = self._parts(outside)
        combining = [op for loop in self.loops for op in reduction(loop) or ()]
        buffers = self._buffers(outside, scratch, parts, combining)
        stage = block.insert_arg(INDEX, 2)
        stage.name_hint = "stage"
        anchor = scf.YieldOp.create()
        block.add_ops([*self.before, anchor])
        code = Code(block, anchor)
        is_total, is_parts = (
            code.add(arith.CmpiOp(stage, code.constant(other), "ne")) for other in (PARTS, TOTAL)
        )
        with code.branch(is_parts):
            self._write_parts(code, parts, buffers)
        with code.branch(is_total):
            self._write_total(code, parts, buffers)
        block.erase_op(anchor)
        launch.operands = [parts, *launch.operands[1:]]
        set_block_size(function, THREADS)

    def _parts(self, code: Code) -> SSAValue:
        """How many there are."""
        first, *others = [_number(code, one) for one in dict.fromkeys(map(_sizes, self.loops))]
        most = first
        for other in others:
            most = code.larger(most, other)
        many = code.smaller(code.divided_up(most, EACH), code.constant(MOST))
        return code.select_larger(most, LONG - 1, many, code.constant(1))

    def _buffers(
        self,
        code: Code,
        scratch: memref.AllocOp | None,
        parts: SSAValue,
        combining: Sequence[Operation],
    ) -> list[SSAValue]:
        """Room in scratch memory for what parts are reduced to."""
        bytes_ = code.times(parts, code.constant(WIDTH))
        ends = [code.constant(0) if scratch is None else scratch.dynamic_sizes[0]]
        for _ in combining:
            ends.append(code.plus(ends[-1], bytes_))
        if scratch is None:
            scratch = memref.AllocOp([ends[-1]], [], flat(i8))
            scratch.memref.name_hint = "scratch"
            code.insert(scratch)
        scratch.operands = [ends[-1]]
        buffers: list[SSAValue] = []
        for end, op in zip(ends, combining, strict=False):
            type_ = flat(op.results[0].type)
            view = memref.ViewOp.create(operands=[scratch.memref, end, parts], result_types=[type_])
            block = self.launch.parent
            assert block is not None
            block.insert_op_before(view, self.launch)
            buffers.append(view.results[0])
        return buffers

    def _write_parts(self, code: Code, parts: SSAValue, buffers: Sequence[SSAValue]) -> None:
        number = self.launch.body.block.args[0]
        places = iter(buffers)
        for loop in self.loops:
            size = _size(loop)
            each = code.divided_up(size, parts)
            start = code.times(number, each)
            end = code.smaller(code.plus(start, each), size)
            combining = reduction(loop) or ()
            neutrals = [value for op in combining if (value := neutral(op)) is not None]
            nothing = [code.add(arith.ConstantOp(value)) for value in neutrals]
            made = loop.clone()
            made.operands = [start, end, loop.operands[2], *nothing]
            code.insert(made)
            for value in made.results:
                code.put(value, next(places), number)

    def _write_total(self, code: Code, parts: SSAValue, buffers: Sequence[SSAValue]) -> None:
        places = iter(buffers)
        for loop in self.loops:
            combining = reduction(loop)
            if combining is None or not isinstance(loop, scf.ForOp):
                continue
            with code.loop(code.constant(0), parts, 1, loop.iter_args) as of_parts:
                of_parts.yields = [
                    code.add(
                        create(
                            type(op),
                            [value, code.element(next(places), of_parts.variable)],
                            [value.type],
                            {**op.properties, **op.attributes},
                        )
                    )
                    for op, value in zip(combining, of_parts.values, strict=True)
                ]
            for old, new in zip(loop.results, of_parts.results, strict=True):
                old.replace_all_uses_with(new)
        for op in self.after:
            code.insert(op)
        for loop in self.loops:
            loop.erase()


def _copied(code: Code, value: SSAValue) -> SSAValue:
    """A size that is computed of arguments and constants, once more."""
    owner = value.owner
    if isinstance(owner, Block):
        return value
    return code.add(owner.clone({one: _copied(code, one) for one in owner.operands}))


def _number(code: Code, sizes: Sequence[SSAValue]) -> SSAValue:
    """How many iterations loops of these sizes have in all."""
    first, *others = (_copied(code, size) for size in sizes)
    for other in others:
        first = code.times(first, other)
    return first


def _sizes(loop: Loop) -> tuple[SSAValue, ...]:
    """That of a loop, and of those in it that it leaves all to."""
    inner = inner_loop(loop)
    return (loop.operands[1], *(() if inner is None else _sizes(inner)))


def _size(loop: Loop) -> SSAValue:
    return loop.operands[1]


def _is_over_elements(loop: Loop, launch: LaunchOp) -> bool:
    """Whether a loop goes one by one over elements whose number is known outside, and either reduces them or writes a result."""
    lower, _, step = loop.operands[:3]
    if constant_of(lower) != 0 or constant_of(step) != 1:
        return False
    if not all(stands_outside(size, launch) for size in _sizes(loop)):
        return False
    if isinstance(loop, scf.ForOp):
        return reduction(loop) is not None
    body = [op for op in loop.body.block.ops if not isinstance(op, scf.ReduceOp)]
    return not loop.results and not any(op.regions for op in body)


def _stored(op: Operation) -> list[SSAValue]:
    """The buffers that something is stored in."""
    return [one.memref for one in op.walk() if isinstance(one, memref.StoreOp)]


def _are_independent(loops: Sequence[Loop]) -> bool:
    """Whether a part of a loop looks at no elements that other parts write. They look at no scratch memory, which may
    hold one thing after another.
    """
    element = Polynomials({})(loops[0].regions[0].block.args[0])
    at = Polynomials({loop.regions[0].block.args[0]: element for loop in loops})
    written: dict[SSAValue, tuple[Loop, memref.StoreOp]] = {}
    for loop in loops:
        for op in loop.walk():
            if not isinstance(op, memref.LoadOp | memref.StoreOp):
                continue
            if not isinstance(op.memref, BlockArgument):
                return False
            if isinstance(op, memref.StoreOp):
                if op.memref in written:
                    return False
                written[op.memref] = loop, op
    for loop in loops:
        for op in loop.walk():
            if not isinstance(op, memref.LoadOp) or op.memref not in written:
                continue
            writer, store = written[op.memref]
            if at(_size(writer)) != at(_size(loop)) or at(op.indices[0]) != at(store.indices[0]):
                return False
    return True
