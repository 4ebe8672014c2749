"""Tuples that blocks take and give become their elements (PyTorch: `LowerAllTuples` in passes/lower_tuples.cpp)."""

from collections.abc import Sequence

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.patterns.folding import constant_for
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.utils.errors import TorchScriptError

FORWARDING = (prim.IfOp, prim.LoopOp, prim.YieldOp, ReturnOp, aten.FormatOp)
"""The ops that may take tuples, or their elements instead."""


class ConstructTupleConstant(RewritePattern):
    """`prim::Constant[value=(1, 2)]` -> `prim::TupleConstruct(1, 2)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.ConstantOp, rewriter: PatternRewriter, /) -> None:
        type_ = op.results[0].type
        if isinstance(type_, TupleType) and op.function_symbol is None and op.attributes:
            ops = _construct(op.value, type_)
            rewriter.replace(op, ops, ops[-1].results)


def _construct(value: Sequence[object], type_: TupleType) -> list[Operation]:
    """The ops that make a tuple, the last of which gives it."""
    ops: list[Operation] = []
    elements: list[SSAValue] = []
    for item, element in zip(value, type_.elements, strict=True):
        constant = constant_for(item, element)
        known = constant.results[0].type
        if isinstance(known, TupleType) and constant.attributes:
            ops += _construct(constant.value, known)
        else:
            ops.append(constant)
        elements.append(ops[-1].results[0])
    return [*ops, prim.TupleConstructOp.create(operands=elements, result_types=[type_])]


class FlattenTuples(RewritePattern):
    """`prim::If(%c)` with `-> (%t)` of two elements -> `-> (%a, %b)`, its result made of two new ones

    Likewise what a loop carries, what a function returns, and what is formatted.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: prim.IfOp | prim.LoopOp | prim.YieldOp | ReturnOp | aten.FormatOp,
        rewriter: PatternRewriter,
        /,
    ) -> None:
        changed = _flatten_operands(op)
        changed |= _flatten_results(op, rewriter)
        if isinstance(op, prim.LoopOp):
            changed |= flatten_arguments(op.body.block)
        if changed:
            rewriter.notify_op_modified(op)


def _flatten_operands(op: Operation) -> bool:
    """Operands that are tuples become their elements, and those theirs."""
    if not any(isinstance(value.type, TupleType) for value in op.operands):
        return False
    waiting = list(reversed(op.operands))
    flat: list[SSAValue] = []
    while waiting:
        value = waiting.pop()
        if not isinstance(value.type, TupleType):
            flat.append(value)
        elif isinstance(value.owner, prim.TupleConstructOp):
            waiting += reversed(value.owner.operands)
        else:
            raise TorchScriptError("a use of a tuple is not matched to a tuple construct")
    op.operands = flat
    return True


def _flatten_results(op: Operation, rewriter: PatternRewriter) -> bool:
    """Results that are tuples become several, of which a tuple is made for their uses."""
    place = InsertPoint.after(op)
    changed, index = False, 0
    while index < len(op.results):
        result = op.results[index]
        type_ = type_of(result)
        if not isinstance(type_, TupleType):
            index += 1
            continue
        new = edit.insert_results(op, index + 1, type_.elements.data)
        made = prim.TupleConstructOp.create(operands=new, result_types=[type_])
        rewriter.insert(made, place)
        rewriter.replace_all_uses_with(result, made.results[0])
        edit.erase_results(op, [index])
        place = InsertPoint.before(made)
        changed = True
    return changed


def flatten_arguments(block: Block) -> bool:
    """Arguments that are tuples become several, of which a tuple is made at the beginning; whether there were any."""
    before = edit.all_ops(block)[0]
    changed, index = False, 0
    while index < len(block.args):
        argument = block.args[index]
        type_ = type_of(argument)
        if not isinstance(type_, TupleType):
            index += 1
            continue
        new = [
            block.insert_arg(element, index + 1 + place)
            for place, element in enumerate(type_.elements)
        ]
        made = prim.TupleConstructOp.create(operands=new, result_types=[type_])
        edit.insert_before(before, made)
        edit.replace_uses(argument, made.results[0])
        block.erase_arg(argument)
        before, changed = made, True
    return changed


FLAT_TUPLES = (ConstructTupleConstant(), FlattenTuples())
