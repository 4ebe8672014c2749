"""`ts-convert-torch-to-linalg`: fusion groups to kernels over tensors (Note [Kernel input form] in lowering/kernel.py).

Every `prim.TensorExprGroup` of the module becomes a kernel function. A module without one becomes the kernel of its first
function, which then must hold nothing but what a group may hold. Sizes become symbols: Note [Symbolic sizes].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import (
    FunctionType,
    ModuleOp,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from lowering.dialects.kernel import (
    STATIC_DIM,
    UNIT_STRIDE,
    ZERO_STRIDE,
    LayoutAttr,
    SignatureOp,
    layout,
)
from lowering.interpreter.rounding import FUNCTIONS, SUMS
from lowering.kernel import LoweringError
from lowering.linalg.conversion import SCALARS, Conversion, complete, kind_of, spell
from lowering.linalg.linalg_builder import LinalgBuilder
from lowering.linalg.operands import dtypes_taken, is_known, turned
from lowering.linalg.operator_lowering import is_view, lowering_of
from lowering.linalg.pointwise import PointwiseLowering
from lowering.linalg.sizes_function import sizes_function
from lowering.linalg.symbolic_shapes import Buffer, Shape, fresh
from lowering.linalg.tensor_builder import INDEX
from torchscript_dialect.backend import (
    Dim,
    Input,
    NoneInput,
    ScalarInput,
    Sym,
    TensorInput,
    TensorOutput,
)
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import (
    add_argument,
    body_ops,
    clone_block,
    erase,
    erase_arguments,
    release,
    set_name,
    set_type,
    terminator,
)
from torchscript_dialect.ir.locations import at
from torchscript_dialect.ir.requirements import require_functions
from torchscript_dialect.tensor.strides import contiguous_strides
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType


@dataclass
class Kernel:
    """A kernel in input form, and how its arguments and results are described to the runtime."""

    module: ModuleOp
    inputs: tuple[Input, ...]
    outputs: tuple[TensorOutput, ...]
    syms: int
    returns_tuple: bool
    pipeline: str = "linalg-to-llvm"
    """What a kernel for the CPU goes through from here."""


class ConvertTorchToLinalgPass(ModulePass):
    """No pipeline has it: it makes the kernel of a group, with which the pipeline linalg-to-llvm begins."""

    name = "ts-convert-torch-to-linalg"
    ROUNDS_OTHERWISE: ClassVar = frozenset({SUMS, FUNCTIONS})
    """NumPy adds in pairs, and has functions of its own."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        groups = [found for found in op.walk() if isinstance(found, prim.TensorExprGroupOp)]
        bodies: list[Block] = [group.body for group in groups]
        if not groups:
            functions = require_functions(op, self.name)
            if not functions:
                return
            bodies = [functions[0].body.block]
            _require_lowerings(bodies[0])
        kernels = [
            convert(clone_block(body), f"kernel_{index}" if len(bodies) > 1 else "kernel")
            for index, body in enumerate(bodies)
        ]
        put_kernels(op, kernels)


def _require_lowerings(body: Block) -> None:
    """Raises LoweringError for the first node that its lowering does not take, or cannot tell; fusion has asked of groups."""
    for op in body_ops(body):
        found = lowering_of(type(op))
        if found is None or issubclass(found, PointwiseLowering):
            continue
        results = [one for one in op.results if one.first_use is not None or not found.skips_unused]
        if any(map(_lacks_sizes, results)):
            raise LoweringError(
                f"the sizes of a result of {kind_of(op)} are not known: ts-propagate-shapes comes first{at(op)}"
            )
        tensors = [one for one in op.operands if isinstance(one.type, TensorType)]
        made = [one.type.dtype for one in results if isinstance(one.type, TensorType)]
        if not (tensors or made) or not all(map(_is_told, tensors)):
            continue
        taken = dtypes_taken(takes_complex=found.takes_complex)
        if not (found.joins_groups and taken.issuperset(made) and found.takes(op)):
            given = ", ".join(spell(value.type) for value in op.operands)
            raise LoweringError(f"{kind_of(op)} is not compiled for operands ({given}){at(op)}")


def _is_told(value: SSAValue) -> bool:
    """Whether lowerings can say whether they take a tensor; the text of one without dimensions has no strides."""
    is_number = isinstance(value.type, TensorType) and value.type.sizes == ()
    return is_number or is_known(value, takes_complex=True)


def _lacks_sizes(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and value.type.sizes is None


def put_kernels(module: ModuleOp, kernels: Sequence[Kernel]) -> None:
    """Put kernels in the place of all that a module holds."""
    for old in list(module.body.ops):
        module.body.block.erase_op(old, safe_erase=False)
    for kernel in kernels:
        for new in list(kernel.module.body.ops):
            new.detach()
            module.body.block.add_op(new)


def convert_function(module: ModuleOp) -> Kernel:
    """The kernel of a module's one function; see `convert`. The module is consumed."""
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    body = function.body.detach_block(0)
    release(module)
    return convert(body)


def convert(body: Block, name: str = "kernel") -> Kernel:
    """The kernel of a block in no op, whose tensor arguments have complete types; consumes it.

    The block ends with its results; one that is a tuple, made by its last node, stands for those.

    Raises:
        LoweringError: the block holds what cannot be compiled; the message names it.
    """
    return _KernelConversion(body, name).kernel()


class _KernelConversion(Conversion):
    """The conversion of a group's block. Shapes first, then arguments, then the ops."""

    def __init__(self, body: Block, name: str) -> None:
        super().__init__(body, LinalgBuilder())
        self.name = name
        self.places: list[LayoutAttr | int] = []
        """Where the arguments of the function are found."""
        self.inputs: list[Input] = []
        self.buffers: dict[SSAValue, Buffer] = {}
        """The arguments that are tensors."""
        self.updated: list[SSAValue] = []
        """Those that ops write to."""

    def kernel(self) -> Kernel:
        end = terminator(self.body)
        returns_tuple = len(end.operands) != 1
        if not returns_tuple and isinstance(pack := end.operands[0].owner, prim.TupleConstructOp):
            returns_tuple = True
            end.operands = pack.operands
            erase(pack)
        arguments = self.body.args
        for argument in arguments:
            self.find_argument(argument)
        self.find_shapes()
        for argument in arguments:
            self.convert_argument(argument)
        erase_arguments(self.body, [a.index for a in arguments if a.type == NONE])
        self.keep_apart()
        self.add_words()
        self.lower_ops()
        self.drop_unused()
        return self.finish(end, returns_tuple)

    # Arguments.

    def find_argument(self, argument: SSAValue) -> None:
        type_ = argument.type
        if isinstance(type_, TensorType):
            self.builder.shapes[argument] = fresh(complete(type_.sizes, "sizes"))
        elif type_ not in SCALARS and type_ != NONE:
            raise LoweringError(f"an input of type {spell(type_)} cannot be given to a kernel")

    def convert_argument(self, argument: SSAValue) -> None:
        builder = self.builder
        type_ = argument.type
        builder.types[argument] = type_
        if type_ == NONE:
            self.inputs.append(NoneInput())
            return
        if not isinstance(type_, TensorType):
            assert isinstance(type_, TorchScriptType)
            kind, of, mlir = SCALARS[type_]
            word = builder.words.new()
            builder.scalars[argument] = of
            if argument in builder.given_sizes:
                builder.words.give(builder.given_sizes[argument], word)
            if argument in builder.open_sizes:
                builder.words.own(builder.open_sizes[argument][0], word)
            for element in builder.fitting_numbers.get(argument, ()):
                builder.words.fit(word, element)
            set_type(argument, mlir)
            set_name(argument, None)
            self.places.append(word)
            self.inputs.append(ScalarInput(kind, Sym(word)))
            return
        shape, of = builder.shapes[argument], builder.dtype_of(argument)
        words = [builder.words.bind(symbol) for symbol in shape]
        strides = self.strides(type_, shape)
        if strides is not None:
            builder.strided.add(argument)
        dims = tuple(1 if word is None else Sym(word) for word in words)
        self.inputs.append(TensorInput(of.name, dims, strides))
        self.buffers[argument] = Buffer(len(self.buffers), of.itemsize, shape, strides)
        self.places.append(layout(_sizes(words), None if strides is None else _strides(strides)))
        set_type(argument, builder.tensor_type(shape, of))

    def keep_apart(self) -> None:
        """Serve no call in which memory that is written to is also another argument."""
        pairs = {
            tuple(sorted((self.buffers[one].number, other.number))): (self.buffers[one], other)
            for one in self.updated
            for argument, other in self.buffers.items()
            if argument is not one
        }
        self.builder.words.apart += pairs.values()

    def strides(self, type_: TensorType, shape: Shape) -> tuple[Dim, ...] | None:
        """Words for the strides of an argument that is not contiguous; None for one that is."""
        sizes, strides = complete(type_.sizes, "sizes"), complete(type_.strides, "strides")
        if _is_contiguous(sizes, strides):
            return None
        found: list[Dim] = []
        for symbol, stride in zip(shape, strides, strict=True):
            if symbol.find().is_static:
                found.append(0)
            elif stride in (0, 1):
                found.append(stride)
            else:
                found.append(Sym(self.builder.words.new()))
        order = sorted(range(len(found)), key=lambda axis: -strides[axis])
        self.builder.words.descending([found[axis] for axis in order])
        return tuple(found)

    # Shapes.

    def find_shapes_of(self, op: Operation) -> None:
        lowering = self.lowering(op)
        if lowering.writes and (_is_given(op.operands[0]) or _is_seen_after(op.operands[0], op)):
            raise LoweringError(f"{kind_of(op)} writes to what others see")
        for value in lowering.updates(op):
            if (
                value not in self.body.args
                or value in self.updated
                or self.is_read_after(value, op)
            ):
                raise LoweringError(f"{kind_of(op)} writes to what others read")
            self.updated.append(value)
        super().find_shapes_of(op)
        for value, of in lowering.fitting_numbers(op):
            self.builder.fitting_numbers.setdefault(value, {})[of] = None
        if not lowering.follows_order or lowering.gives_views(op):
            return
        for value in op.operands:
            for one in turned(value) if isinstance(value.type, TensorType) else ():
                for symbol in self.builder.shapes[one]:
                    symbol.find().is_static |= symbol.size == 1
                    if not symbol.find().is_static:
                        self.builder.require(symbol, 2)

    def is_read_after(self, value: SSAValue, op: Operation) -> bool:
        """Whether an op computes with a value after another."""
        end = terminator(self.body)
        users = [use.operation for use in value.uses if use.operation is not end]
        return any(op.is_before_in_block(user) for user in users)

    def drop_unused(self) -> None:
        """Erase loops over what no op needed in the end."""
        for op in reversed(body_ops(self.body)):
            if isinstance(op, GenericOp) and not any(result.first_use for result in op.results):
                erase(op)

    # Words.

    def add_words(self) -> None:
        """Give every size of the graph a word, and make index arguments of them."""
        builder = self.builder
        shapes = (*builder.shapes.values(), builder.derived_sizes)
        symbols = [symbol for shape in shapes for symbol in shape]
        for symbol in symbols:
            builder.words.word(symbol)
        builder.words.constraints(symbols)
        used = dict.fromkeys(s.find() for s in symbols if builder.static_size(s) is None)
        for root in used:
            word = builder.words.of[root]
            builder.extents[word] = add_argument(self.body, INDEX)
            self.places.append(word)

    def finish(self, end: Operation, returns_tuple: bool) -> Kernel:
        builder = self.builder
        results: list[SSAValue] = []
        outputs: list[TensorOutput] = []
        layouts: list[LayoutAttr] = []
        for result in end.operands:
            order = self.order_of_result(result)
            shape, of = builder.shapes[result], builder.dtype_of(result)
            words = [builder.words.word(symbol) for symbol in shape]
            sizes = tuple(1 if word is None else Sym(word) for word in words)
            outputs.append(TensorOutput(of.name, sizes, order))
            if order is not None:
                words = [words[axis] for axis in order]
                result = self.in_memory(result, order, like=end)
            results.append(result)
            layouts.append(layout(_sizes(words)))
        erase(end)
        self.body.add_op(ReturnOp(*results))
        function = FuncOp(
            self.name,
            FunctionType.from_lists(list(self.body.arg_types), [v.type for v in results]),
            Region(self.body),
        )
        signature = SignatureOp(self.name, self.places, layouts, builder.words.count)
        functions: list[Operation] = [function, signature]
        if builder.words.need_function:
            functions.append(sizes_function(builder.words))
        inputs = tuple(self.inputs)
        return Kernel(
            ModuleOp(functions), inputs, tuple(outputs), builder.words.count, returns_tuple
        )

    def order_of_result(self, result: SSAValue) -> tuple[int, ...] | None:
        """The order in memory of the dimensions of a result; None where that is their own. Kernels make no tensors with gaps."""
        type_ = self.builder.type_of(result)
        if not isinstance(type_, TensorType):
            raise LoweringError(f"a result of type {spell(type_)} is not compiled")
        sizes, strides = type_.sizes, type_.strides
        if strides is None or sizes is None:
            if any(isinstance(one, TensorInput) and one.strides for one in self.inputs):
                raise LoweringError("the strides of a result are not known")
            return None
        order = self.builder.order_of(result)
        if order is None and not _is_contiguous(
            complete(sizes, "sizes"), complete(strides, "strides")
        ):
            raise LoweringError("a result has gaps")
        return None if order == tuple(range(len(sizes))) else order

    def in_memory(self, result: SSAValue, order: tuple[int, ...], like: Operation) -> SSAValue:
        """A result with its dimensions in the order of memory, copied where it was computed in another."""
        builder = self.builder
        shape, of = builder.shapes[result], builder.dtype_of(result)
        turned = tuple(shape[axis] for axis in order)
        return builder.dense(builder.transpose(result, turned, of, order), like, of)


def _is_given(value: SSAValue) -> bool:
    """Whether a value is an argument of the kernel, or a view."""
    return not isinstance(value.owner, Operation) or is_view(value.owner)


def _is_seen_after(value: SSAValue, op: Operation) -> bool:
    """Whether a value or a view of it is used after an op."""
    users = [use.operation for use in value.uses if use.operation is not op]
    return any(
        op.is_before_in_block(user)
        or (is_view(user) and any(_is_seen_after(one, op) for one in user.results))
        for user in users
    )


def _is_contiguous(sizes: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    dense = contiguous_strides(sizes)
    if 0 in sizes:
        return True
    return all(size == 1 or a == b for size, a, b in zip(sizes, strides, dense, strict=True))


def _sizes(words: Sequence[int | None]) -> tuple[int, ...]:
    return tuple(STATIC_DIM if word is None else word for word in words)


def _strides(found: Sequence[Dim]) -> tuple[int, ...]:
    marks = {0: ZERO_STRIDE, 1: UNIT_STRIDE}
    return tuple(one.index if isinstance(one, Sym) else marks[one] for one in found)
