"""What a conversion to linalg knows of the values of a graph, and how it makes ops: all that the lowerings of operators need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    IndexType,
    TensorType,
    i64,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import FillOp, GenericOp, MatmulOp, TransposeOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.pattern_rewriter import PatternRewriter

from lowering.create import create
from lowering.kernel import LoweringError
from lowering.linalg.device_scalars import DeviceScalarBuilder
from lowering.linalg.element import Element, Window
from lowering.linalg.scalar_builder import Scalar, ScalarBuilder, element_type
from lowering.linalg.symbolic_shapes import Shape, Symbol, Words, broadcast_axes
from lowering.linalg.windows import properties_of
from lowering.shaped import float_of, i32_array, i64_array, integer_attribute, tensor_of
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects import prim
from torchscript_dialect.tensor.dtype import dtype, from_name
from torchscript_dialect.tensor.strides import memory_order
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorProperties
from torchscript_dialect.types.tensor_type import TensorType as TorchTensorType

INDEX = IndexType()
NO_OVERFLOW_FLAGS = {"overflowFlags": arith.IntegerOverflowAttr("none")}
_PARALLEL = IteratorTypeAttr.parallel()
_REDUCTION = IteratorTypeAttr.reduction()


Walked = tuple[tuple[int, ...], ...]
MATRIX: Walked = ((0, 2), (2, 1), (0, 1))
BATCH: Walked = ((0, 1, 3), (0, 3, 2), (0, 1, 2))
"""The loops of a product along the dimensions of its factors and its result: the last one reduces."""


class LinalgBuilder:
    """Shapes are found first (`shapes`), for all nodes; then nodes become ops, in place, where `rewriter` stands."""

    rewriter: PatternRewriter
    computes_taps: ClassVar[bool] = True
    """Whether windows with a filter of their own become one pointwise op over their elements."""

    def __init__(self) -> None:
        self.shapes: dict[SSAValue, Shape] = {}
        """Of the tensors of the graph, and of what they have become."""
        self.types: dict[SSAValue, Attribute] = {}
        """The TorchScript types of values that have become others."""
        self.scalars: dict[SSAValue, dtype] = {}
        """Numbers that are inputs of the graph, or computed in it."""
        self.size_numbers: dict[SSAValue, Symbol] = {}
        """Which of these are sizes of tensors."""
        self.given_sizes: dict[SSAValue, Symbol] = {}
        """Those that the kernel is given as numbers."""
        self.open_sizes: dict[SSAValue, tuple[Symbol, Symbol]] = {}
        """Numbers that the kernel is given, each of which is a size or -1, and the sizes that they are or stand for."""
        self.fitting_numbers: dict[SSAValue, dtype] = {}
        """Floats that the kernel is given, which elements of a dtype have to be able to hold."""
        self.size_lists: dict[SSAValue, Shape] = {}
        """Lists of all sizes of a tensor."""
        self.derived_sizes: list[Symbol] = []
        self.words = Words()
        self.extents: dict[int, SSAValue] = {}
        """Index values that hold words of syms."""
        self.constants: dict[int, SSAValue] = {}
        self.strided: set[SSAValue] = set()
        """Tensors whose elements need not lie in the order of their indices."""
        self.transposed: dict[SSAValue, tuple[SSAValue, tuple[int, ...]]] = {}
        """Tensors that are others with their dimensions in another order."""

    def lowers_with(self, op: Operation, lowering: Any) -> bool:
        """Whether it is this lowering that an op is lowered with."""
        return True

    def new_body(self, *, reduces: bool = False) -> ScalarBuilder:
        """What records the body of an op."""
        builder = ScalarBuilder if fusing_device() == "cpu" else DeviceScalarBuilder
        return builder(reduces=reduces)

    # What is known of a value.

    def type_of(self, value: SSAValue) -> Attribute:
        """The TorchScript type of a value of the graph."""
        return self.types.get(value, value.type)

    def replaced(self, old: SSAValue, new: SSAValue) -> None:
        """Note that one value stands for another from now on."""
        if old in self.shapes:
            self.shapes[new] = self.shapes[old]
        else:
            self.scalars[new] = self.scalars[old]
        self.types[new] = self.type_of(old)

    def constant(self, value: SSAValue) -> Any:
        """The Python value of a constant.

        Raises:
            LoweringError: the value is not constant.
        """
        owner = value.owner
        if not isinstance(owner, prim.ConstantOp):
            raise LoweringError("an argument that has to be a constant is not one")
        return owner.value

    def fact(self, value: SSAValue) -> Any:
        """What shape and dtype rules are told of a value."""
        type_ = self.type_of(value)
        if isinstance(type_, TorchTensorType):
            return type_.data
        if value in self.scalars:
            return {"float64": 1.5, "int64": 1, "bool": True}[self.scalars[value].name]
        return self.constant(value)

    def dtype_of(self, value: SSAValue) -> dtype:
        """The dtype of a tensor.

        Raises:
            LoweringError: it is not known.
        """
        type_ = self.type_of(value)
        properties = type_.data if isinstance(type_, TorchTensorType) else TensorProperties()
        if properties.dtype is None:
            raise LoweringError("the dtype of a tensor is not known")
        return from_name(properties.dtype)

    # Sizes.

    def static_size(self, symbol: Symbol) -> int | None:
        """The size that types give, None for `?`."""
        return symbol.size if symbol.find().is_static else None

    def tensor_type(self, shape: Shape, of: dtype) -> TensorType[Attribute]:
        """The MLIR type of a tensor: static where it broadcasts, `?` elsewhere."""
        return tensor_of(element_type(of), tuple(self._static_sizes(shape)))

    def _static_sizes(self, shape: Shape) -> list[int]:
        """Every size, or the mark that types have for `?`."""
        sizes = [self.static_size(symbol) for symbol in shape]
        return [DYNAMIC_INDEX if size is None else size for size in sizes]

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

    def require(self, symbol: Symbol, low: int, high: int | None = None) -> None:
        """Require a size to be neither smaller nor larger than that."""
        self.words.require(symbol, low, high)

    def given_size(self, value: SSAValue, size: int | None) -> Symbol:
        """The size that a number is which the kernel is given; `size` in the specialization.

        Raises:
            LoweringError: that is not known.
        """
        if size is None:
            raise LoweringError("a size that is computed from others has no form in linalg")
        _, known = self.open_sizes.get(value, (None, None))
        symbol = Symbol(size) if known is None or known.size != size else known
        self.given_sizes[value] = symbol
        self.require(symbol, 0)
        return symbol

    def open_size(self, value: SSAValue, size: int) -> tuple[Symbol, Symbol]:
        """A number that the kernel is given, and the size that it is in a list of sizes: `size` in the specialization. Where the number
        is -1, the size follows from the others (the `Definition` that is called `named`).
        """
        number, symbol = self.open_sizes.get(value, (Symbol(size), Symbol(size)))
        if symbol.size != size:
            symbol = Symbol(size)
        self.open_sizes[value] = number, symbol
        return number, symbol

    def derived(self, symbol: Symbol) -> Symbol:
        """A size that follows from others; tensors that no value of the graph is may have it, too."""
        self.derived_sizes.append(symbol)
        return symbol

    # Index arithmetic.

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

    def generic(
        self,
        shape: Shape,
        of: dtype,
        inputs: Sequence[Element],
        body: Callable[[ScalarBuilder, list[Scalar]], Scalar],
        like: Operation,
    ) -> SSAValue:
        """The tensor whose elements `body` computes from those of `inputs`, at the place of `like` in the source."""
        types = [element_type(one.dtype) for one in inputs]
        block = Block(arg_types=[*types, element_type(of)])
        math = self.new_body()
        elements = zip(block.args, inputs, strict=False)
        outcome = body(math, [Scalar(argument, one.dtype) for argument, one in elements])
        block.add_ops([*math.ops, create(YieldOp, (outcome.ssa,), ())])
        rank = len(shape)
        inputs = [self.where_it_is(one) for one in inputs]
        maps = [_map(rank, one.axes) for one in inputs]
        properties = {
            "indexing_maps": ArrayAttr([*maps, _map(rank, tuple(range(rank)))]),
            "iterator_types": _parallel(rank),
            "operandSegmentSizes": i32_array((len(inputs), 1)),
        }
        operands = [*(one.tensor for one in inputs), self.empty(shape, of)]
        op = create(GenericOp, operands, (self.tensor_type(shape, of),), properties)
        op.add_region(Region(block))
        op.location = like.location
        self.shapes[op.results[0]] = shape
        return self._add(op)

    def in_memory_order(
        self,
        shape: Shape,
        of: dtype,
        inputs: Sequence[Element],
        body: Callable[[ScalarBuilder, list[Scalar]], Scalar],
        like: Operation,
    ) -> SSAValue:
        """As `generic`, of the result of `like`, which may have its dimensions in another order than memory: the loops are in the order
        of memory, and a transposition follows.
        """
        type_ = self.type_of(like.results[0])
        assert isinstance(type_, TorchTensorType)
        order = memory_order(type_.sizes, type_.strides)
        if order is None or order == tuple(range(len(shape))):
            return self.generic(shape, of, inputs, body, like)
        loops = tuple(order.index(axis) for axis in range(len(shape)))
        moved = [
            one._replace(axes=tuple(-1 if axis < 0 else loops[axis] for axis in one.axes))
            for one in inputs
        ]
        packed = self.generic(tuple(shape[axis] for axis in order), of, moved, body, like)
        return self.transpose(packed, shape, of, loops)

    def where_it_is(self, one: Element) -> Element:
        """An element of a transposed tensor as one of the tensor that it is a view of."""
        if one.tensor not in self.transposed:
            return one
        source, order = self.transposed[one.tensor]
        axes = dict(zip(order, one.axes, strict=True))
        return Element(source, one.dtype, tuple(axes[dim] for dim in range(len(order))))

    def reduce(
        self,
        source: Element,
        axes: Sequence[int],
        shape: Shape,
        kept: Sequence[int],
        of: dtype,
        start: float,
        combine: Callable[..., Scalar],
        like: Operation,
        others: Sequence[Element] = (),
    ) -> SSAValue:
        """The tensor of the sizes `shape` whose elements `combine(math, total, element, *others)` makes of those along `axes` of
        `source`, beginning with `start`.

        `kept` are the dimensions of the source that the result has, in order, but for those of size 1 that stand for the reduced. The
        axes of `others` are dimensions of the source.
        """
        sizes = self.shapes[source.tensor]
        loops = [i for i in range(len(sizes)) if i not in axes or not sizes[i].find().is_static]
        number = {axis: loop for loop, axis in enumerate(loops)}
        walked = tuple(
            -1 if symbol.find().is_static else number[axis] for axis, symbol in enumerate(sizes)
        )
        beside = [tuple(number.get(axis, -1) for axis in one.axes) for one in others]
        remaining = iter(kept)
        has_all = len(shape) == len(sizes)
        results = tuple(
            -1 if has_all and axis in axes else number[next(remaining)]
            for axis in range(len(shape))
        )
        math = self.new_body(reduces=True)
        read = [source, *others]
        block = Block(arg_types=[element_type(one.dtype) for one in read] + [element_type(of)])
        elements = [Scalar(argument, one.dtype) for argument, one in zip(block.args, read)]
        outcome = combine(math, Scalar(block.args[-1], of), *elements)
        block.add_ops([*math.ops, create(YieldOp, (outcome.ssa,), ())])
        kinds = [_REDUCTION if axis in axes else _PARALLEL for axis in loops]
        properties = {
            "indexing_maps": ArrayAttr(
                [_map(len(loops), one) for one in (walked, *beside, results)]
            ),
            "iterator_types": ArrayAttr(kinds),
            "operandSegmentSizes": i32_array((len(read), 1)),
        }
        operands = [*(one.tensor for one in read), self.filled(start, shape, of)]
        op = create(GenericOp, operands, (self.tensor_type(shape, of),), properties)
        op.add_region(Region(block))
        op.location = like.location
        self.shapes[op.results[0]] = shape
        return self._add(op)

    def accumulate(
        self,
        inputs: Sequence[Window],
        kinds: str,
        results: Sequence[int],
        shape: Shape,
        of: dtype,
        start: float,
        step: Callable[[ScalarBuilder, Scalar, list[Scalar]], Scalar],
        like: Operation,
    ) -> SSAValue:
        """The tensor of the sizes `shape` whose elements `step` makes of themselves and those of the inputs, beginning with `start`.

        `kinds` has a letter for a loop, `p` for one that goes along a dimension of the result and `r` for one that reduces;
        `results` are the loops that walk the result.
        """
        block = Block(arg_types=[*(element_type(one.dtype) for one in inputs), element_type(of)])
        math = self.new_body()
        elements = [Scalar(one, given.dtype) for one, given in zip(block.args, inputs)]
        outcome = step(math, Scalar(block.args[-1], of), elements)
        block.add_ops([*math.ops, create(YieldOp, (outcome.ssa,), ())])
        operands = [*(one.tensor for one in inputs), self.filled(start, shape, of)]
        properties = properties_of(inputs, kinds, results)
        op = create(GenericOp, operands, (self.tensor_type(shape, of),), properties)
        op.add_region(Region(block))
        op.location = like.location
        self.shapes[op.results[0]] = shape
        return self._add(op)

    def filled(self, number: float, shape: Shape, of: dtype) -> SSAValue:
        """A tensor all of whose elements are a number."""
        element, type_ = element_type(of), self.tensor_type(shape, of)
        is_float = of.is_floating_point
        value = float_of(number, element) if is_float else integer_attribute(int(number), element)
        start = self._add(create(arith.ConstantOp, (), (element,), {"value": value}))
        return self._add(FillOp((start,), (self.empty(shape, of),), (type_,)))

    def full(self, number: float, shape: Shape, of: dtype, like: Operation) -> SSAValue:
        """As `filled`, for others to read: by an op that fuses into them."""
        return self.generic(shape, of, [], lambda math, _: math.number(number, of), like)

    def product(self, symbols: Sequence[Symbol]) -> SSAValue:
        """The product of sizes."""
        factors = [self.extent(symbol) for symbol in symbols]
        product = factors[0] if factors else self.index(1)
        for factor in factors[1:]:
            operands = (product, factor)
            product = self._add(create(arith.MuliOp, operands, (INDEX,), NO_OVERFLOW_FLAGS))
        return product

    def matmul(
        self, a: SSAValue, b: SSAValue, shape: Shape, of: dtype, like: Operation
    ) -> SSAValue:
        """The product of two matrices of a dtype, which has the sizes `shape`; it is added up in `opmath` of the dtype."""
        if opmath(of) is not of:
            return self._contraction(a, b, shape, of, MATRIX, like)
        zeros = self.filled(0.0, shape, of)
        product = MatmulOp((a, b), (zeros,), (zeros.type,))
        product.location = like.location
        return self._add(product)

    def batch_matmul(
        self, a: SSAValue, b: SSAValue, shape: Shape, of: dtype, like: Operation
    ) -> SSAValue:
        """The products of the matrices of two batches, as `matmul` gives them."""
        return self._contraction(a, b, shape, of, BATCH, like)

    def _contraction(
        self, a: SSAValue, b: SSAValue, shape: Shape, of: dtype, walked: Walked, like: Operation
    ) -> SSAValue:
        """Products that are added up along the last loop, where operands and result are walked by loops."""
        into = opmath(of)
        math = self.new_body()
        block = Block(arg_types=[*[element_type(of)] * 2, element_type(into)])
        x, y = (math.cast(Scalar(one, of), into.name) for one in block.args[:2])
        added = math.add(Scalar(block.args[2], into), math.mul(x, y))
        block.add_ops([*math.ops, create(YieldOp, (added.ssa,), ())])
        rank = len(shape)
        maps = [AffineMap(rank + 1, 0, tuple(map(AffineDimExpr, one))) for one in walked]
        kinds = [_PARALLEL] * rank + [_REDUCTION]
        zeros = self.filled(0.0, shape, into)
        properties = {
            "indexing_maps": ArrayAttr(map(AffineMapAttr, maps)),
            "iterator_types": ArrayAttr(kinds),
            "operandSegmentSizes": i32_array((2, 1)),
        }
        op = create(GenericOp, (a, b, zeros), (zeros.type,), properties)
        op.add_region(Region(block))
        op.location = like.location
        return self._add(op)

    def rounded(self, product: SSAValue, shape: Shape, of: dtype, like: Operation) -> SSAValue:
        """A product in the dtype of its factors: those of 16 bits are added up in float32, and rounded once."""
        compute = opmath(of)
        if of is compute:
            return product
        whole = Element(product, compute, tuple(range(len(shape))))

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.cast(elements[0], of.name)

        return self.generic(shape, of, [whole], body, like=like)

    def transpose(
        self, source: SSAValue, shape: Shape, of: dtype, order: tuple[int, ...] = (1, 0)
    ) -> SSAValue:
        """A tensor with its dimensions in another order, which then has the sizes `shape`."""
        if source in self.transposed:
            source, first = self.transposed[source]
            order = tuple(first[axis] for axis in order)
        if order == tuple(range(len(order))):
            return source
        empty, type_ = self.empty(shape, of), self.tensor_type(shape, of)
        view = self._view(TransposeOp(source, empty, i64_array(order), type_))
        self.transposed[view] = source, order
        return view

    def rearranged(
        self, source: SSAValue, axes: Sequence[int | None], shape: Shape, like: Operation
    ) -> SSAValue:
        """A tensor with dimensions in another order, without those of size 1, or repeated along new ones, which are None."""
        order = tuple(axis for axis in axes if axis is not None)
        sizes, of = self.shapes[source], self.dtype_of(source)
        if len(order) != len(axes):
            return self.copied(source, axes, shape, like)
        if len(order) < len(sizes):
            return self.window(source, sizes, {}, shape, of)
        return self.transpose(source, shape, of, order)

    def copied(
        self, source: SSAValue, axes: Sequence[int | None], shape: Shape, like: Operation
    ) -> SSAValue:
        """As `rearranged`, in memory of its own, and of the dtype of the result of `like`."""
        place = {axis: loop for loop, axis in enumerate(axes) if axis is not None}
        walked = tuple(
            -1 if symbol.find().is_static else place.get(axis, -1)
            for axis, symbol in enumerate(self.shapes[source])
        )
        of = self.dtype_of(like.results[0])

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.cast(elements[0], of.name)

        return self.generic(
            shape, of, [Element(source, self.dtype_of(source), walked)], body, like=like
        )

    def dense(self, source: SSAValue, like: Operation) -> SSAValue:
        """A tensor, copied where its elements may not lie in the order of their indices."""
        if source not in self.strided:
            return source
        shape = self.shapes[source]
        of = self.dtype_of(source)
        whole = Element(source, of, broadcast_axes(shape, shape))
        return self.generic(shape, of, [whole], lambda math, elements: elements[0], like=like)

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

    def padded_to(
        self,
        source: SSAValue,
        whole: Shape,
        before: Sequence[int],
        number: float,
        of: dtype,
        steps: Sequence[int] | None = None,
    ) -> SSAValue:
        """A tensor of the sizes `whole`: the number everywhere but where the source is, with so much of it before each dimension, and
        its elements so many `steps` apart.
        """
        into = self.filled(number, whole, of)
        result = self.insert_part(source, into, self.shapes[source], before, steps)
        self.shapes[result] = whole
        return result

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


@lru_cache(maxsize=256)
def _map(loops: int, axes: tuple[int, ...]) -> AffineMapAttr:
    """The map to these loops, by number; -1 stands for the constant 0."""
    results = (AffineConstantExpr(0) if axis < 0 else AffineDimExpr(axis) for axis in axes)
    return AffineMapAttr(AffineMap(loops, 0, tuple(results)))


@lru_cache(maxsize=16)
def _parallel(loops: int) -> ArrayAttr[IteratorTypeAttr]:
    return ArrayAttr([_PARALLEL] * loops)
