"""What kernels have in common whose threads share the work of a block: Note [Kernel loop form], built by hand."""

from __future__ import annotations

from xdsl.dialects import arith, gpu
from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue

from lowering.create import create
from lowering.dialects.kernel import EntryOp
from lowering.gpu.shared_memory import X
from lowering.loops.code import Code
from lowering.loops.flat import flat
from lowering.loops.index_builder import INDEX


class BlockKernel:
    """A kernel over arrays of these element types, which takes so many words, the first of them the number of blocks, and so many
    picoseconds for a block. `code` appends to it.
    """

    def __init__(self, name: str, *elements: Attribute, words: int, cost: int) -> None:
        block = Block(arg_types=[*map(flat, elements), flat(i64), INDEX, INDEX])
        *self.arrays, self._words, self.number, _ = block.args
        end = ReturnOp.create()
        block.add_op(end)
        function = FuncOp(name, (block.arg_types, []), Region(block))
        entry = EntryOp(
            name, words=words, range=0, grain=1, work=0, cost=cost, scratch=None, sizes=None
        )
        self.module = ModuleOp([function, entry])
        self.code = Code(block, end)
        self.thread = self.code.add(gpu.ThreadIdOp(X))

    def wait(self) -> None:
        """Let all threads of the block come here before any goes on."""
        self.code.insert(gpu.BarrierOp())

    def size(self, place: int) -> SSAValue:
        """A word as an index."""
        word = self.code.element(self._words, self.code.constant(place))
        return self.code.add(create(arith.IndexCastOp, (word,), (INDEX,)))
