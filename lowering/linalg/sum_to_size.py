"""Sums that undo broadcasting: what reverse graphs make of the gradients of operands that were broadcast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from lowering.kernel import LoweringError
from lowering.linalg.element import Element, unchanged
from lowering.linalg.operands import are_floats, constant, is_dense, is_known, is_none, sizes_of
from lowering.linalg.operator_lowering import OperatorLowering, lowering_of
from lowering.linalg.sizes import Sizes, named_sizes
from lowering.linalg.symbolic_shapes import Shape, Symbol
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.dtype import float64

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class SizeIfNotEqual(OperatorLowering):
    """`aten::_size_if_not_equal(%size, %other)` becomes nothing: to sum to equal sizes changes nothing."""

    is_view = True
    vanishes = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return _is_size(op.operands[0]) and not is_none(op.operands[0])

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        return all(_users_take_sizes(result) for result in op.results)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[None]:
        b.size_lists[op.results[0]] = named_sizes(b, op.operands[0])
        return [None]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        return ()


class SumToSize(OperatorLowering):
    """`aten::_grad_sum_to_size(%g, %size)` becomes a reduction along the dimensions that the operand did not have, or of size 1.

    Sums of floats are accumulated in float64, as those of `aten::sum`. Where nothing is summed, it is a pointwise copy, which becomes
    one with what computes the gradient; which of the sizes are equal is checked when the kernel is called.
    """

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        source, size = op.operands
        if not is_known(source) or not _is_size(size):
            return False
        return are_floats((source, op.results[0]))

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """Either leading dimensions are summed, or others, which stay with size 1."""
        given, wanted = (sizes_of(value) for value in (op.operands[0], op.results[0]))
        if not all(is_dense(value) for value in (op.operands[0], op.results[0])):
            return False
        return len(given) == len(wanted) or given[len(given) - len(wanted) :] == wanted

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        source, size = op.operands
        given = b.shapes[source]
        if is_none(size):
            return [given]
        wanted = named_sizes(b, size)
        if len(wanted) != len(sizes_of(op.results[0])):
            raise LoweringError("a gradient is summed to sizes that it has not")
        shape: list[Symbol] = []
        for one, of in zip(wanted, given[len(given) - len(wanted) :], strict=True):
            if one.size == of.size:
                one.unite(of)
                shape.append(of)
            elif one.size != 1:
                raise LoweringError(f"a gradient of size {of.size} is not summed to {one.size}")
            else:
                one.find().is_static = True
                shape.append(Symbol(1, True))
        return [tuple(shape)]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, result = op.operands[0], op.results[0]
        given, shape, of = b.shapes[source], b.shapes[result], b.dtype_of(result)
        lead = len(given) - len(shape)
        axes = [
            axis
            for axis, symbol in enumerate(given)
            if axis < lead or shape[axis - lead].size != symbol.size
        ]
        if not axes:
            whole = Element(source, of, tuple(range(len(given))))
            return [b.generic(shape, of, [whole], unchanged, like=op)]

        def combine(math: ScalarBuilder, total: Scalar, element: Scalar) -> Scalar:
            return math.add(total, math.cast(element, float64.name))

        kept = tuple(axis for axis in range(len(given)) if axis not in axes)
        element = Element(source, of, ())
        reduced = b.reduce(element, axes, shape, kept, float64, 0.0, combine, like=op)
        if of is float64:
            return [reduced]

        def finish(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.cast(elements[0], of.name)

        total = Element(reduced, float64, tuple(range(len(shape))))
        return [b.generic(shape, of, [total], finish, like=op)]


def _is_size(value: SSAValue) -> bool:
    """Whether a list of sizes is that of a tensor, which may be the same in every call, or None."""
    found = constant(value)
    if found is not None:
        return found.value is None or all(size >= 0 for size in found.value)
    owner = value.owner
    if not isinstance(owner, OperatorOp):
        return False
    lowering = lowering_of(type(owner))
    return lowering in (Sizes, SizeIfNotEqual) and lowering.takes(owner)


def _users_take_sizes(value: SSAValue) -> bool:
    users = (use.operation for use in value.uses)
    return all(isinstance(op, OperatorOp) and lowering_of(type(op)) is SumToSize for op in users)
