"""What a conversion to linalg knows of the values of a graph: types, shapes, numbers and sizes."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, SSAValue

from lowering.kernel import LoweringError
from lowering.linalg.scalar_builder import element_type
from lowering.linalg.symbolic_shapes import Shape, Symbol, Words
from lowering.shaped import tensor_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.tensor.dtype import dtype, from_name
from torchscript_dialect.types.tensor_type import TensorProperties
from torchscript_dialect.types.tensor_type import TensorType as TorchTensorType


class KnownValues:
    """Shapes are found first (`shapes`), for all nodes, before any of them becomes an op."""

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
        self.fitting_numbers: dict[SSAValue, dict[dtype, None]] = {}
        """Floats that the kernel is given, and the dtypes whose elements have to be able to hold them."""
        self.size_lists: dict[SSAValue, Shape] = {}
        """Lists of all sizes of a tensor."""
        self.derived_sizes: list[Symbol] = []
        self.words = Words()

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
