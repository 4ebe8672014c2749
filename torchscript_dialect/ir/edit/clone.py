"""Copies of ops and blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.ir.edit.blocks import add_output, move_to_end, outputs
from torchscript_dialect.ir.edit.links import body_ops, new_op, operands_of, set_name

ValueMap = dict[SSAValue, SSAValue]
"""What stands in a copy for each value of the original."""

Outside = Callable[[SSAValue], SSAValue]
"""What stands in a copy for a value that is defined outside of what is copied."""


def clone(op: Operation, values: ValueMap, outside: Outside | None = None) -> Operation:
    """A copy of an op with its blocks, operands renamed by `values`, which learns of the new results."""
    operands = [_mapped(operand, values, outside) for operand in operands_of(op)]
    types = [result.type for result in op.results]
    copy = new_op(type(op), operands, types, dict(op.attributes), op.location)
    if op.properties:
        copy.properties = dict(op.properties)
    _match(op.results, copy.results, values)
    for region in op.regions:
        copy.add_region(Region(clone_block(region.block, values, outside)))
    return copy


def clone_nodes(
    ops: Iterable[Operation], values: ValueMap, put: Callable[[Operation], object]
) -> None:
    """Copy ops, `put` each copy in its place, and record what the results became in `values`."""
    for op in ops:
        put(clone(op, values))


def clone_block(
    old: Block, values: ValueMap | None = None, outside: Outside | None = None
) -> Block:
    """A copy of a block that is in no op yet; see `clone`."""
    values = {} if values is None else values
    new = Block(arg_types=old.arg_types)
    _match(old.args, new.args, values)
    for op in old.ops:
        new.add_op(clone(op, values, outside))
    return new


def clone_into(source: Block, target: Block, outside: Outside | None = None) -> None:
    """Append copies of all ops and outputs of `source` to `target`."""
    values: ValueMap = {}
    for op in body_ops(source):
        move_to_end(clone(op, values, outside), target)
    for value in outputs(source):
        add_output(target, _mapped(value, values, outside))


def _mapped(value: SSAValue, values: ValueMap, outside: Outside | None) -> SSAValue:
    found = values.get(value)
    if found is not None:
        return found
    return value if outside is None else outside(value)


def _match(old: Iterable[SSAValue], new: Iterable[SSAValue], values: ValueMap) -> None:
    """Record which new value stands for which old one, and give it the name."""
    for before, after in zip(old, new, strict=True):
        values[before] = after
        if before.name_hint is not None:
            set_name(after, before.name_hint)
