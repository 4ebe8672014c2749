"""What follows the frontend: the passes that make graphs what users see."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.dialects.prim import CallFunctionOp, ConstantOp, type_of
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.ir.edit import all_ops
from torchscript_dialect.ir.locations import at
from torchscript_dialect.passes.lists import PassLists, current
from torchscript_dialect.passes.named import pipeline as pipeline_of
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.errors import FrontendError


def clean_up(unit: CompilationUnit, own_lists: PassLists | None = None) -> None:
    """Run the passes that follow the frontend on all functions of a unit that have not been through them."""
    passes = pipeline_of(own_lists or current(), "after-frontend")
    with without_collection():
        for function in unit.functions.values():
            if function.func_op is not None and not function.is_clean:
                passes.apply(function.func_op)
                _refuse_written_defaults(unit, function.func_op)
                function.is_clean = True


def _refuse_written_defaults(unit: CompilationUnit, function: FuncOp) -> None:
    """Raise where a program writes to a list that is a constant, as the default of a field or parameter is: it would be kept for the
    next call.

    Raises:
        FrontendError: it does.
    """
    for op in all_ops(function.body.block):
        if type(op) is not ConstantOp or not isinstance(type_of(op.results[0]), ListType):
            continue
        writer = _writer(function, op.results[0])
        for use in op.results[0].uses:
            if writer is None and isinstance(use.operation, CallFunctionOp):
                writer = _writer_of_argument(unit, use.operation, use.index - 1)
        if writer is not None:
            raise FrontendError(
                f"'{function.sym_name.data}' writes to a list that is a default value, which would be"
                f" kept for the next call{at(writer)}. Make the list in the program"
            )


def _writer(function: FuncOp, value: SSAValue) -> Operation | None:
    """An operator that writes to a list; calls may write to anything, and are left to who looks into them."""
    aliases = AliasDb(function)
    operators = (op for op in function.walk() if op.name.startswith("aten."))
    return next((op for op in operators if aliases.writes_to_alias(op, (value,))), None)


def _writer_of_argument(
    unit: CompilationUnit, call: CallFunctionOp, number: int
) -> Operation | None:
    owner = call.callee.owner
    symbol = owner.function_symbol if isinstance(owner, ConstantOp) else None
    called = unit.functions.get(symbol or "")
    if called is None or called.func_op is None:
        return None
    return _writer(called.func_op, called.func_op.body.block.args[number])
