"""A kernel that adds up the elements of windows, or takes the largest ones: pooling, resizing, their gradients and those of padding.

A thread does an element of the result. Tables tell, of each dimension that has windows, where the elements of these are: the host makes
them from sizes, and the windows of an image are those of its dimensions. So gradients are sums, too, of what each element went into: no
thread writes where others do, and sums have the same bits in every run.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Literal, NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerType, ModuleOp, f32, f64, i1, i32, i64
from xdsl.ir import Attribute, SSAValue

from lowering.create import create
from lowering.gpu.block_kernel import BlockKernel
from lowering.gpu.block_size import THREADS
from lowering.gpu.column_reduction import READ, converted
from lowering.loops.code import Code
from lowering.loops.index_builder import INDEX
from torchscript_dialect.tensor.dtype import dtype

NAME = "window_reduction"
WORK_PS = 4000
Way = Literal["read", "sum", "largest", "chosen"]


class Form(NamedTuple):
    """Which kernel it is."""

    way: Way
    """`read` is for windows of one element of any type, or none, which gives 0; `largest` also tells the number of the element in its
    image; `chosen` adds up what windows have whose largest element is that of the result.
    """
    has_windows: tuple[bool, ...]
    """Of each dimension of the result, in the order of memory."""
    element: dtype
    result: dtype
    is_weighted: bool
    """Whether elements are multiplied by what further tables hold."""


class _Window(NamedTuple):
    """A dimension that has windows: its words, and the index of the result."""

    along: SSAValue
    size: SSAValue
    taps: SSAValue
    start: SSAValue
    stride: SSAValue
    numbered: SSAValue


class _At(NamedTuple):
    """An element of a window: where it is in the source, its number in the image, whether there is one, and its weight."""

    source: SSAValue
    number: SSAValue
    is_there: SSAValue
    weight: SSAValue | None


Visit = Callable[[_At, list[SSAValue]], list[SSAValue]]
"""What an element makes of values."""


def window_reduction(form: Form) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over the source, the tables (i32), the result, of the second way and the third one the numbers
    of largest elements (i64), and the tables of weights.

    A table has a row for each element of a window, and a column for each index: a place, below 0 where there is none. Words are the
    number of blocks, that of elements, and of each dimension its size and the stride of the source; where it has windows the size, how
    many elements these have, where in the tables they begin, and the strides of the source and of numbers. 16 bits are added up in 32.
    """
    stored, wanted, inside = _types(form)
    more = [
        *([i64] if form.way in ("largest", "chosen") else []),
        *([inside] if form.is_weighted else []),
    ]
    words = 2 + sum(5 if one else 2 for one in form.has_windows)
    kernel = BlockKernel(NAME, stored, i32, wanted, *more, words=words, cost=WORK_PS)
    source, table, result, *others = kernel.arrays
    weights = others[-1] if form.is_weighted else None
    code = kernel.code
    number = code.plus(code.times(kernel.number, code.constant(THREADS)), kernel.thread)
    with code.branch(code.less(number, kernel.size(1))):
        start, windows = _dimensions(kernel, form.has_windows, number)
        yes = code.add(arith.ConstantOp.from_int_and_width(1, i1))
        first = _At(start, code.constant(0), yes, None)

        def nested(level: int, at: _At, values: list[SSAValue], visit: Visit) -> list[SSAValue]:
            if level == len(windows):
                return visit(at, values)
            window = windows[level]
            with code.loop(code.constant(0), window.taps, 1, values) as loop:
                tap = code.times(loop.variable, window.size)
                entry = code.plus(code.plus(window.start, tap), window.along)
                further = _further(code, at, window, code.element(table, entry))
                if weights is not None:
                    own = code.element(weights, entry)
                    weight = own if at.weight is None else code.multiply_floats(at.weight, own)
                    further = further._replace(weight=weight)
                loop.yields = nested(level + 1, further, loop.values, visit)
            return loop.results

        if form.way == "largest":
            assert isinstance(inside, AnyFloat)
            least = code.add(arith.ConstantOp(FloatAttr(-inf, inside)))
            initial = [least, code.constant(-1)]
            value, place = nested(0, first, initial, _larger(code, source, inside))
            code.put(code.add(create(arith.IndexCastOp, (place,), (i64,))), others[0], number)
        else:
            visit = _added(code, source, inside, adds=form.way != "read")
            if form.way == "chosen":
                visit = _chosen(code, visit, others[0], windows)
            (value,) = nested(0, first, [code.zero(inside)], visit)
        code.put(converted(code, value, wanted), result, number)
    return kernel.module


def _types(form: Form) -> tuple[Attribute, Attribute, Attribute]:
    """Of elements, of those of the result, and of what is computed with."""
    if form.way == "read":
        bits = IntegerType(8 * form.element.itemsize)
        return bits, bits, bits
    stored, wanted = (READ[one.name] for one in (form.element, form.result))
    return stored, wanted, f64 if stored == f64 else f32


def _dimensions(
    kernel: BlockKernel, has_windows: tuple[bool, ...], number: SSAValue
) -> tuple[SSAValue, list[_Window]]:
    """Where in the source what has no windows leads, and the dimensions that have some."""
    code, rest, start = kernel.code, number, kernel.code.constant(0)
    windows: list[_Window] = []
    for dim in reversed(range(len(has_windows))):
        word = 2 + sum(5 if one else 2 for one in has_windows[:dim])
        size, first, *others = (
            kernel.size(word + part) for part in range(5 if has_windows[dim] else 2)
        )
        rest, along = code.divided(rest, size) if dim else (rest, rest)
        if has_windows[dim]:
            windows.append(_Window(along, size, first, *others))
        else:
            start = code.plus(start, code.times(along, first))
    return start, windows[::-1]


def _further(code: Code, at: _At, window: _Window, entry: SSAValue) -> _At:
    """An element so far along a dimension."""
    place = code.add(create(arith.IndexCastOp, (entry,), (INDEX,)))
    is_there = code.at_least(place, code.constant(0))
    safe = code.select(is_there, place, code.constant(0))
    return _At(
        code.plus(at.source, code.times(safe, window.stride)),
        code.plus(at.number, code.times(safe, window.numbered)),
        code.add(create(arith.AndIOp, (at.is_there, is_there), (i1,))),
        at.weight,
    )


def _added(code: Code, source: SSAValue, inside: Attribute, *, adds: bool) -> Visit:
    def visit(at: _At, values: list[SSAValue]) -> list[SSAValue]:
        value = converted(code, code.element(source, at.source), inside)
        if at.weight is not None:
            value = code.multiply_floats(value, at.weight)
        total = code.add_floats(values[0], value) if adds else value
        return [code.select(at.is_there, total, values[0])]

    return visit


def _chosen(code: Code, visit: Visit, places: SSAValue, windows: list[_Window]) -> Visit:
    own = code.constant(0)
    for window in windows:
        own = code.plus(own, code.times(window.along, window.numbered))

    def visit_chosen(at: _At, values: list[SSAValue]) -> list[SSAValue]:
        largest = code.add(create(arith.IndexCastOp, (code.element(places, at.source),), (INDEX,)))
        is_own = code.add(create(arith.AndIOp, (at.is_there, code.equal(largest, own)), (i1,)))
        return visit(at._replace(is_there=is_own), values)

    return visit_chosen


def _larger(code: Code, source: SSAValue, inside: Attribute) -> Visit:
    """The first of equal elements, or the last one that is no number, as in PyTorch."""

    def visit(at: _At, values: list[SSAValue]) -> list[SSAValue]:
        value = converted(code, code.element(source, at.source), inside)
        largest, place = values
        is_better = code.less(place, code.constant(0))
        for test in (arith.CmpfOp(value, largest, "ogt"), arith.CmpfOp(value, value, "uno")):
            is_better = code.add(create(arith.OrIOp, (is_better, code.add(test)), (i1,)))
        is_better = code.add(create(arith.AndIOp, (at.is_there, is_better), (i1,)))
        return [code.select(is_better, value, largest), code.select(is_better, at.number, place)]

    return visit
