"""A function as upstream dialects for other compilers: a `func.func` over tensors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, cast

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from lowering.create import create
from lowering.export.control_flow import (
    BranchLowering,
    LoopLowering,
    find_branch_shapes,
    find_carried_shapes,
    find_loop_shapes,
)
from lowering.export.export_builder import ExportBuilder
from lowering.kernel import LoweringError
from lowering.linalg.conversion import SCALARS, Conversion, complete, kind_of, spell
from lowering.linalg.operands import constant, is_known
from lowering.linalg.operator_lowering import OperatorLowering, widest_lowering_of
from lowering.linalg.symbolic_shapes import Symbol
from lowering.linalg.tensor_builder import INDEX, NO_OVERFLOW_FLAGS
from lowering.shaped import dense_elements, integer_attribute
from torchscript_dialect.backend import Dimensions, NotCompilable
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import (
    all_ops,
    body_ops,
    clone_block,
    erase,
    erase_arguments,
    insert_before,
    nested_ops,
    replace_uses,
    set_type,
    terminator,
)
from torchscript_dialect.ir.pattern_driver import apply_conversion
from torchscript_dialect.tensor.strides import contiguous_strides
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import ListType
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


class _Export(Conversion):
    """The conversion of the block of a function. What its ops are is asked first, while they have the types of TorchScript."""

    consumed = (*Conversion.consumed, prim.TupleConstructOp, prim.UninitializedOp)

    builder: ExportBuilder

    def __init__(self, body: Block, dynamic: Dimensions) -> None:
        super().__init__(body, ExportBuilder())
        self.dynamic = dynamic
        self.made: dict[tuple[type[Operation], type[OperatorLowering]], OperatorLowering] = {}

    def function(self, name: str, constants: Mapping[int, Tensor]) -> FuncOp:
        """The function."""
        for number, argument in enumerate(self.body.args):
            _make_value(argument)
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

    def find_shapes(self) -> None:
        self.find_shapes_in(self.body)

    def find_shapes_in(self, block: Block) -> None:
        """Find the shapes of all that a block computes."""
        for op in body_ops(block):
            for result in op.results:
                _make_value(result)
            try:
                if isinstance(op, prim.IfOp):
                    self.find_shapes_in(op.then_region.block)
                    self.find_shapes_in(op.else_region.block)
                    find_branch_shapes(self.builder, op)
                elif isinstance(op, prim.LoopOp):
                    for argument in op.body.block.args:
                        _make_value(argument)
                    find_carried_shapes(self.builder, op)
                    self.find_shapes_in(op.body.block)
                    find_loop_shapes(self.builder, op)
                elif not isinstance(op, self.consumed):
                    self.find_shapes_of(op)
            except LoweringError as error:
                raise NotCompilable(str(error), op) from error

    def find_shapes_of(self, op: Operation) -> None:
        lowering = self.lowering(op)
        tensors = [value for value in op.results if isinstance(value.type, TensorType)]
        if not all(map(is_known, tensors)):
            raise LoweringError(f"{kind_of(op)} gives a tensor whose sizes are not known")
        if not lowering.takes(op):
            given = ", ".join(spell(value.type) for value in op.operands)
            raise LoweringError(f"{kind_of(op)} of ({given}) has no form in linalg")
        super().find_shapes_of(op)

    # Ops.

    def lowering(self, op: Operation) -> OperatorLowering:
        chosen = self.builder.chosen
        if op not in chosen:
            class_ = widest_lowering_of(op)
            if class_ is None:
                raise LoweringError(_nothing_lowers(op))
            key = type(op), class_
            if key not in self.made:
                self.made[key] = class_(type(op), self.builder)
            chosen[op] = self.made[key]
        return chosen[op]

    def lower_ops(self) -> None:
        self.convert(self.body)
        for op in reversed(nested_ops(self.body)):
            if self.is_consumed(op) and not any(result.first_use for result in op.results):
                erase(op)

    def convert(self, block: Block) -> None:
        """Lower the ops of a block; branches and loops convert their own."""
        patterns = [
            *self.made.values(),
            BranchLowering(self.builder, self.convert),
            LoopLowering(self.builder, self.convert),
        ]
        apply_conversion(block, patterns, blocks_of=lambda op: ())

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
        done: set[Symbol] = set()
        for shape in (*self.builder.shapes.values(), tuple(self.builder.derived_sizes)):
            for symbol in shape:
                self.find_defined_size(symbol.find(), first, done)

    def find_defined_size(self, root: Symbol, first: Operation, done: set[Symbol]) -> None:
        """Compute a size that is a sum or a product with a dynamic size in it."""
        if root in done:
            return
        done.add(root)
        sizes = self.builder.sizes
        for definition in root.definitions:
            parts = [symbol.find() for symbol in (*definition.operands, *definition.divisors)]
            for part in parts:
                self.find_defined_size(part, first, done)
            if not any(part in sizes for part in parts):
                continue
            is_computed = definition.kind == "sum" or definition.is_product
            if not is_computed or root in sizes or root.is_fixed:
                raise LoweringError("a dynamic size is cut into parts, or has to be another one")
            class_ = arith.AddiOp if definition.kind == "sum" else arith.MuliOp
            total, *others = [self.size_before(part, first) for part in parts]
            for other in others:
                op = create(class_, (total, other), (INDEX,), NO_OVERFLOW_FLAGS)
                insert_before(first, op)
                total = op.results[0]
            sizes[root] = total

    def size_before(self, root: Symbol, first: Operation) -> SSAValue:
        """A size as an index value: a dynamic one, or a constant before `first`."""
        number = self.builder.sizes.get(root)
        if number is not None:
            return number
        value = {"value": integer_attribute(root.size, INDEX)}
        insert_before(first, op := create(arith.ConstantOp, (), (INDEX,), value))
        return op.results[0]

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
        """Let the function return tensors and numbers only: the elements of a tuple or list one by one, and nothing for None.

        Raises:
            LoweringError: a result is nothing of that.
        """
        end = terminator(self.body)
        found: list[SSAValue] = []
        for value in _elements(end.operands):
            known = constant(value)
            if known is None:
                if value not in self.builder.shapes and value not in self.builder.scalars:
                    raise LoweringError(
                        f"a result of type {spell(value.type)} has no form in linalg"
                    )
                found.append(value)
            elif known.value is not None:
                found += self.numbers(known)
        end.operands = found

    def numbers(self, known: prim.ConstantOp) -> list[SSAValue]:
        """A constant that is returned, or those in a list of them."""
        type_, value = known.results[0].type, known.value
        of = SCALARS.get(type_.element if isinstance(type_, ListType) else type_)
        if of is None:
            raise LoweringError(f"a result of type {spell(type_)} has no form in linalg")
        numbers = cast("list[Any]", value) if isinstance(value, list) else [value]
        end = terminator(self.body)
        return [self.builder.insert_number(number, of[1], end) for number in numbers]


def _make_value(tensor: SSAValue) -> None:
    """Say of a tensor what nobody can tell in linalg, where it is a value: it lies in the order of its indices, on this device."""
    type_ = tensor.type
    if not isinstance(type_, TensorType) or type_.sizes is None or None in type_.sizes:
        return
    strides = contiguous_strides(complete(type_.sizes, "sizes"))
    set_type(
        tensor,
        type_.replace(
            strides=strides,
            device=type_.device or "cpu",
            requires_grad=bool(type_.requires_grad),
        ),
    )


def _nothing_lowers(op: Operation) -> str:
    """What a user is told of an op for which there is no lowering."""
    if isinstance(op, prim.RaiseExceptionOp):
        message = constant(op.operands[0])
        if message is not None:
            return f"the program raises: {message.value}"
    return f"{kind_of(op)} has no rule for linalg"


def _elements(values: Iterable[SSAValue]) -> Iterator[SSAValue]:
    """The values, and instead of tuples and lists that the graph makes their elements."""
    for value in values:
        if isinstance(value.owner, (prim.TupleConstructOp, prim.ListConstructOp)):
            yield from _elements(value.owner.operands)
        else:
            yield value
