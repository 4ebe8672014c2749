"""Merges pointwise `linalg.generic`s over the same sizes into one with several results.

Producers and consumers join, and so do siblings: one loop then reads every operand once, and
what only the fused operations use is never stored. An operation joins the group of one of its
operands (or the latest group of its size) unless something outside the group would have to run
between the two. Each group is built once, at the end; operations move, none is cloned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan

from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.passes import ModulePass

from lowering.dialects.kernel import SignatureOp
from lowering.dialects.linalg_ext import MultiResultGenericOp
from lowering.extents import Dims, Extents
from lowering.kernel_functions import input_kernels
from lowering.shaped import constant_number, element_type
from torchscript_dialect.ir.edit import detach, operands_of, replace_uses


def is_identity(attr: AffineMapAttr) -> bool:
    """Whether an indexing map passes its loop indices on unchanged."""
    results = attr.data.results
    return len(results) == attr.data.num_dims and all(
        isinstance(e, AffineDimExpr) and e.position == i for i, e in enumerate(results)
    )


@dataclass(eq=False)
class Unit:
    """Operations that end up as one: a group of pointwise ones, or a single other one."""

    dims: Dims | None
    members: list[Operation] = field(default_factory=list[Operation])
    needs: list[Operation] = field(default_factory=list[Operation])
    """The operations of the block whose results the members use."""


Operand = tuple[SSAValue, AffineMapAttr]


@dataclass(eq=False)
class Pointwise:
    """A pointwise operation, how many inputs it has, and the maps of all its operands."""

    op: linalg.GenericOp
    count: int
    maps: Sequence[AffineMapAttr]

    @property
    def inputs(self) -> list[Operand]:
        """The inputs, as they are now: what was merged has other results."""
        return list(zip(self.op.operands, self.maps, strict=True))[: self.count]

    @property
    def outputs(self) -> list[Operand]:
        """The outs, as they are now."""
        return list(zip(self.op.operands, self.maps, strict=True))[self.count :]

    @staticmethod
    def of(op: Operation) -> Pointwise | None:
        """`op`, if it computes each element of its results from scratch, in a parallel loop nest."""
        if not isinstance(op, linalg.GenericOp) or not op.results:
            return None
        if any(it.data is not IteratorType.PARALLEL for it in op.iterator_types.data):
            return None
        outputs = len(op.results)
        maps = op.indexing_maps.data
        if not all(is_identity(attr) for attr in maps[-outputs:]):
            return None
        if any(argument.first_use for argument in op.body.block.args[-outputs:]):
            return None
        return Pointwise(op, len(maps) - outputs, maps)


class FuseElementwisePass(ModulePass):
    """See the module's docstring."""

    name = "ts-fuse-elementwise"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        for func, signature in input_kernels(op, self.name):
            fuse(func, signature)


def fuse(func: FuncOp, signature: SignatureOp) -> None:
    """Fuses within the one block of `func`."""
    block = func.body.block
    found = [(op, Pointwise.of(op)) for op in block.ops]
    pointwise = {op: one for op, one in found if one is not None}
    if len(pointwise) < 2:
        return
    extents = Extents(func, signature)
    unit_of: dict[Operation, Unit] = {}
    latest: dict[Dims, Unit] = {}
    for op, one in found:
        needs = needed(op, block)
        if one is not None:
            dims = extents.dims(op.results[0])
            unit = choose(one, needs, dims, unit_of, latest.get(dims))
            latest[dims] = unit
        else:
            unit = Unit(None)
        unit.members.append(op)
        unit.needs += needs
        unit_of[op] = unit
    order = schedule(block, unit_of)
    for unit in order:
        if len(unit.members) > 1:
            unit.members = [merge([pointwise[op] for op in unit.members])]
    for op in list(block.ops):
        detach(op)
    for unit in order:
        block.add_ops(unit.members)


def needed(op: Operation, block: Block) -> list[Operation]:
    """The operations of `block` whose results `op` uses, or what is in its regions."""
    values = [*operands_of(op)]
    for region in op.regions:
        for inner in (inner for each in region.blocks for inner in each.walk()):
            values += operands_of(inner)
    owners = dict.fromkeys(value.owner for value in values)
    return [one for one in owners if isinstance(one, Operation) and one.parent is block]


def choose(
    one: Pointwise,
    needs: Sequence[Operation],
    dims: Dims,
    unit_of: dict[Operation, Unit],
    latest: Unit | None,
) -> Unit:
    """The group that an operation joins; a new one where it may join none."""
    candidates: list[Unit] = []
    for value, attr in one.inputs:
        producer = unit_of.get(value.owner) if isinstance(value.owner, Operation) else None
        if producer is not None and producer.dims == dims and is_identity(attr):
            candidates.append(producer)
    if latest is not None:
        candidates.append(latest)
    for unit in reversed(candidates):
        if may_join(one, needs, unit, unit_of):
            return unit
    return Unit(dims)


def may_join(
    one: Pointwise, needs: Sequence[Operation], unit: Unit, unit_of: dict[Operation, Unit]
) -> bool:
    """False where an operation needs a value of `unit` from all elements, or through another unit."""
    for value, attr in one.inputs:
        source = unit_of.get(value.owner) if isinstance(value.owner, Operation) else None
        if source is unit and not is_identity(attr):
            return False
    direct = {value.owner for value, _ in one.inputs}
    if any(unit_of[op] is unit and op not in direct for op in needs):
        return False
    pending = [other for op in needs if (other := unit_of[op]) is not unit]
    seen: set[int] = set()
    while pending:
        current = pending.pop()
        if current is unit:
            return False
        if id(current) not in seen:
            seen.add(id(current))
            pending += dependencies(current, unit_of)
    return True


def dependencies(unit: Unit, unit_of: dict[Operation, Unit]) -> list[Unit]:
    """The units other than itself whose values `unit` uses."""
    return [other for op in unit.needs if (other := unit_of[op]) is not unit]


def schedule(block: Block, unit_of: dict[Operation, Unit]) -> list[Unit]:
    """The units in an order where each follows what it depends on; stable otherwise."""
    order: list[Unit] = []
    done: set[int] = set()
    for op in block.ops:
        stack = [(unit_of[op], False)]
        while stack:
            unit, expanded = stack.pop()
            if id(unit) in done:
                continue
            if expanded:
                done.add(id(unit))
                order.append(unit)
                continue
            stack.append((unit, True))
            stack += [(other, False) for other in reversed(dependencies(unit, unit_of))]
    return order


def is_there(op: Operation, constants: dict[tuple[Attribute, str], SSAValue]) -> bool:
    """Whether `op` is a constant that nothing uses, or one that is among `constants`, which then is used instead."""
    number = constant_number(op)
    if number is None or isnan(number):
        return False
    (result,) = op.results
    if result.first_use is None:
        return True
    known = constants.setdefault(
        (result.type, repr(number)), result
    )  # zeros of two signs are equal, and not the same
    replace_uses(result, known)
    return known is not result


def merge(members: Sequence[Pointwise]) -> Operation:
    """One generic that does what `members` do.

    The results that stay are those used outside of the group.
    """
    first = members[0].op
    block = first.parent
    inside = {one.op for one in members}
    body = Block()
    values: dict[SSAValue, SSAValue] = {}
    arguments: dict[tuple[SSAValue, AffineMapAttr], SSAValue] = {}
    kept: list[tuple[SSAValue, SSAValue, AffineMapAttr]] = []
    yielded: list[SSAValue] = []
    constants: dict[tuple[Attribute, str], SSAValue] = {}
    for one in members:
        inner = one.op.body.block
        for argument, (value, attr) in zip(inner.args, one.inputs, strict=False):
            replacement = values.get(value) or arguments.get((value, attr))
            if replacement is None:
                replacement = body.insert_arg(argument.type, len(body.args))
                arguments[value, attr] = replacement
            replacement.name_hint = replacement.name_hint or argument.name_hint
            replace_uses(argument, replacement)
        *computing, terminator = inner.ops
        for inner_op in computing:
            detach(inner_op)
            if not is_there(inner_op, constants):
                body.add_op(inner_op)
        results = list(terminator.operands)
        terminator.detach()
        for result, value, (out, attr) in zip(one.op.results, results, one.outputs, strict=True):
            values[result] = value
            if any(use.operation not in inside for use in result.uses):
                kept.append((result, out, attr))
                yielded.append(value)
        terminator.erase()
    for result, _, _ in kept:
        body.insert_arg(element_type(result.type), len(body.args))
    body.add_op(linalg.YieldOp.create(operands=yielded))
    inputs = [value for value, _ in arguments]
    op_class = linalg.GenericOp if len(kept) == 1 else MultiResultGenericOp
    fused = op_class(
        inputs,
        [out for _, out, _ in kept],
        Region(body),
        ArrayAttr([*(attr for _, attr in arguments), *(attr for _, _, attr in kept)]),
        first.iterator_types,
        [result.type for result, _, _ in kept],
    )
    for (result, _, _), new in zip(kept, fused.res, strict=True):
        new.name_hint = new.name_hint or result.name_hint
        replace_uses(result, new)
    assert block is not None
    for one in reversed(members):
        block.erase_op(one.op)
    return fused
