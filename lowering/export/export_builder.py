"""What an export knows of values beyond what a kernel does: dynamic sizes, numbers, and the blocks of branches and loops."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.dialects.tensor import ExtractOp
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.create import create
from lowering.export.scalar_body import ExportScalarBuilder
from lowering.kernel import LoweringError
from lowering.linalg.conversion import SCALARS, spell
from lowering.linalg.element import Element
from lowering.linalg.linalg_builder import LinalgBuilder
from lowering.linalg.scalar_builder import Scalar, ScalarBuilder, element_type
from lowering.linalg.symbolic_shapes import Shape, Symbol, fixed
from lowering.linalg.tensor_builder import INDEX
from lowering.shaped import float_of, integer_attribute
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import insert_before
from torchscript_dialect.ir.pattern_driver import Rewriter
from torchscript_dialect.tensor.dtype import dtype, int64


class Places(NamedTuple):
    """The body of a `linalg.generic` that knows where it stands, and reads elements elsewhere."""

    math: ScalarBuilder

    def place(self, axis: int) -> Scalar:
        """The index along a dimension of the result."""
        properties = {"dim": integer_attribute(axis, i64)}
        index = self.math.op(IndexOp, (), int64, properties, INDEX)
        return self.math.op(arith.IndexCastOp, (index,), int64)

    def element(self, tensor: SSAValue, of: dtype, indices: Sequence[Scalar]) -> Scalar:
        """An element of a tensor."""
        places = [self.math.op(arith.IndexCastOp, (one,), int64, type_=INDEX) for one in indices]
        return self.math.op(ExtractOp, (Scalar(tensor, of), *places), of)

    def wrapped(self, index: Scalar, size: Scalar) -> Scalar:
        """An index that counts from the end where it is negative."""
        return self.math.where(self.math.lt(index, 0), self.math.add(index, size), index)


class ExportBuilder(LinalgBuilder):
    """Sizes are those of the types, but for the dynamic ones, whose values `sizes` holds."""

    computes_taps = False

    def __init__(self) -> None:
        super().__init__()
        self.sizes: dict[Symbol, SSAValue] = {}
        self.chosen: dict[Operation, Any] = {}
        """The lowering of each op: those of one class may have several."""

    def lowers_with(self, op: Operation, lowering: Any) -> bool:
        return self.chosen[op] is lowering

    def new_body(self, *, reduces: bool = False) -> ScalarBuilder:
        return ExportScalarBuilder(reduces=reduces)

    def full(self, number: float, shape: Shape, of: dtype, like: Operation) -> SSAValue:
        return self.filled(number, shape, of)

    def static_size(self, symbol: Symbol) -> int | None:
        return None if symbol.find() in self.sizes else symbol.size

    def extent(self, symbol: Symbol) -> SSAValue:
        found = self.sizes.get(symbol.find())
        return self.index(symbol.size) if found is None else found

    def require(self, symbol: Symbol, low: int, high: int | None = None) -> None:
        """Nothing checks sizes in what is exported: if it is for others than that of the example, it is for all that are not 0."""
        if low > 1 or high is not None:
            symbol.unite(fixed(symbol.size))

    def given_size(self, value: SSAValue, size: int | None) -> Symbol:
        return super().given_size(value, None)

    def open_size(self, value: SSAValue, size: int) -> tuple[Symbol, Symbol]:
        symbol = self.given_size(value, size)
        return symbol, symbol

    def derived(self, symbol: Symbol) -> Symbol:
        for one in symbol.definitions:
            operands = (*one.operands, *one.divisors)
            if one.is_product and not all(operand.find().is_fixed for operand in operands):
                return super().derived(symbol)
            for operand in operands:
                operand.unite(fixed(operand.size))
        return fixed(symbol.size)

    def rearranged(
        self, source: SSAValue, axes: Sequence[int | None], shape: Shape, like: Operation
    ) -> SSAValue:
        return self.copied(source, axes, shape, like)

    def order_of(self, value: SSAValue) -> tuple[int, ...] | None:
        """None: exported tensors have no strides."""
        return None

    def where_it_is(self, one: Element) -> Element:
        return one

    def dense(self, source: SSAValue, like: Operation, of: dtype | None = None) -> SSAValue:
        return source

    @contextmanager
    def scope(self) -> Generator[None]:
        """Constants that are made in a block stay in it."""
        outside = dict(self.constants)
        try:
            yield
        finally:
            self.constants = outside

    # Ops that kernels do not hold.

    def indexed(
        self,
        shape: Shape,
        of: dtype,
        inputs: Sequence[Element],
        body: Callable[[Places, list[Scalar]], Scalar],
        like: Operation,
    ) -> SSAValue:
        """The tensor whose elements `body` computes from their places, too."""

        def record(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return body(Places(math), elements)

        return self.generic(shape, of, inputs, record, like)

    def padded(
        self, source: SSAValue, pads: Sequence[tuple[int, int]], number: float, of: dtype
    ) -> SSAValue:
        """A tensor with so much before and after each of its dimensions, the number everywhere there."""
        if not any(map(any, pads)):
            return source
        whole = tuple(
            Symbol(one.size + sum(pad)) if any(pad) else one
            for one, pad in zip(self.shapes[source], pads, strict=True)
        )
        return self.padded_to(source, whole, [before for before, _ in pads], number, of)

    # Values that cross the borders of blocks.

    def declare_number(self, value: SSAValue) -> None:
        """Note the dtype of a number."""
        self.scalars[value] = SCALARS[self.type_of(value)][1]

    def mlir_type(self, value: SSAValue) -> Attribute:
        """The type that a value of the graph gets."""
        if value in self.shapes:
            return self.tensor_type(self.shapes[value], self.dtype_of(value))
        return element_type(self.scalars[value])

    def value(self, value: SSAValue, before: Operation) -> SSAValue:
        """A tensor or a number, where it is a constant or of no account made before an op.

        Raises:
            LoweringError: it is a constant of another type.
        """
        if isinstance(value.owner, prim.UninitializedOp):
            if value not in self.shapes:
                return self.insert_number(False, self.scalars[value], before)
            self.rewriter = Rewriter(before)
            return self.empty(self.shapes[value], self.dtype_of(value))
        if not isinstance(value.owner, prim.ConstantOp):
            return value
        known = SCALARS.get(value.type)
        if known is None:
            raise LoweringError(f"a value of type {spell(value.type)} has no form in linalg")
        return self.insert_number(value.owner.value, known[1], before)

    def insert_number(self, number: Any, of: dtype, before: Operation) -> SSAValue:
        """A number as a constant."""
        type_: Any = element_type(of)
        known = (
            float_of(number, type_)
            if of.is_floating_point
            else integer_attribute(int(number), type_)
        )
        op = create(arith.ConstantOp, (), (type_,), {"value": known})
        insert_before(before, op)
        return op.results[0]
