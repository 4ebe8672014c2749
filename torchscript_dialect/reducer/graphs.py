"""Graphs as graph text or MLIR text: functions, nodes, blocks, results and arguments go; constants and types become simple ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import insert_constant, set_type
from torchscript_dialect.ir.verification import verify
from torchscript_dialect.reducer.search import Edit, Maker, chunks
from torchscript_dialect.types import core
from torchscript_dialect.types.containers import ListType, OptionalType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType

ZEROS: dict[Any, Any] = {
    core.INT: 0,
    core.FLOAT: 0.0,
    core.BOOL: False,
    core.STR: "",
    core.NONE: None,
}


class GraphText:
    """Modules as `parse` reads them and `show` prints them."""

    def __init__(self, parse: Callable[[str], ModuleOp], show: Callable[[ModuleOp], str]) -> None:
        self.parse = parse
        self.show = show

    def read(self, text: str) -> ModuleOp:
        """The module of a text."""
        return self.parse(text)

    def write(self, program: Any) -> str:
        """Its text; only of a module that is valid."""
        verify(program)
        return self.show(program)

    def copy(self, program: Any) -> ModuleOp:
        """A copy."""
        return program.clone()

    def size(self, program: Any) -> tuple[int, ...]:
        """Ops and values, then attributes and what types say, by the length of their text."""
        ops = list(program.walk())
        values = sum(len(op.results) + len(op.operands) for op in ops)
        blocks = [block for op in ops for region in op.regions for block in region.blocks]
        arguments = sum(len(block.args) for block in blocks)
        return (
            len(ops),
            values + arguments,
            sum(map(_weight, ops)) + sum(map(_argument_weight, blocks)),
        )

    @property
    def makers(self) -> Sequence[Maker]:
        """What is largest first."""
        return (_drop_functions, _drop_ops, _inline, _replace_returned, _drop_arguments, _simplify)


def _weight(op: Operation) -> int:
    known = [*op.attributes.values(), *op.properties.values(), *op.result_types]
    return sum(_length(one) for one in known)


def _argument_weight(block: Block) -> int:
    return sum(_length(type_) for type_ in block.arg_types)


def _length(attribute: Any) -> int:
    """The length of a text, and that zero is less than one."""
    text = str(attribute)
    return 2 * len(text) + (text[:1] not in "0f")


def _drop_functions(module: ModuleOp) -> list[Edit]:
    functions = list(module.ops)
    if len(functions) < 2:
        return []
    return [partial(_erase_all, functions[begin:end]) for begin, end in chunks(len(functions))]


def _erase_all(ops: Sequence[Operation]) -> None:
    for op in reversed(ops):
        for result in op.results:
            if result.first_use is not None:
                result.replace_all_uses_with(_other(result, op))
        op.detach()
        op.erase()


def _drop_ops(module: ModuleOp) -> list[Edit]:
    """Take out nodes, many first. Who needs them gets another value of their type."""
    ops = [op for function in module.ops for op in function.walk() if op is not function]
    ops = [op for op in ops if not op.has_trait(IsTerminator) and not isinstance(op, FuncOp)]
    return [partial(_erase_some, ops[begin:end]) for begin, end in chunks(len(ops))]


def _erase_some(ops: Sequence[Operation]) -> None:
    """Those among them that do not stand in another one of them."""
    chosen = set(ops)
    _erase_all([op for op in ops if not any(outer in chosen for outer in _around(op))])


def _around(op: Operation) -> Iterator[Operation]:
    outer = op.parent_op()
    while outer is not None:
        yield outer
        outer = outer.parent_op()


def _other(value: SSAValue, before: Operation) -> SSAValue:
    """Another value of the type of one, that is known before an op: the closest, or else a constant.

    Raises:
        ValueError: there is none.
    """
    for known in _known(before):
        if known is not value and known.type == value.type:
            return known
    type_ = value.type
    if isinstance(type_, TorchScriptType):
        if isinstance(type_, (OptionalType,)):
            return insert_constant(before, None, type_)
        if type_ in ZEROS:
            return insert_constant(before, ZEROS[type_], type_)
        if isinstance(type_, ListType):
            made = prim.ListConstructOp.create(result_types=[type_])
            parent = before.parent
            assert parent is not None
            parent.insert_op_before(made, before)
            return made.results[0]
    raise ValueError(f"there is no other value of type {type_}")


def _known(before: Operation) -> Iterator[SSAValue]:
    """The operands of an op, and all values that are known before it, the closest first."""
    yield from before.operands
    op: Operation | None = before
    while op is not None and op.parent is not None:
        earlier = op.prev_op
        while earlier is not None:
            yield from earlier.results
            earlier = earlier.prev_op
        yield from op.parent.args
        op = op.parent_op()


def _inline(module: ModuleOp) -> list[Edit]:
    """Put a block in the place of the node around it."""
    found: list[Edit] = []
    for op in module.walk():
        if isinstance(op, (prim.IfOp, prim.LoopOp, prim.TensorExprGroupOp)):
            found += [partial(_inline_block, op, region.block) for region in op.regions]
    return found


def _inline_block(op: Operation, block: Block) -> None:
    end = block.last_op
    assert end is not None and op.parent is not None
    if isinstance(op, prim.LoopOp):
        given = [insert_constant(op, 0, core.INT), *op.operands[2:]]
        results = list(end.operands[1:])
    else:
        given, results = list(op.operands), list(end.operands)
    for argument, value in zip(block.args, given, strict=True):
        results = [value if result is argument else result for result in results]
        argument.replace_all_uses_with(value)
    end.detach()
    end.erase()
    for inner in list(block.ops):
        inner.detach()
        op.parent.insert_op_before(inner, op)
    for old, new in zip(op.results, results, strict=True):
        old.replace_all_uses_with(new)
    op.detach()
    op.erase()


def _functions(module: ModuleOp) -> list[FuncOp]:
    return [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]


def _replace_returned(module: ModuleOp) -> list[Edit]:
    """Return fewer values, or what a returned one was made of."""
    found: list[Edit] = []
    for function in _functions(module):
        end = function.body.block.last_op
        if not isinstance(end, ReturnOp):
            continue
        values = list(end.operands)
        found += [
            partial(_return, function, end, [*values[:begin], *values[stop:]])
            for begin, stop in chunks(len(values))
        ]
        for place, value in enumerate(values):
            if isinstance(value.owner, Operation):
                for part in value.owner.operands:
                    others = [*values[:place], part, *values[place + 1 :]]
                    found.append(partial(_return, function, end, others))
    return found


def _return(function: FuncOp, end: Operation, values: Sequence[SSAValue]) -> None:
    end.operands = values
    _update_type(function)


def _update_type(function: FuncOp) -> None:
    block = function.body.block
    assert block.last_op is not None
    results = [value.type for value in block.last_op.operands]
    function.properties["function_type"] = FunctionType.from_lists(list(block.arg_types), results)


def _drop_arguments(module: ModuleOp) -> list[Edit]:
    """Take out arguments of functions, and what is carried by loops and given by branches."""
    found: list[Edit] = []
    for function in _functions(module):
        found += [
            partial(_drop_argument, function, argument) for argument in function.body.block.args
        ]
    for op in module.walk():
        if isinstance(op, (prim.IfOp, prim.LoopOp, prim.TensorExprGroupOp)):
            found += [partial(_drop_result, op, place) for place in range(len(op.results))]
    return found


def _drop_argument(function: FuncOp, argument: BlockArgument) -> None:
    if argument.first_use is not None:
        first = function.body.block.first_op
        assert first is not None
        argument.replace_all_uses_with(_other(argument, first))
    if function.properties.get("arg_attrs") is not None:
        raise ValueError("arguments with attributes stay")
    function.body.block.erase_arg(argument)
    _update_type(function)


def _drop_result(op: Operation, place: int) -> None:
    """Of a node with blocks, which then yield one value less."""
    result = op.results[place]
    following = op.next_op
    assert following is not None
    if result.first_use is not None:
        result.replace_all_uses_with(_other(result, following))
    offset = 1 if isinstance(op, prim.LoopOp) else 0
    for region in op.regions:
        end = region.block.last_op
        assert end is not None
        values = list(end.operands)
        del values[place + offset]
        end.operands = values
    if isinstance(op, prim.LoopOp):
        carried = op.regions[0].block.args[place + 1]
        initial = op.operands[place + 2]
        carried.replace_all_uses_with(initial)
        op.regions[0].block.erase_arg(carried)
        op.operands = [*op.operands[: place + 2], *op.operands[place + 3 :]]
    kept = [one for one in op.results if one is not result]
    made = type(op).create(
        operands=list(op.operands),
        result_types=[one.type for one in kept],
        attributes=dict(op.attributes),
        properties=dict(op.properties),
        regions=[op.detach_region(region) for region in list(op.regions)],
    )
    assert op.parent is not None
    op.parent.insert_op_before(made, op)
    for old, new in zip(kept, made.results, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    op.detach()
    op.erase()


def _simplify(module: ModuleOp) -> list[Edit]:
    """Let constants be zeros, and tensors be of no known kind."""
    found: list[Edit] = []
    for op in module.walk():
        if isinstance(op, prim.ConstantOp) and op.results[0].type in ZEROS:
            found.append(partial(_zero, op))
        found += [partial(_forget, value) for value in op.results]
        for region in op.regions:
            for block in region.blocks:
                found += [partial(_forget, argument) for argument in block.args]
    return found


def _zero(op: prim.ConstantOp) -> None:
    type_: Any = op.results[0].type
    new = insert_constant(op, ZEROS[type_], type_)
    op.results[0].replace_all_uses_with(new)
    op.detach()
    op.erase()


def _forget(value: SSAValue) -> None:
    if not isinstance(value.type, TensorType):
        raise ValueError("only tensors have types that say more than they must")
    set_type(value, TensorType())
    outer = value.owner.parent_op()
    while outer is not None and not isinstance(outer, FuncOp):
        outer = outer.parent_op()
    if isinstance(outer, FuncOp):
        _update_type(outer)
