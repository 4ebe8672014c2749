"""What is made of sums over dimensions: variances, norms, normalization. Rows are read anew for each sum, and nothing as large as they
are is kept.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from math import inf, isnan
from typing import TYPE_CHECKING, Any, ClassVar, cast

from xdsl.ir import Operation, SSAValue

from lowering.linalg.element import Element
from lowering.linalg.operands import are_floats, constant, is_dense, is_none
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.sizes import known_sizes, named_sizes
from lowering.linalg.symbolic_shapes import Shape, Symbol, broadcast_axes, unite
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ops.reduction.reduction import axes_of
from torchscript_dialect.tensor.dtype import dtype, float64
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

Combine = Callable[..., Any]


class RowSums:
    """Sums over the same dimensions of tensors like the first operand of an op, or like `source`, which has its elements in another
    shape. Floats are added in float64.
    """

    def __init__(
        self, b: LinalgBuilder, op: OperatorOp, axes: Sequence[int], source: SSAValue | None = None
    ) -> None:
        self.b = b
        self.op = op
        self.axes = axes
        self.source = op.operands[0] if source is None else source
        self.of: dtype = b.dtype_of(op.operands[0])
        self.compute = opmath(self.of)
        """The dtype in which rows are computed with."""
        self.shape: Shape = b.shapes[self.source]
        self.rows: Shape = tuple(
            Symbol(1, True) if i in axes else s for i, s in enumerate(self.shape)
        )
        self.whole = Element(self.source, self.of, broadcast_axes(self.shape, self.shape))
        self.count = b.product([self.shape[axis] for axis in axes])

    def row(self, value: SSAValue, of: dtype) -> Element:
        """How an op as large as the operand reads what was computed of its rows."""
        return Element(value, of, broadcast_axes(self.rows, self.shape))

    def fold(
        self, into: dtype, start: float, combine: Combine, others: Sequence[Element] = ()
    ) -> SSAValue:
        """What `combine(math, total, element, *others)` makes of rows."""
        kept = [i for i in range(len(self.shape)) if i not in self.axes]
        return self.b.reduce(
            self.whole, self.axes, self.rows, kept, into, start, combine, self.op, others
        )

    def mean(self) -> SSAValue:
        """The means of rows, in float64."""

        def divided(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.div(elements[0], math.of_index(self.count, float64))

        return self.of_rows(self.fold(float64, 0, _sum), self.rows, float64, divided)

    def squared_distances(self, mean: SSAValue) -> SSAValue:
        """The sums of the squares of distances from the mean, in float64."""

        def combine(math: ScalarBuilder, total: Scalar, element: Scalar, mean: Scalar) -> Scalar:
            distance = math.sub(math.cast(element, "float64"), mean)
            return math.add(total, math.mul(distance, distance))

        return self.fold(float64, 0, combine, [self.row(mean, float64)])

    def squares(self) -> SSAValue:
        """The sums of squares, in float64. Squares are infinite where the operand's dtype has none so large."""

        def combine(math: ScalarBuilder, total: Scalar, element: Scalar) -> Scalar:
            x = math.cast(element, self.compute.name)
            return math.add(total, math.cast(math.mul(x, x), "float64"))

        return self.fold(float64, 0, combine)

    def inverse_roots(self, squares: SSAValue, eps: float) -> SSAValue:
        """The inverse roots of the means of what was added up, in the dtype of computations."""

        def inverse_root(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            mean = math.div(elements[0], math.of_index(self.count, float64))
            return math.rsqrt(math.add(math.cast(mean, self.compute.name), eps))

        return self.of_rows(squares, self.rows, self.compute, inverse_root)

    def normalized(
        self,
        mean: SSAValue | None,
        scale: SSAValue,
        parameters: Sequence[Element],
        *,
        has_weight: bool,
    ) -> SSAValue:
        """`(x - mean) * scale * weight + bias`, in the shape of what was added up; the mean may be left out. `parameters`
        are weight and bias, as far as there are such.
        """
        inputs = [self.whole, *(() if mean is None else (self.row(mean, float64),))]
        inputs += [self.row(scale, self.compute), *parameters]

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            value, *rest = (math.cast(one, self.compute.name) for one in elements)
            if mean is not None:
                value = math.sub(value, rest.pop(0))
            value = math.mul(value, rest.pop(0))
            if has_weight:
                value = math.mul(value, rest.pop(0))
            return math.cast(math.add(value, rest.pop(0)) if rest else value, self.of.name)

        return self.b.generic(self.shape, self.of, inputs, body, like=self.op)

    def of_rows(
        self,
        folded: SSAValue,
        shape: Shape,
        of: dtype,
        body: Callable[[ScalarBuilder, list[Scalar]], Scalar],
    ) -> SSAValue:
        """A tensor whose elements `body` makes of those of `folded`, which are float64.

        `shape` may lack the dimensions that were added up.
        """
        kept = [i for i in range(len(self.shape)) if i not in self.axes]
        lacks = len(shape) != len(self.rows)
        walked = tuple(
            (-1 if lacks else i) if i in self.axes else (kept.index(i) if lacks else i)
            for i in range(len(self.rows))
        )
        read = Element(folded, float64, walked)
        return self.b.generic(shape, of, [read], body, like=self.op)


def _sum(math: ScalarBuilder, total: Scalar, element: Scalar) -> Scalar:
    return math.add(total, math.cast(element, "float64"))


def _rank(op: OperatorOp) -> int:
    return len(cast(TensorType, op.operands[0].type).sizes or ())


class RowReduction(OperatorLowering):
    """An operator that makes one number of each row; a subclass says where its operands are, and how it does it."""

    @classmethod
    def number(cls, op: OperatorOp, name: str) -> Any:
        """The constant operand of that name, None where the overload has none of that name."""
        assert op.OPERATOR is not None
        names = [argument.name for argument in op.OPERATOR.schema.arguments]
        found = constant(op.operands[names.index(name)]) if name in names else None
        return None if found is None else found.value

    @classmethod
    def axes(cls, op: OperatorOp, rank: int) -> tuple[int, ...] | None:
        """The dimensions of so many that are added up; None where there are no such dimensions."""
        try:
            return tuple(sorted(axes_of(cls.number(op, "dim"), rank)))
        except (RuntimeError, IndexError):
            return None

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        if not are_floats((op.operands[0], op.results[0])) or cls.number(op, "dtype") is not None:
            return False
        return all(constant(value) is not None for value in op.operands[1:]) and bool(
            cls.axes(op, _rank(op))
        )

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """Whether the last dimensions are added up: walking along others, NumPy is faster."""
        rank = _rank(op)
        axes = cls.axes(op, rank) or ()
        return is_dense(op.results[0]) and axes == tuple(range(rank - len(axes), rank))

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        source = b.shapes[op.operands[0]]
        axes = self.axes(op, len(source)) or ()
        if self.number(op, "keepdim"):
            return [tuple(Symbol(1, True) if i in axes else s for i, s in enumerate(source))]
        return [tuple(symbol for i, symbol in enumerate(source) if i not in axes)]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        sums = RowSums(b, op, self.axes(op, len(b.shapes[op.operands[0]])) or ())
        folded = self.fold(sums, op)

        def finish(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.cast(self.finish(sums, op, math, elements[0]), sums.of.name)

        return [sums.of_rows(folded, b.shapes[op.results[0]], sums.of, finish)]

    @abstractmethod
    def fold(self, sums: RowSums, op: OperatorOp) -> SSAValue:
        """What is added up."""

    @abstractmethod
    def finish(self, sums: RowSums, op: OperatorOp, math: ScalarBuilder, total: Scalar) -> Scalar:
        """What is made of it."""


class Variance(RowReduction):
    """`aten::var(%x, [1], %one, True)` becomes the mean of rows, the sum of the squares of the distances from it, and a division."""

    is_root: ClassVar[bool] = False

    def fold(self, sums: RowSums, op: OperatorOp) -> SSAValue:
        return sums.squared_distances(sums.mean())

    def finish(self, sums: RowSums, op: OperatorOp, math: ScalarBuilder, total: Scalar) -> Scalar:
        unbiased, correction = self.number(op, "unbiased"), self.number(op, "correction")
        if unbiased is not None:
            correction = int(unbiased)
        count = math.of_index(sums.count, float64)
        less = 1.0 if correction is None else float(correction)
        if isnan(less):  # leaves nothing to divide by
            less = inf
        variance = math.div(total, math.maximum(math.sub(count, less), 0.0))
        return math.sqrt(variance) if self.is_root else variance


class StandardDeviation(Variance):
    """`aten::std(%x, [1], %one, True)` becomes the root of the variance."""

    is_root = True


class Norm(RowReduction):
    """`aten::linalg_vector_norm(%x, 2, [1], False, %none)`: sums of squares or of sizes, or the largest size."""

    @classmethod
    def order(cls, op: OperatorOp) -> Any:
        given = constant(op.operands[1])
        return None if given is None else 2 if given.value is None else given.value

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return super().takes(op) and cls.order(op) in (1, 2)

    def fold(self, sums: RowSums, op: OperatorOp) -> SSAValue:
        if self.order(op) == 2:
            return sums.squares()

        def combine(math: ScalarBuilder, total: Scalar, element: Scalar) -> Scalar:
            size = math.abs(math.cast(element, sums.compute.name))
            return math.add(total, math.cast(size, "float64"))

        return sums.fold(float64, 0, combine)

    def finish(self, sums: RowSums, op: OperatorOp, math: ScalarBuilder, total: Scalar) -> Scalar:
        total = math.cast(total, sums.compute.name)
        return math.sqrt(total) if self.order(op) == 2 else total


class LogSumExp(RowReduction):
    """`aten::logsumexp(%x, [1], False)`: the largest element of a row, unless it is infinite, and the logarithm of the sum of the
    exponentials of distances from it.
    """

    def fold(self, sums: RowSums, op: OperatorOp) -> SSAValue:
        b, of = sums.b, sums.compute
        element_of = sums.of if sums.of.is_floating_point else of
        along = broadcast_axes(sums.rows, sums.rows)

        def rounded(math: ScalarBuilder, value: Scalar) -> Scalar:
            """As in PyTorch each step has the dtype of the elements."""
            return math.cast(math.cast(value, element_of.name), of.name)

        def largest(math: ScalarBuilder, total: Scalar, element: Scalar) -> Scalar:
            return math.maximum(total, math.cast(element, of.name))

        def finite(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            (top,) = elements
            return math.where(math.isinf(top), math.number(0.0, of), top)

        def powers(math: ScalarBuilder, total: Scalar, element: Scalar, top: Scalar) -> Scalar:
            distance = rounded(math, math.sub(math.cast(element, of.name), top))
            return math.add(total, math.cast(rounded(math, math.exp(distance)), "float64"))

        def logarithm(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            total, top = elements
            logs = rounded(math, math.log(rounded(math, math.cast(total, of.name))))
            return math.cast(math.add(logs, top), "float64")

        found = Element(sums.fold(of, float("-inf"), largest), of, along)
        top = b.generic(sums.rows, of, [found], finite, like=op)
        total = sums.fold(float64, 0, powers, [sums.row(top, of)])
        parts = [Element(total, float64, along), Element(top, of, along)]
        return b.generic(sums.rows, float64, parts, logarithm, like=op)

    def finish(self, sums: RowSums, op: OperatorOp, math: ScalarBuilder, total: Scalar) -> Scalar:
        return total


class LayerNorm(OperatorLowering):
    """`aten::layer_norm(%x, [256], %weight, %bias, %eps, ...)` becomes the mean and the variance of rows, and one
    `linalg.generic` of `(x - mean) * rsqrt(variance + eps) * weight + bias`.

    The graph keeps the one node: what its decomposition would check of sizes is a condition for the calls that the kernel serves.
    """

    follows_order = False
    is_centered: ClassVar[bool] = True
    last_parameter: ClassVar[int] = 4

    def __init__(self, root: type[Operation], builder: LinalgBuilder) -> None:
        super().__init__(root, builder)
        self.normalized: dict[Operation, int] = {}
        """How many dimensions make a row."""

    @classmethod
    def parameters(cls, op: OperatorOp) -> list[SSAValue]:
        """Weight and bias, as far as there are such."""
        return [value for value in op.operands[2 : cls.last_parameter] if not is_none(value)]

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        source = op.operands[0]
        wanted, eps = known_sizes(op.operands[1]), constant(op.operands[cls.last_parameter])
        if wanted is None or eps is None or not are_floats((source, *cls.parameters(op))):
            return False
        given = [cast(TensorType, value.type).sizes or () for value in cls.parameters(op)]
        own = cast(TensorType, source.type).sizes or ()
        return (
            0 < len(wanted) <= len(own)
            and all(one[len(one) - len(wanted) :] == wanted for one in (own, *given))
            and all(len(one) == len(wanted) for one in given)
        )

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        source = b.shapes[op.operands[0]]
        sizes = named_sizes(b, op.operands[1])
        self.normalized[op] = len(sizes)
        last = source[len(source) - len(sizes) :]
        unite(last, sizes)
        for value in self.parameters(op):
            unite(last, b.shapes[value])
        return [source]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue | None]:
        sums, mean, scale = self.statistics(b, op)
        return [self.result(b, op, sums, mean, scale)]

    def statistics(
        self, b: LinalgBuilder, op: OperatorOp
    ) -> tuple[RowSums, SSAValue | None, SSAValue]:
        """The sums of rows, the means where these are subtracted, in float64, and the inverse deviations."""
        rank = len(b.shapes[op.operands[0]])
        sums = RowSums(b, op, range(rank - self.normalized[op], rank))
        eps = b.constant(op.operands[self.last_parameter])
        if eps is None:
            eps = 2.220446049250313e-16 if sums.of is float64 else 1.1920928955078125e-07
        mean = sums.mean() if self.is_centered else None
        squares = sums.squares() if mean is None else sums.squared_distances(mean)
        return sums, mean, sums.inverse_roots(squares, eps)

    def result(
        self,
        b: LinalgBuilder,
        op: OperatorOp,
        sums: RowSums,
        mean: SSAValue | None,
        scale: SSAValue,
    ) -> SSAValue:
        """What is normalized."""
        parameters = [
            Element(value, sums.of, broadcast_axes(b.shapes[value], sums.shape))
            for value in self.parameters(op)
        ]
        return sums.normalized(mean, scale, parameters, has_weight=not is_none(op.operands[2]))


class LayerNormWithMoments(LayerNorm):
    """`aten::native_layer_norm(%x, [256], %weight, %bias, %eps)` gives means and inverse deviations of rows, too: reverse graphs ask
    for these alone.
    """

    skips_unused = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        used = [result for result in op.results if result.first_use is not None]
        return super().takes(op) and are_floats((op.operands[0], *used))

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """As their gradients."""
        return fusing_device() == "cpu"

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        (shape,) = super().shapes(b, op)
        first = len(shape) - self.normalized[op]
        of_rows = (*shape[:first], *(Symbol(1, True) for _ in shape[first:]))
        return [shape, of_rows, of_rows]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue | None]:
        sums, mean, scale = self.statistics(b, op)
        assert mean is not None

        def rounded(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.cast(elements[0], sums.of.name)

        found: list[SSAValue | None] = [None, None, None]
        if op.results[0].first_use is not None:
            found[0] = self.result(b, op, sums, mean, scale)
        for place, value, of in ((1, mean, float64), (2, scale, sums.compute)):
            if op.results[place].first_use is not None:
                read = Element(value, of, broadcast_axes(sums.rows, sums.rows))
                found[place] = b.generic(sums.rows, sums.of, [read], rounded, like=op)
        return found


class RMSNorm(LayerNorm):
    """`aten::rms_norm(%x, [256], %weight, %eps)` becomes the mean of squares, and `x * rsqrt(mean + eps) * weight`."""

    is_centered = False
    last_parameter = 3
