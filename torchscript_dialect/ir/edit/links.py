"""The links of xDSL's IR: which op follows which, and which op uses which value.

xDSL's own calls look through all blocks around an op at each insertion, and make a view and two slices for each use that they
replace. A compilation is tens of such edits a line of source, so these set the links alone: what they need to know of an op is
given, not searched for. Only this file touches private fields of xDSL; `test/unit/ir/test_links.py` checks that every edit
leaves use lists, neighbors, parents and indices as xDSL's own calls would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.core import SSAValues, Use
from xdsl.traits import IsolatedFromAbove

from torchscript_dialect.types.core import TorchScriptType

# pyright: reportPrivateUsage=false

_NONE: SSAValues[Any] = SSAValues()


def new_op(
    class_: type[Operation],
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute],
    attributes: dict[str, Attribute],
    location: Any,
    properties: Mapping[str, Attribute] | None = None,
) -> Operation:
    """A new op without regions and successors, in no block: what it does not have stays the default of its class."""
    op = class_.__new__(class_)
    op.properties = {} if properties is None else {**properties}
    op.attributes = attributes
    op.location = location
    if operands:
        op._operands = SSAValues(operands)
        uses: list[Use] = []
        for operand in operands:
            use = Use(op, len(uses))
            operand.add_use(use)
            uses.append(use)
        op._operand_uses = tuple(uses)
    if result_types:
        results: list[OpResult] = []
        for type_ in result_types:
            results.append(OpResult(type_, op, len(results)))
        op.results = SSAValues(results)
    return op


def insert_before(goal: Operation, op: Operation) -> None:
    """Put `op`, which is in no block and not around `goal`, in front of `goal`."""
    block, previous = goal.parent, goal._prev_op
    assert block is not None and op.parent is None
    op.parent = block
    op._prev_op = previous
    op._next_op = goal
    goal._prev_op = op
    if previous is None:
        block._first_op = op
    else:
        previous._next_op = op


def detach(op: Operation) -> None:
    """Take an op out of its block; it stays whole."""
    block, previous, following = op.parent, op._prev_op, op._next_op
    assert block is not None
    op.parent = op._prev_op = op._next_op = None
    if previous is None:
        block._first_op = following
    else:
        previous._next_op = following
    if following is None:
        block._last_op = previous
    else:
        following._prev_op = previous


def erase(op: Operation) -> None:
    """Remove an op whose results are not used, with all that its blocks hold; it has no results any more."""
    for result in op.results:
        assert result.first_use is None, "an op whose results are used cannot be erased"
    detach(op)
    if op.regions or op._successors:
        release(op)
        return
    for operand, use in zip(op._operands, op._operand_uses, strict=True):
        operand.remove_use(use)
    op._operand_uses = ()
    op.results = _NONE


def release(op: Operation) -> None:
    """Take an op apart that is in no block, and all in it: nobody looks at them any more.

    An op, its results, its blocks and its neighbors hold each other. What is taken apart goes at once; else it is there until Python
    looks for garbage, which then takes the longer.
    """
    release_regions(op, 0)
    _cut(op)


def release_regions(op: Operation, first: int) -> None:
    """Take the regions of an op apart from the one of that number on, as `release` does: it has them no more."""
    ops: list[Operation] = []
    blocks: list[Block] = []
    regions = list(op.regions[first:])
    op.regions = op.regions[:first]
    for region in regions:
        for block in region.blocks:
            blocks.append(block)
            for one in all_ops(block):
                ops.append(one)
                regions += one.regions
    for region in regions:
        region.parent = region._first_block = region._last_block = None
    for one in ops:
        _cut(one)
    for block in blocks:
        block._args = ()
        block.parent = block._first_op = block._last_op = None
        block._prev_block = block._next_block = None


def _cut(op: Operation) -> None:
    for operand, use in zip(op._operands, op._operand_uses, strict=True):
        operand.remove_use(use)
    for successor, use in zip(op._successors, op._successor_uses, strict=True):
        successor.remove_use(use)
    op._operands = op.results = _NONE
    op._operand_uses = op._successors = op._successor_uses = op.regions = ()
    op.parent = op._prev_op = op._next_op = None


def move_before(op: Operation, goal: Operation) -> None:
    """Put an op in front of another, which may be in another block where all that it uses is known."""
    if op.parent is not None:
        detach(op)
    insert_before(goal, op)


def replace_uses(old: SSAValue, new: SSAValue) -> None:
    """Use `new` wherever `old` is used. Names stay where they are, as in PyTorch."""
    replace_all_uses(((old, new),))


def replace_all_uses(replacements: Iterable[tuple[SSAValue, SSAValue]]) -> None:
    """Use the second value of each pair wherever the first is used; no second value is the first of a later pair.

    The operands of an op are copied once, however many of them change: a literal may have thousands.
    """
    changed: dict[int, tuple[Operation, list[SSAValue]]] = {}
    for old, new in replacements:
        if old is new:
            continue
        use = old.first_use
        while use is not None:
            op, following = use._operation, use._next_use
            known = changed.get(id(op))
            if known is None:
                known = changed[id(op)] = op, [*op._operands]
            known[1][use._index] = new
            new.add_use(use)
            use = following
        old.first_use = None
    for op, operands in changed.values():
        op._operands = SSAValues(operands)


def operands_of(op: Operation) -> tuple[SSAValue, ...]:
    """The operands as they are now, without the view that follows changes."""
    return op._operands


def append_operand(op: Operation, value: SSAValue) -> None:
    """A new last operand of an op."""
    append_operands(op, (value,))


def append_operands(op: Operation, values: Sequence[SSAValue]) -> None:
    """New last operands of an op, whose operands are copied once."""
    first = len(op._operands)
    uses = [Use(op, index) for index in range(first, first + len(values))]
    op._operands = SSAValues((*op._operands, *values))
    op._operand_uses = (*op._operand_uses, *uses)
    for value, use in zip(values, uses, strict=True):
        value.add_use(use)


def append_result(op: Operation, type_: Attribute) -> OpResult:
    """A new last result of an op."""
    (result,) = append_results(op, (type_,))
    return result


def append_results(op: Operation, types: Iterable[Attribute]) -> list[OpResult]:
    """New last results of an op, whose results are copied once."""
    results = [OpResult(type_, op, index) for index, type_ in enumerate(types, len(op.results))]
    op.results = SSAValues((*op.results, *results))
    return results


def append_arguments(block: Block, types: Iterable[Attribute]) -> list[BlockArgument]:
    """New last arguments of a block, whose arguments are copied once."""
    first = len(block._args)
    arguments = [BlockArgument(type_, block, index) for index, type_ in enumerate(types, first)]
    block._args = (*block._args, *arguments)
    return arguments


def set_results(op: Operation, results: Sequence[OpResult]) -> None:
    """Give an op these results, in this order."""
    for index, result in enumerate(results):
        result.index = index
    op.results = SSAValues(results)


def set_arguments(block: Block, arguments: Sequence[BlockArgument]) -> None:
    """Give a block these arguments, in this order."""
    for index, argument in enumerate(arguments):
        argument.index = index
    block._args = tuple(arguments)


def type_of(value: SSAValue) -> TorchScriptType:
    """The type of a value that is known to be TorchScript's; `prim.type_of` checks that."""
    return value._type  # pyright: ignore[reportReturnType]


def set_type(value: SSAValue, type_: Attribute) -> None:
    """Give a value another type."""
    value._type = type_


def set_name(value: SSAValue, name: str | None) -> None:
    """Name a value exactly so: xDSL's own setter drops a number after an underscore."""
    value._name = name


def terminator(block: Block) -> Operation:
    """The op that ends a block."""
    last = block._last_op
    assert last is not None
    return last


def all_ops(block: Block) -> list[Operation]:
    """The ops of a block now, with the terminator."""
    found: list[Operation] = []
    op = block._first_op
    while op is not None:
        found.append(op)
        op = op._next_op
    return found


def body_ops(block: Block) -> list[Operation]:
    """The ops of a block now, without the terminator."""
    found: list[Operation] = []
    op, last = block._first_op, block._last_op
    while op is not None and op is not last:
        found.append(op)
        op = op._next_op
    return found


def nested_ops(block: Block, *, isolated: bool = True) -> list[Operation]:
    """The ops of a block and of all blocks in it now, in the order of the text: an op before those of its blocks. Where not those of
    `isolated` graphs are wanted, which nodes carry, these are left out.

    xDSL's `walk` hands every op through as many generators as there are blocks around it.
    """
    found: list[Operation] = []
    waiting = [block._first_op]
    while waiting:
        op = waiting.pop()
        while op is not None:
            found.append(op)
            following = op._next_op
            if op.regions and (isolated or not op.has_trait(IsolatedFromAbove)):
                waiting.append(following)
                first, *others = [b._first_op for r in op.regions for b in r.blocks] or [None]
                waiting.extend(reversed(others))
                following = first
            op = following
    return found
