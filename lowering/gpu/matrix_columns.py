"""Kernels that do something with each column of the matrices of a batch, one thread with each: triangular systems, reflections, and the
rows that were exchanged. Neighbouring threads have neighbouring columns, which lie row by row.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, i32, i64
from xdsl.ir import SSAValue

from lowering.create import create
from lowering.gpu.block_kernel import BlockKernel
from lowering.gpu.block_size import THREADS
from lowering.gpu.column_reduction import READ
from lowering.gpu.combinations import float_op
from lowering.loops.code import Code
from lowering.loops.index_builder import INDEX
from torchscript_dialect.tensor.dtype import dtype

TRIANGULAR, REFLECTIONS, ROW_ORDER = "triangular_solutions", "reflections", "row_order"
WORK_PS = 10000


def _number(kernel: BlockKernel) -> SSAValue:
    code = kernel.code
    return code.plus(code.times(kernel.number, code.constant(THREADS)), kernel.thread)


class _Matrix:
    """A matrix whose first element and strides are known."""

    def __init__(
        self, code: Code, array: SSAValue, start: SSAValue, strides: tuple[SSAValue, SSAValue]
    ) -> None:
        self.code, self.array, self.start, self.strides = code, array, start, strides

    def at(self, row: SSAValue, column: SSAValue) -> SSAValue:
        code, (down, across) = self.code, self.strides
        return code.plus(code.plus(self.start, code.times(row, down)), code.times(column, across))

    def get(self, row: SSAValue, column: SSAValue) -> SSAValue:
        return self.code.element(self.array, self.at(row, column))


def triangular_solutions(element: dtype, is_upper: bool, is_unit: bool) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over triangular matrices, and the right sides of systems, which become their solutions. Its
    words are the number of blocks, that of all columns, the rows and columns of right sides, and three strides of triangular matrices.
    """
    type_ = READ[element.name]
    kernel = BlockKernel(TRIANGULAR, type_, type_, words=7, cost=WORK_PS)
    code, (matrices, sides) = kernel.code, kernel.arrays
    number = _number(kernel)
    with code.branch(code.less(number, kernel.size(1))):
        rows, columns, apart, down, across = (kernel.size(place) for place in range(2, 7))
        which, column = code.divided(number, columns)
        factor = _Matrix(code, matrices, code.times(which, apart), (down, across))
        start = code.times(which, code.times(rows, columns))
        side = _Matrix(code, sides, start, (columns, code.constant(1)))
        last = code.minus(rows, 1)

        def row_of(step: SSAValue) -> SSAValue:
            return code.minus(last, step) if is_upper else step

        with code.loop(code.constant(0), rows, 1) as loop:
            row = row_of(loop.variable)
            place = side.at(row, column)
            with code.loop(
                code.constant(0), loop.variable, 1, [code.element(sides, place)]
            ) as inner:
                other = row_of(inner.variable)
                parts = factor.get(row, other), side.get(other, column)
                product = float_op(code.add, arith.MulfOp, *parts)
                inner.yields = [float_op(code.add, arith.SubfOp, inner.values[0], product)]
            (value,) = inner.results
            if not is_unit:
                value = float_op(code.add, arith.DivfOp, value, factor.get(row, row))
            code.put(value, sides, place)
    return kernel.module


def reflections(element: dtype, is_adjoint: bool) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over reflectors (as LAPACK's `geqrf` has them), their factors, and matrices, to which their
    product is applied, or its adjoint. Its words are the number of blocks, that of all columns, the rows and columns of matrices, the
    number of reflectors, and three strides of these.
    """
    type_ = READ[element.name]
    kernel = BlockKernel(REFLECTIONS, type_, type_, type_, words=8, cost=WORK_PS)
    code, (vectors, factors, matrices) = kernel.code, kernel.arrays
    number = _number(kernel)
    with code.branch(code.less(number, kernel.size(1))):
        rows, columns, count, apart, down, across = (kernel.size(place) for place in range(2, 8))
        which, column = code.divided(number, columns)
        vector = _Matrix(code, vectors, code.times(which, apart), (down, across))
        start = code.times(which, code.times(rows, columns))
        matrix = _Matrix(code, matrices, start, (columns, code.constant(1)))
        with code.loop(code.constant(0), count, 1) as loop:
            step = loop.variable if is_adjoint else code.minus(code.minus(count, 1), loop.variable)
            below, top = code.plus(step, 1), matrix.at(step, column)
            with code.loop(below, rows, 1, [code.element(matrices, top)]) as inner:
                parts = vector.get(inner.variable, step), matrix.get(inner.variable, column)
                product = float_op(code.add, arith.MulfOp, *parts)
                inner.yields = [float_op(code.add, arith.AddfOp, inner.values[0], product)]
            place = code.plus(code.times(which, count), step)
            factor = code.element(factors, place)
            times = float_op(code.add, arith.MulfOp, factor, inner.results[0])
            less = float_op(code.add, arith.SubfOp, code.element(matrices, top), times)
            code.put(less, matrices, top)
            with code.loop(below, rows, 1) as inner:
                at = matrix.at(inner.variable, column)
                part = float_op(code.add, arith.MulfOp, times, vector.get(inner.variable, step))
                code.put(
                    float_op(code.add, arith.SubfOp, code.element(matrices, at), part), matrices, at
                )
    return kernel.module


def row_order() -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over rows that were exchanged (i32, counted from 1), and the row that each one was (i64). Its
    words are the number of blocks, that of matrices, that of their rows, and how many were exchanged.
    """
    kernel = BlockKernel(ROW_ORDER, i32, i64, words=4, cost=WORK_PS)
    code, (exchanged, order) = kernel.code, kernel.arrays
    number = _number(kernel)
    with code.branch(code.less(number, kernel.size(1))):
        rows, count = kernel.size(2), kernel.size(3)
        start = code.times(number, rows)
        with code.loop(code.constant(0), rows, 1) as loop:
            own = code.add(create(arith.IndexCastOp, (loop.variable,), (i64,)))
            code.put(own, order, code.plus(start, loop.variable))
        with code.loop(code.constant(0), count, 1) as loop:
            given = code.element(exchanged, code.plus(code.times(number, count), loop.variable))
            other = code.minus(code.add(create(arith.IndexCastOp, (given,), (INDEX,))), 1)
            here, there = code.plus(start, loop.variable), code.plus(start, other)
            kept, moved = code.element(order, here), code.element(order, there)
            code.put(moved, order, here)
            code.put(kept, order, there)
    return kernel.module
