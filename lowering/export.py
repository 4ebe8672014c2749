"""A function as upstream dialects for other compilers: a `func.func` over tensors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    FunctionType,
    ModuleOp,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from lowering.create import create
from lowering.kernel import LoweringError
from lowering.linalg.conversion import SCALARS, Conversion, complete, kind_of, spell
from lowering.linalg.linalg_builder import INDEX, NO_OVERFLOW_FLAGS, LinalgBuilder
from lowering.linalg.operands import is_known, is_none
from lowering.linalg.symbolic_shapes import Symbol
from lowering.shaped import dense_elements, float_of, integer_attribute
from torchscript_dialect.backend import Dimensions, NotCompilable
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import (
    all_ops,
    clone_block,
    erase,
    erase_arguments,
    insert_before,
    replace_uses,
    set_type,
    terminator,
)
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.tensor_type import TensorType


def to_linalg(
    body: Block, name: str, constants: Mapping[int, Tensor], dynamic: Dimensions
) -> ModuleOp:
    """The block of a function whose types are known as a module whose text upstream MLIR parses.

    Sizes are those of the types, but for `dynamic` ones. `constants` are arguments, by number, that are known: they become constants.

    Raises:
        NotCompilable: the block holds what has no rule for linalg.
    """
    export = _Export(clone_block(body), dynamic)
    try:
        return ModuleOp([export.function(name, constants)])
    except LoweringError as error:
        raise NotCompilable(str(error)) from error


class _ExportBuilder(LinalgBuilder):
    """Sizes are those of the types, but for the dynamic ones, whose values `sizes` holds."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: dict[Symbol, SSAValue] = {}

    def static_size(self, symbol: Symbol) -> int | None:
        return None if symbol.find() in self.sizes else symbol.size

    def extent(self, symbol: Symbol) -> SSAValue:
        found = self.sizes.get(symbol.find())
        return self.index(symbol.size) if found is None else found


class _Export(Conversion):
    """The conversion of the block of a function. What its ops are is asked first, while they have the types of TorchScript."""

    consumed = (*Conversion.consumed, prim.TupleConstructOp)

    builder: _ExportBuilder

    def __init__(self, body: Block, dynamic: Dimensions) -> None:
        super().__init__(body, _ExportBuilder())
        self.dynamic = dynamic

    def function(self, name: str, constants: Mapping[int, Tensor]) -> FuncOp:
        """The function."""
        for number, argument in enumerate(self.body.args):
            self.find_argument(argument, self.dynamic.get(number, ()))
        self.find_shapes()
        self.find_sizes()
        for argument in self.body.args:
            self.convert_argument(argument)
        for number, value in constants.items():
            self.make_constant(self.body.args[number], value)
        erase_arguments(self.body, constants)
        self.gather_results()
        self.lower_ops()
        results = list(terminator(self.body).operands)
        erase(terminator(self.body))
        self.body.add_op(ReturnOp(*results))
        given, gives = list(self.body.arg_types), [value.type for value in results]
        return FuncOp(name, FunctionType.from_lists(given, gives), Region(self.body))

    def find_shapes_of(self, op: Operation) -> None:
        try:
            lowering = self.lowering(op)
            tensors = [value for value in op.results if isinstance(value.type, TensorType)]
            if not all(map(is_known, tensors)):
                raise LoweringError(f"{kind_of(op)} gives a tensor whose sizes are not known")
            if not lowering.takes(op):
                given = ", ".join(spell(value.type) for value in op.operands)
                raise LoweringError(f"{kind_of(op)} of ({given}) has no form in linalg")
            super().find_shapes_of(op)
        except LoweringError as error:
            raise NotCompilable(str(error), op) from error

    # Arguments.

    def find_argument(self, argument: SSAValue, dynamic: Collection[int]) -> None:
        type_ = argument.type
        if isinstance(type_, TensorType):
            sizes = enumerate(complete(type_.sizes, "sizes"))
            self.builder.shapes[argument] = tuple(
                Symbol(size, is_fixed=dim not in dynamic) for dim, size in sizes
            )
        elif type_ not in SCALARS:
            raise LoweringError(f"an input of type {spell(type_)} has no form in linalg")

    def find_sizes(self) -> None:
        """Read the dynamic sizes, once each, and compute those that follow from them.

        Raises:
            LoweringError: the function is for one size of a dimension that is to be dynamic.
        """
        sizes = self.builder.sizes
        first = all_ops(self.body)[0]
        for number, dims in self.dynamic.items():
            argument = self.body.args[number]
            for dim in dims:
                root = self.builder.shapes[argument][dim].find()
                if root.is_fixed or root.is_static:
                    raise LoweringError(
                        f"dimension {dim} of %{argument.name_hint} has to be {root.size}"
                    )
                if root not in sizes:
                    place = {"value": integer_attribute(dim, INDEX)}
                    insert_before(first, index := create(arith.ConstantOp, (), (INDEX,), place))
                    read = create(tensor.DimOp, (argument, index.results[0]), (INDEX,))
                    insert_before(first, read)
                    sizes[root] = read.results[0]
        for root in dict.fromkeys(s.find() for one in self.builder.shapes.values() for s in one):
            self.find_defined_size(root, first)

    def find_defined_size(self, root: Symbol, first: Operation) -> None:
        """Compute a size that is a sum with a dynamic size in it."""
        sizes = self.builder.sizes
        for definition in root.definitions:
            parts = [symbol.find() for symbol in definition.operands]
            for part in parts:
                self.find_defined_size(part, first)
            if not any(part in sizes for part in parts):
                continue
            if definition.kind != "sum" or root in sizes or root.is_fixed:
                raise LoweringError("a dynamic size is cut into parts, or has to be a sum")
            total: SSAValue | None = None
            for part in parts:
                number = sizes.get(part)
                if number is None:
                    value = {"value": integer_attribute(part.size, INDEX)}
                    insert_before(first, op := create(arith.ConstantOp, (), (INDEX,), value))
                    number = op.results[0]
                if total is None:
                    total = number
                    continue
                op = create(arith.AddiOp, (total, number), (INDEX,), NO_OVERFLOW_FLAGS)
                insert_before(first, op)
                total = op.results[0]
            assert total is not None
            sizes[root] = total

    def convert_argument(self, argument: SSAValue) -> None:
        builder, type_ = self.builder, argument.type
        builder.types[argument] = type_
        if isinstance(type_, TensorType):
            shape, of = builder.shapes[argument], builder.dtype_of(argument)
            set_type(argument, builder.tensor_type(shape, of))
            return
        _, builder.scalars[argument], mlir = SCALARS[type_]
        set_type(argument, mlir)

    def make_constant(self, argument: SSAValue, known: Tensor) -> None:
        """Put a constant in the place of an argument."""
        value = dense_elements(argument.type, known.array.tobytes())
        op = create(arith.ConstantOp, (), (argument.type,), {"value": value})
        insert_before(all_ops(self.body)[0], op)
        self.builder.replaced(argument, op.results[0])
        replace_uses(argument, op.results[0])

    # Results.

    def gather_results(self) -> None:
        """Let the function return tensors and numbers only: the elements of a tuple one by one, constants, and nothing for None."""
        end = terminator(self.body)
        end.operands = [
            self.number(value.owner) if isinstance(value.owner, prim.ConstantOp) else value
            for value in _elements(end.operands)
            if not is_none(value)
        ]

    def number(self, constant: prim.ConstantOp) -> SSAValue:
        """A number that is returned."""
        type_ = constant.results[0].type
        if type_ not in SCALARS:
            raise LoweringError(f"a result of type {spell(type_)} has no form in linalg")
        _, of, mlir = SCALARS[type_]
        value: Any = constant.value
        number = float_of(value, mlir) if of.is_floating_point else integer_attribute(value, mlir)
        op = create(arith.ConstantOp, (), (mlir,), {"value": number})
        insert_before(terminator(self.body), op)
        return op.results[0]


def _elements(values: Iterable[SSAValue]) -> Iterator[SSAValue]:
    """The values, and instead of tuples that the graph makes their elements."""
    for value in values:
        if isinstance(value.owner, prim.TupleConstructOp):
            yield from _elements(value.owner.operands)
        else:
            yield value
