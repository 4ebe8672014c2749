"""Kernels of connectionist temporal classification: the probabilities of all ways to come to each label of a target at a step, or to go
on from there. A block does a sequence, step by step; its threads share the labels.
"""

from __future__ import annotations

from math import inf

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, ModuleOp, i1, i32
from xdsl.ir import SSAValue

from lowering.create import create
from lowering.gpu.block_kernel import BlockKernel
from lowering.gpu.block_size import THREADS
from lowering.gpu.column_reduction import READ
from lowering.gpu.combinations import float_op, log_of_sum
from lowering.loops.index_builder import INDEX
from torchscript_dialect.tensor.dtype import dtype

NAME = "alignments"
WORK_PS = 100000


def alignments(element: dtype, is_forward: bool) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over the logarithms of the probabilities of labels (steps, batch, labels), those of jumps over
    a label (batch, labels), 0 or minus infinity, the number of steps and of labels of each sequence (batch, 2) of i32, and what it
    writes, the logarithms of probabilities (batch, steps, labels). Its words are the number of blocks, of steps, and of labels.

    Forward these are of all ways to a label, and minus infinity behind the last step. Backward they are of what follows a label, which
    a jump leads from.
    """
    type_ = READ[element.name]
    assert isinstance(type_, AnyFloat)
    kernel = BlockKernel(NAME, type_, type_, i32, type_, words=3, cost=WORK_PS)
    code, row = kernel.code, kernel.number
    chances, jumps, lengths, states = kernel.arrays
    steps, width = kernel.size(1), kernel.size(2)
    batch = kernel.size(0)
    zero = code.constant(0)
    nothing = code.add(arith.ConstantOp(FloatAttr(-inf, type_)))
    certain = code.zero(type_)
    start = code.times(code.times(row, steps), width)
    used, labels = (
        code.add(
            create(
                arith.IndexCastOp,
                (code.element(lengths, code.plus(code.times(row, code.constant(2)), place)),),
                (INDEX,),
            )
        )
        for place in range(2)
    )

    def chance(step: SSAValue, label: SSAValue) -> SSAValue:
        there = code.plus(code.times(step, batch), row)
        return code.element(chances, code.plus(code.times(there, width), label))

    def both(a: SSAValue, b: SSAValue) -> SSAValue:
        return code.add(create(arith.AndIOp, (a, b), (i1,)))

    with code.loop(zero, steps, 1) as loop:
        step = loop.variable if is_forward else code.minus(code.minus(steps, 1), loop.variable)
        other = code.minus(step, 1) if is_forward else code.plus(step, 1)
        last = code.larger(code.minus(used, 1), zero)
        is_first = code.equal(step, zero if is_forward else last)
        is_beyond = code.less(last, step)
        is_usual = code.less(step, last)
        if is_forward:
            is_usual = both(code.less(zero, step), code.at_least(last, step))

        def neighbour(label: SSAValue, apart: int) -> SSAValue:
            """What a label so far away has at the step before, or after."""
            there = code.minus(label, apart) if is_forward else code.plus(label, apart)
            is_there = code.at_least(there, zero) if is_forward else code.less(there, width)
            is_there = both(is_there, is_usual)
            safe = code.select(is_there, there, label)  # what no other thread writes
            at = code.select(is_there, other, step)
            place = code.plus(start, code.plus(code.times(at, width), safe))
            found = code.select(is_there, code.element(states, place), nothing)
            if is_forward:
                return found
            return float_op(
                code.add, arith.AddfOp, found, code.select(is_there, chance(at, safe), certain)
            )

        with code.loop(kernel.thread, width, THREADS) as inner:
            label = inner.variable
            jump = code.element(jumps, code.plus(code.times(row, width), label))
            near = log_of_sum(code.add, *(neighbour(label, apart) for apart in range(2)))
            far = float_op(code.add, arith.AddfOp, neighbour(label, 2), jump)
            value = log_of_sum(code.add, near, far)
            if is_forward:
                begins = code.less(label, code.constant(2))
                value = code.select(is_first, code.select(begins, certain, nothing), value)
                value = float_op(code.add, arith.AddfOp, value, chance(step, label))
            else:
                twice = code.times(labels, code.constant(2))
                ends = code.at_least(label, code.larger(code.minus(twice, 1), zero))
                ends = both(ends, code.at_least(twice, label))
                value = code.select(is_first, code.select(ends, certain, nothing), value)
            value = code.select(is_beyond, nothing, value)
            code.put(value, states, code.plus(start, code.plus(code.times(step, width), label)))
        kernel.wait()
    return kernel.module
