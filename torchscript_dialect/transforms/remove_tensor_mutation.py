"""Makes new tensors instead of writing to old ones, where nobody can tell (PyTorch: passes/remove_mutation.cpp).

Works on typed graphs. `aten::relu_(%x)` becomes `aten::relu(%x)`, of which all later uses of `%x` are made uses, if `%x` is made by
a node of the same block, or carried by its loop, the new tensor has the dtype and sizes of the old one, and nothing that was made
before the node and may be the same memory, or hold it, is used after it. What a caller gave, or another block, stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp, operator_class
from torchscript_dialect.ir import edit
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.ops.shapes import Unknown
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.tensor_type import TensorProperties, TensorType
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class RemoveTensorMutation(FunctionPass):
    """In the lists that make other compilers' functions, whose tensors are values."""

    name = "ts-remove-tensor-mutation"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = False
        for op in edit.nested_ops(function.body.block):
            base = _base(op)
            if base is None or not _may_be_new(op, base, function, analyses):
                continue
            if not LIMIT.allows():
                break
            _make_new(op, base)
            analyses.invalidate(function)
            changed = True
        dump(LOG, "After RemoveTensorMutation: ", function)
        return changed


def _base(op: Operation) -> Operator | None:
    """The operator that gives what this one writes into its first operand."""
    if not isinstance(op, OperatorOp) or op.OPERATOR is None or not op.KIND.endswith("_"):
        return None
    own = [(argument.name, argument.type) for argument in op.OPERATOR.schema.arguments]
    for base in registry.lookup(op.KIND[:-1]):
        arguments = [(argument.name, argument.type) for argument in base.schema.arguments]
        if arguments == own and not base.schema.is_mutable and len(op.results) == 1:
            return base
    return None


def _may_be_new(op: Operation, base: Operator, function: FuncOp, analyses: Analyses) -> bool:
    target = op.operands[0]
    maker, block = target.owner, op.parent
    if block is None or (maker.parent if isinstance(maker, Operation) else maker) is not block:
        return False
    if isinstance(maker, Block) and not isinstance(maker.parent_op(), prim.LoopOp):
        return False
    return _is_like(target, op, base) and _is_alone(op, block, function, analyses.aliases(function))


def _is_like(target: SSAValue, op: Operation, base: Operator) -> bool:
    """Whether the new tensor has the dtype and sizes of the old one."""
    known = target.type
    if base.shape is None or not isinstance(known, TensorType):
        return False
    made = base.shape([_fact(value) for value in op.operands])
    if not isinstance(made, TensorProperties) or known.dtype is None or known.sizes is None:
        return False
    return made.dtype == known.dtype and made.sizes == known.sizes and None not in known.sizes


def _fact(value: SSAValue) -> Any:
    """What shape rules are told of a value."""
    if isinstance(value.owner, prim.ConstantOp) and value.owner.function_symbol is None:
        return value.owner.value
    type_ = edit.type_of(value)
    return type_.data if isinstance(type_, TensorType) else Unknown(type_)


def _is_alone(op: Operation, block: Block, function: FuncOp, aliases: AliasDb) -> bool:
    """Whether nothing made before an op is the memory that it writes to, or holds it, and is used after it."""
    target = op.operands[0]
    places = {one: place for place, one in enumerate(edit.all_ops(block))}
    ops = edit.nested_ops(function.body.block)
    arguments = [*function.body.block.args]
    for other in ops:
        for inner in blocks_of(other):
            arguments += inner.args
    for value in (*arguments, *(result for one in ops for result in one.results)):
        if value is target or value is op.results[0] or _is_carried_as(target, value):
            continue
        if not aliases.may_contain_alias(value, target):
            continue
        maker = _in_block(value.owner, block)
        if maker is not None and places[maker] > places[op]:
            continue
        if not _is_used_before(value, op, places):
            return False
    return True


def _in_block(maker: Operation | Block, block: Block) -> Operation | None:
    """The op of a block that makes a value, or that holds what makes it."""
    op = maker if isinstance(maker, Operation) else maker.parent_op()
    while op is not None and op.parent is not block:
        op = op.parent_op()
    return op


def _is_carried_as(target: SSAValue, value: SSAValue) -> bool:
    """Whether a value is what a loop carries as the target: what it ends as, or what it begins with, where nothing else sees that
    when the loop runs and after it.
    """
    if not isinstance(target, BlockArgument) or target.index == 0:
        return False
    loop = target.block.parent_op()
    assert isinstance(loop, prim.LoopOp)
    if value is loop.results[target.index - 1]:
        return True
    if value is not loop.carried[target.index - 1] or loop.parent is None:
        return False
    places = {one: place for place, one in enumerate(edit.all_ops(loop.parent))}
    uses = [use.operation for use in value.uses]
    return uses.count(loop) == 1 and _are_before(
        [one for one in uses if one is not loop], loop, places
    )


def _is_used_before(value: SSAValue, op: Operation, places: dict[Operation, int]) -> bool:
    """Whether all uses of a value stand in front of an op, in its block."""
    if not isinstance(value.owner, Operation) or value.owner.parent is not op.parent:
        return False
    return _are_before([use.operation for use in value.uses], op, places)


def _are_before(users: list[Operation], op: Operation, places: dict[Operation, int]) -> bool:
    return all(one in places and places[one] < places[op] for one in users)


def _make_new(op: Operation, base: Operator) -> None:
    """Put the operator that makes a new tensor in the place of one that writes."""
    target, result = op.operands[0], op.results[0]
    made = operator_class(base.qualified_name).create(
        operands=op.operands, result_types=[result.type], location=op.location
    )
    edit.insert_before(op, made)
    new = made.results[0]
    assert op.parent is not None
    later = edit.all_ops(op.parent)
    behind = {inner for one in later[later.index(op) :] for inner in one.walk()}
    edit.replace_uses(result, new)
    for use in list(target.uses):
        if use.operation in behind:
            use.operation.operands[use.index] = new
    edit.set_name(new, result.name_hint or target.name_hint)
    edit.erase(op)
