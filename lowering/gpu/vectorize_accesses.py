"""Lets a thread do four neighbouring elements, which it loads and stores at once where they are aligned.

Before: what `ts-map-to-gpu` makes of a kernel whose threads each do one of its range. After: each does four, beginning at a multiple of
four. Where there are four, and all buffers that are walked element by element are aligned, their loads stand together before all else
and their stores behind it, the first of each with its alignment, so that LLVM makes one of four; otherwise a loop does one after the
other. An index is known to be that of the element by its polynomial, even where it was made of a row and a column. Kernels that take
long for an element, that have loops or branches, or that read what they write, stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from lowering.dialects.kernel_grid import GridEntryOp
from lowering.gpu.polynomials import Polynomials
from lowering.loops.code import Code
from lowering.loops.flat import byte_size
from lowering.shaped import element_type

LANES = 4
WIDEST = 16
"""The bytes of the widest access."""
MOST = 160
"""Operations of a body that is done four times."""
FUNCTION = 40
"""Operations that a function of the math dialect becomes."""


class VectorizeAccessesPass(ModulePass):
    """See the module's docstring."""

    name = "ts-vectorize-accesses"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for entry in [one for one in op.body.block.ops if isinstance(one, GridEntryOp)]:
            kernel = entry.kernel()
            if entry.each is None and isinstance(kernel, gpu.FuncOp):
                found = _Elements.of(kernel)
                if found is not None:
                    found.vectorize()
                    each = IntegerAttr(LANES * entry.number("threads"), i64)
                    entry.properties["each"] = each


@dataclass
class _Elements:
    """What a thread does with one element."""

    index: SSAValue
    limit: SSAValue
    guard: scf.IfOp
    body: list[Operation]
    walked: list[memref.LoadOp | memref.StoreOp]
    """Accesses to the element that has the index."""

    @classmethod
    def of(cls, kernel: gpu.FuncOp) -> _Elements | None:
        """What a kernel does; None where it is not worth it."""
        guards = [op for op in kernel.body.block.ops if isinstance(op, scf.IfOp)]
        if len(guards) != 1 or not isinstance(test := guards[0].cond.owner, arith.CmpiOp):
            return None
        *body, _ = guards[0].true_region.block.ops
        if any(op.regions for op in body):
            return None
        cost = sum(map(cost_of, body))
        accesses = [op for op in body if isinstance(op, memref.LoadOp | memref.StoreOp)]
        read = {op.memref for op in accesses if isinstance(op, memref.LoadOp)}
        written = {op.memref for op in accesses if isinstance(op, memref.StoreOp)}
        are_plain = all(isinstance(base, BlockArgument) for base in read | written)
        if cost > MOST or read & written or not are_plain:
            return None
        polynomial = Polynomials({})
        index = polynomial(test.lhs)
        walked = [op for op in accesses if polynomial(op.indices[0]) == index]
        if not any(isinstance(op, memref.StoreOp) for op in walked):
            return None
        return cls(test.lhs, test.rhs, guards[0], body, walked)

    def vectorize(self) -> None:
        """Put the two ways to do four elements in the place of what does one."""
        block = self.guard.parent
        test = self.guard.cond.owner
        assert block is not None and isinstance(test, Operation)
        code = Code(block, test)
        first = code.times(self.index, code.constant(LANES))
        test.operands[0] = first
        inner = self.guard.true_region.block
        last = inner.last_op
        assert last is not None
        code = Code(inner, last)
        end = code.plus(first, LANES)
        are_whole = code.at_least(self.limit, end)
        is_aligned = are_aligned(code, [op.memref for op in self.walked])
        together = code.add(arith.AndIOp(are_whole, is_aligned))
        with code.branch(together) as branch:
            self._at_once(code, first)
            with branch.otherwise(), code.loop(first, code.smaller(end, self.limit), 1) as loop:
                self._copy(code, self.body, {self.index: loop.variable})
        for op in reversed(self.body):
            inner.erase_op(op, safe_erase=False)

    def _at_once(self, code: Code, first: SSAValue) -> None:
        """Four elements: their loads, what is computed, and their stores."""
        places = [code.plus(first, lane) for lane in range(LANES)]
        values: list[dict[SSAValue, SSAValue]] = [{self.index: place} for place in places]
        for op in self.walked:
            if isinstance(op, memref.LoadOp):
                access_lanes(code, op, values, places)
        for known in values:
            self._copy(code, [op for op in self.body if op not in self.walked], known)
        for op in self.walked:
            if isinstance(op, memref.StoreOp):
                access_lanes(code, op, values, places)

    def _copy(self, code: Code, ops: list[Operation], values: dict[SSAValue, SSAValue]) -> None:
        """What is done with one element, whose index is among the values."""
        for op in ops:
            made = op.clone(values)
            code.insert(made)
            values.update(zip(op.results, made.results, strict=True))


def cost_of(op: Operation) -> int:
    """Operations that one becomes, more or less."""
    return FUNCTION if op.name.startswith("math.") else 1


def are_aligned(code: Code, buffers: Iterable[SSAValue]) -> SSAValue:
    """Whether all of some buffers are, beginning with the first element."""
    together: SSAValue | None = None
    bits = 0
    for base in dict.fromkeys(buffers):
        address = code.add(memref.ExtractAlignedPointerAsIndexOp.get(base))
        together = address if together is None else code.add(arith.OrIOp(together, address))
        bits |= alignment(base) - 1
    assert together is not None
    rest = code.add(arith.AndIOp(together, code.constant(bits)))
    return code.add(arith.CmpiOp(rest, code.constant(0), "eq"))


def access_lanes(
    code: Code,
    op: memref.LoadOp | memref.StoreOp,
    lanes: Sequence[dict[SSAValue, SSAValue]],
    places: Iterable[SSAValue],
) -> None:
    """Load or store for each lane as an op does, at these places, which are neighbours, the first one aligned. `lanes` are the values
    of each in the place of others.
    """
    for lane, (known, place) in enumerate(zip(lanes, places, strict=True)):
        if isinstance(op, memref.LoadOp):
            made = memref.LoadOp.get(op.memref, [place])
            known[op.res] = made.res
        else:
            made = memref.StoreOp.get(known.get(op.value, op.value), op.memref, [place])
        code.insert(made)
        align_lane(made, op.memref, lane)


def loaded(code: Code, base: SSAValue, start: SSAValue, count: int) -> list[SSAValue]:
    """So many neighbouring elements of a buffer, which are aligned where they are several."""
    loads = [memref.LoadOp.get(base, [code.plus(start, lane)]) for lane in range(count)]
    for lane, load in enumerate(loads):
        code.insert(load)
        if count > 1:
            align_lane(load, base, lane)
    return [load.res for load in loads]


def alignment(base: SSAValue) -> int:
    """Of four elements of a buffer."""
    return min(LANES * byte_size(element_type(base.type)), WIDEST)


def align_lane(op: memref.LoadOp | memref.StoreOp, base: SSAValue, lane: int) -> None:
    """Say how an access is aligned, that of a lane of four."""
    size = byte_size(element_type(base.type))
    if lane * size % alignment(base) == 0:
        op.attributes["alignment"] = IntegerAttr(alignment(base), i64)
