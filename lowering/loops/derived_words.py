"""Words of syms that a kernel in loop form needs besides sizes, computed by `@sizes(%syms: memref<?xi64>) -> i1`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i1, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation

from lowering.extents import Extent
from lowering.kernel import SIZES
from lowering.loops.buffers import RoundedBytes, flat
from lowering.loops.index_builder import IndexBuilder

if TYPE_CHECKING:
    from xdsl.ir import SSAValue


class DerivedWords:
    """Adds words to the syms of a kernel; makes `@sizes` where the module has none.

    Nothing is added to a module whose kernel needs no derived word.
    """

    def __init__(self, module: ModuleOp, kernel: FuncOp, syms: int) -> None:
        self.module = module
        self.kernel = kernel
        self.syms = syms
        self._words: dict[Extent, int] = {}
        self._function: FuncOp | None = None
        self._terminator: ReturnOp | None = None
        self._builder: IndexBuilder | None = None

    def word_of(self, extent: Extent) -> int:
        """The word that holds `extent`: an existing one, or a new one."""
        if extent.factor == 1 and len(extent.atoms) == 1:
            return extent.atoms[0]
        if extent not in self._words:
            self._words[extent] = self._store(self._open().extent(extent))
        return self._words[extent]

    def work(self, pieces: list[tuple[Extent, int]]) -> tuple[int, int]:
        """The word that holds the units of work of `pieces`, and the picoseconds of a unit.

        A piece is a number of iterations and the picoseconds of one.
        """
        if len(pieces) == 1:
            ((iterations, cost),) = pieces
            return self.word_of(iterations), cost
        builder = self._open()
        total = builder.constant(0)
        for iterations, cost in pieces:
            total = builder.sum(total, builder.extent(iterations.times(Extent(cost))))
        return self._store(total), 1

    def scratch(self, pieces: list[tuple[SSAValue, int]], syms: SSAValue) -> int:
        """The word that holds the bytes of scratch for `pieces`: numbers of elements, computed from the kernel's `syms`, and bytes
        of one.
        """
        builder = self._open()
        copies: dict[SSAValue, SSAValue] = {syms: builder.syms}
        rounded = RoundedBytes(builder)
        total: SSAValue | None = None
        for count, size in pieces:
            total = builder.sum(total, rounded.of(_copy(count, copies, builder), size))
        assert total is not None
        return self._store(total)

    def _store(self, value: SSAValue) -> int:
        builder = self._open()
        word = builder.add(arith.IndexCastOp.create(operands=[value], result_types=[i64]))
        index = builder.constant(self.syms)
        builder.block.add_op(memref.StoreOp.create(operands=[word, builder.syms, index]))
        self.syms += 1
        return self.syms - 1

    def _open(self) -> IndexBuilder:
        if self._builder is None:
            function = self._find() or self._make()
            block = function.body.block
            terminator = block.last_op
            assert isinstance(terminator, ReturnOp)
            self._terminator = terminator
            terminator.detach()
            self._builder = IndexBuilder(block, function.args[0], [])
        return self._builder

    def _find(self) -> FuncOp | None:
        for op in self.module.body.block.ops:
            if isinstance(op, FuncOp) and op.sym_name.data == SIZES:
                return op
        return None

    def _make(self) -> FuncOp:
        function = FuncOp(SIZES, ([flat(i64)], [i1]))
        true = arith.ConstantOp.create(result_types=[i1], properties={"value": IntegerAttr(-1, i1)})
        function.body.block.add_ops([true, ReturnOp.create(operands=[true.result])])
        block = self.module.body.block
        block.insert_op_after(function, self.kernel)
        return function

    @property
    def are_computed(self) -> bool:
        """Whether the module has `@sizes`."""
        return self._function is not None or self._find() is not None

    def finish(self) -> None:
        """Closes the function."""
        if self._builder is not None and self._terminator is not None:
            self._builder.block.add_op(self._terminator)


def _copy(value: SSAValue, copies: dict[SSAValue, SSAValue], builder: IndexBuilder) -> SSAValue:
    """What computes `value`, once more at the end of another function."""
    if value not in copies:
        owner = value.owner
        assert isinstance(owner, Operation)
        for operand in owner.operands:
            _copy(operand, copies, builder)
        copies[value] = builder.add(owner.clone(copies))
    return copies[value]
