"""Edits that set the links of xDSL's IR leave them as xDSL's own calls would."""

import ast
import inspect
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import xdsl.ir.core
from xdsl.dialects.builtin import UnknownLoc
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Block, Operation, Region, SSAValue

import torchscript_dialect
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.edit import links
from torchscript_dialect.types.core import FLOAT, INT
from torchscript_dialect.types.tensor_type import TENSOR

# pyright: reportPrivateUsage=false

HERE = UnknownLoc()


def check(block: Block) -> None:
    """Neighbors, parents, indices and use lists of a block and of all in it agree with each other."""
    ops = list(block.ops)
    before: Operation | None = None
    assert block.first_op is (ops[0] if ops else None)
    assert block.last_op is (ops[-1] if ops else None)
    for op in ops:
        assert op.parent is block
        assert op.prev_op is before
        assert before is None or before.next_op is op
        before = op
    assert before is None or before.next_op is None
    for op in ops:
        operands = tuple(op.operands)
        assert len(operands) == len(op._operand_uses)
        for index, (operand, use) in enumerate(zip(operands, op._operand_uses, strict=True)):
            assert use.operation is op
            assert use.index == index
            assert sum(other is use for other in operand.uses) == 1
        for index, result in enumerate(op.results):
            assert result.op is op
            assert result.index == index
            _check_uses(result)
        for region in op.regions:
            for inner in region.blocks:
                check(inner)
    for index, argument in enumerate(block.args):
        assert argument.block is block
        assert argument.index == index
        _check_uses(argument)


def _check_uses(value: SSAValue) -> None:
    before = None
    use = value.first_use
    while use is not None:
        assert use._prev_use is before
        assert use.operation.operands[use.index] is value
        before, use = use, use._next_use


def example() -> tuple[Block, list[Operation]]:
    """A block with arguments, three ops that use each other, one with a region, and a terminator."""
    block = Block(arg_types=[TENSOR, INT])
    x, n = block.args
    a = AnyOp(operands=[x, n, x], result_types=[TENSOR, FLOAT])
    inner = Block([AnyOp(operands=[a.results[0], n])])
    b = AnyOp(operands=[a.results[0], x], result_types=[TENSOR], regions=[Region(inner)])
    c = AnyOp(operands=[b.results[0], a.results[0]], result_types=[TENSOR, INT, FLOAT])
    end = AnyOp(operands=[c.results[0]])
    ops: list[Operation] = [a, b, c, end]
    for op in ops:
        block.add_op(op)
    check(block)
    return block, ops


def new(*operands: SSAValue) -> Operation:
    return edit.new_op(AnyOp, operands, (TENSOR, INT), {}, HERE)


def _new_op(block: Block, ops: list[Operation]) -> None:
    op = new(block.args[0], ops[0].results[0], block.args[0])
    assert (op.parent, op.regions, len(op.successors), op.location) == (None, (), 0, HERE)
    assert [result.type for result in op.results] == [TENSOR, INT]
    edit.insert_before(ops[2], op)
    assert list(block.ops) == [*ops[:2], op, *ops[2:]]


def _insert_first(block: Block, ops: list[Operation]) -> None:
    op = new()
    edit.insert_before(ops[0], op)
    assert block.first_op is op


def _detach_each(block: Block, ops: list[Operation]) -> None:
    for op in ops:
        edit.detach(op)
        assert (op.parent, op.prev_op, op.next_op) == (None, None, None)
        check(block)
    assert block.is_empty


def _erase(block: Block, ops: list[Operation]) -> None:
    a, b, c, end = ops
    edit.erase(end)
    check(block)
    edit.erase(c)
    check(block)
    edit.erase(b)  # takes its region along
    assert not list(a.results[0].uses)
    assert (len(c.results), len(b.results), b.regions) == (0, 0, ())


def _release(block: Block, ops: list[Operation]) -> None:
    a, _, c, _ = ops
    inner = Block([AnyOp(operands=[a.results[0]])])
    loop = Block([AnyOp.create(successors=[inner])])
    whole = AnyOp(operands=[c.results[0]], regions=[Region([loop, inner]), Region(Block([new()]))])
    edit.release_regions(whole, 1)
    assert len(whole.regions) == 1
    edit.release(whole)
    assert (len(whole.operands), whole.regions) == (0, ())
    assert (loop.parent, loop.first_op, inner.parent, list(inner.uses)) == (None, None, None, [])
    assert [use.operation for use in a.results[0].uses].count(whole) == 0


def _move_before(block: Block, ops: list[Operation]) -> None:
    edit.move_before(ops[2], ops[0])
    assert list(block.ops) == [ops[2], ops[0], ops[1], ops[3]]


def _move_into_region(block: Block, ops: list[Operation]) -> None:
    inner = ops[1].regions[0].block
    op = new(block.args[0])
    edit.insert_before(ops[1], op)
    edit.move_before(op, edit.terminator(inner))
    assert inner.first_op is op


def _replace_uses(block: Block, ops: list[Operation]) -> None:
    x, n = block.args
    users = {use.operation for use in x.uses}
    edit.replace_uses(x, n)
    assert x.first_use is None
    assert users <= {use.operation for use in n.uses}
    edit.replace_uses(n, n)
    edit.replace_uses(x, n)


def _replace_all_uses(block: Block, ops: list[Operation]) -> None:
    x, n = block.args
    edit.append_operand(ops[3], x)
    edit.append_operand(ops[3], n)
    edit.append_operand(ops[3], x)
    first, second, _ = ops[2].results
    before = edit.operands_of(ops[3])
    edit.replace_all_uses([(x, first), (n, second), (second, second)])
    assert x.first_use is None and n.first_use is None
    new: dict[SSAValue, SSAValue] = {x: first, n: second}
    assert edit.operands_of(ops[3]) == tuple(new.get(v, v) for v in before)


def _append_operand(block: Block, ops: list[Operation]) -> None:
    edit.append_operand(ops[3], block.args[0])
    edit.append_operand(ops[3], block.args[0])
    assert edit.operands_of(ops[3]) == (ops[2].results[0], block.args[0], block.args[0])


def _append_result(block: Block, ops: list[Operation]) -> None:
    result = edit.append_result(ops[1], INT)
    edit.append_operand(ops[3], result)
    assert result.index == 1
    assert result.type == INT


def _append_together(block: Block, ops: list[Operation]) -> None:
    before = edit.operands_of(ops[3])
    x, n = block.args
    added = edit.append_results(ops[1], (INT, INT))
    assert tuple(ops[1].results)[1:] == tuple(added)
    edit.append_operands(ops[3], (*added, x, x))
    assert edit.operands_of(ops[3]) == (*before, *added, x, x)
    arguments = edit.append_arguments(block, (INT, INT))
    assert block.args == (x, n, *arguments)
    edit.append_operands(ops[3], ())
    edit.append_operands(ops[3], arguments)


def _results(block: Block, ops: list[Operation]) -> None:
    first, second, third = ops[2].results
    edit.permute_results(ops[2], [2, 0, 1])
    assert tuple(ops[2].results) == (third, first, second)
    check(block)
    edit.erase_results(ops[2], [0, 2])
    assert tuple(ops[2].results) == (first,)
    check(block)
    (new_result,) = edit.insert_results(ops[2], 0, [INT])
    assert tuple(ops[2].results) == (new_result, first)


def _arguments(block: Block, ops: list[Operation]) -> None:
    x, n = block.args
    edit.set_arguments(block, [n, x])
    assert block.args == (n, x)
    check(block)
    added = edit.add_argument(block, INT)
    assert block.args == (n, x, added)
    edit.erase_arguments(block, [2])
    assert block.args == (n, x)


def _types_and_names(block: Block, ops: list[Operation]) -> None:
    x = block.args[0]
    edit.set_type(x, INT)
    assert x.type == edit.type_of(x) == INT
    edit.set_name(x, "x_1")
    assert x.name_hint == "x_1"
    edit.set_name(x, None)
    assert x.name_hint is None


def _queries(block: Block, ops: list[Operation]) -> None:
    assert edit.all_ops(block) == ops
    assert edit.body_ops(block) == ops[:-1]
    assert edit.terminator(block) is ops[-1]
    assert edit.op_classes(block) == {AnyOp}


def _clone(block: Block, ops: list[Operation]) -> None:
    edit.set_name(ops[0].results[0], "x_1")
    values: edit.ValueMap = {}
    copies: list[Operation] = []
    edit.clone_nodes(ops[:2], values, copies.append)
    for copy in copies:
        edit.insert_before(ops[3], copy)
    assert list(copies[1].operands) == [values[ops[0].results[0]], block.args[0]]
    assert copies[0].results[0].name_hint == "x_1"
    (inner,) = copies[1].regions[0].block.ops
    assert inner.operands[0] is values[ops[0].results[0]]


EDITS: list[Callable[[Block, list[Operation]], None]] = [
    _new_op,
    _insert_first,
    _detach_each,
    _erase,
    _release,
    _move_before,
    _move_into_region,
    _replace_uses,
    _replace_all_uses,
    _append_operand,
    _append_result,
    _append_together,
    _results,
    _arguments,
    _types_and_names,
    _queries,
    _clone,
]


@pytest.mark.parametrize("change", EDITS, ids=lambda change: change.__name__.strip("_"))
def test_links_agree_after(change: Callable[[Block, list[Operation]], None]) -> None:
    block, ops = example()
    change(block, ops)
    check(block)


def test_nested_ops_are_those_that_xdsl_walks_over() -> None:
    block, _ = example()
    inner = [Region([Block([AnyOp(), AnyOp()]), Block([AnyOp()])]), Region(Block()), Region()]
    last = block.last_op
    assert last is not None
    block.insert_op_before(AnyOp(regions=inner), last)
    assert edit.nested_ops(block) == list(block.walk())
    assert edit.nested_ops(Block()) == []


def test_every_edit_of_links_is_tried() -> None:
    tried = {
        node.attr
        for node in ast.walk(ast.parse(Path(__file__).read_text()))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "edit"
    }
    indirect = {
        "set_results",  # by permute_results, erase_results and insert_results
        "_cut",  # by release
    }
    defined = {
        name
        for name, member in inspect.getmembers(links, inspect.isfunction)
        if member.__module__ == links.__name__
    }
    assert defined - tried == indirect


def test_results_in_use_and_ops_in_blocks_are_refused() -> None:
    block, ops = example()
    with pytest.raises(AssertionError, match="cannot be erased"):
        edit.erase(ops[0])
    with pytest.raises(AssertionError, match="cannot be erased"):
        edit.erase_results(ops[0], [0])
    with pytest.raises(AssertionError):
        edit.insert_before(ops[0], ops[1])
    check(block)


@pytest.mark.parametrize("seed", range(20))
def test_links_agree_after_random_edits(seed: int) -> None:
    choose = random.Random(seed)
    block = Block(arg_types=[TENSOR, INT])
    block.add_op(AnyOp())
    for _ in range(60):
        ops = edit.all_ops(block)
        values = [*block.args, *(result for op in ops for result in op.results)]
        op = choose.choice(ops)
        known = [v for v in values if v.owner is block or v.owner in ops[: ops.index(op)]]
        match choose.randrange(5):
            case 0 | 1:
                edit.insert_before(op, new(*choose.choices(known, k=choose.randrange(3))))
            case 2:
                edit.append_operand(op, choose.choice(known))
            case 3:
                edit.replace_uses(choose.choice(values), choose.choice(block.args))
            case _ if op is not ops[-1] and not any(r.first_use for r in op.results):
                edit.erase(op)
            case _:
                pass
        check(block)


PRIVATE = {
    name
    for class_ in vars(xdsl.ir.core).values()
    if inspect.isclass(class_) and class_.__module__ == xdsl.ir.core.__name__
    for name in (*vars(class_), *getattr(class_, "__annotations__", ()))
    if name.startswith("_") and not name.startswith("__")
}


def test_only_one_file_touches_private_fields_of_xdsl() -> None:
    """By name: what classes of the IR call `_operands` and the like, on anything but an object's own self."""
    root = Path(torchscript_dialect.__file__).parent.parent
    assert {"_operands", "_next_op", "_type", "_name", "_args"} <= PRIVATE
    wrong = [
        f"{file.relative_to(root)}:{node.lineno}: {ast.unparse(node)}"
        for package in ("torchscript_dialect", "lowering")
        for file in sorted((root / package).rglob("*.py"))
        if file != Path(links.__file__)
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr in PRIVATE
        and ast.unparse(node.value) not in ("self", "cls")
    ]
    assert not wrong, "\n".join(wrong)
