"""Convolutions on buffers become products whose right factor is gathered: `kernel.im2col_matmul` in loops.

Before: a `linalg.generic` that multiplies and adds, one of whose factors is read at sums of loops. Its loops are of these kinds:

    m      of the result and the plain factor: an output channel
    n      of the result and the windows: a place in the output; of the gradient of weights a tap
    k      of both factors, that reduce: an input channel and a tap; of the gradient of weights a place
    outer  of all three: a group

Of n and k, those are the columns and the rows of a matrix along which the plain factor and the result are contiguous; all others
are loops around the product, as are the outer ones. Where the windows overlap nowhere and leave nothing out, the product is a
`linalg.matmul`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from lowering.dialects.kernel_product import DIGITS
from lowering.extents import ONE, ZERO, Extent
from lowering.kernel import LoweringError
from lowering.loops.linalg_ops import kinds_of, maps_of
from lowering.loops.views import View


@dataclass(frozen=True)
class Factor:
    """An operand, how far elements lie apart along each loop, and what lies before the first."""

    view: View
    steps: list[Extent]
    before: list[Extent]

    @classmethod
    def of(cls, view: View, map_: AffineMap) -> Factor:
        """The operand that a map walks."""
        steps = [ZERO] * map_.num_dims
        before: list[Extent] = []
        for expr, stride in zip(map_.results, view.strides, strict=True):
            for loop, factor in terms(expr):
                step = stride.times(Extent(factor))
                if loop is None:
                    before.append(step)
                elif steps[loop] != ZERO:
                    raise LoweringError("linalg.generic: one loop walks two dimensions")
                else:
                    steps[loop] = step
        return cls(view, steps, before)


@dataclass(frozen=True)
class Axis:
    """The rows or the columns of the matrix of windows: loops from the outermost on, each with its size and its step."""

    loops: tuple[int, ...]
    sizes: tuple[Extent, ...]
    steps: tuple[Extent, ...]

    @property
    def size(self) -> Extent:
        """How many there are."""
        total = ONE
        for size in self.sizes:
            total = total.times(size)
        return total

    @property
    def is_strided(self) -> bool:
        """Whether all lie equally far apart."""
        inner = zip(self.steps, self.steps[1:], self.sizes[1:], strict=False)
        return all(outer == step.times(size) for outer, step, size in inner)

    @property
    def step(self) -> Extent:
        """How far the last two lie apart."""
        return self.steps[-1] if self.steps else ONE

    def digits(self) -> tuple[list[Extent], list[Extent]]:
        """Sizes and steps, with loops of one iteration before them."""
        missing = DIGITS - len(self.sizes)
        return [ONE] * missing + [*self.sizes], [ZERO] * missing + [*self.steps]


@dataclass(frozen=True)
class Im2col:
    """A convolution as products; `a` is the plain factor, `x` has the windows."""

    a: Factor
    x: Factor
    c: Factor
    m: int | None
    """The loop over rows of the result; None for one row."""
    rows: Axis
    columns: Axis
    parallel: list[int]
    """The loops around the product that go along the result,"""
    reducing: list[int]
    """and those that add to it."""

    @property
    def is_product(self) -> bool:
        """Whether the windows are a matrix in memory, whose columns are contiguous."""
        return self.rows.is_strided and self.columns.is_strided and self.columns.step == ONE

    @classmethod
    def of(cls, op: linalg.GenericOp, views: Sequence[View], sizes: Sequence[Extent]) -> Im2col:
        """The products of an operation on these buffers, whose loops have these sizes.

        Raises:
            LoweringError: several loops are rows of the result, or its columns are not contiguous.
        """
        maps, kinds = maps_of(op), kinds_of(op)
        a, x, c = (Factor.of(view, map_) for view, map_ in zip(views, maps, strict=True))
        if any(not isinstance(expr, AffineDimExpr) for expr in maps[0].results):
            a, x = x, a
        loops = [loop for loop, size in enumerate(sizes) if size != ONE]
        reduced = [loop for loop in loops if kinds[loop] is IteratorType.REDUCTION]
        kept = [loop for loop in loops if loop not in reduced]
        own = [loop for loop in kept if x.steps[loop] == ZERO]
        along = [loop for loop in kept if a.steps[loop] == ZERO and loop not in own]
        rows, reducing = _contiguous(reduced, a, x, sizes)
        columns, around = _contiguous(along, c, x, sizes)
        outer = [loop for loop in kept if loop not in (*own, *along)]
        if len(own) > 1:
            raise LoweringError("linalg.generic: a convolution has one loop over output channels")
        return cls(a, x, c, own[0] if own else None, rows, columns, [*outer, *around], reducing)


def _contiguous(
    loops: Sequence[int], dense: Factor, gathered: Factor, sizes: Sequence[Extent]
) -> tuple[Axis, list[int]]:
    """The last loops, along which one operand is contiguous, and the loops before them."""
    expected, first = ONE, len(loops)
    while first and len(loops) - first < DIGITS and dense.steps[loops[first - 1]] == expected:
        first -= 1
        expected = expected.times(sizes[loops[first]])
    chosen = tuple(loops[first:])
    axis = Axis(
        chosen, tuple(sizes[one] for one in chosen), tuple(gathered.steps[one] for one in chosen)
    )
    return axis, list(loops[:first])


def terms(expr: AffineExpr) -> list[tuple[int | None, int]]:
    """The loops of a sum of them, each with its factor; None for the number 1.

    Raises:
        LoweringError: it is no such sum.
    """
    match expr:
        case AffineDimExpr():
            return [(expr.position, 1)]
        case AffineConstantExpr():
            return [(None, expr.value)] if expr.value else []
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add):
            return [*terms(expr.lhs), *terms(expr.rhs)]
        case AffineBinaryOpExpr(
            kind=AffineBinaryOpKind.Mul, lhs=AffineDimExpr() as loop, rhs=AffineConstantExpr() as by
        ):
            return [(loop.position, by.value)]
        case _:
            raise LoweringError(f"linalg.generic: indexing map result {expr} is not handled")
