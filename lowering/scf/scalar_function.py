"""The block of a function over numbers, as ops of arith and scf."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowering.create import create
from lowering.kernel import LoweringError
from lowering.linalg.conversion import SCALARS, kind_of
from lowering.linalg.scalar_builder import Scalar, ScalarBuilder, element_type
from lowering.loops.index_builder import INDEX
from lowering.scf.numbers import ITEM, LENGTH, MAY_FAIL, exact_lowering, may_fail
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.edit import body_ops
from torchscript_dialect.tensor.dtype import bool_, dtype, int64

UNBOUNDED = (1 << 63) - 1
"""The trip count of a `while`."""


class ScalarFunction:
    """The function in the making. `math` is what records ops of the block that is open; `fine` says there whether nothing has failed so
    far, None where nothing can have.
    """

    def __init__(self) -> None:
        self.math = ScalarBuilder()
        self.fine: Scalar | None = None
        self.values: dict[SSAValue, Scalar] = {}
        self.lists: dict[SSAValue, tuple[SSAValue, Scalar]] = {}
        """The memory and the length of lists."""
        self.scalars: dict[SSAValue, dtype] = {}
        """What the numbers that are made are computed in: lowerings of operators ask."""
        self.shapes: dict[SSAValue, Sequence[object]] = {}
        """Those of tensors, of which there are none."""

    # What lowerings of operators ask.

    def constant(self, value: SSAValue) -> object:
        """The number that a constant is."""
        assert isinstance(value.owner, prim.ConstantOp)
        return value.owner.value

    def fail_if(self, condition: Scalar, /) -> None:
        """Let the function fail where that holds: Note [Failures] in numbers.py."""
        fine = self.math.bit_not(condition)
        self.fine = fine if self.fine is None else self.math.bit_and(self.fine, fine)

    # Values.

    def define(self, value: SSAValue, number: Scalar) -> None:
        """Let a number stand for a value."""
        self.values[value] = number
        self.scalars[number.ssa] = number.dtype

    def number(self, value: SSAValue) -> Scalar:
        """The number that stands for a value."""
        if isinstance(value.owner, prim.ConstantOp):
            return self.math.number(value.owner.value, _dtype_of(value))
        if value not in self.values:
            raise LoweringError(
                "a loop over numbers computes with numbers alone, and gives them alone"
            )
        return self.values[value]

    # Nodes.

    def block(self, block: Block) -> None:
        """Record what the nodes of a block become; a tuple of results is its elements."""
        for op in body_ops(block):
            if isinstance(op, prim.IfOp):
                self.branch(op)
            elif isinstance(op, prim.LoopOp):
                self.loop(op)
            elif isinstance(op, OperatorOp) and len(op.results) == 1:
                self.define(op.results[0], self.operator(op))
            elif isinstance(op, prim.UninitializedOp):
                (result,) = op.results
                self.define(result, self.math.number(0, _dtype_of(result)))
            elif not isinstance(op, (prim.ConstantOp, prim.TupleConstructOp)):
                raise LoweringError(f"{kind_of(op)} has no form in a loop over numbers")

    def operator(self, op: OperatorOp) -> Scalar:
        """The number that an operator gives."""
        name = "" if op.OPERATOR is None else op.OPERATOR.qualified_name
        if name == LENGTH:
            return self.lists[op.operands[0]][1]
        if name == ITEM:
            return self.item(op)
        exact = exact_lowering(op)
        if exact is not None:
            renamed = [self.values[one].ssa if one in self.values else one for one in op.operands]
            copy = type(op).create(operands=renamed, result_types=[op.results[0].type])
            builder: Any = self  # as far as numbers ask
            lowering = exact(type(op), builder)
            lowering.shapes(builder, copy)
            found = lowering.number(builder, copy, self.math)
            copy.drop_all_references()
            return found
        if name not in MAY_FAIL:
            raise LoweringError(f"{kind_of(op)} has no form in a loop over numbers")
        return MAY_FAIL[name](self, [self.number(one) for one in op.operands])

    def item(self, op: OperatorOp) -> Scalar:
        """An item of a list: `scf.if` around `memref.load`, as only what is inside may be read."""
        items, length = self.lists[op.operands[0]]
        index, math, of = self.number(op.operands[1]), self.math, _dtype_of(op.results[0])
        place = math.where(math.lt(index, 0), math.add(index, length), index)
        inside = math.bit_and(math.ge(place, 0), math.lt(place, length))
        self.fail_if(math.bit_not(inside))
        with self.scope() as reads:
            at = reads.op(arith.IndexCastOp, (place,), int64, type_=INDEX)
            load = create(memref.LoadOp, (items, at.ssa), (element_type(of),))
            reads.ops.append(load)
            region = self.region([Scalar(load.results[0], of)])
        with self.scope() as nothing:
            otherwise = self.region([nothing.number(0, of)])
        (found,) = self.structured(scf.IfOp, [inside], [of], [region, otherwise])
        return found

    def branch(self, op: prim.IfOp) -> None:
        """`prim.If` becomes `scf.if`, which tells whether it failed besides."""
        condition, before, fails = self.number(op.condition), self.fine, may_fail(op)
        regions: list[Region] = []
        for region in op.regions:
            self.fine = before
            with self.scope():
                self.block(region.block)
                given = [self.number(value) for value in prim.yielded(region)]
                regions.append(self.region([*given, *self.told(fails)]))
        types = [*map(_dtype_of, op.results), *([bool_] * fails)]
        found = self.structured(scf.IfOp, [condition], types, regions)
        self.fine = found.pop() if fails else before
        for value, number in zip(op.results, found, strict=True):
            self.define(value, number)

    def loop(self, op: prim.LoopOp) -> None:
        """`prim.Loop` becomes `scf.while`, which carries the number of the trip, whether there is another, and, where something may
        fail, whether nothing has.
        """
        fails, body = may_fail(op), op.body.block
        start = [self.math.number(0, int64), self.number(op.condition)]
        start += [*self.told(fails), *map(self.number, op.carried)]
        kinds = [number.dtype for number in start]
        limit = self.number(op.max_trip_count)
        is_limited = not _is_unbounded(op.max_trip_count)
        outer = self.fine
        before = Block(arg_types=[element_type(of) for of in kinds])
        numbers = self.arguments(before, kinds)
        with self.scope() as checks:
            goes_on = numbers[1]
            if is_limited:
                goes_on = checks.bit_and(goes_on, checks.lt(numbers[0], limit))
            fine = numbers[2] if fails else outer
            if fine is not None:
                goes_on = checks.bit_and(goes_on, fine)
            before.add_ops(checks.ops)
        before.add_op(create(scf.ConditionOp, (goes_on.ssa, *before.args), ()))
        after = Block(arg_types=before.arg_types)
        trip, _, *carried = self.arguments(after, kinds)
        self.fine = carried.pop(0) if fails else outer
        for value, number in zip(body.args, [trip, *carried], strict=True):
            self.define(value, number)
        with self.scope() as inside:
            self.block(body)
            condition, *given = [self.number(value) for value in prim.yielded(op.body)]
            following = inside.add(trip, inside.number(1, int64))
            yielded = [following, condition, *self.told(fails), *given]
            after.add_ops(inside.ops)
        after.add_op(create(scf.YieldOp, [one.ssa for one in yielded], ()))
        regions = [Region(before), Region(after)]
        found = self.structured(scf.WhileOp, start, kinds, regions)[2:]
        self.fine = found.pop(0) if fails else outer
        for value, number in zip(op.results, found, strict=True):
            self.define(value, number)

    # Parts of these.

    def told(self, fails: bool) -> list[Scalar]:
        """Whether nothing has failed so far, where that is to be told."""
        if not fails:
            return []
        return [self.math.number(True, bool_) if self.fine is None else self.fine]

    @contextmanager
    def scope(self) -> Generator[ScalarBuilder]:
        """Record into another block."""
        outer, self.math = self.math, ScalarBuilder()
        try:
            yield self.math
        finally:
            self.math = outer

    def region(self, given: Sequence[Scalar]) -> Region:
        """What was recorded, as a region that ends with `scf.yield`."""
        values = [number.ssa for number in given]
        return Region(Block([*self.math.ops, create(scf.YieldOp, values, ())]))

    def arguments(self, block: Block, kinds: Sequence[dtype]) -> list[Scalar]:
        """The arguments of a block as numbers."""
        return [Scalar(value, of) for value, of in zip(block.args, kinds, strict=True)]

    def structured(
        self,
        op_class: type[Operation],
        operands: Sequence[Scalar],
        kinds: Sequence[dtype],
        regions: Sequence[Region],
    ) -> list[Scalar]:
        """Record an op with regions; its results."""
        types: list[Attribute] = [element_type(of) for of in kinds]
        made = create(op_class, [number.ssa for number in operands], types)
        for region in regions:
            made.add_region(region)
        self.math.ops.append(made)
        return [Scalar(value, of) for value, of in zip(made.results, kinds, strict=True)]


def _dtype_of(value: SSAValue) -> dtype:
    """What a number of TorchScript is computed in."""
    found = SCALARS.get(value.type)
    if found is None:
        raise LoweringError("a loop over numbers gives numbers alone")
    return found[1]


def _is_unbounded(limit: SSAValue) -> bool:
    return isinstance(limit.owner, prim.ConstantOp) and limit.owner.value == UNBOUNDED
