"""Reductions: each becomes a `linalg.generic` that reduces, and one that finishes where there is something to finish."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import SSAValue

from lowering.linalg.complex_scalars import Real, ScalarPairs
from lowering.linalg.element import Element
from lowering.linalg.operands import COMPLEX, DTYPES, constant, is_complex, is_dense, is_known
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape, Symbol
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ops.pointwise.complex_math import Pair
from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath
from torchscript_dialect.ops.reduction.reduction import Reduction, axes_of
from torchscript_dialect.tensor.dtype import dtype, float64, from_name
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class ReductionLowering(OperatorLowering):
    """`aten::mean(%x, [1], ...)` becomes a `linalg.generic` with iterators `["parallel", "reduction"]`, whose body has
    `arith.addf`, and one that divides by the number of elements.

    Sums of floats are accumulated in float64, and rounded once: the order of additions then hardly matters. Those of complex numbers
    are sums of their parts.
    """

    takes_complex = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        declared = _declared(op)
        (result,) = op.results
        source = op.operands[0]
        if not is_known(source, takes_complex=declared.combine == "add"):
            return False
        places = (declared.dim, declared.keepdim, declared.wanted)
        if any(place is not None and constant(op.operands[place]) is None for place in places):
            return False
        given, gives = cast(TensorType, source.type).dtype, cast(TensorType, result.type).dtype
        if is_complex(source) != is_complex(result):
            return False
        if gives not in DTYPES | COMPLEX - {"Bool"} or (
            given == "Bool" and declared.combine != "add"
        ):
            return False
        sizes = cast(TensorType, source.type).sizes or ()
        axes = _axes(declared, op, len(sizes))
        if axes is None:
            return False  # the operator raises
        return declared.start is not None or all(sizes[axis] != 0 for axis in axes)

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """Whether the last dimensions are reduced: walking along others, NumPy is faster."""
        rank = len(cast(TensorType, op.operands[0].type).sizes or ())
        axes = _axes(_declared(op), op, rank)
        return (
            is_dense(op.results[0]) and bool(axes) and axes == tuple(range(rank - len(axes), rank))
        )

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        declared = _declared(op)
        source = b.shapes[op.operands[0]]
        axes = _axes(declared, op, len(source)) or ()
        if declared.start is None:
            b.words.bounds += [(source[axis], 1, None) for axis in axes]
        if _keeps_dims(declared, op):
            return [tuple(Symbol(1, True) if i in axes else s for i, s in enumerate(source))]
        return [tuple(symbol for i, symbol in enumerate(source) if i not in axes)]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        declared = _declared(op)
        source, result = op.operands[0], op.results[0]
        axes = _axes(declared, op, len(b.shapes[source])) or ()
        shape, of = b.shapes[result], b.dtype_of(result)
        accumulated = _accumulated(declared, of)
        kept = tuple(i for i in range(len(b.shapes[source])) if i not in axes)
        whole = Element(source, b.dtype_of(source), ())
        if of.is_complex:
            return [self.lower_parts(b, op, whole, axes, kept)]
        start = declared.start
        if start is None:
            start = lowest(accumulated, is_minimum=declared.combine == "minimum")

        def combine(math: ScalarBuilder, total: Scalar, element: Scalar) -> Scalar:
            taken = math.cast(element, declared.taken(of).name)
            return getattr(math, declared.combine)(total, math.cast(taken, accumulated.name))

        reduced = b.reduce(whole, axes, shape, kept, accumulated, start, combine, like=op)
        if accumulated is of and declared.finish is None:
            return [reduced]
        count = b.product([b.shapes[source][axis] for axis in axes])
        total = Element(reduced, accumulated, tuple(range(len(shape))))

        def finish(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            (value,) = elements
            if declared.finish is not None:
                number = math.of_index(count, accumulated)
                value = declared.finish(cast(ScalarMath, math), value, number)
            return math.cast(value, of.name)

        return [b.generic(shape, of, [total], finish, like=op)]

    def lower_parts(
        self,
        b: LinalgBuilder,
        op: OperatorOp,
        whole: Element,
        axes: Sequence[int],
        kept: Sequence[int],
    ) -> SSAValue:
        """The reductions of the real and of the imaginary parts, together again."""
        declared, result = _declared(op), op.results[0]
        shape, of = b.shapes[result], b.dtype_of(result)

        def part(number: int) -> Element:
            def combine(math: ScalarBuilder, total: Scalar, element: Scalar) -> Scalar:
                return math.add(total, math.cast(math.parts(element)[number], float64.name))

            reduced = b.reduce(whole, axes, shape, kept, float64, 0, combine, like=op)
            return Element(reduced, float64, tuple(range(len(shape))))

        parts = [part(0), part(1)]
        count = b.product([b.shapes[whole.tensor][axis] for axis in axes])

        def finish(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            pairs = ScalarPairs(math)
            value: Any = Pair(*(Real(math, one) for one in elements))
            if declared.finish is not None:
                number = Real(math, math.of_index(count, float64))
                value = declared.finish(cast(ScalarMath, pairs), value, number)
            return pairs.recorded(pairs.cast(value, of.name))

        return b.generic(shape, of, parts, finish, like=op)


def _declared(op: OperatorOp) -> Reduction:
    assert op.OPERATOR is not None
    declared = op.OPERATOR.rules.reduction
    assert isinstance(declared, Reduction)
    return declared


def _axes(declared: Reduction, op: OperatorOp, rank: int) -> tuple[int, ...] | None:
    """The dimensions that are reduced, in ascending order; None where there are no such dimensions."""
    if declared.dim is None:
        return tuple(range(rank))
    dim = constant(op.operands[declared.dim])
    assert dim is not None
    try:
        return tuple(sorted(axes_of(dim.value, rank)))
    except (RuntimeError, IndexError):
        return None


def _keeps_dims(declared: Reduction, op: OperatorOp) -> bool:
    keeps = None if declared.keepdim is None else constant(op.operands[declared.keepdim])
    return keeps is not None and bool(keeps.value)


def _accumulated(declared: Reduction, of: dtype) -> dtype:
    """The dtype in which elements are combined: a wider one would let products that overflow come back."""
    return float64 if declared.combine == "add" and of.is_floating_point else opmath(of)


def lowest(of: dtype, *, is_minimum: bool) -> float | int:
    """What a maximum begins with; a minimum with the opposite."""
    if of.is_floating_point:
        return float("inf") if is_minimum else float("-inf")
    bits = 8 * from_name(of.name).itemsize
    if not of.is_signed:
        return (1 << bits) - 1 if is_minimum else 0
    return (1 << (bits - 1)) - 1 if is_minimum else -(1 << (bits - 1))
