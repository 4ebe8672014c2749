"""How many threads a block has that does a row: a word that follows from the length of rows, so that those of short ones are not idle,
and few long ones keep a device busy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from lowering.create import create
from lowering.loops.code import Code
from lowering.loops.words import sizes_function

FEWEST = 32
STEPS = ((256, 128), (1 << 12, 256), (1 << 14, 512))
"""Elements of a row above which there are so many threads."""
MOST_THREADS = STEPS[-1][1]


def threads_word(module: ModuleOp, rows: Block, words: Mapping[SSAValue, int], word: int) -> bool:
    """Let `@sizes` compute the threads of a block whose rows loops in `rows` go through, as that word; False where nothing tells how
    long they are. `words` says which words values of the kernel are.
    """
    sizes = sizes_function(module)
    loops = [op for op in rows.ops if isinstance(op, scf.ForOp | scf.ParallelOp)]
    inner = [one for loop in loops for one in loop.regions[0].block.walk() if _is_loop(one)]
    if sizes is None or not inner:
        return False
    block = sizes.body.block
    last = block.last_op
    assert last is not None
    copies = _Copies(Code(block, last), block.args[0], words)
    code = copies.code
    found = [copies.iterations(loop, loops) for loop in inner]
    known = [one for one in found if one is not None]
    if not known:
        return False
    most = known[0]
    for one in known[1:]:
        most = code.larger(most, one)
    threads = code.constant(FEWEST)
    for limit, count in STEPS:
        threads = code.select_larger(most, limit, code.constant(count), threads)
    value = code.add(create(arith.IndexCastOp, (threads,), (i64,)))
    code.put(value, block.args[0], code.constant(word))
    return True


def _is_loop(op: Operation) -> bool:
    return isinstance(op, scf.ForOp | scf.ParallelOp)


class _Copies:
    """Appends what the kernel computes of words to `@sizes`."""

    def __init__(self, code: Code, syms: SSAValue, words: Mapping[SSAValue, int]) -> None:
        self.code, self.syms, self.words = code, syms, words

    def iterations(self, loop: Operation, rows: Sequence[Operation]) -> SSAValue | None:
        """How many iterations a loop has for a row; None where that depends on more than words."""
        upper = self.of(loop.operands[1])
        around = loop.parent_op()
        while around is not None and not _is_loop(around):
            around = around.parent_op()
        if upper is None or around is None or around in rows:
            return upper
        times = self.iterations(around, rows)
        return None if times is None else self.code.times(times, upper)

    def of(self, value: SSAValue) -> SSAValue | None:
        """A value; None where it depends on more than words."""
        if value in self.words:
            place = self.code.constant(self.words[value])
            return self.code.add(create(memref.LoadOp, (self.syms, place), (i64,)))
        owner = value.owner
        if isinstance(owner, Block) or owner.regions or not is_side_effect_free(owner):
            return None
        operands = {one: self.of(one) for one in owner.operands}
        known = {one: made for one, made in operands.items() if made is not None}
        if len(known) < len(operands):
            return None
        return self.code.add(owner.clone(known))
