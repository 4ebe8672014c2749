"""What kernels have in common that do one thing for each element: Note [Kernel loop form], built by hand."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowering.create import create
from lowering.dialects.kernel import EntryOp
from lowering.loops.flat import flat
from lowering.loops.index_builder import INDEX, index_constant, index_op


class ElementKernel:
    """A kernel over arrays of these element types and its words, and the body of its loop over elements."""

    def __init__(self, *elements: Attribute) -> None:
        self.block = Block(arg_types=[*map(flat, elements), flat(i64), INDEX, INDEX])
        self.body = Block(arg_types=[INDEX])
        *self.arrays, self.words, self.begin, self.end = self.block.args
        (self.number,) = self.body.args
        """Which element it is."""

    def once(self, op: Operation) -> SSAValue:
        """Do something before the loop."""
        self.block.add_op(op)
        return op.results[0]

    def each(self, op: Operation) -> SSAValue:
        """Do something for each element."""
        self.body.add_op(op)
        return op.results[0]

    def word(self, place: int) -> SSAValue:
        """A word, an i64."""
        return self.once(create(memref.LoadOp, (self.words, self.index(place)), (i64,)))

    def size(self, place: int) -> SSAValue:
        """A word as an index."""
        return self.once(create(arith.IndexCastOp, (self.word(place),), (INDEX,)))

    def index(self, value: int) -> SSAValue:
        """A constant."""
        return self.once(index_constant(value))

    def places(self, dims: Sequence[Sequence[SSAValue]], arrays: int) -> list[SSAValue]:
        """Where the element is in so many arrays, by the size of each dimension and the strides of the arrays in it."""
        found, rest = [self.index(0)] * arrays, self.number
        for dim in reversed(range(len(dims))):
            size, *strides = dims[dim]
            along = rest if dim == 0 else self.each(index_op(arith.RemUIOp, rest, size))
            found = [self.moved(at, along, by) for at, by in zip(found, strides, strict=True)]
            if dim:
                rest = self.each(index_op(arith.DivUIOp, rest, size))
        return found

    def moved(self, place: SSAValue, steps: SSAValue, stride: SSAValue) -> SSAValue:
        """A place so many strides further."""
        step = self.each(index_op(arith.MuliOp, steps, stride))
        return self.each(index_op(arith.AddiOp, place, step))

    def load(self, array: SSAValue, place: SSAValue, type_: Attribute) -> SSAValue:
        return self.each(create(memref.LoadOp, (array, place), (type_,)))

    def store(self, value: SSAValue, array: SSAValue, place: SSAValue) -> None:
        self.body.add_op(create(memref.StoreOp, (value, array, place), ()))

    def module(self, name: str, words: int, cost: int) -> ModuleOp:
        """The kernel, which takes so many words, and so many picoseconds for an element."""
        self.body.add_op(scf.YieldOp.create())
        loop = scf.ForOp(self.begin, self.end, self.index(1), [], Region(self.body))
        self.block.add_op(loop)
        self.block.add_op(ReturnOp.create())
        function = FuncOp(name, (self.block.arg_types, []), Region(self.block))
        entry = EntryOp(
            name, words=words, range=0, grain=1, work=0, cost=cost, scratch=None, sizes=None
        )
        return ModuleOp([function, entry])
