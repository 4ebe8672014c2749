"""Lets a thread do four neighbouring elements of a row at once, where what is loaded and stored of these is aligned.

Before: what `ts-distribute-rows` makes of a loop in a row, of which the threads of a block do every n-th iteration. After: each does
four neighbours at a time, as far as there are four, where rows begin at multiples of them in all buffers that are walked element by
element; their loads stand together before all else and their stores behind it, the first of each with its alignment, so that LLVM makes
one of four. What is left goes one by one. Loops that take long for an element, that hold others, or that read what they wrote stay as
they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from lowering.dialects.kernel_grid import GridEntryOp
from lowering.gpu.polynomials import MINUS_ONE, Polynomials
from lowering.gpu.vectorize_accesses import LANES, MOST, access_lanes, alignment, cost_of
from lowering.loops.code import Code, copied
from lowering.loops.flat import byte_size
from lowering.shaped import element_type


class VectorizeRowsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-vectorize-rows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for entry in [one for one in op.body.block.ops if isinstance(one, GridEntryOp)]:
            kernel = entry.kernel()
            if entry.each is None or not isinstance(kernel, gpu.FuncOp):
                continue
            for loop in [one for one in kernel.walk() if isinstance(one, scf.ForOp)]:
                found = _Row.of(loop)
                if found is not None:
                    found.vectorize()


@dataclass
class _Row:
    """A loop in a row, from `lower` on, whose iterations threads share."""

    loop: scf.ForOp
    lower: SSAValue
    thread: SSAValue
    walked: list[memref.LoadOp | memref.StoreOp]
    """Accesses to the element of an iteration."""

    @classmethod
    def of(cls, loop: scf.ForOp) -> _Row | None:
        """What a loop does; None where it is not worth it."""
        start, size = loop.lb.owner, loop.step.owner
        if not isinstance(start, arith.AddiOp) or not isinstance(size, gpu.BlockDimOp):
            return None
        if not isinstance(start.rhs.owner, gpu.ThreadIdOp):
            return None
        body = list(loop.body.block.ops)
        if any(op.regions for op in body) or sum(map(cost_of, body)) > MOST:
            return None
        index, *_ = loop.body.block.args
        walked = [op for op in body if _is_walked(op, index)]
        written: set[SSAValue] = set()
        for op in body:
            if isinstance(op, memref.LoadOp) and op.memref in written:
                return None
            if isinstance(op, memref.StoreOp):
                written.add(op.memref)
        found = [op for op in walked if isinstance(op, memref.LoadOp | memref.StoreOp)]
        return cls(loop, start.lhs, start.rhs, found) if found else None

    def vectorize(self) -> None:
        """Put a loop over groups of elements before the loop, which does the rest."""
        loop = self.loop
        block = loop.parent
        assert block is not None
        code = Code(block, loop)
        left = code.larger(code.minus(loop.ub, self.lower), code.constant(0))
        groups = code.select(self._is_aligned(code), code.whole(left, LANES), code.constant(0))
        end = code.plus(self.lower, groups)
        first = code.plus(self.lower, code.times(self.thread, code.constant(LANES)))
        step = code.times(loop.step, code.constant(LANES))
        with code.loop(first, end, step, list(loop.iter_args)) as together:
            together.yields = self._at_once(code, together.variable, together.values)
        loop.operands = [code.plus(end, self.thread), loop.ub, loop.step, *together.results]

    def _is_aligned(self, code: Code) -> SSAValue:
        """Whether the elements of the first iteration are, in all buffers."""
        loop = self.loop
        index, *_ = loop.body.block.args
        together = code.constant(0)
        for op in self.walked:
            place = copied(code, op.indices[0], {index: self.lower}, loop)
            size = code.constant(byte_size(element_type(op.memref.type)))
            address = code.add(memref.ExtractAlignedPointerAsIndexOp.get(op.memref))
            address = code.plus(address, code.times(place, size))
            low = code.add(arith.AndIOp(address, code.constant(alignment(op.memref) - 1)))
            together = code.add(arith.OrIOp(together, low))
        return code.equal(together, code.constant(0))

    def _at_once(self, code: Code, first: SSAValue, values: list[SSAValue]) -> list[SSAValue]:
        """Four elements: their loads, what is computed, and their stores; what the loop goes on with."""
        block = self.loop.body.block
        index, *arguments = block.args
        *body, last = block.ops
        lanes: list[dict[SSAValue, SSAValue]] = [
            {index: code.plus(first, lane)} for lane in range(LANES)
        ]
        for op in self.walked:
            if isinstance(op, memref.LoadOp):
                self._access(code, op, lanes)
        rest = [op for op in body if op not in self.walked]
        for known in lanes:
            known.update(zip(arguments, values, strict=True))
            for op in rest:
                made = op.clone(known)
                code.insert(made)
                known.update(zip(op.results, made.results, strict=True))
            values = [known.get(value, value) for value in last.operands]
        for op in self.walked:
            if isinstance(op, memref.StoreOp):
                self._access(code, op, lanes)
        return values

    def _access(
        self,
        code: Code,
        op: memref.LoadOp | memref.StoreOp,
        lanes: Sequence[dict[SSAValue, SSAValue]],
    ) -> None:
        places = (copied(code, op.indices[0], known, self.loop) for known in lanes)
        access_lanes(code, op, lanes, places)


def _is_walked(op: Operation, index: SSAValue) -> bool:
    """Whether an op loads or stores the element of a buffer that lies as far from another one as the index says."""
    if not isinstance(op, memref.LoadOp | memref.StoreOp):
        return False
    base = op.memref
    if not isinstance(base, BlockArgument) and not isinstance(base.owner, memref.ViewOp):
        return False
    polynomial = Polynomials({})
    rest = polynomial(op.indices[0]) + polynomial(index) * MINUS_ONE
    return not rest.depends_on(index)
