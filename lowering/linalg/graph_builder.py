"""The state of one conversion: shapes and tensors of the values of a graph, and the ops of the kernel under construction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from lowering.kernel import LoweringError
from lowering.linalg.scalar_builder import element_type
from lowering.linalg.symbolic_shapes import Shape, Symbol, Words
from lowering.shaped import i64_array, tensor_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.tensor.dtype import dtype, from_name
from torchscript_dialect.types.tensor_type import TensorProperties
from torchscript_dialect.types.tensor_type import TensorType as TorchTensorType

INDEX = IndexType()


class GraphBuilder:
    """Shapes are found first (`shapes`), for all nodes; then `block` is filled, node by node."""

    def __init__(self, *, has_static_sizes: bool = False) -> None:
        self.has_static_sizes = has_static_sizes
        """Whether the sizes of the specialization are those of the types, instead of `?`."""
        self.shapes: dict[SSAValue, Shape] = {}
        self.lists: dict[SSAValue, list[SSAValue]] = {}
        """The elements of the lists that a graph makes and takes apart."""
        self.tensors: dict[SSAValue, SSAValue] = {}
        self.scalars: dict[SSAValue, tuple[SSAValue, dtype]] = {}
        """Numbers that are inputs of the graph."""
        self.block = Block()
        self.words = Words()
        self.extents: dict[int, SSAValue] = {}
        """Index values that hold words of syms."""
        self.constants: dict[int, SSAValue] = {}

    # What is known of a value.

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
        type_ = value.type
        if isinstance(type_, TorchTensorType):
            return type_.data
        if value in self.scalars:
            return {"float64": 1.5, "int64": 1, "bool": True}[self.scalars[value][1].name]
        return self.constant(value)

    def dtype_of(self, value: SSAValue) -> dtype:
        """The dtype of a tensor.

        Raises:
            LoweringError: it is not known.
        """
        type_ = value.type
        properties = type_.data if isinstance(type_, TorchTensorType) else TensorProperties()
        if properties.dtype is None:
            raise LoweringError("the dtype of a tensor is not known")
        return from_name(properties.dtype)

    # Ops.

    def add(self, op: Operation) -> SSAValue:
        """Append an op; gives its first result."""
        self.block.add_op(op)
        return op.results[0]

    def index(self, number: int) -> SSAValue:
        """A constant of type index."""
        if number not in self.constants:
            value = IntegerAttr(number, INDEX)
            op = arith.ConstantOp.create(result_types=[INDEX], properties={"value": value})
            self.constants[number] = self.add(op)
        return self.constants[number]

    def extent(self, symbol: Symbol) -> SSAValue:
        """A size as an index value."""
        size = self.static_size(symbol)
        if size is not None:
            return self.index(size)
        word = self.words.word(symbol)
        assert word is not None
        return self.extents[word]

    def static_size(self, symbol: Symbol) -> int | None:
        """The size that types give, None for `?`."""
        return symbol.size if self.has_static_sizes or symbol.find().is_static else None

    def type_of(self, shape: Shape, of: dtype) -> TensorType[Attribute]:
        """The MLIR type of a tensor: static where it broadcasts, `?` elsewhere."""
        return tensor_of(element_type(of), tuple(self.static_sizes(shape)))

    def static_sizes(self, shape: Shape) -> list[int]:
        """Every size, or the mark that types have for `?`."""
        sizes = [self.static_size(symbol) for symbol in shape]
        return [DYNAMIC_INDEX if size is None else size for size in sizes]

    def dynamic_sizes(self, shape: Shape) -> list[SSAValue]:
        """The sizes that the type does not give, as index values."""
        return [self.extent(symbol) for symbol in shape if self.static_size(symbol) is None]

    def empty(self, shape: Shape, of: dtype) -> SSAValue:
        """A tensor without content."""
        dynamic = self.dynamic_sizes(shape)
        type_ = self.type_of(shape, of)
        return self.add(tensor.EmptyOp.create(operands=dynamic, result_types=[type_]))


def integers(values: Sequence[int]) -> DenseArrayBase[Any]:
    """`array<i64: ...>`."""
    return i64_array(tuple(values))
