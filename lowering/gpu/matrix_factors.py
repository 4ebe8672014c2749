"""Kernels that factor each matrix of a batch where it lies, row by row: by elimination, Cholesky's way, or Householder's reflectors.

A team does a matrix: a block, or of a small matrix one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from xdsl.dialects import arith, gpu, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, ModuleOp, f64, i1, i32
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.create import create
from lowering.gpu.block_kernel import BlockKernel
from lowering.gpu.block_size import THREADS
from lowering.gpu.column_reduction import READ, converted
from lowering.gpu.combinations import float_op
from lowering.gpu.shared_memory import shared_memory
from lowering.gpu.shuffles import WARP
from lowering.loops.index_builder import INDEX
from torchscript_dialect.tensor.dtype import dtype

LU, CHOLESKY, HOUSEHOLDER = "lu_factors", "cholesky_factors", "householder_factors"
WORK_PS = 10000


class _Team:
    """The threads that have a matrix, and its elements."""

    def __init__(self, kernel: BlockKernel, number: SSAValue, threads: int) -> None:
        self.code, self.number, self.threads = kernel.code, number, threads
        self.elements = kernel.arrays[0]
        self.rows, self.columns = kernel.size(2), kernel.size(3)
        self.steps = self.code.smaller(self.rows, self.columns)
        self.zero = self.code.constant(0)
        self.lane = kernel.thread if threads > 1 else self.zero
        self.start = self.code.times(number, self.code.times(self.rows, self.columns))

    def wait(self) -> None:
        """Let all threads see what each has written."""
        if self.threads > 1:
            self.code.insert(gpu.BarrierOp())

    @contextmanager
    def each(self, first: SSAValue, end: SSAValue) -> Generator[SSAValue]:
        """Numbers that the threads share."""
        start = self.code.plus(first, self.lane)
        with self.code.loop(start, end, self.threads) as loop:
            yield loop.variable

    @contextmanager
    def once(self) -> Generator[None]:
        """What one of the threads does."""
        with self.code.branch(self.code.equal(self.lane, self.zero)):
            yield

    def at(self, row: SSAValue, column: SSAValue) -> SSAValue:
        below = self.code.plus(self.start, self.code.times(row, self.columns))
        return self.code.plus(below, column)

    def get(self, row: SSAValue, column: SSAValue) -> SSAValue:
        return self.code.element(self.elements, self.at(row, column))

    def put(self, value: SSAValue, row: SSAValue, column: SSAValue) -> None:
        self.code.put(value, self.elements, self.at(row, column))

    def float(self, op: type[Operation], *operands: SSAValue) -> SSAValue:
        return float_op(self.code.add, op, *operands)

    def number_of(self, value: float, like: SSAValue) -> SSAValue:
        """A constant of the type of another value."""
        assert isinstance(like.type, AnyFloat)
        return self.code.add(arith.ConstantOp(FloatAttr(value, like.type)))

    def compared(self, how: str, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.code.add(arith.CmpfOp(a, b, how))

    def taken(self, row: SSAValue, column: SSAValue, a: SSAValue, b: SSAValue) -> None:
        """An element less a product."""
        product = self.float(arith.MulfOp, a, b)
        self.put(self.float(arith.SubfOp, self.get(row, column), product), row, column)

    def whole(self, index: SSAValue) -> SSAValue:
        """An index as i32."""
        return self.code.add(create(arith.IndexCastOp, (index,), (i32,)))

    def first_bad(self, before: SSAValue, is_bad: SSAValue, step: SSAValue) -> SSAValue:
        """The first step that went wrong, counted from 1, or 0."""
        code = self.code
        is_first = code.add(create(arith.AndIOp, (is_bad, code.equal(before, self.zero)), (i1,)))
        return code.select(is_first, code.plus(step, 1), before)


def _kernel(
    name: str, arrays: Sequence[Attribute], threads: int, write: Callable[..., None]
) -> ModuleOp:
    """A kernel over matrices and other arrays, of which `write` does one. Its words are the number of blocks, that of matrices, and
    those of rows and columns.
    """
    kernel = BlockKernel(name, *arrays, words=4, cost=WORK_PS)
    code, others = kernel.code, kernel.arrays[1:]
    if threads > 1:
        write(_Team(kernel, kernel.number, threads), *others)
        return kernel.module
    number = code.plus(code.times(kernel.number, code.constant(THREADS)), kernel.thread)
    with code.branch(code.less(number, kernel.size(1))):
        write(_Team(kernel, number, threads), *others)
    return kernel.module


def lu_factors(element: dtype, threads: int, pivots: bool) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over matrices, which become L and U, the rows that were exchanged (i32, counted from 1), and
    the first pivot that is 0 (i32, 0 for none).
    """

    def write(team: _Team, exchanged: SSAValue, info: SSAValue) -> None:
        code, lane = team.code, team.lane
        with code.loop(team.zero, team.steps, 1, [team.zero]) as loop:
            step, following = loop.variable, code.plus(loop.variable, 1)
            if pivots:
                other = _pivot(team, step)
                team.wait()
                with code.branch(code.less(step, other)), team.each(team.zero, team.columns) as j:
                    kept, moved = team.get(step, j), team.get(other, j)
                    team.put(moved, step, j)
                    team.put(kept, other, j)
                team.wait()
            else:
                other = step
            with team.once():
                place = code.plus(code.times(team.number, team.steps), step)
                code.put(team.whole(code.plus(other, 1)), exchanged, place)
            head = team.get(step, step)
            is_zero = team.compared("oeq", head, team.number_of(0.0, head))
            divisor = code.select(is_zero, team.number_of(1.0, head), head)
            with team.each(following, team.rows) as i:
                team.put(team.float(arith.DivfOp, team.get(i, step), divisor), i, step)
            team.wait()
            width = code.minus(team.columns, following)
            count = code.times(code.minus(team.rows, following), width)
            with team.each(team.zero, count) as number:
                down, across = code.divided(number, width)
                i, j = code.plus(following, down), code.plus(following, across)
                team.taken(i, j, team.get(i, step), team.get(step, j))
            team.wait()
            loop.yields = [team.first_bad(loop.values[0], is_zero, step)]
        with code.branch(code.equal(lane, team.zero)):
            code.put(team.whole(loop.results[0]), info, team.number)

    return _kernel(LU, (READ[element.name], i32, i32), threads, write)


def _pivot(team: _Team, step: SSAValue) -> SSAValue:
    """The first row from `step` on that has the largest element of that column: what some threads find, and then all."""
    code = team.code
    lanes = min(team.threads, WARP)
    least = team.number_of(-1.0, team.get(step, step))
    is_low = code.less(team.lane, code.constant(lanes))
    end = code.select(is_low, team.rows, team.zero)

    def larger(row: SSAValue, values: Sequence[SSAValue]) -> list[SSAValue]:
        largest, place = values
        value = team.float(math.AbsFOp, team.get(row, step))
        is_larger = team.compared("ogt", value, largest)
        is_equal = team.compared("oeq", value, largest)
        is_earlier = code.add(create(arith.AndIOp, (is_equal, code.less(row, place)), (i1,)))
        is_better = code.add(create(arith.OrIOp, (is_larger, is_earlier), (i1,)))
        return [code.select(is_better, value, largest), code.select(is_better, row, place)]

    with code.loop(code.plus(step, team.lane), end, lanes, [least, step]) as loop:
        loop.yields = larger(loop.variable, loop.values)
    if team.threads == 1:
        return loop.results[1]
    shared = shared_memory(code, "places", i32, WARP)
    with code.branch(is_low):
        code.put(team.whole(loop.results[1]), shared, team.lane)
    team.wait()
    with code.loop(team.zero, code.constant(lanes), 1, [least, step]) as loop:
        found = code.element(shared, loop.variable)
        row = code.add(create(arith.IndexCastOp, (found,), (INDEX,)))
        loop.yields = larger(row, loop.values)
    return loop.results[1]


def cholesky_factors(element: dtype, threads: int) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over square matrices, of which the lower triangle becomes the factor, and the order of the
    first minor that is not positive (i32, 0 for none).
    """

    def write(team: _Team, info: SSAValue) -> None:
        code, size = team.code, team.rows
        with code.loop(team.zero, size, 1, [team.zero]) as loop:
            step, following = loop.variable, code.plus(loop.variable, 1)
            head = team.get(step, step)
            is_bad = team.compared("ule", head, team.number_of(0.0, head))
            safe = code.select(is_bad, team.number_of(1.0, head), head)
            root = team.float(math.SqrtOp, safe)
            team.wait()
            with team.once():
                team.put(root, step, step)
            with team.each(following, size) as i:
                team.put(team.float(arith.DivfOp, team.get(i, step), root), i, step)
            team.wait()
            width = code.minus(size, following)
            with team.each(team.zero, code.times(width, width)) as number:
                down, across = code.divided(number, width)
                with code.branch(code.at_least(down, across)):
                    i, j = code.plus(following, down), code.plus(following, across)
                    team.taken(i, j, team.get(i, step), team.get(j, step))
            team.wait()
            loop.yields = [team.first_bad(loop.values[0], is_bad, step)]
        with team.once():
            code.put(team.whole(loop.results[0]), info, team.number)

    return _kernel(CHOLESKY, (READ[element.name], i32), threads, write)


def householder_factors(element: dtype, threads: int) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over matrices, which become R and below it the reflectors, as LAPACK's `geqrf` has them, and
    the factors of these.
    """

    def write(team: _Team, factors: SSAValue) -> None:
        code = team.code
        with code.loop(team.zero, team.steps, 1) as loop:
            step, following = loop.variable, code.plus(loop.variable, 1)
            head = team.get(step, step)
            squares = _squares(team, following, step)
            wide = converted(code, head, f64)
            nothing, one = team.number_of(0.0, wide), team.number_of(1.0, wide)
            is_some = team.compared("ogt", squares, nothing)
            whole = team.float(arith.AddfOp, team.float(arith.MulfOp, wide, wide), squares)
            length = team.float(math.SqrtOp, whole)
            is_positive = team.compared("oge", wide, nothing)
            turned = code.select(is_positive, team.float(arith.NegfOp, length), length)
            apart = code.select(is_some, team.float(arith.SubfOp, wide, turned), one)
            safe = code.select(is_some, turned, one)
            factor = team.float(arith.NegfOp, team.float(arith.DivfOp, apart, safe))
            factor = converted(code, code.select(is_some, factor, nothing), head.type)
            team.wait()
            with team.once():
                kept = converted(code, code.select(is_some, turned, wide), head.type)
                team.put(kept, step, step)
                code.put(factor, factors, code.plus(code.times(team.number, team.steps), step))
            divisor = converted(code, apart, head.type)
            with team.each(following, team.rows) as i:
                team.put(team.float(arith.DivfOp, team.get(i, step), divisor), i, step)
            team.wait()
            with team.each(following, team.columns) as j:
                with code.loop(following, team.rows, 1, [team.get(step, j)]) as inner:
                    i = inner.variable
                    part = team.float(arith.MulfOp, team.get(i, step), team.get(i, j))
                    inner.yields = [team.float(arith.AddfOp, inner.values[0], part)]
                times = team.float(arith.MulfOp, factor, inner.results[0])
                team.put(team.float(arith.SubfOp, team.get(step, j), times), step, j)
                with code.loop(following, team.rows, 1) as inner:
                    i = inner.variable
                    team.taken(i, j, times, team.get(i, step))
            team.wait()

    type_ = READ[element.name]
    return _kernel(HOUSEHOLDER, (type_, type_), threads, write)


def _squares(team: _Team, first: SSAValue, column: SSAValue) -> SSAValue:
    """The sum of the squares of a column from a row on, in float64: what some threads add up, and then all."""
    code = team.code
    lanes = min(team.threads, WARP)
    nothing = code.zero(f64)
    is_low = code.less(team.lane, code.constant(lanes))
    end = code.select(is_low, team.rows, team.zero)
    with code.loop(code.plus(first, team.lane), end, lanes, [nothing]) as loop:
        value = converted(code, team.get(loop.variable, column), f64)
        square = team.float(arith.MulfOp, value, value)
        loop.yields = [team.float(arith.AddfOp, loop.values[0], square)]
    if team.threads == 1:
        return loop.results[0]
    shared = shared_memory(code, "squares", f64, WARP)
    with code.branch(is_low):
        code.put(loop.results[0], shared, team.lane)
    team.wait()
    with code.loop(team.zero, code.constant(lanes), 1, [nothing]) as loop:
        part = code.element(shared, loop.variable)
        loop.yields = [team.float(arith.AddfOp, loop.values[0], part)]
    return loop.results[0]
