"""Runs the iterations of an inner loop in the lanes of vectors.

Of each nest: the innermost parallel loop, if it walks every buffer with stride one or not at
all (a reduction inside it then keeps one running value per lane); else an innermost reduction
loop, whose lanes are combined at the end. Pairs that lie next to each other, parts of complex numbers,
are loaded and stored whole. What lies apart is gathered first, if the loop computes
enough (gathers.py). Lanes are as many as fit `width` f32s, of the widest
type in the loop. Other loops stay as they are.

A reduction that computes little waits for its running value: as long as there are elements for `UNROLLED` vectors, each iteration takes
so many, with a running value for each.

The last partial vector, with `tail=branch`: every iteration asks whether it is whole, and loads
with or without a mask; the arithmetic is there once, and stores are always masked. (Masked loads
throughout would halve the bandwidth of large operands: processors do not prefetch for them.) Whole
vectors of huge operands bypass the caches where streaming.py says so. With
`tail=scalar`, for targets where masks are slow, the original loop does the rest. Integer division,
which could trap in an idle lane, always gets `scalar`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith, builtin, scf
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass

from lowering.cost import FUNCTION, picoseconds
from lowering.dialects.kernel import entry_of
from lowering.interpreter.rounding import SUMS
from lowering.kernel import LoweringError
from lowering.kernel_functions import loop_functions
from lowering.loops.gathers import gather, is_worth_gathering
from lowering.loops.index_builder import INDEX, index_constant, index_op
from lowering.loops.streaming import Streaming
from lowering.loops.vector_analysis import Loop
from lowering.loops.vector_body import Lanes, VectorBody, splat
from lowering.loops.vector_reductions import Reduction, horizontal, without_order

UNROLLED = 4
"""Vectors of an iteration of a reduction: as many as additions take cycles."""
LITTLE = FUNCTION
"""Picoseconds of an iteration that waits for the one before."""


@dataclass(frozen=True)
class VectorizeLoopsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-vectorize-loops"
    ROUNDS_OTHERWISE: ClassVar = frozenset({SUMS})
    """Each lane has a sum of its own."""

    width: int = 16
    tail: str = "branch"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        if self.tail not in ("branch", "scalar"):
            raise LoweringError(f"tail={self.tail} is neither branch nor scalar")
        for func in loop_functions(op, self.name):
            if func.sym_visibility is None:
                self._block(func.body.block, Streaming(func, entry_of(func)))

    def _block(self, block: Block, streaming: Streaming) -> None:
        for op in list(block.ops):
            if isinstance(op, scf.ForOp | scf.ParallelOp):
                self._loop(op, streaming)

    def _loop(self, loop: Loop, streaming: Streaming) -> None:
        inner = [op for op in loop.body.block.ops if isinstance(op, scf.ForOp | scf.ParallelOp)]
        if not any(isinstance(op, scf.ParallelOp) for op in inner):
            candidate = LoopVectorizer(loop, self.width, self.tail)
            if (isinstance(loop, scf.ParallelOp) or not inner) and candidate.analyze():
                if not candidate.gathers:
                    candidate.emit(streaming)
                    return
                if isinstance(loop, scf.ParallelOp) and is_worth_gathering(loop.body.block):
                    gather(loop, candidate.gathers)
                    self._loop(loop, streaming)
                    return
        if inner:
            self._block(loop.body.block, streaming)


class LoopVectorizer(VectorBody):
    """Vectorises one loop: `analyze` says whether it can be, `emit` replaces it."""

    def emit(self, streaming: Streaming) -> None:
        """Replaces the loop by its vector form."""
        loop = self.loop
        self.streams = streaming.flag(loop, self.lanes, self._before)
        lower, upper, _ = loop.operands[:3]
        step = self._before(index_constant(self.lanes))
        values = [
            self._start(value, reduction)
            for value, reduction in zip(self.loop.operands[3:], self.reductions, strict=True)
        ]
        if isinstance(loop, scf.ForOp) and picoseconds(loop.body.block.ops) < LITTLE:
            lower, values = self._unrolled_loop(lower, upper, values)
        if self.tail == "branch":
            results = self._combine(self._vector_loop(lower, upper, step, values))
            for old, new in zip(loop.results, results, strict=True):
                old.replace_all_uses_with(new)
            loop.detach()
            loop.erase(safe_erase=False)
            return
        count = self._before(index_op(arith.SubiOp, upper, lower))
        rest = arith.RemSIOp.create(operands=[count, step], result_types=[INDEX])
        middle = self._before(index_op(arith.SubiOp, upper, self._before(rest)))
        results = self._combine(self._vector_loop(lower, middle, step, values))
        loop.operands[0] = middle
        for position, value in enumerate(results):
            loop.operands[3 + position] = value

    def _start(self, value: SSAValue, reduction: Reduction) -> SSAValue:
        if reduction.start is None:
            return self._broadcast_before(value)
        return self._before(splat(self._vector(value.type), reduction.start))

    def _combine(self, values: list[SSAValue]) -> list[SSAValue]:
        """The lanes of each running value together with the value the loop started from."""
        results: list[SSAValue] = []
        for value, start, reduction in zip(
            values, self.loop.operands[3:], self.reductions, strict=True
        ):
            combined = self._before(horizontal(value, reduction.kind))
            op = reduction.op
            results.append(
                self._before(
                    type(op).create(
                        operands=[start, combined],
                        result_types=[start.type],
                        properties=without_order(op),
                    )
                )
            )
        return results

    def _unrolled_loop(
        self, lower: SSAValue, upper: SSAValue, values: list[SSAValue]
    ) -> tuple[SSAValue, list[SSAValue]]:
        """A loop of `UNROLLED` whole vectors an iteration; where it ends, and its running values."""
        source = self.loop.body.block
        number = len(values)
        block = Block(arg_types=[INDEX, *(value.type for value in values * UNROLLED)])
        outcomes: list[SSAValue] = []
        for copy in range(UNROLLED):
            index = block.args[0]
            if copy:
                offset = self._before(index_constant(copy * self.lanes))
                moved = index_op(arith.AddiOp, index, offset)
                block.add_op(moved)
                index = moved.results[0]
            running = block.args[1 + copy * number :][:number]
            lanes = Lanes(dict(zip(source.args, (index, *running), strict=True)), None)
            *body, end = source.ops
            for op in body:
                self._emit(op, block, lanes)
            outcomes += [self._operand(value, block, lanes) for value in end.operands]
        block.add_op(scf.YieldOp.create(operands=outcomes))
        step = self._before(index_constant(UNROLLED * self.lanes))
        count = self._before(index_op(arith.SubiOp, upper, lower))
        rest = self._before(arith.RemSIOp.create(operands=[count, step], result_types=[INDEX]))
        middle = self._before(index_op(arith.SubiOp, upper, rest))
        starts = [
            self._start(value, reduction)
            for value, reduction in zip(self.loop.operands[3:], self.reductions, strict=True)
        ]
        loop = scf.ForOp.create(
            operands=[lower, middle, step, *values, *(starts * (UNROLLED - 1))],
            result_types=[value.type for value in block.args[1:]],
            regions=[Region(block)],
        )
        self._insert(loop)
        return middle, [
            self._tree(loop.results[place::number], reduction)
            for place, reduction in enumerate(self.reductions)
        ]

    def _tree(self, values: Sequence[SSAValue], reduction: Reduction) -> SSAValue:
        """Running values combined in pairs."""
        if len(values) == 1:
            return values[0]
        half = len(values) // 2
        pair = [self._tree(part, reduction) for part in (values[:half], values[half:])]
        op = reduction.op
        return self._before(
            type(op).create(
                operands=pair, result_types=[pair[0].type], properties=without_order(op)
            )
        )

    def _vector_loop(
        self, lower: SSAValue, upper: SSAValue, step: SSAValue, values: list[SSAValue]
    ) -> list[SSAValue]:
        source = self.loop.body.block
        block = Block(arg_types=[INDEX, *(value.type for value in values)])
        lanes = Lanes(dict(zip(source.args, block.args, strict=True)), None)
        scalar, loads, rest = self._parts(source)
        for op in scalar:
            self._emit_scalar(op, block, lanes)
        if self.tail == "branch":
            self._emit_guarded(loads, upper, step, block, lanes)
        else:
            for op in loads:
                lanes.mapping[op.results[0]] = self._emit_load(op, block, lanes)
        for op in rest:
            self._emit(op, block, lanes)
        new = scf.ForOp.create(
            operands=[lower, upper, step, *values],
            result_types=[value.type for value in values],
            regions=[Region(block)],
        )
        self._insert(new)
        return list(new.results)
