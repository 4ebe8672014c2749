"""Changes to graphs that xDSL has no call for: results added to nodes, outputs of blocks.

A block's outputs are the operands of its terminator: `prim.yield`, or `func.return` in the block of a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import (
    FileLineColLoc,
    FunctionType,
    IntAttr,
    LocationAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from torchscript_dialect.dialects.prim import ConstantOp, YieldOp
from torchscript_dialect.ir.edit import (
    append_operand,
    body_ops,
    move_before,
    new_op,
    operands_of,
    set_name,
    terminator,
)
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils.source_range import SourceRange

UNKNOWN_LOCATION = UnknownLoc()
ValueMap = dict[SSAValue, SSAValue]


def location_of(range: SourceRange | None) -> LocationAttr:
    """Where a range begins, as the `# file:line:col` comments of graphs say it."""
    place = None if range is None else range.file_line_col()
    if place is None:
        return UNKNOWN_LOCATION
    return _location(*place)


@lru_cache(maxsize=4096)
def _location(filename: str, line: int, column: int) -> LocationAttr:
    location = object.__new__(
        FileLineColLoc
    )  # `FileLineColLoc.new` would verify what is right by construction
    for name, value in (
        ("filename", text_attribute(filename)),
        ("line", _number(line)),
        ("column", _number(column)),
    ):
        object.__setattr__(location, name, value)
    return location


@lru_cache(maxsize=4096)
def text_attribute(text: str) -> StringAttr:
    """The attribute of a name that many nodes have."""
    return StringAttr(text)


@lru_cache(maxsize=4096)
def _number(number: int) -> IntAttr:
    return IntAttr(number)


def new_block(arguments: Sequence[Attribute] = ()) -> Block:
    """A block with no outputs yet."""
    block = Block(arg_types=arguments)
    block.add_op(new_op(YieldOp, (), (), {}, UNKNOWN_LOCATION))
    return block


def outputs(block: Block) -> Sequence[SSAValue]:
    """The values that the block gives."""
    return operands_of(terminator(block))


def set_outputs(block: Block, values: Iterable[SSAValue]) -> None:
    terminator(block).operands = tuple(values)


def add_output(block: Block, value: SSAValue) -> None:
    append_operand(terminator(block), value)


def add_argument(block: Block, type_: TorchScriptType) -> BlockArgument:
    """A new last argument of a block."""
    return block.insert_arg(type_, len(block.args))


def is_meaningful(name: str) -> bool:
    """Whether values should bear the name of this variable; variables of the compiler's own begin with `$`."""
    return name[:1] != "$" and name.isascii()


def move_to_end(op: Operation, block: Block) -> None:
    """Move an op to the end of a block, before its terminator."""
    move_before(op, terminator(block))


def inline_block_before(op: Operation, block: Block) -> None:
    """Move all of a block but its terminator in front of an op of another block."""
    for inner in body_ops(block):
        move_before(inner, op)


def clone_into(source: Block, target: Block, value_map: Callable[[SSAValue], SSAValue]) -> None:
    """Append copies of all ops and outputs of `source` to `target`.

    Values from outside `source` go through `value_map`.
    """
    known: ValueMap = {}

    def mapped(value: SSAValue) -> SSAValue:
        found = known.get(value)
        return value_map(value) if found is None else found

    for op in body_ops(source):
        move_to_end(clone_op(op, known, mapped), target)
    for value in outputs(source):
        add_output(target, mapped(value))


def clone_op(op: Operation, known: ValueMap, mapped: Callable[[SSAValue], SSAValue]) -> Operation:
    """A copy of an op and its regions; `known` learns what the copied values became."""
    copy = type(op).create(
        operands=[mapped(value) for value in op.operands],
        result_types=[result.type for result in op.results],
        attributes=op.attributes,
        location=op.location,
    )
    for old, new in zip(op.results, copy.results, strict=True):
        set_name(new, old.name_hint)
        known[old] = new
    for region in op.regions:
        inner = Block(arg_types=[argument.type for argument in region.block.args])
        for old, new in zip(region.block.args, inner.args, strict=True):
            set_name(new, old.name_hint)
            known[old] = new
        copy.add_region(Region(inner))
        for nested in region.block.ops:
            inner.add_op(clone_op(nested, known, mapped))
    return copy


NOT_CONSTANT = object()


def constant_value(value: SSAValue) -> Any:
    """The Python value of a constant that is no function; `NOT_CONSTANT` for any other value."""
    owner = value.owner
    if not isinstance(owner, ConstantOp) or owner.function_name is not None:
        return NOT_CONSTANT
    return owner.value


def set_function_type(func_op: FuncOp) -> None:
    """Give a finished function the type that its block has."""
    block = func_op.body.block
    func_op.function_type = FunctionType.from_lists(
        [argument.type for argument in block.args], [value.type for value in outputs(block)]
    )
