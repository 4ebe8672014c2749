"""Ops on sizes and whole tensors: index arithmetic, slices and reshapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IndexType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from lowering.create import create
from lowering.linalg.device_scalars import DeviceScalarBuilder
from lowering.linalg.known_values import KnownValues
from lowering.linalg.scalar_builder import Scalar, ScalarBuilder, element_type
from lowering.linalg.symbolic_shapes import Shape, Symbol
from lowering.shaped import i32_array, i64_array, integer_attribute
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.tensor.dtype import dtype

INDEX = IndexType()
NO_OVERFLOW_FLAGS = {"overflowFlags": arith.IntegerOverflowAttr("none")}


class TensorBuilder(KnownValues):
    """Makes ops of the arith and tensor dialects where `rewriter` stands."""

    rewriter: PatternRewriter

    def __init__(self) -> None:
        super().__init__()
        self.extents: dict[int, SSAValue] = {}
        """Index values that hold words of syms."""
        self.constants: dict[int, SSAValue] = {}
        self.strided: set[SSAValue] = set()
        """Tensors whose elements need not lie in the order of their indices."""

    def new_body(self, *, reduces: bool = False) -> ScalarBuilder:
        """What records the body of an op."""
        builder = ScalarBuilder if fusing_device() == "cpu" else DeviceScalarBuilder
        return builder(reduces=reduces)

    # Index arithmetic.

    def _dynamic_sizes(self, shape: Shape) -> list[SSAValue]:
        """The sizes that the type does not give, as index values."""
        return [self.extent(symbol) for symbol in shape if self.static_size(symbol) is None]

    def extent(self, symbol: Symbol) -> SSAValue:
        """A size as an index value."""
        size = self.static_size(symbol)
        if size is not None:
            return self.index(size)
        word = self.words.word(symbol)
        assert word is not None
        return self.extents[word]

    def index(self, number: int) -> SSAValue:
        """A constant of type index."""
        if number not in self.constants:
            value = {"value": integer_attribute(number, INDEX)}
            self.constants[number] = self._add(create(arith.ConstantOp, (), (INDEX,), value))
        return self.constants[number]

    def times(self, extent: SSAValue, factor: int) -> SSAValue:
        """A multiple of a size."""
        if factor == 0:
            return self.index(0)
        if factor == 1:
            return extent
        operands = (extent, self.index(factor))
        return self._add(create(arith.MuliOp, operands, (INDEX,), NO_OVERFLOW_FLAGS))

    def plus(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The sum of two sizes."""
        return self._add(create(arith.AddiOp, (a, b), (INDEX,), NO_OVERFLOW_FLAGS))

    def product(self, symbols: Sequence[Symbol]) -> SSAValue:
        """The product of sizes."""
        factors = [self.extent(symbol) for symbol in symbols]
        product = factors[0] if factors else self.index(1)
        for factor in factors[1:]:
            operands = (product, factor)
            product = self._add(create(arith.MuliOp, operands, (INDEX,), NO_OVERFLOW_FLAGS))
        return product

    def number(self, body: Callable[[ScalarBuilder], Scalar]) -> SSAValue:
        """The number that `body` computes."""
        math = self.new_body()
        outcome = body(math)
        for op in math.ops:
            self.rewriter.insert(op)
        return outcome.ssa

    def extract(self, source: SSAValue, indices: Sequence[SSAValue]) -> SSAValue:
        """An element of a tensor."""
        operands = (source, *indices)
        return self._add(create(tensor.ExtractOp, operands, (element_type(self.dtype_of(source)),)))

    # Ops on tensors.

    def _add(self, op: Operation) -> SSAValue:
        self.rewriter.insert(op)
        return op.results[0]

    def _view(self, op: Operation) -> SSAValue:
        """As `_add`, of what gives elements that lie among others."""
        self.strided.add(op.results[0])
        return self._add(op)

    def empty(self, shape: Shape, of: dtype) -> SSAValue:
        """A tensor without content."""
        sizes = self._dynamic_sizes(shape)
        return self._add(create(tensor.EmptyOp, sizes, (self.tensor_type(shape, of),)))

    def collapse_shape(
        self, source: SSAValue, groups: Sequence[Sequence[int]], shape: Shape, of: dtype
    ) -> SSAValue:
        """A tensor with each group of neighbouring dimensions as one."""
        properties = {"reassociation": _reassociation(groups)}
        type_ = self.tensor_type(shape, of)
        return self._add(create(tensor.CollapseShapeOp, (source,), (type_,), properties))

    def expand_shape(
        self, source: SSAValue, groups: Sequence[Sequence[int]], shape: Shape, of: dtype
    ) -> SSAValue:
        """A tensor with a group of neighbouring dimensions for each that it had."""
        properties: dict[str, Attribute] = {
            "reassociation": _reassociation(groups),
            "static_output_shape": i64_array(tuple(self._static_sizes(shape))),
        }
        operands = (source, *self._dynamic_sizes(shape))
        type_ = self.tensor_type(shape, of)
        return self._add(create(tensor.ExpandShapeOp, operands, (type_,), properties))

    def extract_slice(
        self, source: SSAValue, shape: Shape, of: dtype, axis: int, offset: SSAValue
    ) -> SSAValue:
        """The part of a tensor that has the sizes `shape` and begins at an offset of one axis."""
        return self.window(source, shape, {axis: (offset, 1)}, shape, of)

    def extract_part(
        self,
        source: SSAValue,
        sizes: Shape,
        axis: int,
        start: int | SSAValue,
        step: int,
        shape: Shape,
        of: dtype,
    ) -> SSAValue:
        """Every `step`-th of the indices of one axis, which has the sizes `sizes`, as a tensor of the sizes `shape`."""
        return self.window(source, sizes, {axis: (start, step)}, shape, of)

    def window(
        self,
        source: SSAValue,
        sizes: Shape,
        places: Mapping[int, tuple[int | SSAValue, int]],
        shape: Shape,
        of: dtype,
    ) -> SSAValue:
        """A part of the sizes `sizes`, less dimensions of size 1 that `shape` lacks; `places` are offset and step of dimensions."""
        rank, dynamic = len(sizes), self._dynamic_sizes(sizes)
        offsets, strides = [0] * rank, [1] * rank
        moved: list[SSAValue] = []
        for axis, (start, step) in places.items():
            strides[axis] = step
            if isinstance(start, int):
                offsets[axis] = start
            else:
                offsets[axis] = DYNAMIC_INDEX
                moved.append(start)
        properties: dict[str, Attribute] = {
            "static_offsets": i64_array(tuple(offsets)),
            "static_sizes": i64_array(tuple(self._static_sizes(sizes))),
            "static_strides": i64_array(tuple(strides)),
            "operandSegmentSizes": i32_array((1, len(moved), len(dynamic), 0)),
        }
        operands = (source, *moved, *dynamic)
        type_ = self.tensor_type(shape, of)
        return self._view(create(tensor.ExtractSliceOp, operands, (type_,), properties))

    def insert_part(
        self,
        part: SSAValue,
        into: SSAValue,
        shape: Shape,
        offsets: Sequence[int],
        steps: Sequence[int] | None = None,
    ) -> SSAValue:
        """A tensor with a part, of the sizes `shape`, that begins at these places, and goes on in these steps."""
        dynamic = self._dynamic_sizes(shape)
        properties = {
            "static_offsets": i64_array(tuple(offsets)),
            "static_sizes": i64_array(tuple(self._static_sizes(shape))),
            "static_strides": i64_array(tuple(steps or (1,) * len(shape))),
            "operandSegmentSizes": i32_array((1, 1, 0, len(dynamic), 0)),
        }
        return self._add(
            create(tensor.InsertSliceOp, (part, into, *dynamic), (into.type,), properties)
        )

    def insert_slice(
        self, part: SSAValue, into: SSAValue, shape: Shape, axis: int, offset: SSAValue
    ) -> SSAValue:
        """A tensor with a part, of the sizes `shape`, that begins at an offset of one axis."""
        rank, sizes = len(shape), self._dynamic_sizes(shape)
        offsets = [DYNAMIC_INDEX if index == axis else 0 for index in range(rank)]
        properties: dict[str, Attribute] = {
            "static_offsets": i64_array(tuple(offsets)),
            "static_sizes": i64_array(tuple(self._static_sizes(shape))),
            "static_strides": i64_array((1,) * rank),
            "operandSegmentSizes": i32_array((1, 1, 1, len(sizes), 0)),
        }
        operands = [part, into, offset, *sizes]
        return self._add(create(tensor.InsertSliceOp, operands, (into.type,), properties))


def _reassociation(groups: Sequence[Sequence[int]]) -> Attribute:
    return ArrayAttr([ArrayAttr([integer_attribute(dim, i64) for dim in dims]) for dims in groups])
