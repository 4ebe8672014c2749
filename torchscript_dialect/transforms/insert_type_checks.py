"""Guards every fusion group with the types it was made for (PyTorch: passes/tensorexpr_fuser.cpp,
`insertTypeGuard`).

`prim::TypeCheck` looks at the group's tensors; `prim::If` runs the group where they fit, and
otherwise a fallback function, which holds the group's nodes as they were. After it the graph shows
what a call does: kernels check their arguments themselves when they are called, so that this pass
is for looking at graphs, not for running them.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass

from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import to_attribute
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.requirements import require_functions
from torchscript_dialect.transforms._pass import dump
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import BOOL
from torchscript_dialect.types.named import FunctionType
from torchscript_dialect.types.subtyping import unshaped
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)

FALLBACK = "fallback_function"


@dataclass(frozen=True)
class InsertTypeChecks(ModulePass):
    name = "ts-insert-type-checks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        count = 0
        for function in require_functions(op, self.name):
            for group in edit.nested_ops(function.body.block):
                if isinstance(group, prim.TensorExprGroupOp) and _takes_tensors(group):
                    _guard(op, group, f"{FALLBACK}_{count}")
                    count += 1
            _forget_types(function.body.block)
            edit.update_function_type(function)
            dump(LOG, "After InsertTypeChecks: ", function)


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


def _guard(module: ModuleOp, group: prim.TensorExprGroupOp, symbol: str) -> None:
    block = group.parent_block()
    assert block is not None
    module.body.block.add_op(_fallback(group, symbol))
    checked = [value for value in group.operands if isinstance(value.type, TensorType)]
    arguments = dict(zip(group.operands, group.body.args, strict=True))
    check = prim.TypeCheckOp.create(
        operands=checked, result_types=[*(arguments[value].type for value in checked), BOOL]
    )
    fitting: dict[SSAValue, SSAValue] = dict(zip(checked, check.results[:-1], strict=True))
    outputs = [unshaped(type_of(result)) for result in group.results]
    choice = prim.IfOp.create(
        operands=[check.results[-1]],
        result_types=outputs,
        regions=[Region(Block()), Region(_call_fallback(group, symbol))],
    )
    block.insert_ops_before([check, choice], group)
    for old, new in zip(group.results, choice.results, strict=True):
        new.name_hint = old.name_hint
        edit.replace_uses(old, new)
    group.detach()
    group.operands = [fitting.get(value, value) for value in group.operands]
    choice.then_region.block.add_ops([group, prim.YieldOp.create(operands=group.results)])


def _call_fallback(group: prim.TensorExprGroupOp, symbol: str) -> Block:
    constant = prim.ConstantOp.create(
        result_types=[FunctionType(symbol)],
        attributes={"name": StringAttr(FALLBACK), "fallback": to_attribute(1)},
    )
    outputs = [unshaped(type_of(result)) for result in group.results]
    call = prim.CallFunctionOp.create(
        operands=[constant.results[0], *group.operands], result_types=[TupleType.get(outputs)]
    )
    unpack = prim.TupleUnpackOp.create(operands=call.results, result_types=outputs)
    return Block([constant, call, unpack, prim.YieldOp.create(operands=unpack.results)])


def _fallback(group: prim.TensorExprGroupOp, symbol: str) -> FuncOp:
    """The group's nodes as a function, which gives a tuple of its results."""
    body = Block(arg_types=[unshaped(type_of(value)) for value in group.operands])
    values: dict[SSAValue, SSAValue] = dict(zip(group.body.args, body.args, strict=True))
    for old, new in zip(group.body.args, body.args, strict=True):
        new.name_hint = old.name_hint
    for op in group.body.ops:
        if op is group.body.last_op:
            break
        copy = op.clone(values)
        for old, new in zip(op.results, copy.results, strict=True):
            new.name_hint = old.name_hint
            edit.set_type(new, unshaped(type_of(new)))
        body.add_op(copy)
    results = [values[value] for value in prim.yielded(group.regions[0])]
    pack = prim.TupleConstructOp.create(
        operands=results, result_types=[TupleType.get(type_of(r) for r in results)]
    )
    body.add_ops([pack, ReturnOp(pack.results[0])])
    function_type = (list(body.arg_types), [pack.results[0].type])
    return FuncOp(symbol, function_type, Region(body), visibility="private")
