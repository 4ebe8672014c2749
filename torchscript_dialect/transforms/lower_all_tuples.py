"""Makes a function without tuples (PyTorch: `LowerAllTuples` in passes/lower_tuples.cpp).

Tuples in arguments and results, of the function, of `prim::If` and of `prim::Loop`, become their
elements. Afterwards no node gives a tuple.

Raises:

    TorchScriptError: a tuple is used in a way that needs it to be one value (an element of a list, an operand of a call).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._folding import constant_for
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code
from torchscript_dialect.transforms.lower_simple_tuples import forward_tuple_elements
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)

_FORWARD = (prim.IfOp, prim.LoopOp, prim.YieldOp, ReturnOp)
_TAKE = (prim.TupleUnpackOp, prim.TupleIndexOp, prim.TupleSliceOp)


@dataclass(frozen=True)
class LowerAllTuples(FunctionPass):
    name = "ts-lower-all-tuples"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        block = function.body.block
        before = (*block.arg_types, *edit.terminator(block).operand_types)
        _block(block)
        analyses.invalidate(function)
        changed = eliminate_dead_code(function, analyses)
        _check(block)
        dump(LOG, "After LowerAllTuples: ", function)
        return changed or before != (*block.arg_types, *edit.terminator(block).operand_types)


def _block(block: Block) -> None:
    _arguments(block)
    op = block.first_op
    while op is not None:
        following = op.next_op
        if isinstance(op, prim.ConstantOp):
            _constant(op)
        elif isinstance(op, _TAKE):
            if not forward_tuple_elements(op):
                raise TorchScriptError(f"{op.KIND} is not matched to a tuple construct")
        elif not isinstance(op, prim.TupleConstructOp):
            _operands(op)
            for inner in blocks_of(op):
                _block(inner)
            if following is not None:
                _results(op, following)
        op = following


def _constant(op: prim.ConstantOp) -> None:
    """A constant tuple is constructed of its elements."""
    type_ = op.results[0].type
    if not isinstance(type_, TupleType) or op.function_symbol is not None or not op.attributes:
        return
    elements: list[SSAValue] = []
    for value, element_type in zip(op.value, type_.elements, strict=True):
        constant = constant_for(value, element_type)
        edit.insert_before(op, constant)
        elements.append(constant.results[0])
    made = prim.TupleConstructOp.create(operands=elements, result_types=[type_])
    edit.insert_before(op, made)
    edit.replace_uses(op.results[0], made.results[0])
    for element in elements:
        assert isinstance(element.owner, prim.ConstantOp)
        _constant(element.owner)


def _elements(value: SSAValue) -> Sequence[SSAValue]:
    if not isinstance(value.owner, prim.TupleConstructOp):
        raise TorchScriptError("a use of a tuple is not matched to a tuple construct")
    return value.owner.operands


def _operands(op: Operation) -> None:
    """Operands that are tuples become their elements, and those theirs."""
    if not any(isinstance(value.type, TupleType) for value in op.operands):
        return
    kind = getattr(op, "KIND", op.name)
    if not isinstance(op, _FORWARD) and kind != "aten::format":
        raise TorchScriptError(
            f"tuple appears in op that does not forward tuples, unsupported kind: {kind}"
        )
    waiting = list(reversed(op.operands))
    flat: list[SSAValue] = []
    while waiting:
        value = waiting.pop()
        if isinstance(value.type, TupleType):
            waiting += reversed(_elements(value))
        else:
            flat.append(value)
    op.operands = flat


def _results(op: Operation, before: Operation) -> None:
    """Results that are tuples become several, of which a tuple is made for their uses."""
    index = 0
    while index < len(op.results):
        result = op.results[index]
        if not isinstance(result.type, TupleType):
            index += 1
            continue
        if not isinstance(op, _FORWARD):
            raise TorchScriptError(
                "tuple appears in op that does not forward tuples, unsupported kind:"
                f" {getattr(op, 'KIND', op.name)}"
            )
        new = edit.insert_results(op, index + 1, result.type.elements.data)
        before = _make_tuple(result, new, before)
        edit.erase_results(op, [index])


def _arguments(block: Block) -> None:
    index = 0
    before = block.first_op
    assert before is not None
    while index < len(block.args):
        argument = block.args[index]
        if not isinstance(argument.type, TupleType):
            index += 1
            continue
        types = argument.type.elements.data
        new: list[BlockArgument] = [
            block.insert_arg(type_, index + 1 + place) for place, type_ in enumerate(types)
        ]
        before = _make_tuple(argument, new, before)
        block.erase_arg(argument)


def _make_tuple(old: SSAValue, elements: Sequence[SSAValue], before: Operation) -> Operation:
    made = prim.TupleConstructOp.create(operands=elements, result_types=[old.type])
    edit.insert_before(before, made)
    edit.replace_uses(old, made.results[0])
    return made


def _check(block: Block) -> None:
    for op in block.ops:
        for inner in blocks_of(op):
            _check(inner)
        if any(isinstance(result.type, TupleType) for result in op.results):
            raise TorchScriptError("Couldn't lower all tuples.")
