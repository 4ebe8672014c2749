"""How a conversion makes linalg ops from the values of a graph: all that the lowerings of operators need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import FillOp, GenericOp, MatmulOp, TransposeOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from lowering.create import create
from lowering.linalg.element import Element, Window, unchanged
from lowering.linalg.scalar_builder import Scalar, ScalarBuilder, element_type
from lowering.linalg.symbolic_shapes import Shape, broadcast_axes
from lowering.linalg.tensor_builder import TensorBuilder
from lowering.linalg.windows import properties_of
from lowering.shaped import float_of, i32_array, i64_array, integer_attribute
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.strides import inverse, memory_order
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorType as TorchTensorType

_PARALLEL = IteratorTypeAttr.parallel()
_REDUCTION = IteratorTypeAttr.reduction()


Walked = tuple[tuple[int, ...], ...]
MATRIX: Walked = ((0, 2), (2, 1), (0, 1))
BATCH: Walked = ((0, 1, 3), (0, 3, 2), (0, 1, 2))
"""The loops of a product along the dimensions of its factors and its result: the last one reduces."""


class LinalgBuilder(TensorBuilder):
    """Makes `linalg.generic` and named ops: elementwise, reductions, windows, products, transpositions."""

    computes_taps: ClassVar[bool] = True
    """Whether windows with a filter of their own become one pointwise op over their elements."""

    def __init__(self) -> None:
        super().__init__()
        self.transposed: dict[SSAValue, tuple[SSAValue, tuple[int, ...]]] = {}
        """Tensors that are others with their dimensions in another order."""

    def lowers_with(self, op: Operation, lowering: Any) -> bool:
        """Whether it is this lowering that an op is lowered with."""
        return True

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
        rank = len(shape)
        inputs = [self.where_it_is(one) for one in inputs]
        maps = [_map(rank, one.axes) for one in inputs]
        properties = {
            "indexing_maps": ArrayAttr([*maps, _map(rank, tuple(range(rank)))]),
            "iterator_types": _parallel(rank),
            "operandSegmentSizes": i32_array((len(inputs), 1)),
        }
        operands = [*(one.tensor for one in inputs), self.empty(shape, of)]
        result = self._add_generic(operands, properties, block, math, outcome, like)
        self.shapes[result] = shape
        return result

    def _add_generic(
        self,
        operands: Sequence[SSAValue],
        properties: Mapping[str, Attribute],
        block: Block,
        math: ScalarBuilder,
        outcome: Scalar,
        like: Operation,
    ) -> SSAValue:
        """A `linalg.generic` whose result begins as the last of `operands`; its body is what `math` recorded."""
        block.add_ops([*math.ops, create(YieldOp, (outcome.ssa,), ())])
        op = create(GenericOp, operands, (operands[-1].type,), properties)
        op.add_region(Region(block))
        op.location = like.location
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
        order = self.order_of(like.results[0])
        if order is None or order == tuple(range(len(shape))):
            return self.generic(shape, of, inputs, body, like)
        loops = inverse(order)
        moved = [
            one._replace(axes=tuple(-1 if axis < 0 else loops[axis] for axis in one.axes))
            for one in inputs
        ]
        packed = self.generic(tuple(shape[axis] for axis in order), of, moved, body, like)
        return self.transpose(packed, shape, of, loops)

    def order_of(self, value: SSAValue) -> tuple[int, ...] | None:
        """The order in memory of the dimensions that a tensor of the graph has; None where that is not known."""
        type_ = self.type_of(value)
        assert isinstance(type_, TorchTensorType)
        return memory_order(type_.sizes, type_.strides)

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
        kinds = [_REDUCTION if axis in axes else _PARALLEL for axis in loops]
        properties = {
            "indexing_maps": ArrayAttr(
                [_map(len(loops), one) for one in (walked, *beside, results)]
            ),
            "iterator_types": ArrayAttr(kinds),
            "operandSegmentSizes": i32_array((len(read), 1)),
        }
        operands = [*(one.tensor for one in read), self.filled(start, shape, of)]
        result = self._add_generic(operands, properties, block, math, outcome, like)
        self.shapes[result] = shape
        return result

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
        operands = [*(one.tensor for one in inputs), self.filled(start, shape, of)]
        properties = properties_of(inputs, kinds, results)
        result = self._add_generic(operands, properties, block, math, outcome, like)
        self.shapes[result] = shape
        return result

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
        rank = len(shape)
        maps = [AffineMap(rank + 1, 0, tuple(map(AffineDimExpr, one))) for one in walked]
        kinds = [_PARALLEL] * rank + [_REDUCTION]
        zeros = self.filled(0.0, shape, into)
        properties = {
            "indexing_maps": ArrayAttr(map(AffineMapAttr, maps)),
            "iterator_types": ArrayAttr(kinds),
            "operandSegmentSizes": i32_array((2, 1)),
        }
        return self._add_generic((a, b, zeros), properties, block, math, added, like)

    def rounded(self, product: SSAValue, shape: Shape, of: dtype, like: Operation) -> SSAValue:
        """A product in the dtype of its factors: those of 16 bits are added up in float32, and rounded once."""
        compute = opmath(of)
        if of is compute:
            return product
        whole = Element(product, compute, tuple(range(len(shape))))
        return self.generic(shape, of, [whole], _cast_to(of), like)

    def transpose(
        self, source: SSAValue, shape: Shape, of: dtype, order: tuple[int, ...] = (1, 0)
    ) -> SSAValue:
        """A tensor with its dimensions in another order, which then has the sizes `shape`."""
        if source in self.transposed:
            source, first = self.transposed[source]
            order = tuple(first[axis] for axis in order)
        if order == tuple(range(len(order))):
            self.shapes.setdefault(source, shape)
            return source
        empty, type_ = self.empty(shape, of), self.tensor_type(shape, of)
        view = self._view(TransposeOp(source, empty, i64_array(order), type_))
        self.transposed[view] = source, order
        self.shapes[view] = shape
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
        element = Element(source, self.dtype_of(source), walked)
        return self.generic(shape, of, [element], _cast_to(of), like)

    def dense(self, source: SSAValue, like: Operation, of: dtype | None = None) -> SSAValue:
        """A tensor, copied where its elements may not lie in the order of their indices; of a view that is none of the graph's the
        dtype has to be given.
        """
        if source not in self.strided:
            return source
        shape = self.shapes[source]
        of = of or self.dtype_of(source)
        whole = Element(source, of, broadcast_axes(shape, shape))
        return self.generic(shape, of, [whole], unchanged, like)

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


def _cast_to(of: dtype) -> Callable[[ScalarBuilder, list[Scalar]], Scalar]:
    """The body that gives its element in a dtype."""
    return lambda math, elements: math.cast(elements[0], of.name)


@lru_cache(maxsize=256)
def _map(loops: int, axes: tuple[int, ...]) -> AffineMapAttr:
    """The map to these loops, by number; -1 stands for the constant 0."""
    results = (AffineConstantExpr(0) if axis < 0 else AffineDimExpr(axis) for axis in axes)
    return AffineMapAttr(AffineMap(loops, 0, tuple(results)))


@lru_cache(maxsize=16)
def _parallel(loops: int) -> ArrayAttr[IteratorTypeAttr]:
    return ArrayAttr([_PARALLEL] * loops)
