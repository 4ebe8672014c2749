"""A function as upstream dialects for other compilers: a `func.func` over tensors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    FunctionType,
    ModuleOp,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from lowering.create import create
from lowering.kernel import LoweringError
from lowering.linalg.conversion import SCALARS, Conversion, complete, kind_of, spell
from lowering.linalg.linalg_builder import LinalgBuilder
from lowering.linalg.operands import is_known, is_none
from lowering.linalg.symbolic_shapes import Symbol, fresh
from lowering.shaped import dense_elements, float_of, integer_attribute
from torchscript_dialect.backend import NotCompilable
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


def to_linalg(body: Block, name: str, constants: Mapping[int, Tensor]) -> ModuleOp:
    """The block of a function whose types are known as a module whose text upstream MLIR parses.

    Sizes are those of the types. `constants` are arguments, by number, that are known: they become constants.

    Raises:
        NotCompilable: the block holds what has no rule for linalg.
    """
    export = _Export(clone_block(body))
    try:
        return ModuleOp([export.function(name, constants)])
    except LoweringError as error:
        raise NotCompilable(str(error)) from error


class _ExportBuilder(LinalgBuilder):
    """All sizes are those of the types."""

    def static_size(self, symbol: Symbol) -> int | None:
        return symbol.size


class _Export(Conversion):
    """The conversion of the block of a function. What its ops are is asked first, while they have the types of TorchScript."""

    consumed = (*Conversion.consumed, prim.TupleConstructOp)

    def __init__(self, body: Block) -> None:
        super().__init__(body, _ExportBuilder())

    def function(self, name: str, constants: Mapping[int, Tensor]) -> FuncOp:
        """The function."""
        for argument in self.body.args:
            self.find_argument(argument)
        self.find_shapes()
        for argument in self.body.args:
            self.convert_argument(argument)
        for index, tensor in constants.items():
            self.make_constant(self.body.args[index], tensor)
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

    def find_argument(self, argument: SSAValue) -> None:
        type_ = argument.type
        if isinstance(type_, TensorType):
            self.builder.shapes[argument] = fresh(complete(type_.sizes, "sizes"))
        elif type_ not in SCALARS:
            raise LoweringError(f"an input of type {spell(type_)} has no form in linalg")

    def convert_argument(self, argument: SSAValue) -> None:
        builder, type_ = self.builder, argument.type
        builder.types[argument] = type_
        if isinstance(type_, TensorType):
            shape, of = builder.shapes[argument], builder.dtype_of(argument)
            set_type(argument, builder.tensor_type(shape, of))
            return
        _, builder.scalars[argument], mlir = SCALARS[type_]
        set_type(argument, mlir)

    def make_constant(self, argument: SSAValue, tensor: Tensor) -> None:
        """Put a constant in the place of an argument."""
        value = dense_elements(argument.type, tensor.array.tobytes())
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
