"""What follows the frontend: the passes that make graphs what users see."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.effects import class_may_write
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
    lists = [
        op.results[0]
        for op in all_ops(function.body.block)
        if type(op) is ConstantOp and isinstance(type_of(op.results[0]), ListType)
    ]
    writes = _Writes(function) if lists else None
    for value in lists:
        writer = None if writes is None else writes.to(value)
        for use in value.uses:
            if writer is None and isinstance(use.operation, CallFunctionOp):
                writer = _writer_of_argument(unit, use.operation, use.index - 1)
        if writer is not None:
            raise FrontendError(
                f"'{function.sym_name.data}' writes to a list that is a default value, which would be"
                f" kept for the next call{at(writer)}. Make the list in the program"
            )


class _Writes:
    """The operators of a function that write; calls may write to anything, and are left to who looks into them."""

    def __init__(self, function: FuncOp) -> None:
        operators = (op for op in function.walk() if op.name.startswith("aten."))
        self.operators = [op for op in operators if class_may_write(type(op))]
        self.aliases = AliasDb(function) if self.operators else None

    def to(self, value: SSAValue) -> Operation | None:
        """One that writes to a list."""
        if self.aliases is None:
            return None
        found = (op for op in self.operators if self.aliases.writes_to_alias(op, (value,)))
        return next(found, None)


def _writer_of_argument(
    unit: CompilationUnit, call: CallFunctionOp, number: int
) -> Operation | None:
    owner = call.callee.owner
    symbol = owner.function_symbol if isinstance(owner, ConstantOp) else None
    called = unit.functions.get(symbol or "")
    if called is None or called.func_op is None:
        return None
    return _Writes(called.func_op).to(called.func_op.body.block.args[number])
