"""Loops with both a trip count and a condition become while loops that count by themselves.

Exporters and the interpreter then meet only `for` and `while`. Follows torch/csrc/jit/frontend/canonicalize_modified_loop.cpp.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.dialects.prim import ConstantOp, LoopOp
from torchscript_dialect.ir.edit import (
    add_argument,
    add_output,
    append_operand,
    append_result,
    body_ops,
    constant_value,
    move_before,
    outputs,
    replace_uses,
    set_name,
    set_outputs,
    terminator,
)
from torchscript_dialect.types.core import BOOL, INT, TorchScriptType

_MAX = 2**63 - 1


def canonicalize_modified_loops(block: Block) -> None:
    """Rewrite all loops in a block that have both a trip count and a condition."""
    for op in body_ops(block):
        for region in op.regions:
            canonicalize_modified_loops(region.block)
        if op.regions and isinstance(op, LoopOp) and _is_modified(op):
            _canonicalize(op)


def _is_modified(op: LoopOp) -> bool:
    body = op.body.block
    if constant_value(op.condition) is True and constant_value(outputs(body)[0]) is True:
        return False
    trip_count = constant_value(op.max_trip_count)
    return trip_count != _MAX or body.args[0].first_use is not None


def _insert(
    before: Operation, name: str, operands: list[SSAValue], type_: TorchScriptType
) -> SSAValue:
    op = operator_class(name).create(operands=operands, result_types=(type_,))
    move_before(op, before)
    return op.results[0]


def _constant(before: Operation, value: int) -> SSAValue:
    op = ConstantOp.of(value, INT)
    move_before(op, before)
    return op.results[0]


def _canonicalize(op: LoopOp) -> None:
    zero, one = _constant(op, 0), _constant(op, 1)
    trip_count = op.max_trip_count
    condition = _insert(op, "aten::gt.int", [trip_count, zero], BOOL)
    op.operands[0] = _constant(op, _MAX)
    if constant_value(op.condition) is not True:
        condition = _insert(op, "aten::__and__.bool", [condition, op.condition], BOOL)
    op.operands[1] = condition
    body = op.body.block
    append_result(op, INT)
    append_operand(op, zero)
    counter = add_argument(body, INT)
    set_name(body.args[0], None)
    replace_uses(body.args[0], counter)
    last = terminator(body)
    following = _insert(last, "aten::add.int", [counter, one], INT)
    add_output(body, following)
    below = _insert(last, "aten::lt.int", [following, trip_count], BOOL)
    go_on, *carried = outputs(body)
    both = _insert(last, "aten::__and__.bool", [below, go_on], BOOL)
    set_outputs(body, (both, *carried))
