"""`ts-convert-torch-to-linalg`: fusion groups to kernels over tensors (Note [Kernel input form] in lowering/kernel.py).

Every `prim.TensorExprGroup` of the module becomes a kernel function. A module without one becomes the kernel of its first
function, which then must hold nothing but what a group may hold. Sizes become symbols: Note [Symbolic sizes].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    UnitAttr,
    f64,
    i1,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from lowering.kernel import (
    DIMS,
    KERNEL,
    SIZES,
    STATIC_DIM,
    STRIDES,
    SYM,
    SYMS,
    UNIT_STRIDE,
    ZERO_STRIDE,
    LoweringError,
)
from lowering.linalg import matmul, pointwise, views
from lowering.linalg.graph_builder import INDEX, GraphBuilder, integers
from lowering.linalg.symbolic_shapes import Definition, Shape, Symbol, fresh
from torchscript_dialect.backend import (
    Dim,
    Input,
    ScalarInput,
    ScalarKind,
    Sym,
    TensorInput,
    TensorOutput,
)
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.dtype import bool_, dtype, float64, int64
from torchscript_dialect.tensor.strides import contiguous_strides
from torchscript_dialect.types.core import BOOL, FLOAT, INT, TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType

_SGE = arith.CMPI_COMPARISON_OPERATIONS.index("sge")

Rule = tuple[Callable[[GraphBuilder, Any], None], Callable[[GraphBuilder, Any], None]]

RULES: dict[str, Rule] = {
    "aten::mm": (matmul.mm_shape, matmul.emit_mm),
    "aten::matmul": (matmul.mm_shape, matmul.emit_mm),
    "aten::addmm": (matmul.addmm_shape, matmul.emit_addmm),
    "aten::linear": (matmul.linear_shape, matmul.emit_linear),
    "aten::t": (matmul.t_shape, matmul.emit_t),
    "aten::unsqueeze": (views.unsqueeze_shape, views.emit_unsqueeze),
    "aten::cat": (views.cat_shape, views.emit_cat),
}
"""By operator, how the shape of its result is found and what ops it becomes; pointwise operators have one rule."""

_SCALARS: dict[TorchScriptType, tuple[ScalarKind, dtype, Attribute]] = {
    INT: ("int", int64, i64),
    FLOAT: ("float", float64, f64),
    BOOL: ("bool", bool_, i1),
}


@dataclass
class Kernel:
    """A kernel in input form, and how its arguments and results are described to the runtime."""

    module: ModuleOp
    inputs: tuple[Input, ...]
    outputs: tuple[TensorOutput, ...]
    syms: int


@dataclass(frozen=True)
class ConvertTorchToLinalgPass(ModulePass):
    """See the module."""

    name = "ts-convert-torch-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        groups = [found for found in op.walk() if isinstance(found, prim.TensorExprGroupOp)]
        bodies: list[Block] = [group.body for group in groups]
        if not groups:
            functions = [f for f in op.body.ops if isinstance(f, FuncOp)]
            if not functions:
                return
            bodies = [functions[0].body.block]
        kernels = [
            convert(body, f"kernel_{index}" if len(bodies) > 1 else "kernel")
            for index, body in enumerate(bodies)
        ]
        for old in list(op.body.ops):
            op.body.block.erase_op(old, safe_erase=False)
        for kernel in kernels:
            for new in list(kernel.module.body.ops):
                new.detach()
                op.body.block.add_op(new)


def convert(body: Block, name: str = "kernel", *, has_static_sizes: bool = False) -> Kernel:
    """The kernel of a group's block, whose tensor arguments have complete types.

    With `has_static_sizes` the sizes of the arguments are those of the types, and no word of syms holds any.

    Raises:
        LoweringError: the block holds what cannot be compiled; the message names it.
    """
    return _Conversion(body, name, has_static_sizes).kernel()


class _Conversion:
    def __init__(self, body: Block, name: str, has_static_sizes: bool) -> None:
        self.body = body
        self.name = name
        self.builder = GraphBuilder(has_static_sizes=has_static_sizes)
        self.attributes: list[dict[str, Attribute]] = []
        self.inputs: list[Input] = []

    def kernel(self) -> Kernel:
        builder = self.builder
        for argument in self.body.args:
            self.find_argument(argument)
        for op in self.body.ops:
            self.find_shape(op)
        for argument in self.body.args:
            self.emit_argument(argument)
        results = tuple(self.body.last_op.operands) if self.body.last_op is not None else ()
        self.emit_words(results)
        for op in self.body.ops:
            self.rule(op)[1](builder, op)
        return self.finish(results)

    def find_shape(self, op: Operation) -> None:
        try:
            self.rule(op)[0](self.builder, op)
        except KeyError as error:
            value = error.args[0]
            if not isinstance(value, SSAValue):
                raise
            kind, type_ = getattr(op, "KIND", op.name), cast("SSAValue", value).type
            raise LoweringError(
                f"{kind} of an operand of type {_spell(type_)} is not compiled"
            ) from None

    def rule(self, op: Operation) -> Rule:
        if isinstance(op, prim.ConstantOp) or op is self.body.last_op:
            return (_nothing, _nothing)
        if isinstance(op, prim.ConstantChunkOp):
            return (views.chunk_shape, views.emit_chunk)
        if isinstance(op, prim.ListConstructOp):
            return (_list, _nothing)
        if isinstance(op, OperatorOp) and op.OPERATOR is not None:
            rule = RULES.get(op.OPERATOR.qualified_name)
            if rule is not None:
                return rule
            if op.OPERATOR.rules.pointwise is not None and not op.OPERATOR.schema.is_mutable:
                return (pointwise.shape, pointwise.emit)
        raise LoweringError(f"{getattr(op, 'KIND', op.name)} has no rule for linalg")

    # Arguments.

    def find_argument(self, argument: SSAValue) -> None:
        type_ = argument.type
        if isinstance(type_, TensorType):
            self.builder.shapes[argument] = fresh(_complete(type_.sizes, "sizes"))
        elif type_ not in _SCALARS:
            raise LoweringError(f"an input of type {_spell(type_)} cannot be given to a kernel")

    def emit_argument(self, argument: SSAValue) -> None:
        builder = self.builder
        type_ = argument.type
        if not isinstance(type_, TensorType):
            assert isinstance(type_, TorchScriptType)
            kind, of, mlir = _SCALARS[type_]
            word = builder.words.new()
            builder.scalars[argument] = (
                builder.block.insert_arg(mlir, len(builder.block.args)),
                of,
            )
            self.attributes.append({SYM: IntegerAttr(word, i64)})
            self.inputs.append(ScalarInput(kind, Sym(word)))
            return
        shape, of = builder.shapes[argument], builder.dtype_of(argument)
        words = [builder.words.bind(symbol) for symbol in shape]
        attributes: dict[str, Attribute] = {
            DIMS: integers([STATIC_DIM if word is None else word for word in words])
        }
        strides = self.strides(type_, shape, attributes)
        dims = tuple(1 if word is None else Sym(word) for word in words)
        self.inputs.append(TensorInput(of.name, dims, strides))
        self.attributes.append(attributes)
        mlir_type = builder.type_of(shape, of)
        builder.tensors[argument] = builder.block.insert_arg(mlir_type, len(builder.block.args))
        builder.tensors[argument].name_hint = argument.name_hint

    def strides(
        self, type_: TensorType, shape: Shape, attributes: dict[str, Attribute]
    ) -> tuple[Dim, ...] | None:
        """Words for the strides of an argument that is not contiguous; None for one that is."""
        sizes, strides = _complete(type_.sizes, "sizes"), _complete(type_.strides, "strides")
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
        self.builder.words.descending(found)
        marks = {0: ZERO_STRIDE, 1: UNIT_STRIDE}
        attributes[STRIDES] = integers(
            [one.index if isinstance(one, Sym) else marks[one] for one in found]
        )
        return tuple(found)

    # Words.

    def emit_words(self, results: tuple[SSAValue, ...]) -> None:
        """Give every size of the graph a word, and make an index value of it."""
        builder = self.builder
        symbols = [symbol for shape in builder.shapes.values() for symbol in shape]
        for symbol in symbols:
            builder.words.word(symbol)
        builder.words.constraints(symbols)
        used = dict.fromkeys(s.find() for s in symbols if builder.static_size(s) is None)
        for root in used:
            word = builder.words.of[root]
            builder.extents[word] = builder.block.insert_arg(INDEX, len(builder.block.args))
            self.attributes.append({SYM: IntegerAttr(word, i64)})

    def finish(self, results: tuple[SSAValue, ...]) -> Kernel:
        builder = self.builder
        outputs: list[TensorOutput] = []
        result_attributes: list[Attribute] = []
        for result in results:
            self.require_contiguous(result)
            shape, of = builder.shapes[result], builder.dtype_of(result)
            words = [builder.words.word(symbol) for symbol in shape]
            outputs.append(
                TensorOutput(of.name, tuple(1 if word is None else Sym(word) for word in words))
            )
            dims = integers([STATIC_DIM if word is None else word for word in words])
            result_attributes.append(DictionaryAttr({DIMS: dims}))
        values = [builder.tensors[result] for result in results]
        builder.block.add_op(ReturnOp(*values))
        function = FuncOp(
            self.name,
            FunctionType.from_lists(list(builder.block.arg_types), [v.type for v in values]),
            Region(builder.block),
            arg_attrs=ArrayAttr([DictionaryAttr(entry) for entry in self.attributes]),
            res_attrs=ArrayAttr(
                [entry for entry in result_attributes if isinstance(entry, DictionaryAttr)]
            ),
        )
        function.attributes[KERNEL] = UnitAttr()
        function.attributes[SYMS] = IntegerAttr(builder.words.count, i64)
        functions: list[Operation] = [function]
        if builder.words.computed or builder.words.checked or builder.words.ordered:
            functions.append(_sizes_function(builder))
        return Kernel(ModuleOp(functions), tuple(self.inputs), tuple(outputs), builder.words.count)

    def require_contiguous(self, result: SSAValue) -> None:
        """Refuse a result that the operators would not make contiguous: kernels make no others."""
        if not isinstance(result.type, TensorType):
            raise LoweringError(f"a result of type {_spell(result.type)} is not compiled")
        sizes, strides = result.type.sizes, result.type.strides
        if strides is None or sizes is None:
            if any(isinstance(one, TensorInput) and one.strides for one in self.inputs):
                raise LoweringError("the strides of a result are not known")
        elif not _is_contiguous(_complete(sizes, "sizes"), _complete(strides, "strides")):
            raise LoweringError("a result is not contiguous")


def _is_contiguous(sizes: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    dense = contiguous_strides(sizes)
    if 0 in sizes:
        return True
    return all(size == 1 or a == b for size, a, b in zip(sizes, strides, dense, strict=True))


def _complete(dims: tuple[int | None, ...] | None, what: str) -> tuple[int, ...]:
    known = tuple(dim for dim in dims or () if dim is not None)
    if dims is None or len(known) != len(dims):
        raise LoweringError(f"the {what} of an input of the group are not known")
    return known


def _spell(type_: Attribute) -> str:
    return type_.repr_str if isinstance(type_, TorchScriptType) else str(type_)


def _nothing(builder: GraphBuilder, op: Operation) -> None:
    pass


def _list(builder: GraphBuilder, op: prim.ListConstructOp) -> None:
    builder.lists[op.results[0]] = list(op.operands)


def _sizes_function(builder: GraphBuilder) -> FuncOp:
    """`sizes(syms) -> i1`: computes the words that inputs do not bind, and checks the constraints."""
    type_ = MemRefType(i64, [DYNAMIC_INDEX])
    block = Block(arg_types=[type_])
    flags: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}

    def add(
        class_: type[Operation], operands: list[SSAValue], result: Attribute, **more: Any
    ) -> SSAValue:
        op = class_.create(operands=operands, result_types=[result], properties=more)
        block.add_op(op)
        return op.results[0]

    def number(value: int) -> SSAValue:
        return add(arith.ConstantOp, [], i64, value=IntegerAttr(value, i64))

    def place(word: int) -> SSAValue:
        return add(arith.ConstantOp, [], INDEX, value=IntegerAttr(word, INDEX))

    def load(symbol: Symbol) -> SSAValue:
        word = builder.words.word(symbol)
        if word is None:
            return number(1)
        return add(memref.LoadOp, [block.args[0], place(word)], i64)

    holds = add(arith.ConstantOp, [], i1, value=IntegerAttr(1, i1, truncate_bits=True))

    def require(a: SSAValue, b: SSAValue) -> None:
        nonlocal holds
        equal = add(arith.CmpiOp, [a, b], i1, predicate=IntegerAttr(0, i64))
        holds = add(arith.AndIOp, [holds, equal], i1)

    def total(definition: Definition) -> SSAValue:
        value = load(definition.operands[0])
        for operand in definition.operands[1:]:
            value = add(arith.AddiOp, [value, load(operand)], i64, **flags)
        return value

    for symbol, definition in builder.words.computed:
        if definition.kind == "part":
            whole = load(definition.operands[0])
            value = add(arith.DivSIOp, [whole, number(definition.parts)], i64)
            require(add(arith.MuliOp, [value, number(definition.parts)], i64, **flags), whole)
        else:
            value = total(definition)
        word = builder.words.word(symbol)
        assert word is not None
        block.add_op(memref.StoreOp.create(operands=[value, block.args[0], place(word)]))
    for symbol, definition in builder.words.checked:
        if definition.kind == "part":
            product = [load(symbol), number(definition.parts)]
            require(add(arith.MuliOp, product, i64, **flags), load(definition.operands[0]))
        else:
            require(total(definition), load(symbol))
    for larger, smaller in builder.words.ordered:
        a = add(memref.LoadOp, [block.args[0], place(larger)], i64)
        b = add(memref.LoadOp, [block.args[0], place(smaller)], i64)
        descends = add(arith.CmpiOp, [a, b], i1, predicate=IntegerAttr(_SGE, i64))
        holds = add(arith.AndIOp, [holds, descends], i1)
    block.add_op(ReturnOp(holds))
    return FuncOp(SIZES, ([type_], [i1]), Region(block))
