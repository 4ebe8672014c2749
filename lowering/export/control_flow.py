"""`prim.If` and `prim.Loop` become `scf.if`, `scf.for` and `scf.while`, whose values are tensors and numbers.

A tensor has the same sizes in both blocks of a branch, and keeps them from trip to trip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from lowering.create import NONE, create
from lowering.export.export_builder import ExportBuilder
from lowering.kernel import LoweringError
from lowering.linalg.conversion import SCALARS, kind_of, spell
from lowering.linalg.operands import constant, is_known
from lowering.linalg.tensor_builder import INDEX, NO_OVERFLOW_FLAGS
from lowering.shaped import integer_attribute
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import (
    erase,
    insert_before,
    replace_uses,
    set_type,
    terminator,
)
from torchscript_dialect.ir.pattern_driver import RootedPattern
from torchscript_dialect.tensor.dtype import int64
from torchscript_dialect.types.tensor_type import TensorType

UNBOUNDED = (1 << 63) - 1
"""The trip count of a `while`."""


# Shapes, which are found before anything is converted.


def find_branch_shapes(b: ExportBuilder, op: prim.IfOp) -> None:
    """The shapes of the results of a branch of whose blocks all is known."""
    yields = [prim.yielded(region) for region in op.regions]
    for result, *values in zip(op.results, *yields, strict=True):
        _declare(b, result, op)
        for unused in filter(_is_unused, values):
            b.types[unused] = result.type
        if not isinstance(result.type, TensorType):
            continue
        used = [value for value in values if not _is_unused(value)]
        for value in used[1:]:
            _unite(b, used[0], value)
        if used:
            b.shapes.update((value, b.shapes[used[0]]) for value in (result, *values))


def find_carried_shapes(b: ExportBuilder, op: prim.LoopOp) -> None:
    """The shapes of what the block of a loop takes."""
    number, *carried = op.body.block.args
    b.declare_number(number)
    for argument, value in zip(carried, op.carried, strict=True):
        _declare(b, argument, op)
        if isinstance(argument.type, TensorType):
            b.shapes[argument] = b.shapes[value]


def find_loop_shapes(b: ExportBuilder, op: prim.LoopOp) -> None:
    """The shapes of the results of a loop of whose block all is known."""
    arguments, values = op.body.block.args[1:], prim.yielded(op.body)[1:]
    for result, argument, value in zip(op.results, arguments, values, strict=True):
        _declare(b, result, op)
        if isinstance(result.type, TensorType):
            _unite(b, argument, value)
            b.shapes[result] = b.shapes[argument]


def _declare(b: ExportBuilder, value: SSAValue, op: Operation) -> None:
    """Note the dtype of a number.

    Raises:
        LoweringError: the value is no number, and no tensor of which all is known.
    """
    if value.type in SCALARS:
        b.declare_number(value)
    elif not isinstance(value.type, TensorType):
        raise LoweringError(
            f"{kind_of(op)} with a value of type {spell(value.type)} has no form in linalg"
        )
    elif not is_known(value):
        raise LoweringError(f"{kind_of(op)} gives a tensor whose sizes are not known")


def _is_unused(value: SSAValue) -> bool:
    return isinstance(value.owner, prim.UninitializedOp)


def _unite(b: ExportBuilder, one: SSAValue, other: SSAValue) -> None:
    for a, c in zip(b.shapes[one], b.shapes[other], strict=True):
        a.unite(c)


# Ops.

Convert = Callable[[Block], None]
"""Lowers the ops of a block, in place."""


class BranchLowering(RootedPattern):
    """`prim.If` becomes `scf.if`."""

    roots = (prim.IfOp,)

    def __init__(self, builder: ExportBuilder, convert: Convert) -> None:
        self.builder = builder
        self.convert = convert

    def rewrite(self, op: prim.IfOp, rewriter: PatternRewriter, /) -> None:
        b = self.builder
        types = [b.mlir_type(result) for result in op.results]
        made = create(scf.IfOp, (b.value(op.condition, op),), types)
        for region in list(op.regions):
            block = region.block
            with b.scope():
                self.convert(block)
                _yield(b, block, terminator(block).operands)
            made.add_region(_region_of(block))
        _replace(b, op, made, made.results, rewriter)


class LoopLowering(RootedPattern):
    """`prim.Loop` becomes `scf.for` where nothing but the number of trips ends it, and `scf.while` else."""

    roots = (prim.LoopOp,)

    def __init__(self, builder: ExportBuilder, convert: Convert) -> None:
        self.builder = builder
        self.convert = convert

    def rewrite(self, op: prim.LoopOp, rewriter: PatternRewriter, /) -> None:
        b, body = self.builder, op.body.block
        types = [b.mlir_type(argument) for argument in body.args]
        start = [b.value(value, op) for value in op.carried]
        goes_on = prim.yielded(op.body)[0]
        is_for = _is_true(op.condition) and _is_true(goes_on)
        for argument, type_ in zip(body.args, types, strict=True):
            b.types[argument] = argument.type
            set_type(argument, type_)
        made = self.counted(op, start) if is_for else self.conditional(op, start)
        _replace(b, op, made, made.results[len(made.results) - len(op.results) :], rewriter)

    def counted(self, op: prim.LoopOp, start: Sequence[SSAValue]) -> Operation:
        """The `scf.for`, whose number of the trip is of type index."""
        b, body = self.builder, op.body.block
        bounds = [
            _insert(op, arith.ConstantOp, (), INDEX, {"value": integer_attribute(number, INDEX)})
            for number in (0, 1)
        ]
        count = _insert(op, arith.IndexCastOp, (b.value(op.max_trip_count, op),), INDEX)
        number, first = body.args[0], body.first_op
        assert first is not None
        cast = create(arith.IndexCastOp, (), (i64,))
        replace_uses(number, cast.results[0])
        cast.operands = (number,)
        insert_before(first, cast)
        b.replaced(number, cast.results[0])
        set_type(number, INDEX)
        with b.scope():
            self.convert(body)
            _yield(b, body, terminator(body).operands[1:])
        types = [value.type for value in start]
        made = create(scf.ForOp, (bounds[0], count, bounds[1], *start), types)
        made.add_region(_region_of(body))
        return made

    def conditional(self, op: prim.LoopOp, start: Sequence[SSAValue]) -> Operation:
        """The `scf.while`, which carries the number of the trip and whether there is another, too."""
        b, body = self.builder, op.body.block
        begin = [b.insert_number(0, int64, op), b.value(op.condition, op), *start]
        count = constant(op.max_trip_count)
        limit = None
        if count is None or count.value != UNBOUNDED:
            limit = b.value(op.max_trip_count, op)
        types: list[Attribute] = [value.type for value in begin]
        before = Block(arg_types=types)
        number, holds, *_ = before.args
        check: SSAValue = holds
        if limit is not None:
            less = create(
                arith.CmpiOp, (number, limit), (i1,), {"predicate": integer_attribute(2, i64)}
            )
            both = create(arith.AndIOp, (less.results[0], holds), (i1,))
            before.add_ops([less, both])
            check = both.results[0]
        before.add_op(create(scf.ConditionOp, (check, *before.args), ()))
        body.insert_arg(i1, 1)
        with b.scope():
            self.convert(body)
            end = terminator(body)
            one = b.insert_number(1, int64, end)
            operands = (body.args[0], one)
            following = _insert(end, arith.AddiOp, operands, i64, NO_OVERFLOW_FLAGS)
            _yield(b, body, (following, *end.operands))
        made = create(scf.WhileOp, begin, types)
        made.add_region(Region(before))
        made.add_region(_region_of(body))
        return made


def _is_true(value: SSAValue) -> bool:
    found = constant(value)
    return found is not None and found.value is True


def _insert(
    before: Operation,
    op_class: type[Operation],
    operands: Sequence[SSAValue],
    type_: Attribute,
    properties: Mapping[str, Attribute] = NONE,
) -> SSAValue:
    op = create(op_class, operands, (type_,), properties)
    insert_before(before, op)
    return op.results[0]


def _yield(b: ExportBuilder, block: Block, values: Sequence[SSAValue]) -> None:
    """End a block with `scf.yield`."""
    end = terminator(block)
    given = [b.value(value, end) for value in values]
    erase(end)
    block.add_op(create(scf.YieldOp, given, ()))


def _region_of(block: Block) -> Region:
    """A region of its own for a block that stands in another."""
    region = block.parent
    assert region is not None
    return Region(region.detach_block(block))


def _replace(
    b: ExportBuilder,
    op: Operation,
    made: Operation,
    results: Sequence[SSAValue],
    rewriter: PatternRewriter,
) -> None:
    made.location = op.location
    for old, new in zip(op.results, results, strict=True):
        b.replaced(old, new)
    rewriter.replace(op, made, results)
