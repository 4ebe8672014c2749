"""Edits of nodes in place, so that what is known of a node by its identity stays known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, FunctionType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.ir.core import SSAValues

from torchscript_dialect.dialects.prim import ConstantOp
from torchscript_dialect.ir.edit import (
    all_ops,
    body_ops,
    erase,
    insert_before,
    move_before,
    operands_of,
    replace_uses,
    set_type,
    terminator,
)
from torchscript_dialect.types.core import TorchScriptType

__all__ = [
    "all_ops",
    "body_ops",
    "erase",
    "insert_before",
    "move_before",
    "operands_of",
    "replace_uses",
    "set_type",
    "terminator",
]


def update_function_type(function: FuncOp) -> None:
    """Make a function's type that of its block's arguments and results."""
    block = function.body.block
    last = block.last_op
    results = () if last is None else last.operand_types
    function.properties["function_type"] = FunctionType.from_lists(block.arg_types, results)


def erase_operands(op: Operation, gone: Iterable[int]) -> None:
    """Take operands away by their index."""
    indices = set(gone)
    op.operands = [v for i, v in enumerate(op.operands) if i not in indices]


def erase_results(op: Operation, gone: Iterable[int]) -> None:
    """Take results away that nothing uses, by their index; the node and the other results stay the
    same objects.
    """
    indices = set(gone)
    kept: list[OpResult] = []
    for index, result in enumerate(op.results):
        if index in indices:
            assert result.first_use is None, "a result that is used cannot be erased"
            continue
        result.index = len(kept)
        kept.append(result)
    op.results = SSAValues(kept)


def insert_results(op: Operation, index: int, types: Sequence[Attribute]) -> list[OpResult]:
    """New results in front of the one at `index`."""
    new = [OpResult(type_, op, 0) for type_ in types]
    results = [*op.results[:index], *new, *op.results[index:]]
    for place, result in enumerate(results):
        result.index = place
    op.results = SSAValues(results)
    return new


def permute_results(op: Operation, order: Sequence[int]) -> None:
    """Put the results in another order: result i is what result `order[i]` was."""
    results = [op.results[index] for index in order]
    for place, result in enumerate(results):
        result.index = place
    op.results = SSAValues(results)


def erase_arguments(block: Block, gone: Iterable[int]) -> None:
    """Take arguments of a block away that nothing uses."""
    for index in sorted(set(gone), reverse=True):
        block.erase_arg(block.args[index])


def insert_constant(before: Operation, value: Any, type_: TorchScriptType) -> SSAValue:
    """A constant in front of a node.

    Raises:
        TypeError: the value cannot be a constant.
    """
    constant = ConstantOp.of(value, type_)
    insert_before(before, constant)
    return constant.results[0]


def constant_value(value: SSAValue) -> Any:
    """The value of a constant; None where it is none, or is a function."""
    owner = value.owner
    if isinstance(owner, ConstantOp) and owner.function_symbol is None:
        return owner.value
    return None


def is_constant(value: SSAValue) -> bool:
    return isinstance(value.owner, ConstantOp)


def inline_block(block: Block, before: Operation) -> None:
    """Move the nodes of a block, but for the last, in front of a node."""
    last = terminator(block)
    for op in list(block.ops):
        if op is not last:
            move_before(op, before)


def clone_nodes(
    ops: Iterable[Operation],
    values: dict[SSAValue, SSAValue],
    put: Callable[[Operation], None],
) -> None:
    """Copy nodes, `put` each copy in its place, and record what the results became in `values`."""
    for op in ops:
        put(clone(op, values))


def clone(op: Operation, values: dict[SSAValue, SSAValue]) -> Operation:
    """A copy of a node with its blocks, operands renamed by `values`, which learns of the new
    results.
    """
    copy = op.clone_without_regions(values)
    for region, empty in zip(op.regions, copy.regions, strict=True):
        empty.add_block(clone_block(region.block, values))
    return copy


def clone_block(old: Block, values: dict[SSAValue, SSAValue] | None = None) -> Block:
    """A copy of a block that is in no node yet; see `clone`."""
    values = {} if values is None else values
    new = Block(arg_types=old.arg_types)
    for old_argument, new_argument in zip(old.args, new.args, strict=True):
        values[old_argument] = new_argument
        new_argument.name_hint = old_argument.name_hint
    for op in old.ops:
        new.add_op(clone(op, values))
    return new


def attributes_key(op: Operation) -> tuple[Any, ...]:
    """The attributes of a node as a key; floats count as their bits (0.0 is not -0.0), and NaN as
    nothing but itself.
    """
    attributes = op.attributes
    if len(attributes) == 1:
        ((name, value),) = attributes.items()
        return (name, _key(value))
    return tuple([(name, _key(attributes[name])) for name in sorted(attributes)])


def _key(attribute: Attribute) -> Any:
    class_ = type(attribute)
    if class_ is FloatAttr:
        number = cast(FloatAttr, attribute).value.data
        return ("float", object() if number != number else number.hex())
    if class_ is ArrayAttr:
        return tuple(_key(item) for item in cast(ArrayAttr[Attribute], attribute))
    return attribute


def enclosing_function(op: Operation) -> FuncOp:
    """The function that a node is in."""
    current: Operation | None = op
    while current is not None and not isinstance(current, FuncOp):
        current = current.parent_op()
    assert current is not None, "the node is in no function"
    return current
