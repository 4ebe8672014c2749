"""Merges pointwise `linalg.generic`s over the same sizes into one with several results.

Producers and consumers join, and so do siblings: one loop then reads every operand once, and
what only the fused operations use is never stored. An operation joins the group of one of its
operands (or the latest group of its size) unless something outside the group would have to run
between the two. Each group is built once, at the end; operations move, none is cloned.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.passes import ModulePass

from lowering.dialects.kernel import SignatureOp
from lowering.dialects.linalg_ext import MultiResultGenericOp
from lowering.extents import Dims, Extents
from lowering.kernel_functions import input_kernels
from lowering.shaped import element_type


def is_pointwise(op: Operation) -> bool:
    """Whether `op` computes each element of its results from scratch, in a parallel loop nest."""
    if not isinstance(op, linalg.GenericOp) or not op.res:
        return False
    if any(it.data is not IteratorType.PARALLEL for it in op.iterator_types.data):
        return False
    inputs = len(op.inputs)
    maps = op.indexing_maps.data
    if not all(is_identity(attr) for attr in maps[inputs:]):
        return False
    return not any(argument.uses for argument in op.body.block.args[inputs:])


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


@dataclass(frozen=True)
class FuseElementwisePass(ModulePass):
    """See the module's docstring."""

    name = "ts-fuse-elementwise"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        for func, signature in input_kernels(op, self.name):
            fuse(func, signature)


def fuse(func: FuncOp, signature: SignatureOp) -> None:
    """Fuses within the one block of `func`."""
    block = func.body.block
    if sum(map(is_pointwise, block.ops)) < 2:
        return
    extents = Extents(func, signature)
    unit_of: dict[Operation, Unit] = {}
    latest: dict[Dims, Unit] = {}
    for op in block.ops:
        if is_pointwise(op):
            assert isinstance(op, linalg.GenericOp)
            dims = extents.dims(op.res[0])
            unit = choose(op, dims, unit_of, latest.get(dims))
            latest[dims] = unit
        else:
            unit = Unit(None)
        unit.members.append(op)
        unit_of[op] = unit
    order = schedule(block, unit_of)
    for unit in order:
        if len(unit.members) > 1:
            merged = merge([op for op in unit.members if isinstance(op, linalg.GenericOp)])
            unit.members = merged
    for op in list(block.ops):
        op.detach()
    for unit in order:
        block.add_ops(unit.members)


def choose(
    op: linalg.GenericOp, dims: Dims, unit_of: dict[Operation, Unit], latest: Unit | None
) -> Unit:
    """The group that `op` joins; a new one where it may join none."""
    candidates: list[Unit] = []
    for value, attr in zip(op.inputs, op.indexing_maps.data, strict=False):
        producer = unit_of.get(value.owner) if isinstance(value.owner, Operation) else None
        if producer is not None and producer.dims == dims and is_identity(attr):
            candidates.append(producer)
    if latest is not None:
        candidates.append(latest)
    for unit in reversed(candidates):
        if may_join(op, unit, unit_of):
            return unit
    return Unit(dims)


def may_join(op: linalg.GenericOp, unit: Unit, unit_of: dict[Operation, Unit]) -> bool:
    """False where `op` needs a value of `unit` from all elements, or through another unit."""
    pending: list[Unit] = []
    for value, attr in zip(op.inputs, op.indexing_maps.data, strict=False):
        source = unit_of.get(value.owner) if isinstance(value.owner, Operation) else None
        if source is unit and not is_identity(attr):
            return False
        if source is not None and source is not unit:
            pending.append(source)
    for inner in op.body.block.ops:
        pending += outer_units(inner, unit_of)
    seen: set[int] = set()
    while pending:
        current = pending.pop()
        if current is unit:
            return False
        if id(current) not in seen:
            seen.add(id(current))
            pending += dependencies(current, unit_of)
    return True


def outer_units(op: Operation, unit_of: dict[Operation, Unit]) -> list[Unit]:
    """The units of the operands of `op` that stand in the function's block."""
    owners = (value.owner for value in op.operands)
    return [unit_of[owner] for owner in owners if isinstance(owner, Operation) and owner in unit_of]


def dependencies(unit: Unit, unit_of: dict[Operation, Unit]) -> list[Unit]:
    """The units other than itself whose values `unit` uses."""
    found: list[Unit] = []
    for member in unit.members:
        for op in member.walk():
            found += [other for other in outer_units(op, unit_of) if other is not unit]
    return found


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


def merge(members: list[linalg.GenericOp]) -> list[Operation]:
    """One generic that does what `members` do.

    The results that stay are those used outside of the group.
    """
    block = members[0].parent
    inside = set(members)
    body = Block()
    values: dict[SSAValue, SSAValue] = {}
    arguments: dict[tuple[SSAValue, AffineMapAttr], SSAValue] = {}
    kept: list[tuple[SSAValue, SSAValue, AffineMapAttr]] = []
    yielded: list[SSAValue] = []
    for op in members:
        inner = op.body.block
        maps = op.indexing_maps.data
        for argument, value, attr in zip(inner.args, op.inputs, maps, strict=False):
            replacement = values.get(value) or arguments.get((value, attr))
            if replacement is None:
                replacement = body.insert_arg(argument.type, len(body.args))
                arguments[value, attr] = replacement
            argument.replace_all_uses_with(replacement)
        terminator = inner.last_op
        assert terminator is not None
        results = list(terminator.operands)
        for inner_op in list(inner.ops):
            inner_op.detach()
            if inner_op is not terminator:
                body.add_op(inner_op)
        outputs = zip(op.res, results, op.outputs, maps[len(op.inputs) :], strict=True)
        for result, value, out, attr in outputs:
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
        members[0].iterator_types,
        [result.type for result, _, _ in kept],
    )
    for (result, _, _), new in zip(kept, fused.res, strict=True):
        result.replace_all_uses_with(new)
    assert block is not None
    for op in reversed(members):
        block.erase_op(op)
    return [fused]
