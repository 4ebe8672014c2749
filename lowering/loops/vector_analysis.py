"""Whether the iterations of a loop can run in the lanes of vectors, and what of its body varies with them."""

from __future__ import annotations

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue

from lowering.loops.flat import byte_size
from lowering.loops.nest import TRAPPING
from lowering.loops.vector_reductions import Reduction, reduction_of
from lowering.shaped import constant_number, element_type, is_memref

Loop = scf.ForOp | scf.ParallelOp

F32_BYTES = 4
UNKNOWN = 1 << 40
"""Stands for a stride that is not known: no access may use it."""


class LoopAnalysis:
    """What `analyze` finds out of one loop."""

    def __init__(self, loop: Loop, width: int, tail: str) -> None:
        self.loop = loop
        self.bytes = width * F32_BYTES
        self.tail = tail
        self.widest = 1
        self.strides: dict[SSAValue, int] = {loop.body.block.args[0]: 1}
        self.varying: set[SSAValue] = set()
        self.reductions: list[Reduction] = []
        self.gathers: list[memref.LoadOp] = []
        """Loads of elements that lie apart: vectors need these gathered."""
        self.pairs: dict[Operation, tuple[SSAValue, bool]] = {}
        """Loads and stores of parts of complex numbers: where the pair begins, and whether it is the second part."""

    def analyze(self) -> bool:
        """Whether the loop can be vectorised; fills in lanes and reductions."""
        block = self.loop.body.block
        if isinstance(self.loop, scf.ForOp) and not self._only_reduces(self.loop):
            return False
        for argument in block.args[1:]:
            self._vary(argument)
        if not self._analyze(block) or not self._find_pairs():
            return False
        self.lanes = max(1, self.bytes // self.widest)
        return True

    def _only_reduces(self, loop: scf.ForOp) -> bool:
        """Whether all that iterations pass on is the outcome of reductions in any order."""
        body = loop.body.block
        if not loop.iter_args or any(isinstance(op, memref.StoreOp) for op in body.ops):
            return False
        for position in range(len(body.args) - 1):
            reduction = reduction_of(loop, position)
            if reduction is None:
                return False
            self.reductions.append(reduction)
        return True

    def _vary(self, value: SSAValue) -> None:
        self.varying.add(value)
        self.widest = max(self.widest, byte_size(value.type))

    def _analyze(self, block: Block) -> bool:
        return all(self._visit(op) for op in block.ops)

    def _visit(self, op: Operation) -> bool:
        strides = self.strides
        if isinstance(op, memref.LoadOp):
            stride = strides.get(op.indices[0], 0)
            if stride:
                self._vary(op.results[0])
            if 0 <= stride <= 1:
                return True
            if stride == 2:
                self.pairs[op] = self._pair_of(op.indices[0])
                return True
            self.gathers.append(op)
            return op.parent is self.loop.body.block
        if isinstance(op, memref.StoreOp):
            assert is_memref(op.memref.type)
            self.widest = max(self.widest, byte_size(element_type(op.memref.type)))
            stride = strides.get(op.indices[0], 0)
            if stride == 2:
                self.pairs[op] = self._pair_of(op.indices[0])
            return 1 <= stride <= 2
        if isinstance(op, scf.ForOp):
            return self._visit_loop(op)
        if op.regions:
            return False
        if op.results and isinstance(op.results[0].type, IndexType):
            return self._visit_index(op)
        if any(operand in strides for operand in op.operands):
            return False
        if isinstance(op, TRAPPING):
            self.tail = "scalar"
        if any(operand in self.varying for operand in op.operands):
            for result in op.results:
                self._vary(result)
            return isinstance(op, scf.YieldOp) or op.name.startswith(
                ("arith.", "math.", "math_ext.")
            )
        return True

    def _pair_of(self, index: SSAValue) -> tuple[SSAValue, bool]:
        """Where the pair begins of which an index is one, and whether it is the second."""
        owner = index.owner
        if not isinstance(owner, arith.AddiOp) or constant_number(owner.rhs.owner) != 1:
            return index, False
        is_second = self.strides.get(owner.lhs) == 2
        return owner.lhs if is_second else index, is_second

    def _find_pairs(self) -> bool:
        """Whether both parts of each pair are stored. Loads of one part, of elements with others between them, are gathered instead."""
        groups: dict[tuple[type, Block | None, SSAValue, SSAValue], list[Operation]] = {}
        for op, (start, _) in self.pairs.items():
            assert isinstance(op, memref.LoadOp | memref.StoreOp)
            groups.setdefault((type(op), op.parent, op.memref, start), []).append(op)
        for (kind, block, _, _), ops in groups.items():
            if {self.pairs[op][1] for op in ops} == {False, True} and len(ops) == 2:
                continue
            if kind is memref.StoreOp or block is not self.loop.body.block:
                return False
            for op in ops:
                assert isinstance(op, memref.LoadOp)
                self.gathers.append(op)
                del self.pairs[op]
        return True

    def _visit_loop(self, op: scf.ForOp) -> bool:
        if any(value in self.strides for value in op.operands):
            return False
        for value in (*op.body.block.args[1:], *op.results):
            if isinstance(value.type, IndexType):
                return False
            self._vary(value)
        return self._analyze(op.body.block)

    def _visit_index(self, op: Operation) -> bool:
        found = [self.strides.get(operand, 0) for operand in op.operands]
        if any(operand in self.varying for operand in op.operands):
            return False
        if not any(found):
            return True
        factors = [constant_number(operand.owner) for operand in op.operands]
        if UNKNOWN in found:
            stride = UNKNOWN
        elif isinstance(op, arith.AddiOp):
            stride = sum(found)
        elif isinstance(op, arith.SubiOp):
            stride = found[0] - found[1]
        elif isinstance(op, arith.MuliOp) and 2 in factors:
            stride = 2 * found[1 - factors.index(2)]
        else:
            stride = UNKNOWN
        if stride:
            self.strides[op.results[0]] = stride
        return True
