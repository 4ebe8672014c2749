"""Guards every fusion group with the types it was made for (PyTorch: passes/tensorexpr_fuser.cpp,
`insertTypeGuard`).

`prim::TypeCheck` looks at the group's tensors; `prim::If` runs the group where they fit, and otherwise a `prim::FallbackGraph`, which
holds the group's nodes as they were; `ts-lower-fallback-graphs` makes functions of these. After it the graph shows
what a call does: kernels check their arguments themselves when they are called, so that this pass
is for looking at graphs, not for running them.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Region, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.core import BOOL
from torchscript_dialect.types.subtyping import unshaped
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)


class InsertTypeChecks(FunctionPass):
    name = "ts-insert-type-checks"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        for group in edit.nested_ops(function.body.block):
            if isinstance(group, prim.TensorExprGroupOp) and _takes_tensors(group):
                _guard(group)
        _forget_types(function.body.block)
        dump(LOG, "After InsertTypeChecks: ", function)
        return True


def _takes_tensors(group: prim.TensorExprGroupOp) -> bool:
    return any(isinstance(value.type, TensorType) for value in group.operands)


def _forget_types(block: Block) -> None:
    """Make tensors plain `Tensor` but where a check or a group vouches for more: their types were
    guesses.
    """
    for argument in block.args:
        edit.set_type(argument, unshaped(type_of(argument)))
    for op in block.ops:
        if isinstance(op, prim.DifferentiableGraphOp):
            _forget_types(op.body)
        for inner in blocks_of(op):
            _forget_types(inner)
        if not isinstance(op, (prim.ConstantOp, prim.TypeCheckOp, prim.TensorExprGroupOp)):
            for result in op.results:
                edit.set_type(result, unshaped(type_of(result)))


def _guard(group: prim.TensorExprGroupOp) -> None:
    checked = [value for value in group.operands if isinstance(value.type, TensorType)]
    arguments = dict(zip(group.operands, group.body.args, strict=True))
    check = prim.TypeCheckOp.create(
        operands=checked, result_types=[*(arguments[value].type for value in checked), BOOL]
    )
    guard_with(check, group)


def guard_with(check: prim.TypeCheckOp | prim.RequiresGradCheckOp, group: prim.GroupOp) -> None:
    """Put a group under a check of its tensors, with its nodes as the fallback."""
    fitting: dict[SSAValue, SSAValue] = dict(zip(check.operands, check.results[:-1], strict=True))
    fallback = _fallback(group)
    choice = prim.IfOp.create(
        operands=[check.results[-1]],
        result_types=fallback.result_types,
        regions=[Region(Block()), Region(Block([fallback, prim.YieldOp(*fallback.results)]))],
    )
    edit.insert_before(group, check)
    edit.insert_before(group, choice)
    for old, new in zip(group.results, choice.results, strict=True):
        new.name_hint = old.name_hint
        edit.replace_uses(old, new)
    group.detach()
    group.operands = [fitting.get(value, value) for value in group.operands]
    choice.then_region.block.add_ops([group, prim.YieldOp.create(operands=group.results)])


def _fallback(group: prim.GroupOp) -> prim.FallbackGraphOp:
    """The group's nodes, for tensors of any type."""
    block = edit.clone_block(group.body)
    end = edit.terminator(block)
    end.operands = end.operands[: len(group.results)]
    for argument in block.args:
        edit.set_type(argument, unshaped(type_of(argument)))
    for op in block.ops:
        if not isinstance(op, prim.ConstantOp):
            for result in op.results:
                edit.set_type(result, unshaped(type_of(result)))
    return prim.FallbackGraphOp.create(
        operands=group.operands,
        result_types=[unshaped(type_of(result)) for result in group.results],
        regions=[Region(block)],
    )
